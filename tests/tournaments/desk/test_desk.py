"""The desk: calls, tables, penalties, results, undo, and two people at once."""

from datetime import timedelta

import pytest
from django.utils.timezone import now

from clubs.models import Role
from scoring.log.services.chains import chain_damage
from scoring.models import Match, MatchStatus
from scoring.rules.endings import Ending
from scoring.rules.errors import InvalidValue
from scoring.rules.sides import Side
from scoring.sheets.services.decisions import DirectedResult
from tests.factories import UserFactory, member
from tests.races import at_once
from tests.tournaments.factories import (
    a_player,
    an_event,
    drawn,
    flight_of,
    open_pairings,
    other_side,
    pairing,
    win,
)
from tournaments.core.formats.presets import preset
from tournaments.core.stages.outcomes import Gone
from tournaments.desk.services.calls import call, call_ready, feature, move, start
from tournaments.desk.services.departures import leave
from tournaments.desk.services.penalties import penalise
from tournaments.desk.services.previews import preview_reopening
from tournaments.desk.services.results import match_of, reopen_result, report_result
from tournaments.desk.services.tables import change_table, make_tables
from tournaments.desk.services.undo import _ACTIONS, undo
from tournaments.entries.services.check_ins import check_in
from tournaments.entries.services.entries import enter
from tournaments.events.services.events import OvertakenRefused
from tournaments.log.kinds import KINDS, UNDOABLE
from tournaments.log.refusals import DeskRefused
from tournaments.log.services import StaleRefused
from tournaments.models import (
    DeskEvent,
    EntrantState,
    Event,
    EventTable,
    Flight,
    PairingRow,
    PairingState,
    PushAddress,
    PushCall,
    StageEntrant,
    StageRow,
)
from tournaments.stages.services.draws import draw_stage
from tournaments.stages.services.stages import load

pytestmark = pytest.mark.django_db

A_WINS = DirectedResult("white", (3, 0))


def director_of(event):
    return member(event.club, Role.DIRECTOR)


def with_tables(players, tables, **options):
    """A drawn event with its tables, its stage and a director."""
    event = an_event(players, **options)
    if tables:
        make_tables(event=event, last=tables, user=None)
    return event, drawn(event), director_of(event)


def a_second_flight(event, players):
    """Another flight of the event, drawn, with these players."""
    flight = Flight.objects.create(event=event, name="Jackpot", position=1)
    first = StageRow.objects.get(flight__event=event)
    stage = StageRow.objects.create(
        flight=flight,
        name="Jackpot",
        format=preset("knockout").format,
        options=first.options,
        length=3,
        seed="b",
        seed_hash="b" * 64,
    )
    entrants = [register_late(flight, player) for player in players]
    assert len(entrants) == len(players)
    return draw_stage(stage=stage, user=None)


def register_late(flight, player):
    Event.objects.filter(pk=flight.event_id).update(status="announced")
    flight.event.refresh_from_db()
    return enter(flight=flight, players=[player])


def tables_of(rows):
    return [row.table for row in rows]


def state_of(row):
    row.refresh_from_db()
    return row.table, row.called_at is not None, row.started_at is not None, row.featured


def test_all_ready_matches_are_called_to_the_free_tables_in_the_order_in_which_they_wait():
    event, stage, director = with_tables(8, 3)
    called = call_ready(event=event, user=director)
    assert tables_of(called) == [1, 2, 3]
    assert [row.number for row in called] == [row.number for row in open_pairings(stage)[:3]]
    assert call_ready(event=event, user=director) == []
    report_result(pairing=called[1], decision=A_WINS, user=director)
    (fourth,) = call_ready(event=event, user=director)
    assert (fourth.table, fourth.number) == (2, open_pairings(stage)[-1].number)


def test_without_tables_matches_are_called_by_name_alone():
    event, _stage, director = with_tables(4, 0)
    assert tables_of(call_ready(event=event, user=director)) == [None, None]


def test_a_call_reaches_the_browsers_of_both_players():
    event, stage, director = with_tables(4, 2)
    row, _other = open_pairings(stage)
    for entrant in (row.a, other_side(row)):
        player = entrant.members.get().player
        player.user = UserFactory.create()
        player.save()
        endpoint = f"https://push.example/{player.ref}"
        PushAddress.objects.create(user=player.user, endpoint=endpoint, p256dh="B" * 87, auth="A" * 22)
    call(pairing=row, user=director)
    assert PushCall.objects.filter(pairing=row).count() == 2
    assert event.desk_log.filter(kind="called").count() == 1


