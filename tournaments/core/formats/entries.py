"""Re-entries and buy-backs, jackpots that start when full, and satellites that pay an entry."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from tournaments.core.stages.entrants import Entrant
from tournaments.core.stages.errors import DrawRefused


@dataclass(frozen=True, slots=True)
class ReEntryRules:
    """``most`` re-entries each, at ``price`` (minor units), until ``deadline`` (aware). ``pools_kept``:
    whoever was in a side pool stays in it without paying again.
    """

    most: int
    price: int
    deadline: datetime
    pools_kept: bool = True


@dataclass(frozen=True, slots=True)
class ReEntry:
    """A re-entry: the new entrant, what it costs, and the side pools he is in again."""

    entrant: Entrant
    price: int
    pools: tuple[str, ...]


def re_enter(
    first: Entrant,
    rules: ReEntryRules,
    *,
    made: int,
    out: bool,
    at: datetime,
    pools: Sequence[str] = (),
) -> ReEntry:
    """A player's next entry after he is out. ``made`` counts his re-entries so far.

    The new entrant has a ref of its own (``"p7+1"``) and the same player behind it, so that results of the
    two entries stay apart while it is one person who plays.

    Raises:
        DrawRefused: ``still_in``, ``re_entry_late`` or ``re_entries_used``.
    """
    if not out:
        raise DrawRefused("still_in", f"{first.ref} is still in the event", ref=first.ref)
    if at > rules.deadline:
        raise DrawRefused(
            "re_entry_late",
            f"re-entries closed at {rules.deadline:%H:%M}; it is {at:%H:%M}",
            deadline=rules.deadline,
        )
    if made >= rules.most:
        raise DrawRefused(
            "re_entries_used", f"{first.ref} has used all {rules.most} re-entries", most=rules.most
        )
    again = Entrant(
        f"{first.ref}+{made + 1}", first.rating, first.people, first.club, first.country, first.met
    )
    return ReEntry(again, rules.price, tuple(pools) if rules.pools_kept else ())


@dataclass(frozen=True, slots=True)
class JackpotFill:
    """Jackpots that can start, in the order they filled, and those who wait for the next."""

    started: tuple[tuple[str, ...], ...]
    waiting: tuple[str, ...]


def fill_jackpots(queue: Sequence[str], size: int) -> JackpotFill:
    """Start a jackpot whenever ``size`` different players wait, first come first served.

    A player who queues twice is in two different jackpots, never twice in one.

    Raises:
        DrawRefused: ``jackpot_size`` unless it is a power of two from 2: it is a knockout without byes.
    """
    if size < 2 or size & (size - 1):
        raise DrawRefused("jackpot_size", f"a jackpot of {size} would need byes: use 2, 4, 8, ...", size=size)
    waiting = list(queue)
    started: list[tuple[str, ...]] = []
    while len(players := list(dict.fromkeys(waiting))) >= size:
        started.append(tuple(players[:size]))
        for player in players[:size]:
            waiting.remove(player)
    return JackpotFill(tuple(started), tuple(waiting))
