"""Every action of the desk stands in the event's log, or in a draw's, with who did it and when."""

import inspect
from datetime import timedelta
from importlib import import_module
from pkgutil import walk_packages

import pytest
from django.test.client import MULTIPART_CONTENT
from django.urls import reverse
from django.utils.timezone import now

import tournaments
from clubs.models import Role, User
from scoring.rules.sides import Side
from scoring.sheets.services.decisions import DirectedResult
from tests.clubs.test_pictures import a_picture
from tests.factories import ClubFactory, member
from tests.tournaments.factories import a_player, an_event, drawn, flight_of, open_pairings, win
from tests.tournaments.leagues.test_leagues import a_tie, league
from tests.tournaments.log import money_actions
from tests.tournaments.log.actions import CASES, noted
from tests.tournaments.pages.test_several_flights import EVENT, address
from tests.tournaments.stages.test_feeding import SWISS, planned, play, stage_named
from tournaments.core.ladders.ladder import LadderOptions
from tournaments.core.play.absence import AbsenceScope
from tournaments.core.prizes.pools import Fees
from tournaments.core.timetable.breaks import Break
from tournaments.desk.queries.absences import sides
from tournaments.desk.services.absences import record_absence
from tournaments.desk.services.calls import call, call_ready, feature, move, start
from tournaments.desk.services.departures import leave
from tournaments.desk.services.penalties import penalise
from tournaments.desk.services.results import reopen_result, report_result
from tournaments.desk.services.rulings import appeal, decide_appeal, eligible_for, report_conduct, rule_on
from tournaments.desk.services.tables import change_table, make_tables
from tournaments.desk.services.undo import undo
from tournaments.entries.services.check_ins import check_in, check_in_all, check_in_players
from tournaments.entries.services.chosen_entries import (
    check_in_chosen,
    join_pool,
    mark_paid,
    withdraw_chosen,
)
from tournaments.entries.services.entries import answer_partner, enter, withdraw
from tournaments.entries.services.entry_changes import change_entry
from tournaments.entries.services.entry_lists import enter_list
from tournaments.entries.services.fees import record_payment
from tournaments.entries.services.late_entries import come_back, enter_late, replace
from tournaments.events.plans import StagePlan, single_flight
from tournaments.events.services.breaks import set_breaks
from tournaments.events.services.changes import change_event, change_flight
from tournaments.events.services.events import (
    FlightTerms,
    announce_event,
    copy_event,
    join_flight,
    set_starts,
)
from tournaments.events.services.posters import remove_poster, set_poster
from tournaments.leagues.services import challenge, next_season
from tournaments.log.refusals import DeskRefused
from tournaments.models import (
    DeskEvent,
    EntrantRow,
    Event,
    FeePayment,
    Flight,
    ForbiddenKind,
    ForbiddenPairs,
    PaidHow,
    Prize,
    StageEvent,
    StageRow,
)
from tournaments.money.services.prizes import approve_prizes, make_deal, pay_prize, unpay_prize
from tournaments.money.services.shares import set_shares
from tournaments.stages.services.cancellations import cancel_event, cancel_flight
from tournaments.stages.services.draws import draw_stage, undo_draw
from tournaments.stages.services.feeds import confirm_field, decline, fed_field
from tournaments.stages.services.forbidden import allow, forbid
from tournaments.stages.services.round_absences import join_round, miss_round
from tournaments.stages.services.rounds import let_rounds_wait, pair_round, withdraw_round
from tournaments.stages.services.settling import settle_tie
from tournaments.stages.services.ties import set_line_up
from tournaments.transfer.services.moves import bring_here, move_away, moved_file, unlock

__all__ = ["money_actions"]
pytestmark = pytest.mark.django_db

A_WINS = DirectedResult("white", (3, 0))
IN_THE_DRAWS_LOG = {"draws.draw_stage", "leagues.challenge"}