def test_a_featured_match_goes_to_a_featured_table_and_no_other_one_does():
    event, stage, director = with_tables(4, 2)
    change_table(event=event, number=1, user=director, featured=True)
    first, second = open_pairings(stage)
    feature(pairing=second, featured=True, user=director)
    assert {row.pk: row.table for row in call_ready(event=event, user=director)} == {
        second.pk: 1,
        first.pk: 2,
    }


def test_a_closed_table_is_not_given_out_and_a_taken_one_is_refused():
    event, stage, director = with_tables(8, 3)
    change_table(event=event, number=1, user=director, closed=True)
    first, second, third, _fourth = open_pairings(stage)
    assert call(pairing=first, user=director).table == 2
    with pytest.raises(DeskRefused, match="closed") as closed:
        call(pairing=second, user=director, table=1)
    with pytest.raises(DeskRefused, match="Table 2") as taken:
        call(pairing=second, user=director, table=2)
    with pytest.raises(DeskRefused, match="no table 9"):
        call(pairing=second, user=director, table=9)
    assert (closed.value.code, taken.value.code) == ("table_closed", "table_taken")
    call(pairing=second, user=director, table=3)
    with pytest.raises(DeskRefused, match="No table is free") as full:
        call(pairing=third, user=director)
    assert full.value.code == "no_table"


def test_a_player_in_two_flights_is_called_to_one_table_at_a_time():
    event, stage, director = with_tables(4, 4)
    busy, other = open_pairings(stage)
    shared = busy.a.members.get().player
    jackpot = a_second_flight(event, [shared, a_player(event.club, "Zoe")])
    (second,) = open_pairings(jackpot)
    call(pairing=busy, user=director)
    with pytest.raises(DeskRefused, match="table 1") as refused:
        call(pairing=second, user=director)
    assert refused.value.code == "player_busy"
    assert [row.pk for row in call_ready(event=event, user=director)] == [other.pk]
    report_result(pairing=busy, decision=A_WINS, user=director)
    assert second.pk in {row.pk for row in call_ready(event=event, user=director)}


def test_a_player_who_rolls_on_the_sheet_is_busy_without_a_call():
    event, stage, director = with_tables(4, 4)
    busy, _other = open_pairings(stage)
    jackpot = a_second_flight(event, [busy.a.members.get().player, a_player(event.club, "Zoe")])
    start(pairing=busy, user=director)
    with pytest.raises(DeskRefused, match="playing another match"):
        call(pairing=open_pairings(jackpot)[0], user=director)
    with pytest.raises(DeskRefused, match="playing another match"):
        start(pairing=open_pairings(jackpot)[0], user=director)


def test_a_corrected_result_is_in_the_log_with_its_reason_and_who_wrote_it():
    event, stage, director = with_tables(4, 2)
    row, _other = open_pairings(stage)
    win(row, director)
    win(row, director, a=False, reason="the slip was misread")
    first, second = event.desk_log.filter(kind="result").order_by("seq")
    assert (second.user, second.note.text) == (director, "the slip was misread")
    assert (first.body["winner"], second.body["winner"]) == ("white", "black")
    row.refresh_from_db()
    assert row.desk_seq == second.seq
    event.refresh_from_db()
    assert chain_damage(event) is None


def test_an_outdated_action_is_refused_with_the_current_state():
    _event, stage, director = with_tables(4, 2)
    row, _other = open_pairings(stage)
    call(pairing=row, user=director, seen=0)
    with pytest.raises(OvertakenRefused) as late:
        call(pairing=row, user=director, seen=0, table=2)
    present = late.value.parameters
    assert (present["table"], present["state"], present["seen"]) == (1, "open", state_seen(row))
    with pytest.raises(OvertakenRefused):
        start(pairing=row, user=director, seen=0)
    start(pairing=row, user=director, seen=present["seen"])
    with pytest.raises(OvertakenRefused, match="already started"):
        start(pairing=row, user=director)


def state_seen(row):
    row.refresh_from_db()
    return row.desk_seq


def test_a_match_that_is_over_is_neither_called_nor_moved():
    _event, stage, director = with_tables(4, 2)
    row, _other = open_pairings(stage)
    with pytest.raises(DeskRefused, match="not been called"):
        move(pairing=row, table=2, user=director)
    report_result(pairing=row, decision=A_WINS, user=director)
    for action in (call, start):
        with pytest.raises(OvertakenRefused, match="finished"):
            action(pairing=row, user=director)


