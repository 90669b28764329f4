"""Resolve a bracket: who is in every match, given the outcomes so far.

One function for all elimination formats. Correcting a result is resolving again. Nothing is guessed: a slot
that cannot be known yet is *to be decided*.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from heapq import heapify, heappop, heappush

from tournaments.core.brackets.bracket import Bracket, Table
from tournaments.core.stages.errors import DrawRefused
from tournaments.core.stages.outcomes import Outcome
from tournaments.core.stages.slots import Empty

BYE, TO_BE_DECIDED, WITHDRAWN = int(Empty.BYE), int(Empty.TO_BE_DECIDED), int(Empty.WITHDRAWN)

Results = Mapping[int, Outcome]


class BracketStatus(StrEnum):
    """Where a match stands."""

    WAITING = "waiting"
    """At least one side is not known yet."""
    READY = "ready"
    DECIDED = "decided"
    """By a reported outcome."""
    BYE = "bye"
    """The other side never existed: the entrant goes on unplayed."""
    WALKOVER = "walkover"
    """The other side has left the event: the entrant goes on unplayed."""
    EMPTY = "empty"
    """No entrant is or will be here."""
    NOT_NEEDED = "not needed"
    """A reset final after the unbeaten finalist won the first one."""


@dataclass(frozen=True, slots=True)
class Resolution:
    """The state of every match; the lists are indexed by match number (index 0 is unused).

    Contents are entrant numbers, or the values of ``slots.Empty``. ``winner`` and ``loser`` say what goes on
    from a match, so a loser who left the event may still be named there. ``stale`` are the matches whose
    recorded outcome names entrants who are no longer in them: such an outcome counts for nothing.
    """

    bracket: Bracket
    a: list[int]
    b: list[int]
    winner: list[int]
    loser: list[int]
    results: Results
    gone: frozenset[int]
    stale: tuple[int, ...]

    def status(self, match: int) -> BracketStatus:
        self.bracket.require(match)
        a, b = self.a[match], self.b[match]
        if match == self.bracket.reset and self._settled_without_reset():
            return BracketStatus.NOT_NEEDED
        if match in self.results and match not in self.stale:
            return BracketStatus.DECIDED
        a, b = self.present(a), self.present(b)
        if TO_BE_DECIDED in (a, b):
            return BracketStatus.WAITING
        if a > 0 and b > 0:
            return BracketStatus.READY
        if a <= 0 and b <= 0:
            return BracketStatus.EMPTY
        return BracketStatus.BYE if BYE in (a, b) else BracketStatus.WALKOVER

    def present(self, content: int) -> int:
        """The content as the next match finds it: an entrant who left is ``WITHDRAWN``."""
        return WITHDRAWN if content in self.gone else content

    def _settled_without_reset(self) -> bool:
        if self.bracket.reset is None:
            return False
        final = self.bracket.reset - 1
        return self.winner[final] > 0 and self.winner[final] == self.a[final]

    def ready(self) -> Iterator[int]:
        """The matches that can be played now, in number order."""
        return (m for m in range(1, self.bracket.size + 1) if self.status(m) is BracketStatus.READY)

    @property
    def complete(self) -> bool:
        """Whether no match waits or is ready: only then is there a champion to declare."""
        return TO_BE_DECIDED not in self.winner[1:]

    def champion(self, table: Table) -> int | None:
        """The winner of a table's last match; ``None`` while any of its matches can still be played."""
        last = table.rounds[-1].first + table.rounds[-1].count - 1
        return self.winner[last] if self.winner[last] > 0 else None


def resolve(bracket: Bracket, results: Results, gone: Collection[int] = ()) -> Resolution:
    """Fill every slot that the outcomes decide.

    ``results`` are outcomes by match number; an outcome recorded before its entrant left stands. ``gone`` are
    the entrants who play no further match: each of their open matches is a walkover for the other side, in
    every section (a disqualified entrant leaves both brackets). Time is linear in the number of matches.

    Raises:
        DrawRefused: ``no_such_match`` for an outcome outside the bracket.
    """
    for match in results:
        bracket.require(match)
    filling = _Filling(bracket, results, frozenset(gone))
    for match in range(1, bracket.size + 1):
        filling.fill(match)
    return filling.resolution()


def resolve_again(known: Resolution, results: Results) -> Resolution:
    """As :func:`resolve` with the bracket and the absentees of ``known``, of which the rest is taken over.

    Only the matches whose outcomes differ are filled again, and those that this reaches.

    Raises:
        DrawRefused: ``no_such_match`` for an outcome outside the bracket.
    """
    bracket, away, old = known.bracket, known.gone, known.results
    due = [m for m in results.keys() | old.keys() if not _alike(results.get(m), old.get(m))]
    for match in due:
        bracket.require(match)
    if len(away) > 1:  # who goes on from a match that both have left, the later ones tell
        due += [m for m in range(1, bracket.size + 1) if known.a[m] in away and known.b[m] in away]
    filling = _Filling(bracket, results, away, known)
    heapify(due)
    while due:
        match = heappop(due)
        if match + 1 == bracket.reset:  # whether it is played hangs on who was unbeaten before
            heappush(due, bracket.reset)
        if filling.fill(match):
            for later in (bracket.winner_goes_to(match), bracket.loser_goes_to(match)):
                if later is not None:
                    heappush(due, later)
    return filling.resolution()