BESIDE = {
    "events.add_flight": "a part of announce and join_flight",
    "forbidden.leave_list": "a part of change_entry: a move to another division",
    "forbidden.follow_club": "a part of change_entry: a corrected club",
    "calcutta.return_prices": "follows from a cancelled event or division; notes it with their author",
    "leagues.propose_date": "players arrange with each other; the pairing says who proposed",
    "leagues.agree_date": "as propose_date",
    "leagues.remind": "by the clock, nobody's action",
    "leagues.forfeit_overdue": "by the clock; the sheet's ruling says why",
    "following.follow": "a user's own",
    "following.unfollow": "a user's own",
    "following.calendar_key": "a user's own",
    "following.renew_calendar_key": "a user's own",
    "pushes.keep_browser": "a user's own",
    "pushes.drop_browsers": "a user's own",
    "pushes.queue_calls": "follows from an entry of the log",
    "results.follow_match": "follows from a sheet, which has its author",
    "log.note": "writes the log",
    "stages.write": "writes a draw's log",
    "check_ins.open_door": "a secret that is made when it is first shown",
    "previews.preview_correction": "changes nothing",
    "previews.preview_reopening": "changes nothing",
    "list_lines.read_list": "changes nothing",
    "results.void_result": "a part of reopen_result and undo",
}
"""Services that note nothing themselves, and why."""


def at_play(players: int = 8) -> tuple[Event, StageRow, User]:
    event = an_event(players)
    make_tables(event=event, last=9, user=None)
    return event, drawn(event), member(event.club, Role.DIRECTOR)


def with_prizes() -> tuple[Event, list[Prize], User]:
    event = an_event(4, terms=FlightTerms(Fees(0, 1000, 100), percentages=(60, 40)))
    EntrantRow.objects.update(payment=FeePayment.CASH)
    stage, director = drawn(event), member(event.club, Role.DIRECTOR)
    while rows := open_pairings(stage):
        for row in rows:
            win(row, director)
    return event, list(approve_prizes(flight=flight_of(event))), director


@noted("settling.settle_tie")
def _settle_tie():
    event = an_event(2, format_key="double_round_robin")
    stage, director = drawn(event), member(event.club, Role.DIRECTOR)
    for row in open_pairings(stage):
        win(row, director)  # each wins one
    stage.refresh_from_db()
    refs = [each.ref for each in flight_of(event).entrants.all()]
    settle_tie(stage=stage, decision="announce_lot", entrants=refs, user=director)
    return event, director


@noted("calls.call")
def _call():
    event, stage, director = at_play()
    call(pairing=open_pairings(stage)[0], user=director)
    return event, director


@noted("calls.call_ready")
def _call_ready():
    event, _stage, director = at_play()
    assert len(call_ready(event=event, user=director)) == 4
    return event, director


@noted("calls.move")
def _move():
    event, stage, director = at_play()
    move(pairing=call(pairing=open_pairings(stage)[0], user=None), table=7, user=director)
    return event, director


@noted("calls.start")
def _start():
    event, stage, director = at_play()
    start(pairing=open_pairings(stage)[0], user=director)
    return event, director


@noted("calls.feature")
def _feature():
    event, stage, director = at_play()
    feature(pairing=open_pairings(stage)[0], featured=True, user=director)
    return event, director


@noted("cancellations.cancel_event")
def _cancel_event():
    event, _stage, director = at_play()
    cancel_event(event=event, user=director)
    return event, director


@noted("results.correct_result")
def _correct_result():
    event, stage, director = at_play()
    win(open_pairings(stage)[0], director)
    return event, director


@noted("departures.leave")
def _leave():
    event, stage, director = at_play()
    leave(entrant=open_pairings(stage)[0].a, user=director)
    return event, director


@noted("absences.record_absence")
def _record_absence():
    event, stage, director = at_play()
    row = open_pairings(stage)[0]
    record_absence(pairing=row, entrant=sides(row)[0], scope=AbsenceScope.EVENT, user=director)
    return event, director


@noted("draws.draw_stage")
def _draw_stage():
    event = an_event(4)
    director = member(event.club, Role.DIRECTOR)
    draw_stage(stage=StageRow.objects.get(), user=director)
    return event, director