def test_every_action_at_the_desk_is_undone_once():
    event, stage, director = with_tables(4, 3)
    row, _other = open_pairings(stage)
    steps = [
        lambda: call(pairing=row, user=director, table=2),
        lambda: move(pairing=row, table=3, user=director),
        lambda: start(pairing=row, user=director),
        lambda: feature(pairing=row, featured=True, user=director),
    ]
    states = [state_of(row)]
    entries = []
    for step in steps:
        step()
        states.append(state_of(row))
        entries.append(DeskEvent.objects.filter(event=event).latest("seq"))
    with pytest.raises(OvertakenRefused, match="later changes"):
        undo(event=event, seq=entries[0].seq, user=director)
    for entry, before in zip(reversed(entries), reversed(states[:-1]), strict=True):
        undo(event=event, seq=entry.seq, user=director)
        assert state_of(row) == before
        with pytest.raises(OvertakenRefused):
            undo(event=event, seq=entry.seq, user=director)
    assert chain_damage(Event.objects.get(pk=event.pk)) is None


def test_a_move_to_a_taken_table_is_not_undone():
    event, stage, director = with_tables(4, 2)
    first, second = open_pairings(stage)
    call(pairing=first, user=director, table=1)
    move(pairing=first, table=2, user=director)
    moved = DeskEvent.objects.filter(event=event).latest("seq")
    call(pairing=second, user=director, table=1)
    with pytest.raises(OvertakenRefused, match="Table 1"):
        undo(event=event, seq=moved.seq, user=director)


def test_tables_are_added_changed_and_undone():
    event, stage, director = with_tables(4, 0)
    made = make_tables(event=event, last=2, user=director)
    more = make_tables(event=event, last=3, user=director)
    with pytest.raises(DeskRefused, match="from 4 to 500, not 3"):
        make_tables(event=event, last=3, user=director)
    closed = change_table(event=event, number=2, user=director, closed=True)
    with pytest.raises(DeskRefused, match="already has these settings"):
        change_table(event=event, number=2, user=director, closed=True)
    undo(event=event, seq=closed.seq, user=director)
    assert not EventTable.objects.get(event=event, number=2).closed
    undo(event=event, seq=more.seq, user=director)
    assert EventTable.objects.filter(event=event).count() == 2
    call(pairing=open_pairings(stage)[0], user=director)
    with pytest.raises(DeskRefused, match="have been called"):
        undo(event=event, seq=made.seq, user=director)


def test_a_first_result_is_final_and_a_second_one_is_not_a_first():
    _event, stage, director = with_tables(4, 2)
    row, _other = open_pairings(stage)
    call(pairing=row, user=director)
    after = report_result(pairing=row, decision=A_WINS, user=director, seen=state_seen(row))
    match = match_of(row)
    assert (after.state, match.status, match.result.final_at is not None) == ("decided", "finished", True)
    with pytest.raises(OvertakenRefused) as late:
        report_result(pairing=row, decision=DirectedResult("black", (0, 3)), user=director)
    assert late.value.parameters["state"] == "decided"
    assert Match.objects.get(pk=match.pk).result.winner == "white"


def test_what_the_desk_decides_of_a_result_is_published_once():
    stage = drawn(an_event(4))
    event, director = stage.flight.event, member(stage.flight.event.club, Role.DIRECTOR)
    row = pairing(stage, 1)

    def version():
        return Event.objects.values_list("version", flat=True).get(pk=event.pk)

    def head():
        return StageRow.objects.values_list("head_seq", flat=True).get(pk=stage.pk)

    before = version()
    report_result(pairing=row, decision=A_WINS, user=director)
    assert version() == before + 1
    win(row, director, a=False, reason="Misheard.")
    assert version() == before + 2
    reopen_result(pairing=row, seen=head(), user=director, reason="Not over.")
    assert version() == before + 3


def test_points_that_no_match_has_leave_no_trace_of_the_result():
    event, stage, director = with_tables(4, 2)
    row, _other = open_pairings(stage)
    with pytest.raises(InvalidValue):
        report_result(pairing=row, decision=DirectedResult("white", (3, 3)), user=director)
    assert not DeskEvent.objects.filter(event=event, kind="result").exists()
    row.refresh_from_db()
    assert row.state == PairingState.OPEN


