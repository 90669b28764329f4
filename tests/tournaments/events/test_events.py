"""An event through its services: field, draw, results, corrections, prizes."""

import pytest

from clubs.models import Role
from clubs.people.services.merges import MergeRefused, merge_players
from scoring.chouettes.services.damage import damage_of as sheet_damage
from scoring.log.services.chains import chain_damage
from scoring.models import Match, MatchStatus, RatingUpdate
from scoring.rules.endings import Ending
from scoring.sheets.services.decisions import DirectedResult
from scoring.signals import ResultRefused
from tests.factories import member
from tests.races import at_once
from tests.tiers import sized
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
from tournaments.core.prizes.pools import Fees
from tournaments.core.proof.check import check_text
from tournaments.desk.services.previews import preview_correction
from tournaments.desk.services.results import correct_result
from tournaments.entries.services.check_ins import check_in
from tournaments.entries.services.entries import enter, withdraw
from tournaments.events.services.events import FlightTerms
from tournaments.log.refusals import DeskRefused
from tournaments.log.services import StaleRefused
from tournaments.models import (
    Board,
    EntrantRow,
    EntrantState,
    EventStatus,
    PaidHow,
    PairingRow,
    PairingState,
    Prize,
    StageRow,
    StageStatus,
)
from tournaments.money.services.awards import Purse
from tournaments.money.services.prizes import approve_prizes, pay_prize
from tournaments.stages.services.archives import archive_text
from tournaments.stages.services.draws import draw_stage
from tournaments.stages.services.stages import load

pytestmark = pytest.mark.django_db


def director_of(event):
    return member(event.club, Role.DIRECTOR)


def test_a_full_flight_has_a_waiting_list_that_moves_up():
    event = an_event(terms=FlightTerms(capacity=2))
    flight = flight_of(event)
    first, second, third = (enter(flight=flight, players=[a_player(event.club, n)]) for n in "ABC")
    assert [first.state, second.state, third.state] == [
        EntrantState.REGISTERED,
        EntrantState.REGISTERED,
        EntrantState.WAITING,
    ]
    withdraw(entrant=first)
    third.refresh_from_db()
    assert third.state == EntrantState.REGISTERED


def test_somebody_who_withdrew_may_come_back():
    event = an_event()
    player = a_player(event.club, "Ana")
    withdraw(entrant=enter(flight=flight_of(event), players=[player]))
    assert enter(flight=flight_of(event), players=[player]).state == EntrantState.REGISTERED


def test_a_player_enters_a_flight_once():
    event = an_event()
    ana, ben = a_player(event.club, "Ana"), a_player(event.club, "Ben")
    entrant = enter(flight=flight_of(event), players=[ana])
    assert enter(flight=flight_of(event), players=[ana]) == entrant
    with pytest.raises(DeskRefused, match="Ana is already in this event"):
        enter(flight=flight_of(event), players=[ana, ben])


def test_a_guest_who_turns_out_to_be_a_player_keeps_the_entry():
    event = an_event(1)
    guest, ana = a_player(event.club, "ana77"), a_player(event.club, "Ana")
    entrant = enter(flight=flight_of(event), players=[guest])
    merge_players(guest=guest, into=ana)
    assert EntrantRow.objects.with_players().get(pk=entrant.pk).players == [ana]


def test_two_of_one_field_are_not_one_person():
    event = an_event()
    guest, ana = a_player(event.club, "ana77"), a_player(event.club, "Ana")
    for player in (guest, ana):
        enter(flight=flight_of(event), players=[player])
    with pytest.raises(MergeRefused, match="Both are entered in Wednesday"):
        merge_players(guest=guest, into=ana)


@pytest.mark.django_db(transaction=True)
def test_two_at_once_take_the_last_place_one_each():
    event = an_event(1, terms=FlightTerms(capacity=2))
    flight, players = flight_of(event), [a_player(event.club, name) for name in "AB"]
    at_once(*(lambda p=player: enter(flight=flight, players=[p]) for player in players))
    assert sorted(EntrantRow.objects.values_list("state", flat=True)) == [
        "registered",
        "registered",
        "waiting",
    ]


def test_the_draw_opens_a_match_for_each_pairing():
    event = an_event(4)
    stage = drawn(event)
    rows = open_pairings(stage)
    assert [row.number for row in rows] == [1, 2]
    boards = Board.objects.filter(pairing__in=rows).select_related("match")
    assert {board.match.length for board in boards} == {3}
    white = Match.objects.with_players().get(pk=boards[0].match_id).white.players
    assert white == boards[0].pairing.a.players
    event.refresh_from_db()
    assert event.status == EventStatus.RUNNING


