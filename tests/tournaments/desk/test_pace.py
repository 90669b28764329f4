"""How long matches take here, and when it will all be over."""

from datetime import timedelta
from random import Random

import pytest
from django.urls import reverse
from django.utils.timezone import now

from clubs.models import Role
from scoring.models import SheetEvent
from scoring.rules.sides import Side
from scoring.sheets.services.decisions import DirectedResult
from tests.factories import member
from tests.scoring.sheets.writing import win as game
from tests.tournaments.desk.test_hostile import report
from tests.tournaments.factories import a_player, an_event, drawn, open_pairings, win
from tests.tournaments.stages.test_feeding import SWISS, planned, stage_named
from tournaments.core.formats.presets import preset
from tournaments.core.play.acts import open_stage, publish
from tournaments.core.play.simulation import World, play_event
from tournaments.core.stages.entrants import Entrant
from tournaments.core.timetable.forecast import minutes_left
from tournaments.desk.queries.desk import desk_page
from tournaments.desk.queries.desk_lines import DeskState
from tournaments.desk.queries.pace import PLANNED_POINTS, USUAL, expected_end
from tournaments.desk.services.calls import call_ready, start
from tournaments.desk.services.results import report_result
from tournaments.desk.services.tables import make_tables
from tournaments.entries.services.entries import enter
from tournaments.events.plans import single_flight
from tournaments.events.services.events import join_flight
from tournaments.models import PairingRow, StageRow
from tournaments.stages.services.draws import draw_stage
from tournaments.stages.services.rounds import pair_round
from tournaments.stages.services.stages import load


def a_stage(key, entrants):
    chosen = preset(key)
    field = [Entrant(f"p{n}") for n in range(1, entrants + 1)]
    return publish(open_stage(chosen.format, field, chosen.options, seed="s"))


def played_out(stage):
    return play_event(stage, World({}, Random(1)))


@pytest.mark.parametrize(("entrants", "rounds"), [(2, 1), (8, 3), (16, 4)])
def test_a_knockout_on_enough_tables_takes_its_rounds(entrants, rounds):
    stage = a_stage("knockout", entrants)
    assert minutes_left(stage, played_out(stage), {}, a_point=10.0, length=5) == rounds * 50


def test_fewer_tables_take_longer_and_matches_under_way_less():
    stage = a_stage("knockout", 8)
    ended = played_out(stage)
    assert minutes_left(stage, ended, {}, a_point=10.0, length=5, tables=1) == 7 * 50
    first = next(iter(stage.open_pairings())).number
    assert minutes_left(stage, ended, {first: 10.0}, a_point=10.0, length=5, tables=1) == 10 + 6 * 50


def test_a_swiss_round_waits_for_the_longest_match_of_the_one_before():
    stage = a_stage("swiss_3", 8)
    ended = played_out(stage)
    left = {pairing.number: 5.0 for pairing in stage.open_pairings()}
    slowest = min(left)
    assert minutes_left(stage, ended, left, a_point=10.0, length=5) == 5 + 2 * 50
    assert minutes_left(stage, ended, left | {slowest: 40.0}, a_point=10.0, length=5) == 40 + 2 * 50


def test_nothing_is_left_of_a_stage_that_is_over():
    ended = played_out(a_stage("knockout", 4))
    assert minutes_left(ended, ended, {}, a_point=10.0, length=5) == 0


@pytest.mark.django_db
def test_the_planned_pace_adapts_to_played_matches():
    event = an_event(4)
    stage = drawn(event)
    director = member(event.club, Role.DIRECTOR)
    assert desk_page(event, read=load).a_point == USUAL
    row, other = open_pairings(stage)
    start(pairing=row, user=director)
    report_result(pairing=row, decision=DirectedResult("white", (3, 0)), user=director)
    PairingRow.objects.filter(pk=row.pk).update(started_at=now() - timedelta(minutes=60))
    expected = (USUAL * PLANNED_POINTS + 60) / (PLANNED_POINTS + 3)
    assert desk_page(event, read=load).a_point == pytest.approx(expected, abs=0.01)
    # Nobody plays three points in a second: that result was typed in, and says nothing about the pace.
    report_result(pairing=other, decision=DirectedResult("white", (3, 0)), user=director)
    PairingRow.objects.filter(pk=other.pk).update(started_at=now())
    assert desk_page(event, read=load).a_point == pytest.approx(expected, abs=0.01)


@pytest.mark.django_db
def test_the_end_of_the_event_is_told_and_a_ladder_has_none():
    event = an_event(4)
    stage = drawn(event)
    at = now()
    over = expected_end([stage], {}, read=load, a_point=10.0, tables=None, at=at)
    assert over == at + timedelta(minutes=60)
    ladder = drawn(an_event(4, format_key="ladder"))
    assert expected_end([ladder], {}, read=load, a_point=10.0, tables=None, at=at) is None
    assert expected_end([], {}, read=load, a_point=10.0, tables=None, at=at) is None