@noted("entry_lists.enter_list")
def _enter_list():
    event = an_event()
    director = member(event.club, Role.DIRECTOR)
    enter_list(flight=flight_of(event), text="Ana\nBen", user=director)
    assert list(DeskEvent.objects.filter(kind="entered").values_list("user", flat=True)) == [director.pk] * 2
    return event, director


def two_entries() -> tuple[Event, list[str], User]:
    event = an_event(2, terms=FlightTerms(Fees(0, 1000, 100)))
    Flight.objects.filter(event=event).update(pools=[{"key": "jackpot", "fee": 500}])
    refs = list(EntrantRow.objects.filter(flight__event=event).values_list("ref", flat=True))
    return event, refs, member(event.club, Role.DIRECTOR)


@noted("entry_changes.change_entry")
def _change_entry():
    event, refs, director = two_entries()
    change_entry(entrant=EntrantRow.objects.get(ref=refs[0]), values={"seed": 1}, user=director)
    return event, director


@noted("chosen_entries.mark_paid")
def _mark_paid():
    event, refs, director = two_entries()
    mark_paid(event=event, refs=refs, payment=FeePayment.CASH, user=director)
    return event, director


@noted("chosen_entries.check_in_chosen")
def _check_in_chosen():
    event, refs, director = two_entries()
    check_in_chosen(event=event, refs=refs, user=director)
    return event, director


@noted("chosen_entries.join_pool")
def _join_pool():
    event, refs, director = two_entries()
    join_pool(event=event, refs=refs, pool="jackpot", user=director)
    return event, director


@noted("chosen_entries.withdraw_chosen")
def _withdraw_chosen():
    event, refs, director = two_entries()
    withdraw_chosen(event=event, refs=refs, user=director)
    return event, director


@noted("events.announce", "events.announce_event")
def _announce():
    club = ClubFactory.create()
    director, when = member(club, Role.DIRECTOR), now() + timedelta(days=1)
    event = announce_event(
        club=club, name="W", starts_at=when, format_key="knockout", length=3, user=director
    )
    (entry,) = DeskEvent.objects.filter(event=event)
    assert (entry.kind, entry.body) == ("announced", {"like": None})
    return event, director


@noted("events.copy_event")
def _copy_event():
    event = an_event()
    director = member(event.club, Role.DIRECTOR)
    made = copy_event(event=event, user=director)
    (entry,) = DeskEvent.objects.filter(event=made)
    assert (entry.kind, entry.body) == ("announced", {"like": event.ref})
    return made, director


@noted("changes.change_event")
def _change_event():
    event = an_event(2)
    director = member(event.club, Role.DIRECTOR)
    change_event(event=event, changes={"name": "Thursday"}, user=director)
    return event, director


@noted("changes.change_flight")
def _change_flight():
    event = an_event(2)
    director = member(event.club, Role.DIRECTOR)
    change_flight(flight=flight_of(event), changes={"capacity": 8}, user=director)
    return event, director


@noted("cancellations.cancel_flight")
def _cancel_flight():
    event = an_event(2)
    director = member(event.club, Role.DIRECTOR)
    second = join_flight(event=event, plan=single_flight("swiss_3", 3, name="Novices"), user=director)
    cancel_flight(flight=second, user=director)
    return event, director


@noted("events.join_flight")
def _join_flight():
    event, _stage, director = at_play()
    join_flight(event=event, plan=single_flight("knockout", 3), user=director)
    return event, director


@noted("breaks.set_breaks")
def _set_breaks():
    event, _stage, director = at_play()
    at = event.starts_at
    set_breaks(event=event, breaks=[Break("Lunch", at, at + timedelta(hours=1))], user=director)
    return event, director


@noted("events.set_starts")
def _set_starts():
    event, stage, director = at_play()
    set_starts(stage=stage, starts=[now()], user=director)
    return event, director


def filled() -> tuple[StageRow, User]:
    """A stage that another has filled."""
    flight, director = planned(SWISS, 6)
    play(draw_stage(stage=stage_named(flight, "Swiss"), user=None), director)
    return stage_named(flight, "Cup"), director


@noted("feeds.confirm_field")
def _confirm_field():
    cup, director = filled()
    confirm_field(stage=cup, user=director)
    return cup.flight.event, director