def test_only_those_who_checked_in_are_drawn():
    event = an_event(5)
    for entrant in EntrantRow.objects.all()[:4]:
        check_in(entrant=entrant)
    assert len(load(drawn(event)).field) == 4


@pytest.mark.django_db(transaction=True)
def test_a_draw_is_made_once_by_two_directors_at_once():
    event = an_event(4)
    stage = StageRow.objects.get(flight__event=event)
    outcomes = at_once(*[lambda: draw_stage(stage=stage, user=None)] * 2)
    assert sum(isinstance(each, DeskRefused) for each in outcomes) == 1
    assert PairingRow.objects.count() == 2


def test_results_advance_the_draw_to_the_end():
    event = an_event(4)
    stage, director = drawn(event), director_of(event)
    for row in open_pairings(stage):
        win(row, director)
    (final,) = open_pairings(stage)
    assert (final.a, final.b) == (pairing(stage, 1).winner, pairing(stage, 2).winner)
    win(final, director, a=False)
    stage.refresh_from_db()
    event.refresh_from_db()
    assert (stage.status, event.status) == (StageStatus.FINISHED, EventStatus.FINISHED)
    assert pairing(stage, 3).winner == final.b
    assert chain_damage(stage) is None
    assert check_text(archive_text(stage)).accepted


@pytest.mark.parametrize(
    "format_key",
    ["knockout", "progressive", "round_robin", "monrad", "ready", *sized([], ["double", "swiss", "lives"])],
)
def test_every_kind_of_format_is_played_to_its_end(format_key):
    event = an_event(5, format_key=format_key, length=1)
    stage, director = drawn(event), director_of(event)
    while rows := open_pairings(stage):
        for row in rows:
            win(row, director)
    stage.refresh_from_db()
    assert stage.status == StageStatus.FINISHED
    verdict = check_text(archive_text(stage))
    assert verdict.accepted, verdict.faults


@pytest.mark.parametrize(
    ("ended", "expected"),
    [(Ending.NO_SHOW, "no_show"), (Ending.RETIRED, "retired"), (Ending.DISQUALIFIED, "disqualified")],
)
def test_a_match_that_ended_otherwise_advances_its_winner(ended, expected):
    event = an_event(4)
    stage = drawn(event)
    win(pairing(stage, 1), director_of(event), a=False, ended=ended)
    row = pairing(stage, 1)
    assert (row.winner, row.ended) == (row.b, expected)


def test_a_correction_before_anybody_went_on_needs_a_reason_alone():
    event = an_event(4)
    stage, director = drawn(event), director_of(event)
    win(pairing(stage, 1), director)
    with pytest.raises(DeskRefused, match="Enter a reason"):
        win(pairing(stage, 1), director, a=False)
    win(pairing(stage, 1), director, a=False, reason="the slip was misread")
    row = pairing(stage, 1)
    sheet = row.boards.get().match.sheet
    assert row.winner == row.b
    assert sheet_damage(sheet) is None
    assert sheet.events.filter(note__text="the slip was misread").count() == 1
    assert "misread" not in str(list(sheet.events.values_list("body", flat=True)))


def test_a_locked_correction_is_refused_and_changes_nothing():
    event = an_event(4)
    stage, director = drawn(event), director_of(event)
    for row in open_pairings(stage):
        win(row, director)
    final = open_pairings(stage)[0]
    win(final, director)
    before = (
        StageRow.objects.get().head_hash,
        list(Match.objects.order_by("pk").values_list("version", flat=True)),
    )
    with pytest.raises(ResultRefused, match=rf"\({final.a.title} – {other_side(final).title}\)"):
        win(pairing(stage, 1), director, a=False, reason="late protest")
    after = (
        StageRow.objects.get().head_hash,
        list(Match.objects.order_by("pk").values_list("version", flat=True)),
    )
    assert after == before


def test_a_director_decides_a_locked_correction_after_seeing_it():
    event = an_event(4, terms=FlightTerms(Fees(entry=1000)))
    stage, director = drawn(event), director_of(event)
    for row in open_pairings(stage):
        win(row, director)
    old_final = open_pairings(stage)[0]
    win(old_final, director)
    row = pairing(stage, 1)
    shown = preview_correction(pairing=row, decision=DirectedResult("black", (0, 3)))
    assert shown.locked == (3,)
    assert [(line.title, line.locked) for line in shown.lines] == [("Match 1", False), ("Match 3", True)]
    assert (shown.prizes, shown.prizes_open, shown.can_void, shown.can_stand) == ((), True, True, True)
    win(row, director, a=False, reason="late protest", decided=True)
    old_final.refresh_from_db()
    assert old_final.state == PairingState.REPLACED
    assert old_final.boards.get().match.status == MatchStatus.VOID
    final = pairing(stage, 3)
    assert final.state == PairingState.OPEN
    assert final.a == pairing(stage, 1).b