def _alike(one: Outcome | None, other: Outcome | None) -> bool:
    return one is other or one == other  # most are the very same object


class _Filling:
    """The slots of a bracket while they are filled, in the order of the matches."""

    def __init__(
        self, bracket: Bracket, results: Results, away: frozenset[int], known: Resolution | None = None
    ) -> None:
        """``known``: what is filled already."""
        self.bracket, self.results, self.away = bracket, results, away
        size = bracket.size + 1
        self.a, self.b = (list(known.a), list(known.b)) if known else ([0] * size, [0] * size)
        # By packed code: the winner of m at 2m, its loser at 2m + 1, a bye at 0.
        self.out = [0] * (2 * size)
        if known:
            self.out[::2], self.out[1::2] = known.winner, known.loser
        self.stale = set(known.stale) if known else set()

    def fill(self, match: int) -> bool:
        """Fill one match from those before it; true if another entrant goes on from it."""
        slot_a, slot_b, out = self.bracket.a[match - 1], self.bracket.b[match - 1], self.out
        self.a[match] = a = -slot_a if slot_a < 0 else out[slot_a]
        self.b[match] = b = -slot_b if slot_b < 0 else out[slot_b]
        outcome = self.results.get(match)
        counts = outcome is not None and outcome.between(a, b)
        if outcome is None or counts:
            self.stale.discard(match)
        else:
            self.stale.add(match)
        goes_on = _of_outcome(outcome) if outcome is not None and counts else self._unplayed(match, a, b)
        changed = goes_on != (out[2 * match], out[2 * match + 1])
        out[2 * match], out[2 * match + 1] = goes_on
        return changed

    def _unplayed(self, match: int, a: int, b: int) -> tuple[int, int]:
        """What goes on (winner, loser) from a match without an outcome that counts."""
        if match == self.bracket.reset and a > 0 and a == self.a[match - 1]:
            return a, b  # the unbeaten finalist won: no reset
        if self.away and a > 0 and b > 0 and (a in self.away or b in self.away):
            return _walkover(self.bracket, self.results, match, a, b, self.away)
        return _undecided(a, b, self.away)

    def resolution(self) -> Resolution:
        winner, loser, stale = self.out[::2], self.out[1::2], tuple(sorted(self.stale))
        return Resolution(self.bracket, self.a, self.b, winner, loser, self.results, self.away, stale)


def _of_outcome(outcome: Outcome) -> tuple[int, int]:
    if outcome.advances is None or outcome.drops is None:
        return WITHDRAWN, WITHDRAWN
    return outcome.advances, outcome.drops


def _undecided(a: int, b: int, away: frozenset[int]) -> tuple[int, int]:
    """What goes on (winner, loser) from a match without two entrants.

    A bye is known before its opponent is. An entrant without an opponent goes on even after leaving: they may
    have played on before.
    """
    if BYE in (a, b):
        return (b, BYE) if a == BYE else (a, BYE)
    if WITHDRAWN in (a, b):
        return (b, WITHDRAWN) if a == WITHDRAWN else (a, WITHDRAWN)
    if a in away or b in away:
        return TO_BE_DECIDED, WITHDRAWN
    return TO_BE_DECIDED, TO_BE_DECIDED


def _walkover(
    bracket: Bracket, results: Results, match: int, a: int, b: int, away: frozenset[int]
) -> tuple[int, int]:
    """What goes on from two entrants of whom at least one has left.

    The other one goes on. If both have left, the one who had played on before leaving; if neither did, no
    one.
    """
    if a not in away or b not in away:
        return (b if a in away else a), WITHDRAWN
    following = bracket.winner_goes_to(match)
    while following is not None:
        outcome = results.get(following)
        if outcome is not None:
            both = (outcome.winner, outcome.loser)
            return (a if a in both else b if b in both else WITHDRAWN), WITHDRAWN
        following = bracket.winner_goes_to(following)
    return WITHDRAWN, WITHDRAWN


def require_ready(resolution: Resolution, match: int, outcome: Outcome) -> None:
    """Refuse an outcome for a match that is not between these two entrants now.

    Raises:
        DrawRefused: ``no_such_match``, ``not_ready`` or ``wrong_entrants``.
    """
    status = resolution.status(match)
    if status not in (BracketStatus.READY, BracketStatus.DECIDED):
        raise DrawRefused(
            "not_ready",
            f"match {match} is {status}: it does not have two entrants yet",
            match=match,
            status=status,
        )
    a, b = resolution.a[match], resolution.b[match]
    if not outcome.between(a, b):
        raise DrawRefused(
            "wrong_entrants",
            f"match {match} is between {a} and {b}, not {outcome.winner} and {outcome.loser}",
            match=match,
        )