def test_undoing_a_result_previews_its_effects():
    event, stage, director = with_tables(4, 2)
    first, second = open_pairings(stage)
    report_result(pairing=first, decision=A_WINS, user=director)
    report_result(pairing=second, decision=A_WINS, user=director)
    (final,) = open_pairings(stage)
    result = DeskEvent.objects.filter(event=event, kind="result", body__pairing=first.ref).get()
    with pytest.raises(DeskRefused) as preview_first:
        undo(event=event, seq=result.seq, user=director)
    assert preview_first.value.code == "needs_preview"
    found = pairing(stage, first.number)
    preview = preview_reopening(pairing=found, match=match_of(found))
    seen = preview.seen
    assert final.number in {change.match for change in preview.consequences.matches}
    with pytest.raises(DeskRefused, match="Enter a reason"):
        reopen_result(pairing=found, seen=seen, user=director, reason=" ", decided=True)
    with pytest.raises(StaleRefused):
        reopen_result(pairing=found, seen=seen - 1, user=director, reason="typo", decided=True)
    reopen_result(pairing=found, seen=seen, user=director, reason="typo", decided=True)
    found.refresh_from_db()
    final.refresh_from_db()
    assert (found.state, match_of(found).status) == (PairingState.OPEN, MatchStatus.PLAYING)
    assert final.state == PairingState.REPLACED
    report_result(pairing=found, decision=DirectedResult("black", (0, 3)), user=director)
    assert Match.objects.get(board__pairing=found).result.winner == "black"
    assert len(open_pairings(stage)) == 1


def test_penalty_points_go_to_the_opponent_and_can_be_undone():
    event, stage, director = with_tables(4, 2)
    row, _other = open_pairings(stage)
    entry = penalise(pairing=row, to=Side.BLACK, points=1, user=director, reason="Five minutes late.")
    match = match_of(row)
    assert '"black":1' in match.sheet.state.replace(" ", "") or "1" in match.sheet.state
    events = [each.kind for each in match.sheet.events.order_by("seq")]
    assert events == ["match_start", "penalty"]
    undo(event=event, seq=entry.seq, user=director)
    match.sheet.refresh_from_db()
    assert [each.kind for each in match.sheet.events.order_by("seq")] == ["match_start", "penalty", "voided"]
    assert pairing(stage, row.number).state == PairingState.OPEN


def test_penalty_points_for_a_match_that_is_over_come_too_late():
    _event, stage, director = with_tables(4, 2)
    row, _other = open_pairings(stage)
    report_result(pairing=row, decision=A_WINS, user=director)
    with pytest.raises(OvertakenRefused):
        penalise(pairing=row, to=Side.WHITE, points=1, user=director)


def test_a_disqualified_player_leaves_both_brackets():
    _event, stage, director = with_tables(8, 4, format_key="double")
    first, *rest = open_pairings(stage)
    loser = other_side(first)
    for row in (first, *rest):
        report_result(pairing=row, decision=A_WINS, user=director)
    below = [row for row in open_pairings(stage) if loser in (row.a, row.b)]
    assert below, "the loser plays on below"
    leave(entrant=loser, user=director, how=Gone.DISQUALIFIED)
    number = StageEntrant.objects.get(stage=stage, entrant=loser).number
    assert load(StageRow.objects.get(pk=stage.pk)).gone[number] is Gone.DISQUALIFIED
    assert not [row for row in open_pairings(stage) if loser in (row.a, row.b)]
    assert Match.objects.get(board__pairing=below[0]).result.ended == Ending.DISQUALIFIED


def test_a_check_in_is_logged_and_can_be_undone():
    event = an_event(2)
    director = director_of(event)
    entrant = flight_of(event).entrants.get(members__player__person__name="P1")
    entry = check_in(entrant=entrant, present=True, user=director, seen="registered")
    with pytest.raises(OvertakenRefused, match="checked in") as late:
        check_in(entrant=entrant, present=True, user=director, seen="registered")
    assert late.value.parameters["state"] == EntrantState.PRESENT
    undo(event=event, seq=entry.seq, user=director)
    entrant.refresh_from_db()
    assert entrant.state == EntrantState.REGISTERED


def test_every_kind_has_words_and_every_undoable_kind_its_undo():
    assert _ACTIONS.keys() == UNDOABLE
    assert set(KINDS) >= UNDOABLE


def test_nothing_is_undone_twice_at_the_end_of_the_log_or_beyond():
    event, _stage, director = with_tables(2, 1)
    with pytest.raises(DeskRefused, match="no log entry 99"):
        undo(event=event, seq=99, user=director)