def test_a_director_lets_the_later_match_stand(client):
    event = an_event(4, terms=FlightTerms(Fees(entry=1000)))
    stage, director = drawn(event), director_of(event)
    first = preview_correction(pairing=pairing(stage, 1), decision=DirectedResult("white", (3, 0)))
    assert (first.prizes, first.can_stand) == ((), False)
    for row in open_pairings(stage):
        win(row, director)
    (last,) = open_pairings(stage)
    final = preview_correction(pairing=last, decision=DirectedResult("white", (3, 0)))
    assert sum(shift.after for shift in final.prizes) == 4000
    win(last, director)
    client.force_login(director)
    row = pairing(stage, 1)
    address = f"/pairings/{row.ref}/result/"
    sent = {"ended": "played", "a_points": 1, "b_points": 3, "reason": "misheard"}
    page = client.post(address, sent)
    assert "The prizes are open again until then." in page.text
    assert f"{row.a.title} stays where they played on" in page.text
    assert page.text.index("Other matches") < page.text.index("Keep later matches")
    seen = page.context["preview"].seen
    answer = client.post(
        address, sent | {"seen": seen, "sheet": page.context["preview"].sheet, "commit": "stand"}
    )
    assert answer.status_code == 302
    row, value = pairing(stage, 1), load(StageRow.objects.get(pk=stage.pk))
    assert (row.winner, row.boards.get().match.result.winner) == (row.b, "black")
    last.refresh_from_db()
    assert (last.state, last.winner_id) == (PairingState.DECIDED, row.a_id)
    assert value.outcomes[1].stands
    win(row, director, a=False, reason="3-2, not 3-1")  # the same winner: what stands, stands
    last.refresh_from_db()
    assert last.state == PairingState.DECIDED
    win(row, director, reason="it was right at first")
    assert not load(StageRow.objects.get(pk=stage.pk)).outcomes[1].stands


def test_a_correction_shows_the_ratings_that_it_replays():
    event = an_event(4)
    stage, director = drawn(event), director_of(event)
    win(pairing(stage, 1), director)
    row = pairing(stage, 1)
    shown = preview_correction(pairing=row, decision=DirectedResult("black", (0, 3)))
    assert row.b is not None
    assert {shift.player for shift in shown.ratings} == {*row.a.players, *row.b.players}
    assert RatingUpdate.objects.exists()


def test_a_stale_page_decides_nothing():
    event = an_event(4)
    stage, director = drawn(event), director_of(event)
    row = pairing(stage, 1)
    seen = StageRow.objects.get().head_seq
    win(pairing(stage, 2), director)
    with pytest.raises(StaleRefused):
        correct_result(
            pairing=row, decision=DirectedResult("white", (3, 0)), seen=seen, user=director, reason=""
        )


@pytest.mark.django_db(transaction=True)
def test_two_directors_report_one_pairing_at_once():
    event = an_event(4)
    stage, director = drawn(event), director_of(event)
    row = pairing(stage, 1)
    outcomes = at_once(lambda: win(row, director), lambda: win(row, director, a=False))
    assert sum(isinstance(each, Exception) for each in outcomes) == 1
    assert PairingRow.objects.filter(stage=stage, state=PairingState.DECIDED).count() == 1


def test_prizes_make_the_pool_to_the_cent():
    event = an_event(8, terms=FlightTerms(Fees(registration=500, entry=1333, returned=90), added=1001))
    stage, director = drawn(event), director_of(event)
    flight = flight_of(event)
    with pytest.raises(DeskRefused, match="there are no prizes yet"):
        approve_prizes(flight=flight)
    while rows := open_pairings(stage):
        for row in rows:
            win(row, director)
    approve_prizes(flight=flight)
    prizes = Prize.objects.filter(flight=flight)
    assert sum(prize.amount for prize in prizes) == Purse.of(flight).takings.pool
    assert len(approve_prizes(flight=flight)) == len(prizes)
    pay_prize(prize=Prize.objects.filter(flight=flight)[0], how=PaidHow.CASH, user=None)
    with pytest.raises(DeskRefused, match="already been paid"):
        approve_prizes(flight=flight)