@pytest.mark.django_db
def test_the_desk_of_a_keizer_says_when_the_evening_ends_while_its_round_is_played(client):
    event = an_event(4, format_key="keizer")
    stage, director = drawn(event), member(event.club, Role.DIRECTOR)
    first, second = open_pairings(stage)
    make_tables(event=event, last=1, user=None)
    at = now()
    assert desk_page(event, read=load, at=at).expected_end is None, "the evening has not begun"
    start(pairing=first, user=director)
    client.force_login(director)
    assert "ends around" in client.get(reverse("tournaments:desk", args=[event.ref])).content.decode()
    over = desk_page(event, read=load, at=at).expected_end
    assert over is not None
    assert over - at == pytest.approx(timedelta(minutes=2 * 3 * USUAL), abs=timedelta(minutes=2))
    win(first, director)
    assert desk_page(event, read=load).expected_end is not None
    win(second, director)
    assert desk_page(event, read=load).expected_end is None, "the evening is over"
    pair_round(stage=stage, user=director)
    assert desk_page(event, read=load).expected_end is None, "the next one has not begun"


@pytest.mark.django_db
def test_a_match_at_the_table_has_its_own_end():
    event = an_event(4)
    stage = drawn(event)
    row, _other = open_pairings(stage)
    start(pairing=row, user=None)
    row.refresh_from_db()
    (line,) = (each for each in desk_page(event, read=load).lines if each.pairing.pk == row.pk)
    assert row.started_at is not None
    assert line.match is not None
    assert line.ends_at == row.started_at + timedelta(minutes=USUAL * 3)
    assert not SheetEvent.objects.filter(sheet=line.match.sheet, seq__gt=1).exists()


@pytest.mark.django_db
def test_a_cup_that_is_not_drawn_yet_counts_for_the_end():
    flight, _director = planned(SWISS, 6)
    swiss = draw_stage(stage=stage_named(flight, "Swiss"), user=None)
    stages = list(StageRow.objects.order_by("position"))
    at = now()
    alone = expected_end([swiss], {}, read=load, a_point=10.0, tables=None, at=at)
    assert alone == at + timedelta(minutes=2 * 30)
    # Behind two rounds of the Swiss four play two rounds of the consolation, beside them two the cup.
    whole = expected_end(stages, {}, read=load, a_point=10.0, tables=None, at=at)
    assert whole == at + timedelta(minutes=4 * 30)
    StageRow.objects.filter(name="Cup").update(starts={"1": (at + timedelta(hours=10)).isoformat()})
    later = expected_end(
        list(StageRow.objects.order_by("position")), {}, read=load, a_point=10.0, tables=None, at=at
    )
    assert later == at + timedelta(hours=10, minutes=30)


@pytest.mark.django_db
def test_a_flight_without_a_draw_counts_with_its_entries():
    event = an_event(2)
    drawn(event)
    flight = join_flight(event=event, plan=single_flight("knockout", 5, name="Novices"), user=None)
    at = now()
    before = desk_page(event, read=load, at=at).expected_end
    assert before == at + timedelta(minutes=3 * USUAL)
    for number in range(4):
        enter(flight=flight, players=[a_player(event.club, f"N{number}")])
    assert desk_page(event, read=load, at=at).expected_end == at + timedelta(minutes=2 * 5 * USUAL)


@pytest.mark.django_db
def test_a_match_kept_game_by_game_is_being_played_not_late():
    event = an_event(2)
    stage = drawn(event)
    director = member(event.club, Role.DIRECTOR)
    call_ready(event=event, user=director)
    (row,) = open_pairings(stage)
    called = now() - timedelta(minutes=9)
    PairingRow.objects.update(called_at=called)
    (line,) = desk_page(event, read=load).lines
    assert line.state == DeskState.LATE
    report(row, game(Side.WHITE))
    (line,) = desk_page(event, read=load).lines
    assert (line.state, line.since, line.penalty) == (DeskState.PLAYING, called, 0)
    report_result(pairing=row, decision=DirectedResult("white", (3, 0)), user=director)
    expected = (USUAL * PLANNED_POINTS + 9) / (PLANNED_POINTS + 3)
    assert desk_page(event, read=load).a_point == pytest.approx(expected, abs=0.02)


@pytest.mark.django_db
def test_a_ruling_of_the_desk_is_no_play_and_says_nothing_about_the_pace():
    event = an_event(2)
    stage = drawn(event)
    director = member(event.club, Role.DIRECTOR)
    (row,) = open_pairings(stage)
    report_result(pairing=row, decision=DirectedResult("white", (3, 0)), user=director)
    SheetEvent.objects.filter(sheet__match__board__pairing=row, seq=2).update(
        at=now() - timedelta(minutes=99)
    )
    assert desk_page(event, read=load).a_point == USUAL