# Two at once


def outcomes(results):
    return sorted(type(each).__name__ if isinstance(each, Exception) else "done" for each in results)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("action", ["call", "start", "feature", "penalty", "result", "undo", "move"])
def test_of_two_directors_at_once_one_acts_and_the_other_is_told(action):
    event, stage, director = with_tables(4, 3)
    other = director_of(event)
    row, _second = open_pairings(stage)
    if action in {"undo", "move"}:
        call(pairing=row, user=director)
    seen = state_seen(row)
    last = DeskEvent.objects.filter(event=event).latest("seq").seq
    does = {
        "call": lambda user, table: call(pairing=row, user=user, seen=seen, table=table),
        "start": lambda user, _table: start(pairing=row, user=user, seen=seen),
        "feature": lambda user, _table: feature(pairing=row, featured=True, user=user, seen=seen),
        "penalty": lambda user, _table: penalise(pairing=row, to=Side.WHITE, points=1, user=user, seen=seen),
        "result": lambda user, table: report_result(
            pairing=row,
            decision=DirectedResult("white", (3, 0)) if table == 2 else DirectedResult("black", (0, 3)),
            user=user,
            seen=seen,
        ),
        "undo": lambda user, _table: undo(event=event, seq=last, user=user),
        "move": lambda user, table: move(pairing=row, table=table, user=user, seen=seen),
    }[action]
    results = at_once(lambda: does(director, 2), lambda: does(other, 3))
    assert outcomes(results) == ["OvertakenRefused", "done"]
    assert DeskEvent.objects.filter(event=event).latest("seq").seq == last + 1
    assert chain_damage(Event.objects.get(pk=event.pk)) is None


@pytest.mark.django_db(transaction=True)
def test_two_directors_who_call_two_matches_of_one_player_call_one():
    event, stage, director = with_tables(4, 4)
    first, _other = open_pairings(stage)
    jackpot = a_second_flight(event, [first.a.members.get().player, a_player(event.club, "Zoe")])
    (second,) = open_pairings(jackpot)
    results = at_once(lambda: call(pairing=first, user=director), lambda: call(pairing=second, user=director))
    assert outcomes(results) == ["DeskRefused", "done"]


@pytest.mark.django_db(transaction=True)
def test_calling_all_twice_at_once_calls_each_match_once():
    event, stage, director = with_tables(16, 8)
    results = at_once(*[lambda: call_ready(event=event, user=director)] * 2)
    assert sorted(len(each) for each in results) == [0, 8]
    assert sorted(tables_of(open_pairings(stage))) == list(range(1, 9))


@pytest.mark.django_db(transaction=True)
def test_a_call_and_a_result_at_once_wait_for_each_other():
    event, stage, director = with_tables(8, 4)
    first, second, *_rest = open_pairings(stage)
    results = at_once(
        lambda: report_result(pairing=first, decision=A_WINS, user=director),
        lambda: call_ready(event=event, user=director),
        lambda: report_result(pairing=second, decision=A_WINS, user=director),
    )
    assert not [each for each in results if isinstance(each, Exception)], results
    open_now = PairingRow.objects.filter(stage=stage, state=PairingState.OPEN, called_at__isnull=False)
    taken = [row.table for row in open_now]
    assert len(set(taken)) == len(taken)


@pytest.mark.django_db(transaction=True)
def test_the_last_two_results_of_a_round_at_once_make_one_next_round():
    _event, stage, director = with_tables(8, 4, format_key="swiss_3")
    rows = open_pairings(stage)
    for row in rows[:2]:
        win(row, director)
    results = at_once(
        *[lambda row=row: report_result(pairing=row, decision=A_WINS, user=director) for row in rows[2:]]
    )
    assert not [each for each in results if isinstance(each, Exception)], results
    assert PairingRow.objects.filter(stage=stage, round=2).count() == 4
    assert PairingRow.objects.filter(stage=stage, round=3).count() == 0


def test_lateness_is_told_from_the_call():
    event, stage, director = with_tables(4, 2)
    row, _other = open_pairings(stage)
    call(pairing=row, user=director)
    PairingRow.objects.filter(pk=row.pk).update(called_at=now() - timedelta(minutes=11))
    penalise(pairing=row, to=Side.WHITE, points=2, user=director)
    assert DeskEvent.objects.get(event=event, kind="penalty").body["points"] == 2
