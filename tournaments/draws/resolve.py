"""Who is in every match of a bracket, given the outcomes so far: one function for all elimination formats.

Correcting a result is resolving again. Nothing is guessed: a slot that cannot be known yet is *to be
decided*.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum

from tournaments.draws.bracket import Bracket, Table
from tournaments.draws.errors import DrawRefused
from tournaments.draws.outcomes import Ended, Outcome
from tournaments.draws.slots import Empty

BYE, TO_BE_DECIDED, WITHDRAWN = int(Empty.BYE), int(Empty.TO_BE_DECIDED), int(Empty.WITHDRAWN)

Results = Mapping[int, Outcome]


class Status(StrEnum):
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
    """Nobody is or will be here."""
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

    def status(self, match: int) -> Status:
        self.bracket.require(match)
        a, b = self.a[match], self.b[match]
        if match == self.bracket.reset and self._settled_without_reset():
            return Status.NOT_NEEDED
        if match in self.results and match not in self.stale:
            return Status.DECIDED
        a, b = self.present(a), self.present(b)
        if TO_BE_DECIDED in (a, b):
            return Status.WAITING
        if a > 0 and b > 0:
            return Status.READY
        if a <= 0 and b <= 0:
            return Status.EMPTY
        return Status.BYE if BYE in (a, b) else Status.WALKOVER

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
        return (m for m in range(1, self.bracket.size + 1) if self.status(m) is Status.READY)

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
    away = frozenset(gone)
    size = bracket.size
    left, right = [0] * (size + 1), [0] * (size + 1)
    out = [0] * (2 * size + 2)  # by packed code: the winner of m at 2m, its loser at 2m + 1, a bye at 0
    stale: list[int] = []
    recorded = results.get
    for match, (slot_a, slot_b) in enumerate(zip(bracket.a, bracket.b, strict=True), 1):
        a = -slot_a if slot_a < 0 else out[slot_a]
        b = -slot_b if slot_b < 0 else out[slot_b]
        left[match], right[match] = a, b
        outcome = recorded(match)
        if outcome is not None:
            if (outcome.winner == a and outcome.loser == b) or (outcome.winner == b and outcome.loser == a):
                if outcome.ended is Ended.DOUBLE_NO_SHOW:
                    out[2 * match] = out[2 * match + 1] = WITHDRAWN
                else:
                    out[2 * match], out[2 * match + 1] = outcome.winner, outcome.loser
                continue
            stale.append(match)
        if match == bracket.reset and a > 0 and a == left[match - 1]:
            out[2 * match], out[2 * match + 1] = a, b  # the unbeaten finalist won: no reset
            continue
        if away and a > 0 and b > 0 and (a in away or b in away):
            out[2 * match], out[2 * match + 1] = _walkover(bracket, results, match, a, b, away)
        else:
            out[2 * match], out[2 * match + 1] = _undecided(a, b, away)
    return Resolution(bracket, left, right, out[::2], out[1::2], results, away, tuple(stale))


def _undecided(a: int, b: int, away: frozenset[int]) -> tuple[int, int]:
    """What goes on (winner, loser) from a match without two entrants. A bye is known before its opponent is.

    Whoever has no opponent goes on even if he has left since: he may have played on before he did.
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
    """What goes on from two entrants of whom at least one has left: the other one.

    If both have left, whoever played on before he left had gone on; if neither did, nobody goes on.
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
    if status not in (Status.READY, Status.DECIDED):
        raise DrawRefused(
            "not_ready", f"match {match} is {status}: it has no two entrants", match=match, status=status
        )
    a, b = resolution.a[match], resolution.b[match]
    if not outcome.between(a, b):
        raise DrawRefused(
            "wrong_entrants",
            f"match {match} is between {a} and {b}, not {outcome.winner} and {outcome.loser}",
            match=match,
        )