@noted("feeds.decline")
def _decline():
    cup, director = filled()
    decline(stage=cup, entrant=EntrantRow.objects.get(ref=fed_field(cup)[0]), user=director)
    return cup.flight.event, director


@noted("late_entries.enter_late")
def _enter_late():
    event, stage, director = at_play(3)
    enter_late(stage=stage, players=[a_player(event.club, "Late")], user=director)
    return event, director


@noted("late_entries.come_back")
def _come_back():
    event = an_event(6, format_key="swiss")
    stage, director = drawn(event), member(event.club, Role.DIRECTOR)
    entrant = open_pairings(stage)[0].a
    leave(entrant=entrant, user=None)
    come_back(entrant=entrant, user=director)
    return event, director


@noted("late_entries.replace")
def _replace():
    event, stage, director = at_play()
    replace(entrant=open_pairings(stage)[0].a, players=[a_player(event.club, "Instead")], user=director)
    return event, director


def a_keizer():
    event = an_event(4, format_key="keizer")
    stage, director = drawn(event), member(event.club, Role.DIRECTOR)
    return event, stage, director, open_pairings(stage)[0].a


@noted("round_absences.miss_round")
def _miss_round():
    event, stage, director, entrant = a_keizer()
    miss_round(stage=stage, entrant=entrant, user=director)
    return event, director


@noted("round_absences.join_round")
def _join_round():
    event, stage, director, entrant = a_keizer()
    miss_round(stage=stage, entrant=entrant, user=None)
    join_round(stage=stage, entrant=entrant, user=director)
    return event, director


@noted("leagues.challenge")
def _challenge():
    options = LadderOptions(periods=2, reach=3, seeding="hand")
    stage = league("Ana", "Ben", "Cleo", "Dora", stage=StagePlan("Ladder", "ladder", options, 3))
    director = member(stage.flight.event.club, Role.DIRECTOR)
    for row in open_pairings(stage):
        win(row, director, a=True)
    places = {each.number: each.entrant for each in stage.numbers.select_related("entrant")}
    busy = {pk for row in open_pairings(stage) for pk in (row.a_id, row.b_id)}
    above, below = [each for _number, each in sorted(places.items()) if each.pk not in busy][:2]
    challenge(stage=stage, challenger=below, challenged=above, user=director)
    return stage.flight.event, director


@noted("leagues.next_season")
def _next_season():
    stage = league("Ana", "Ben")
    event = stage.flight.event
    director = member(event.club, Role.DIRECTOR)
    win(open_pairings(stage)[0], director)
    event.refresh_from_db()
    return next_season(event=event, starts_at=now() + timedelta(days=90), moves=0, user=director), director


@noted("prizes.pay_prize")
def _pay_prize():
    event, prizes, director = with_prizes()
    pay_prize(prize=prizes[0], how=PaidHow.CASH, user=director)
    return event, director


@noted("prizes.unpay_prize")
def _unpay_prize():
    event, prizes, director = with_prizes()
    unpay_prize(prize=pay_prize(prize=prizes[0], how=PaidHow.CASH, user=None), user=director)
    return event, director


@noted("prizes.make_deal")
def _make_deal():
    event, (first, second), director = with_prizes()
    half = (first.amount + second.amount) // 2
    amounts = {first.entrant.ref: half, second.entrant.ref: first.amount + second.amount - half}
    make_deal(flight=flight_of(event), amounts=amounts, user=director)
    return event, director


@noted("prizes.approve_prizes")
def _approve_prizes():
    event, prizes, director = with_prizes()
    approve_prizes(flight=flight_of(event), user=director)
    entry = DeskEvent.objects.filter(event=event).latest("seq")
    assert entry.body["total"] == sum(prize.amount for prize in prizes)
    return event, director


@noted("penalties.penalise")
def _penalise():
    event, stage, director = at_play()
    penalise(pairing=open_pairings(stage)[0], to=Side.WHITE, points=1, user=director)
    return event, director


