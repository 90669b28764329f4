"""What a desk has locked and decided travels with the result: there and back as an argument."""

from typing import Any

import pytest

from clubs.models import Role
from scoring.models import Match
from scoring.rules.endings import Ending
from scoring.rules.sides import Side
from scoring.sheets.services.decisions import DirectedResult, void_match
from scoring.signals import result_changed
from tests.factories import member
from tests.scoring.sheets.writing import loaded
from tests.tournaments.factories import an_event, drawn, open_pairings, pairing, win
from tournaments.desk.services.departures import leave
from tournaments.desk.services.penalties import penalise
from tournaments.desk.services.results import match_of, reopen_result, report_result
from tournaments.desk.services.undo import undo
from tournaments.models import DeskEvent, StageRow

pytestmark = pytest.mark.django_db

A_WINS = DirectedResult("white", (3, 0))


@pytest.fixture
def told():
    """The hold that came with each change of a result, in order."""
    heard: list[Any] = []

    def hear(hold: Any, **_signal: Any) -> None:
        heard.append(hold)

    result_changed.connect(hear, sender=Match)
    yield heard
    result_changed.disconnect(hear, sender=Match)


@pytest.fixture
def stage() -> StageRow:
    return drawn(an_event(4))


@pytest.fixture
def director(stage):
    return member(stage.flight.event.club, Role.DIRECTOR)


def held(told: list[Any]) -> list[tuple[int, int, bool]]:
    found = [(hold.pairing.number, hold.stage.pk, hold.decided) for hold in told]
    told.clear()
    return found


def test_each_decision_of_the_desk_comes_back_with_its_pairing_and_stage(stage, director, told):
    row = open_pairings(stage)[0]
    report_result(pairing=row, decision=A_WINS, user=director)
    assert held(told) == [(1, stage.pk, False)]
    win(pairing(stage, 1), director, a=False, ended=Ending.NO_SHOW, reason="not there", decided=True)
    assert held(told) == [(1, stage.pk, True)]
    stage.refresh_from_db()
    reopen_result(pairing=pairing(stage, 1), seen=stage.head_seq, user=director, reason="was there")
    assert held(told) == [(1, stage.pk, False)]


def test_penalty_points_and_their_undo_come_back_too(stage, director, told):
    row = open_pairings(stage)[0]
    entry = penalise(pairing=row, to=Side.WHITE, points=3, user=director)
    assert held(told) == [(1, stage.pk, False)]
    undo(event=stage.flight.event, seq=entry.seq, user=director)
    assert held(told) == [(1, stage.pk, False)]


def test_leaving_and_taking_it_back_come_back_too(stage, director, told):
    row = open_pairings(stage)[0]
    leave(entrant=row.a, user=director)
    assert held(told) == [(1, stage.pk, False)]
    entry = DeskEvent.objects.get(kind="withdrawn")
    undo(event=stage.flight.event, seq=entry.seq, user=director)
    assert held(told) == [(1, stage.pk, False)]


def test_voiding_a_match_directly_holds_no_draw(stage, director, told):
    match = match_of(open_pairings(stage)[0])
    void_match(match=match, user=director, reason="the wrong board")
    assert told == [None]


def test_a_void_match_behind_a_correction_is_not_taken_for_the_corrected_one(stage, director, told):
    for number in (1, 2):
        win(pairing(stage, number), director)
    final = match_of(pairing(stage, 3))
    win(pairing(stage, 3), director)
    told.clear()
    win(pairing(stage, 1), director, a=False, reason="mistyped", decided=True)
    corrected, *void = sorted(told, key=lambda hold: hold is None)
    assert (corrected.pairing.number, void) == (1, [None])
    assert loaded(final).status == "void"
