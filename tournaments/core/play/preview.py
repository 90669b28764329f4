"""Preview what a correction would change, in brackets and in rounds.

The same answer for brackets and for rounds.
"""

from collections.abc import Collection

from tournaments.core.brackets.correction import Consequences, Correction, MatchChange, PlaceChange, what_if
from tournaments.core.brackets.formats import Elimination
from tournaments.core.formats.table import format_of
from tournaments.core.play.acts import locked_by
from tournaments.core.stages.errors import DrawRefused
from tournaments.core.stages.outcomes import Outcome
from tournaments.core.stages.stage import Reported, Stage


def preview(
    stage: Stage, pairing: int, outcome: Outcome | None, *, started: Collection[int] = ()
) -> Consequences:
    """The consequences of reporting, correcting or (``None``) undoing an outcome.

    In a bracket every match whose entrants or winner change is named; elsewhere the pairing itself.
    ``locked`` are the pairings that stand on the old winner, those of ``started`` (in play without an outcome
    yet) whose entrants would be others among them; places are those of the final ranking and, in a
    bracket, of every table.

    Raises:
        DrawRefused: ``no_such_pairing``, ``wrong_entrants``, or as ``correction.what_if``.
    """
    chosen = format_of(stage.format)
    locked = locked_by(stage, pairing, outcome)
    if isinstance(chosen, Elimination):
        bracket = chosen.bracket(stage)
        found = what_if(
            bracket, stage.outcomes, Correction(pairing, outcome), gone=stage.gone, started=started
        )
        return Consequences(found.matches, found.places, tuple(sorted({*found.locked, *locked})))
    if pairing not in stage.pairings:
        raise DrawRefused("no_such_pairing", f"there is no pairing {pairing}", pairing=pairing)
    after = stage.after(Reported(pairing, outcome))
    states = [_state(stage, pairing), _state(after, pairing)]
    matches = (MatchChange(pairing, states[0], states[1]),) if states[0] != states[1] else ()
    return Consequences(matches, _place_changes(stage, after), locked)


def _state(stage: Stage, number: int) -> tuple[int, int, int, int]:
    pairing, outcome = stage.pairings[number], stage.outcomes.get(number)
    if outcome is None:
        return pairing.a, pairing.b, -1, -1
    if outcome.advances is None:
        return pairing.a, pairing.b, -2, -2
    return pairing.a, pairing.b, outcome.winner, outcome.loser


def _place_changes(before: Stage, after: Stage) -> tuple[PlaceChange, ...]:
    chosen = format_of(before.format)
    old = {p.entrant: p for p in chosen.places(before)}
    new = {p.entrant: p for p in chosen.places(after)}
    return tuple(PlaceChange("standing", n, old[n], new[n]) for n in sorted(old) if old[n] != new[n])