@noted("check_ins.check_in")
def _check_in():
    event = an_event(2)
    director = member(event.club, Role.DIRECTOR)
    check_in(entrant=EntrantRow.objects.earliest("pk"), present=True, user=director)
    return event, director


@noted("check_ins.check_in_all")
def _check_in_all():
    event = an_event(3)
    director = member(event.club, Role.DIRECTOR)
    entry = check_in_all(event=event, user=director)
    assert set(EntrantRow.objects.values_list("state", flat=True)) == {"present"}
    with pytest.raises(DeskRefused, match="Everyone has been checked in"):
        check_in_all(event=event, user=director)
    undo(event=event, seq=entry.seq, user=director)
    assert set(EntrantRow.objects.values_list("state", flat=True)) == {"registered"}
    check_in_all(event=event, user=director)
    return event, director


@noted("check_ins.check_in_players")
def _check_in_players():
    event = an_event()
    player = member(event.club).player
    enter(flight=flight_of(event), players=[player])
    for _twice in range(2):
        check_in_players(event=event, player=player)
    assert DeskEvent.objects.filter(event=event, kind="check_in").count() == 1
    return event, player.user


@noted("entries.enter")
def _enter():
    event = an_event()
    director = member(event.club, Role.DIRECTOR)
    ana = a_player(event.club, "Ana")
    for _twice in range(2):
        enter(flight=flight_of(event), players=[ana], user=director)
    assert DeskEvent.objects.filter(event=event, kind="entered").count() == 1
    return event, director


@noted("entries.enter by a member")
def _enter_as_a_member():
    event = an_event()
    player = member(event.club).player
    enter(flight=flight_of(event), players=[player], user=player.user, own=True)
    return event, player.user


@noted("entries.answer_partner")
def _answer_partner():
    event = an_event()
    event.flights.update(team_size=2)
    first, second = (member(event.club).player for _each in range(2))
    entrant = enter(flight=flight_of(event), players=[first, second], own=True)
    answer_partner(entrant=entrant, player=second, accepts=True)
    return event, second.user


@noted("entries.withdraw")
def _withdraw():
    event = an_event(3, terms=FlightTerms(capacity=2))
    director = member(event.club, Role.DIRECTOR)
    first, _second, waiting = EntrantRow.objects.order_by("pk")
    for _twice in range(2):
        withdraw(entrant=first, user=director)
    (entry,) = DeskEvent.objects.filter(event=event, kind="entry_taken_back")
    assert entry.body == {"entrant": first.ref, "moved_up": waiting.ref}
    return event, director


@noted("fees.record_payment")
def _record_payment():
    event = an_event(1)
    director = member(event.club, Role.DIRECTOR)
    record_payment(entrant=EntrantRow.objects.get(), user=director, payment=FeePayment.CASH)
    return event, director


@noted("results.report_result")
def _report_result():
    event, stage, director = at_play()
    report_result(pairing=open_pairings(stage)[0], decision=A_WINS, user=director)
    return event, director


@noted("results.reopen_result")
def _reopen_result():
    event, stage, director = at_play()
    row = report_result(pairing=open_pairings(stage)[0], decision=A_WINS, user=director)
    stage.refresh_from_db()
    reopen_result(pairing=row, seen=stage.head_seq, user=director, reason="typo")
    return event, director


@noted("rulings.rule_on")
def _rule_on():
    event, _stage, director = at_play()
    rule_on(event=event, user=director, happened="Cocked dice.", decision="Roll again.")
    return event, director


@noted("rulings.appeal", "rulings.decide_appeal")
def _appeal():
    event, _stage, director = at_play()
    entry = rule_on(event=event, user=member(event.club), happened="Cocked.", decision="Roll again.")
    sitting = list(eligible_for(event, entry)[:3])
    assert appeal(event=event, ruling=entry.seq, committee=sitting, user=director).user == director
    decide_appeal(event=event, ruling=entry.seq, upheld=True, decision="It stands.", user=director)
    return event, director


@noted("rulings.report_conduct")
def _report_conduct():
    event, stage, director = at_play()
    about = [open_pairings(stage)[0].a.members.get().player]
    report_conduct(event=event, about=about, text="Threw the dice.", user=director)
    return event, director


