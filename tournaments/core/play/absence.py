"""What follows when a player does not play: a no-show, a late player or a withdrawal.

One question with three answers (``AbsenceScope``). Each is the stage after it, and what a director must know
before choosing: whom the others meet, where the absent entrant plays on, and what can still be won.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from scoring.rules.endings import Ending
from tournaments.core.brackets.bracket import CONSOLATION, LAST_CHANCE, MAIN
from tournaments.core.brackets.formats import Elimination
from tournaments.core.brackets.placing import table_places
from tournaments.core.brackets.resolve import BracketStatus, Resolution
from tournaments.core.formats.table import format_of
from tournaments.core.play import acts
from tournaments.core.stages.errors import DrawRefused
from tournaments.core.stages.outcomes import Gone, Outcome
from tournaments.core.stages.stage import Stage
from tournaments.core.standings.places import Place

SECOND_EVENTS = frozenset({CONSOLATION, LAST_CHANCE})


class AbsenceScope(StrEnum):
    """How much an absent entrant is out of.

    ``MATCH``: this match; ``DRAW``: this draw, but in the consolation; ``EVENT``: everything.
    """

    MATCH = "match"
    DRAW = "draw"
    EVENT = "event"


class NotOffered(StrEnum):
    """Why an answer does not exist for a match."""

    KNOCKOUT = "knockout"
    """The loser of this match is out of the draw and plays the consolation."""
    NO_CONSOLATION = "no_consolation"


@dataclass(frozen=True, slots=True)
class Onward:
    """Where an entrant plays next in a bracket: match, section and opponent (number or ``Empty``).

    ``byes`` are matches they win before it without playing. The match is None where there is none.
    """

    match: int | None = None
    section: str = ""
    opponent: int = 0
    byes: int = 0


@dataclass(frozen=True, slots=True)
class Absence:
    """One answer: the stage ``after`` it and what follows, or why it is ``not_offered``.

    ``lost`` are the forfeited matches; ``paired``: the entrant is paired in later rounds; ``place`` is final,
    None while they can improve it; ``tables`` are those in which they still play.
    """

    scope: AbsenceScope
    not_offered: NotOffered | None = None
    after: Stage | None = None
    lost: tuple[int, ...] = ()
    opponent: Onward | None = None
    entrant: Onward | None = None
    paired: bool = False
    place: Place | None = None
    tables: tuple[str, ...] = ()


def absences(stage: Stage, number: int, entrant: int, *, feeds: bool = False) -> tuple[Absence, ...]:
    """The three answers for an entrant of an open pairing, in their order.

    ``feeds``: other stages get their field from this one, so who leaves it can play there.

    Raises:
        DrawRefused: ``no_such_pairing`` for a pairing that is not open or has no such entrant.
    """
    pairing = next((p for p in stage.open_pairings() if p.number == number), None)
    if pairing is None or entrant not in (pairing.a, pairing.b):
        raise DrawRefused("no_such_pairing", f"pairing {number} is not open for {entrant}", pairing=number)
    other, chosen = pairing.other(entrant), format_of(stage.format)
    lost = acts.report(stage, number, Outcome(other, entrant, Ending.NO_SHOW))
    gone = acts.leave(stage, entrant)
    if isinstance(chosen, Elimination):
        drop = _section_of(chosen.resolution(stage), number)
        second = drop in SECOND_EVENTS
        return (
            Absence(AbsenceScope.MATCH, NotOffered.KNOCKOUT)
            if second
            else _answer(AbsenceScope.MATCH, stage, lost, entrant, other),
            _answer(AbsenceScope.DRAW, stage, lost, entrant, other)
            if second
            else Absence(AbsenceScope.DRAW, NotOffered.NO_CONSOLATION),
            _answer(AbsenceScope.EVENT, stage, gone, entrant, other),
        )
    return (
        _answer(AbsenceScope.MATCH, stage, lost, entrant, other),
        _answer(AbsenceScope.DRAW, stage, acts.leave(stage, entrant, Gone.LEFT_DRAW), entrant, other)
        if feeds
        else Absence(AbsenceScope.DRAW, NotOffered.NO_CONSOLATION),
        _answer(AbsenceScope.EVENT, stage, gone, entrant, other),
    )


def _section_of(state: Resolution, match: int) -> str:
    """The section that the loser of a match drops into, empty where losing is the end."""
    target = state.bracket.loser_goes_to(match)
    return "" if target is None else _section(state, target)


def _section(state: Resolution, match: int) -> str:
    return next(round_.section for round_ in state.bracket.rounds if match in round_.matches)


def _answer(scope: AbsenceScope, before: Stage, after: Stage, entrant: int, other: int) -> Absence:
    chosen = format_of(before.format)
    lost = tuple(sorted(after.outcomes.keys() - before.outcomes.keys()))
    if not isinstance(chosen, Elimination):
        stays = entrant in after.present and not chosen.finished(after)
        return Absence(scope, None, after, lost, paired=stays)
    old, state = chosen.resolution(before), chosen.resolution(after)
    tables = tuple(table.name for table in state.bracket.tables if entrant in table_places(state, table).open)
    own = _onward(old, state, entrant) if entrant in after.present else Onward()
    places = {place.entrant: place for place in chosen.reached(after)}
    return Absence(
        scope,
        None,
        after,
        lost,
        opponent=_onward(old, state, other),
        entrant=own,
        place=None if MAIN in tables else places.get(entrant),
        tables=tables if own.match is not None else (),
    )


def _onward(old: Resolution, state: Resolution, entrant: int) -> Onward:
    """The next match of an entrant, and the matches that they go through unplayed since ``old``."""
    byes = 0
    for match in _matches_of(state, entrant):
        status = state.status(match)
        if status in {BracketStatus.BYE, BracketStatus.WALKOVER}:
            byes += old.status(match) is not status or entrant not in (old.a[match], old.b[match])
        elif status in {BracketStatus.READY, BracketStatus.WAITING}:
            a, b = state.a[match], state.b[match]
            return Onward(match, _section(state, match), state.present(b if a == entrant else a), byes)
    return Onward(byes=byes)


def _matches_of(state: Resolution, entrant: int) -> Iterator[int]:
    return (m for m in range(1, state.bracket.size + 1) if entrant in (state.a[m], state.b[m]))
