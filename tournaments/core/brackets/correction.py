"""Preview what a correction would change.

US rule 4.10 (docs/reference/tournaments.md, "Results and corrections"): an error may be corrected, but not
after either player has begun a later match. So a dependent match that has started locks the correction; the
director sees which ones.
"""

from collections.abc import Collection
from dataclasses import dataclass

from tournaments.core.brackets.bracket import Bracket
from tournaments.core.brackets.placing import table_reached
from tournaments.core.brackets.resolve import Resolution, Results, resolve
from tournaments.core.stages.errors import DrawRefused
from tournaments.core.stages.outcomes import Outcome
from tournaments.core.standings.places import Place


@dataclass(frozen=True, slots=True)
class Correction:
    """The outcome that match ``match`` should have; ``None`` undoes the reported one."""

    match: int
    outcome: Outcome | None


@dataclass(frozen=True, slots=True)
class MatchChange:
    """A match whose entrants, winner or loser change.

    Each state is (a, b, winner, loser), numbers or ``Empty`` values.
    """

    match: int
    before: tuple[int, int, int, int]
    after: tuple[int, int, int, int]


@dataclass(frozen=True, slots=True)
class PlaceChange:
    """An entrant's place in a table; ``None`` while it is open."""

    table: str
    entrant: int
    before: Place | None
    after: Place | None


@dataclass(frozen=True, slots=True)
class Consequences:
    """Everything a correction does.

    ``locked`` are the dependent matches that forbid it because they have started.
    """

    matches: tuple[MatchChange, ...]
    places: tuple[PlaceChange, ...]
    locked: tuple[int, ...]

    @property
    def allowed(self) -> bool:
        return not self.locked


def what_if(
    bracket: Bracket,
    results: Results,
    correction: Correction,
    *,
    gone: Collection[int] = (),
    started: Collection[int] = (),
) -> Consequences:
    """Every match and place that would change, and the started dependent matches that lock the correction.

    ``started`` are matches in play without an outcome yet; a match with an outcome has started. Only a change
    of a match's two entrants locks: a corrected score with the same winner never does.

    Raises:
        DrawRefused: ``no_such_match``, ``not_ready``, ``wrong_entrants`` or ``nothing_reported``.
    """
    before = resolve(bracket, results, gone)
    after = resolve(bracket, corrected(before, correction), gone)
    changes = tuple(
        MatchChange(m, _state(before, m), _state(after, m))
        for m in (correction.match, *bracket.downstream(correction.match))
        if _state(before, m) != _state(after, m)
    )
    begun = (set(results) | set(started)) - {correction.match}
    locked = tuple(c.match for c in changes if c.match in begun and c.before[:2] != c.after[:2])
    return Consequences(changes, _place_changes(before, after), locked)


def corrected(resolution: Resolution, correction: Correction) -> dict[int, Outcome]:
    """The results with the correction in them.

    Raises:
        DrawRefused: as ``what_if``.
    """
    match, outcome = correction.match, correction.outcome
    resolution.bracket.require(match)
    results = dict(resolution.results)
    if outcome is None:
        if match not in results:
            raise DrawRefused("nothing_reported", f"match {match} has no result to undo", match=match)
        del results[match]
        return results
    a, b = resolution.a[match], resolution.b[match]
    if a <= 0 or b <= 0:
        raise DrawRefused("not_ready", f"match {match} does not have two entrants yet", match=match)
    if not outcome.between(a, b):
        raise DrawRefused(
            "wrong_entrants",
            f"match {match} is between {a} and {b}, not {outcome.winner} and {outcome.loser}",
            match=match,
        )
    results[match] = outcome
    return results


def _state(resolution: Resolution, match: int) -> tuple[int, int, int, int]:
    return resolution.a[match], resolution.b[match], resolution.winner[match], resolution.loser[match]


def _place_changes(before: Resolution, after: Resolution) -> tuple[PlaceChange, ...]:
    changes: list[PlaceChange] = []
    for table in before.bracket.tables:
        old = {p.entrant: p for p in table_reached(before, table).places}
        new = {p.entrant: p for p in table_reached(after, table).places}
        changes.extend(
            PlaceChange(table.name, entrant, old.get(entrant), new.get(entrant))
            for entrant in sorted(old.keys() | new.keys())
            if old.get(entrant) != new.get(entrant)
        )
    return tuple(changes)