@noted("tables.make_tables")
def _make_tables():
    event = an_event()
    director = member(event.club, Role.DIRECTOR)
    make_tables(event=event, last=2, user=director)
    return event, director


@noted("tables.change_table")
def _change_table():
    event, _stage, director = at_play()
    change_table(event=event, number=2, closed=True, user=director)
    return event, director


@noted("ties.set_line_up")
def _set_line_up():
    row, director = a_tie(size=3)
    team = EntrantRow.objects.with_players().get(pk=row.a_id)
    set_line_up(pairing=row, entrant=team, players=team.players[::-1], user=director)
    event = row.stage.flight.event
    entry = DeskEvent.objects.filter(event=event).latest("seq")
    assert entry.body["about"] == [player.ref for player in team.players[::-1]]
    return event, director


@noted("undo.undo")
def _undo():
    event, stage, director = at_play()
    call(pairing=open_pairings(stage)[0], user=None)
    undo(event=event, seq=DeskEvent.objects.filter(event=event).latest("seq").seq, user=director)
    return event, director


@noted("draws.undo_draw")
def _undo_draw():
    event, stage, director = at_play()
    undo_draw(stage=stage, user=director, reason="somebody was missing")
    return event, director


@noted("forbidden.forbid")
def _forbid():
    event = an_event(4, format_key="swiss_3")
    director = member(event.club, Role.DIRECTOR)
    forbid(flight=event.flights.get(), kind=ForbiddenKind.CLUB, never=True, user=director)
    return event, director


@noted("forbidden.allow")
def _allow():
    event, director = _forbid()
    line = ForbiddenPairs.objects.get(flight__event=event)
    allow(flight=line.flight, line=line.ref, user=director)
    return event, director


@noted("rounds.let_rounds_wait")
def _let_rounds_wait():
    event = an_event(4, format_key="swiss_3")
    stage, director = drawn(event), member(event.club, Role.DIRECTOR)
    let_rounds_wait(stage=stage, wait=True, user=director)
    return event, director


@noted("rounds.pair_round")
def _pair_round():
    event = an_event(4, format_key="swiss_3")
    stage, director = drawn(event), member(event.club, Role.DIRECTOR)
    let_rounds_wait(stage=stage, wait=True, user=None)
    for row in open_pairings(stage):
        win(row, director)
    pair_round(stage=stage, user=director)
    return event, director


@noted("rounds.withdraw_round")
def _withdraw_round():
    event, director = _pair_round()
    withdraw_round(stage=flight_of(event).stages.get(), user=director)
    return event, director


@noted("shares.set_shares")
def _set_shares():
    event = an_event(2)
    director = member(event.club, Role.DIRECTOR)
    set_shares(flight=flight_of(event), shares=(), user=director)
    return event, director


@noted("posters.set_poster")
def _set_poster():
    event = an_event(0)
    director = member(event.club, Role.DIRECTOR)
    set_poster(event=event, name="poster.png", content=a_picture(), user=director)
    return event, director


@noted("posters.remove_poster")
def _remove_poster():
    event, director = _set_poster()
    remove_poster(event=event, user=director)
    return event, director


@noted("moves.move_away")
def _move_away():
    event, _stage, director = at_play()
    move_away(event=event, to="Ana's laptop", user=director)
    return event, director


@noted("moves.bring_here")
def _bring_here():
    event, director = _move_away()
    return bring_here(club=event.club, text=moved_file(event), user=director), director


@noted("moves.unlock")
def _unlock():
    event, director = _move_away()
    return unlock(event=event, user=director), director


def every_service() -> set[str]:
    """The services of events: public functions that take everything by name."""
    found = set()
    for each in walk_packages(tournaments.__path__, "tournaments."):
        subject, *inside = each.name.split(".")[1:]
        if each.ispkg or inside[:1] != ["services"]:
            continue
        module = import_module(each.name)
        for name, function in inspect.getmembers(module, inspect.isfunction):
            kinds = [parameter.kind for parameter in inspect.signature(function).parameters.values()]
            named = bool(kinds) and kinds[0] is inspect.Parameter.KEYWORD_ONLY
            if named and function.__module__ == module.__name__ and not name.startswith("_"):
                found.add(f"{inside[1] if inside[1:] else subject}.{name}")
    return found


