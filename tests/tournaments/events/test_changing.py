"""Changing what was announced: an event's terms until it is over, a flight's until its draw."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from django.utils.timezone import now

from clubs.models import Role
from scoring.log.services.chains import chain_damage
from tests.factories import ClubFactory, member
from tests.races import at_once
from tests.tournaments.factories import a_player, an_event, drawn, flight_of, open_pairings, win
from tournaments.core.prizes.pools import Fees, SidePool
from tournaments.core.rounds.round_robin import RoundRobinOptions
from tournaments.core.stages.errors import DrawRefused
from tournaments.core.timetable.breaks import Break
from tournaments.desk.queries.event_log import event_log
from tournaments.entries.services.entries import enter
from tournaments.entries.services.fees import record_payment
from tournaments.events.event_templates import template
from tournaments.events.plans import EventPlan, FlightPlan, StagePlan
from tournaments.events.queries.terms import event_terms, flight_terms
from tournaments.events.services.breaks import set_breaks
from tournaments.events.services.changes import change_event, change_flight
from tournaments.events.services.events import (
    FlightTerms,
    OvertakenRefused,
    add_flight,
    announce,
    set_starts,
    starts_of,
)
from tournaments.log.refusals import DeskRefused
from tournaments.models import (
    DeskEvent,
    EntrantRow,
    EntrantState,
    Event,
    FeePayment,
    Flight,
    PaidHow,
    Prize,
    StageRow,
)
from tournaments.money.services.prizes import approve_prizes, pay_prize
from tournaments.stages.services.draws import draw_stage

pytestmark = pytest.mark.django_db

STARTS = datetime(2026, 12, 2, 18, 30, tzinfo=UTC)  # half past seven in Berlin
LUNCH = Break("Lunch", STARTS + timedelta(hours=1), STARTS + timedelta(hours=2))


def a_league():
    """An announced league in Berlin with a break, an earliest start and last days."""
    club = ClubFactory.create(tz="Europe/Berlin", currency="EUR")
    options = RoundRobinOptions(start=STARTS.date(), days_per_round=7)
    flight = FlightPlan((StagePlan("League", "round_robin", options, 3),))
    event = announce(club=club, plan=EventPlan("League", STARTS, (flight,), breaks=(LUNCH,)))
    set_starts(stage=StageRow.objects.get(), starts=[STARTS + timedelta(hours=3)], user=None)
    return event, member(club, Role.DIRECTOR)


def the_log(event):
    return [(row.kind, row.body) for row in DeskEvent.objects.filter(event=event).order_by("seq")]


def in_the_log(event):
    """What the newest entry says."""
    return event_log(event)[0]


def test_what_changes_is_noted_with_what_it_was():
    event, director = a_league()
    changes = {"name": "Winter league", "hidden": True, "rated": True}
    change_event(event=event, changes=changes, user=director)
    event.refresh_from_db()
    assert (event.name, event.hidden, event.rated) == ("Winter league", True, True)
    kind, body = the_log(event)[-1]
    assert kind == "changed"
    assert body == {
        "before": {"name": "League", "hidden": False},
        "after": {"name": "Winter league", "hidden": True},
    }
    line = in_the_log(event)
    assert (line.title, line.who) == ("Event changed", director.player.name)
    assert line.words == "Name: League → Winter league · Directors only: no → yes"
    assert chain_damage(event) is None
    entries = len(the_log(event))
    change_event(event=event, changes=changes, user=director)
    assert len(the_log(event)) == entries


def test_an_event_that_moves_to_another_day_takes_everything_along():
    event, director = a_league()
    later = STARTS + timedelta(days=7, hours=1)
    change_event(event=event, changes={"starts_at": later}, user=director)
    event.refresh_from_db()
    stage, week = StageRow.objects.get(), timedelta(days=7)
    assert event.starts_at == later
    # By whole days: lunch stays at half past eight.
    assert event.pauses == (replace(LUNCH, starts_at=LUNCH.starts_at + week, ends_at=LUNCH.ends_at + week),)
    assert starts_of(stage) == [STARTS + week + timedelta(hours=3)]
    assert stage.options["start"] == "2026-12-09"
    with pytest.raises(OvertakenRefused):
        set_breaks(event=event, breaks=(), user=director, seen=0)


def test_an_event_that_moves_over_a_change_of_clocks_keeps_its_hours():
    event, director = a_league()
    change_event(event=event, changes={"starts_at": datetime(2027, 4, 7, 17, 30, tzinfo=UTC)}, user=director)
    event.refresh_from_db()
    assert [each.starts_at for each in event.pauses] == [datetime(2027, 4, 7, 18, 30, tzinfo=UTC)]


def test_on_the_same_day_only_the_start_moves_and_not_behind_a_break():
    event, director = a_league()
    change_event(event=event, changes={"starts_at": STARTS + timedelta(minutes=30)}, user=director)
    event.refresh_from_db()
    assert event.pauses == (LUNCH,)
    with pytest.raises(DeskRefused, match="“Lunch” is before the event"):
        change_event(event=event, changes={"starts_at": STARTS + timedelta(hours=2)}, user=director)
    event.refresh_from_db()
    assert event.starts_at == STARTS + timedelta(minutes=30)


def test_after_a_draw_the_start_stays_and_the_window_may_change():
    event = an_event(4)
    stage, director = drawn(event), member(event.club, Role.DIRECTOR)
    for changes in ({"starts_at": now()}, {"rated": False}):
        with pytest.raises(DeskRefused) as refused:
            change_event(event=event, changes=changes, user=director)
        assert refused.value.code == "drawn"
    until = now() + timedelta(days=1)
    change_event(event=event, changes={"entries_until": until, "members_only": True}, user=director)
    event.refresh_from_db()
    assert (event.entries_until, event.members_only) == (until, True)
    with pytest.raises(DeskRefused, match="cannot close before it opens"):
        change_event(event=event, changes={"entries_from": until + timedelta(hours=1)}, user=director)
    for row in open_pairings(stage):
        win(row, director)
    Event.objects.update(status="finished")
    with pytest.raises(DeskRefused, match="finished"):
        change_event(event=event, changes={"name": "Another"}, user=director)
    change_event(event=event, changes={"hidden": True}, user=director)
    assert Event.objects.get().hidden


def test_who_was_overtaken_changes_nothing():
    event, director = a_league()
    seen = event_terms(event)
    change_event(event=event, changes={"name": "First"}, user=director, seen=seen)
    with pytest.raises(OvertakenRefused) as overtaken:
        change_event(event=event, changes={"hidden": True}, user=director, seen=seen)
    assert overtaken.value.parameters["name"] == "First"
    assert not Event.objects.get().hidden


@pytest.mark.django_db(transaction=True)
def test_of_two_directors_one_changes_it():
    event, director = a_league()
    seen, flight = event_terms(event), flight_of(event)
    known = flight_terms(flight)

    def name(text):
        return lambda: change_event(event=event, changes={"name": text}, user=director, seen=seen)

    def places(count):
        return lambda: change_flight(flight=flight, changes={"capacity": count}, user=director, seen=known)

    for pair in ((name("One"), name("Two")), (places(8), places(16))):
        found = at_once(*pair)
        assert [type(each) for each in found if isinstance(each, Exception)] == [OvertakenRefused]
    kinds = [kind for kind, _body in the_log(event)]
    assert (kinds.count("changed"), kinds.count("flight_changed")) == (1, 1)


def test_more_places_move_the_waiting_list_up_and_fewer_than_are_taken_cannot_be():
    event = an_event(2, terms=FlightTerms(capacity=2))
    flight, director = flight_of(event), member(event.club, Role.DIRECTOR)
    for name in ("C", "D", "E"):
        enter(flight=flight, players=[a_player(event.club, name)])
    change_flight(flight=flight, changes={"capacity": 4}, user=director)
    states = list(EntrantRow.objects.order_by("pk").values_list("state", flat=True))
    assert states == ["registered"] * 4 + ["waiting"]
    line = in_the_log(event)
    assert line.title == "Division changed"
    assert line.words == "Places: 2 → 4 · 2 entries moved up"
    with pytest.raises(DeskRefused, match="4 places are taken"):
        change_flight(flight=flight, changes={"capacity": 3}, user=director)
    change_flight(flight=flight, changes={"capacity": None}, user=director)
    assert EntrantRow.objects.filter(state=EntrantState.REGISTERED).count() == 5
    assert in_the_log(event).words == "Places: 4 → – · 1 entry moved up"


def test_a_flight_that_starts_when_it_is_full_keeps_its_places():
    club = ClubFactory.create()
    plan = EventPlan("Jackpot", now() + timedelta(hours=1), (template("jackpot_8").flight(5),))
    flight = flight_of(announce(club=club, plan=plan))
    with pytest.raises(DeskRefused, match="cannot change its number of places"):
        change_flight(flight=flight, changes={"capacity": 4}, user=None)


def test_fees_stay_once_somebody_has_paid_them():
    event = an_event(2, terms=FlightTerms(Fees(entry=1000)))
    flight, director = flight_of(event), member(event.club, Role.DIRECTOR)
    change_flight(flight=flight, changes={"entry_fee": 1500, "returned": 80}, user=director)
    assert in_the_log(event).words == (
        "Entry fee: 10.00 EUR → 15.00 EUR · % of entry fees paid out as prizes: 100 → 80"
    )
    entrant = EntrantRow.objects.all()[0]
    record_payment(entrant=entrant, user=director, payment=FeePayment.CASH)
    with pytest.raises(DeskRefused, match="1 entrant has paid these fees"):
        change_flight(flight=flight, changes={"entry_fee": 2000}, user=director)
    record_payment(entrant=entrant, user=director, refunded=True)
    change_flight(flight=flight, changes={"entry_fee": 2000}, user=director)
    assert flight_of(event).entry_fee == 2000


def test_a_side_pool_that_somebody_is_in_stays():
    event = an_event()
    flight, director = flight_of(event), member(event.club, Role.DIRECTOR)
    pools = [{"key": "High", "fee": 1000}, {"key": "Low", "fee": 500}]
    change_flight(flight=flight, changes={"pools": pools}, user=director)
    enter(flight=flight_of(event), players=[a_player(event.club, "Ana")], pools=["High"])
    with pytest.raises(DeskRefused, match="The side pool High has entrants"):
        change_flight(flight=flight, changes={"pools": pools[1:]}, user=director)
    change_flight(flight=flight, changes={"pools": pools[:1]}, user=director)
    with pytest.raises(DrawRefused, match="cannot be named main"):
        change_flight(
            flight=flight, changes={"pools": [*pools[:1], {"key": "main", "fee": 1}]}, user=director
        )
    assert flight_of(event).pools == pools[:1]
    assert SidePool("High", 1000).key in in_the_log(event).words


def test_what_a_draw_holds_fast_is_named_and_the_draws_to_come_get_other_lengths():
    club = ClubFactory.create()
    plan = EventPlan("Cup", now() + timedelta(hours=1), (template("groups_then_knockout").flight(5),))
    event = announce(club=club, plan=plan)
    flight, director = flight_of(event), member(club, Role.DIRECTOR)
    change_flight(flight=flight, changes={"length": 7, "lengths": [3, 5]}, user=director)
    assert set(StageRow.objects.values_list("length", flat=True)) == {7}
    assert StageRow.objects.get(position=0).lengths == [3, 5]
    for number in range(8):
        enter(flight=flight, players=[a_player(club, f"P{number}")])
    draw_stage(stage=StageRow.objects.get(position=0), user=director)
    with pytest.raises(
        DeskRefused, match=r"These cannot change after the draw: Places, Entry restrictions\."
    ) as refused:
        change_flight(
            flight=flight, changes={"capacity": 20, "eligibility": {"rating_below": 1500}}, user=None
        )
    assert refused.value.code == "drawn"
    with pytest.raises(DeskRefused, match="Match lengths by round"):
        change_flight(flight=flight, changes={"lengths": [9]}, user=None)
    change_flight(flight=flight, changes={"length": 9, "name": "Open"}, user=director)
    assert set(StageRow.objects.filter(drawn_at=None).values_list("length", flat=True)) == {9}
    assert set(StageRow.objects.exclude(drawn_at=None).values_list("length", flat=True)) == {7}


def test_prizes_that_were_written_down_are_taken_back_until_one_is_paid():
    event = an_event(4, terms=FlightTerms(Fees(entry=1000)))
    flight, director = flight_of(event), member(event.club, Role.DIRECTOR)
    stage = drawn(event)
    while rows := open_pairings(stage):
        for row in rows:
            win(row, director)
    Event.objects.update(status="running")
    approve_prizes(flight=flight, user=director)
    change_flight(flight=flight, changes={"added": 5000, "percentages": [60, 40]}, user=director)
    assert not Prize.objects.exists()
    Event.objects.update(status="finished")
    (first, *_others) = approve_prizes(flight=flight_of(event), user=director)
    pay_prize(prize=first, how=PaidHow.CASH, user=director)
    Event.objects.update(status="running")
    with pytest.raises(DeskRefused, match="A prize has already been paid"):
        change_flight(flight=flight, changes={"added": 0}, user=director)


def test_flights_are_told_apart_by_their_names():
    event = an_event()
    second = add_flight(
        event=event, plan=replace(template("doubles_cup").flight(3), name="Doubles"), position=1
    )
    first = Flight.objects.get(position=0)
    for flight, name in ((second, ""), (first, "Doubles")):
        with pytest.raises(DeskRefused, match="a different name"):
            change_flight(flight=flight, changes={"name": name}, user=None)
    change_flight(flight=second, changes={"name": "Pairs"}, user=None)
    assert Flight.objects.get(position=1).name == "Pairs"


def test_the_flights_of_an_event_that_is_over_stay():
    event = an_event(2)
    Event.objects.update(status="cancelled")
    with pytest.raises(DeskRefused, match="cancelled"):
        change_flight(flight=flight_of(event), changes={"capacity": 12}, user=None)


def test_a_flight_that_never_needed_a_name_changes_without_one():
    club = ClubFactory.create()
    plan = EventPlan("Jackpot", now() + timedelta(hours=1), (template("jackpot_8").flight(5),))
    first = flight_of(announce(club=club, plan=plan))
    for number in range(8):
        enter(flight=first, players=[a_player(club, f"P{number}")])
    assert sorted(Flight.objects.values_list("name", flat=True)) == ["", "2"]  # the next one is open
    change_flight(flight=first, changes={"added": 500}, user=None)
    assert Flight.objects.get(position=0).added == 500


@pytest.mark.parametrize("name", ["message", "self"])
def test_a_term_that_there_is_none_of_is_not_as_it_was_seen(name):
    event, director = a_league()
    with pytest.raises(OvertakenRefused) as overtaken:
        change_event(event=event, changes={"hidden": True}, user=director, seen={name: 1})
    assert overtaken.value.parameters["name"] == "League"