def test_no_service_of_an_event_is_forgotten_here():
    assert every_service() == {name.split(" ")[0] for name in CASES} | BESIDE.keys()


@pytest.mark.parametrize("service", sorted(CASES))
def test_the_log_has_what_this_did_with_its_author(service):
    begun = now() - timedelta(minutes=5)
    event, author = CASES[service]()
    entry: DeskEvent | StageEvent | None = DeskEvent.objects.filter(event=event).order_by("seq").last()
    if service in IN_THE_DRAWS_LOG:
        entry = StageEvent.objects.filter(stage__flight__event=event).order_by("seq").last()
    assert entry is not None
    assert entry.user == author
    assert entry.at > begun


def test_pages_and_api_name_the_author(client):
    """Those services that work without an author, too."""
    event = an_event(1, terms=FlightTerms(Fees(0, 1000, 100)))
    director = member(event.club, Role.DIRECTOR)
    ana, ben, cleo, dora = (a_player(event.club, name) for name in ("Ana", "Ben", "Cleo", "Dora"))
    client.force_login(director)

    def newest() -> tuple[str, User | None]:
        entry = DeskEvent.objects.filter(event=event).latest("seq")
        return entry.kind, entry.user

    client.post(reverse("tournaments:enter_players", args=[event.ref]), {"player_1": ana.ref})
    assert newest() == ("entered", director)
    address = reverse("tournaments:entry_list", args=[event.ref])
    client.post(address, {"entries": "Somebody new", "commit": "1"})
    assert newest() == ("list_entered", director)
    entrant = EntrantRow.objects.get(members__player=ana)
    client.post(reverse("tournaments:leave", args=[entrant.ref]))
    assert newest() == ("entry_taken_back", director)
    api = reverse("api:event_entrants", args=[event.ref])
    assert client.post(api, {"players": [ben.ref]}, content_type="application/json").status_code == 201
    assert newest() == ("entered", director)
    entrant = EntrantRow.objects.get(members__player=ben)
    assert client.delete(reverse("api:entrant", args=[entrant.ref])).status_code == 204
    assert newest() == ("entry_taken_back", director)
    for player in (cleo, dora):
        enter(flight=flight_of(event), players=[player])
    stage = drawn(event)
    while rows := open_pairings(stage):
        for row in rows:
            win(row, director)
    for address in (
        reverse("tournaments:approve", args=[flight_of(event).ref]),
        reverse("tournaments:prizes", args=[event.ref]),
        reverse("api:prizes", args=[event.ref]),
    ):
        before = DeskEvent.objects.filter(event=event, kind="prizes_approved", user=director).count()
        client.post(address, {}, "application/json" if address.startswith("/api/") else MULTIPART_CONTENT)
        assert DeskEvent.objects.filter(kind="prizes_approved", user=director).count() == before + 1, address


def test_the_log_begins_with_who_announced_or_copied_the_event(client, directed):
    director = User.objects.get(pk=client.session["_auth_user_id"])
    client.post(address(directed), EVENT)
    event = Event.objects.get()
    client.post(reverse("tournaments:copy", args=[event.ref]))
    client.post(f"/api/v1/events/{event.ref}/copy/", {}, content_type="application/json")
    body = {"name": "API", "starts_at": "2027-01-06T19:00Z", "format": "swiss_3", "length": 3}
    made = client.post(f"/api/v1/clubs/{directed.slug}/events/", body, content_type="application/json")
    assert made.status_code == 201
    entries = DeskEvent.objects.filter(kind="announced").order_by("pk")
    assert [entry.user for entry in entries] == [director] * 4
    assert [entry.body["like"] for entry in entries] == [None, event.ref, event.ref, None]
    shown = client.get(reverse("tournaments:log", args=[entries[1].event.ref])).content.decode()
    assert f"copied from {event.name}, " in shown
    assert "Announced" in shown
