"""Stages that feed stages: groups into a knockout, a Swiss into two, a playoff for a tie, who declines."""

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.urls import reverse
from django.utils.timezone import now

from clubs.models import Role, User
from scoring.log.services.chains import chain_damage
from scoring.sheets.services.decisions import DirectedResult
from tests.factories import ClubFactory, member
from tests.races import at_once
from tests.tournaments.factories import a_player, open_pairings, settle_by_lot, win
from tournaments.core.brackets.elimination import KnockoutOptions
from tournaments.core.play.feeding import Rest, TiedForFirst, Top
from tournaments.core.prizes.pools import Fees
from tournaments.core.rounds.round_robin import RoundRobinOptions
from tournaments.core.rounds.swiss import SwissOptions
from tournaments.core.stages.errors import DrawRefused
from tournaments.desk.services.previews import preview_correction
from tournaments.display.queries.podiums import name_winners
from tournaments.entries.services.entries import enter
from tournaments.entries.services.fees import record_payment
from tournaments.events.plans import EventPlan, FlightPlan, StagePlan
from tournaments.events.services.events import announce, copy_event, plan_of
from tournaments.log.refusals import DeskRefused
from tournaments.models import (
    EntrantRow,
    EventStatus,
    FeePayment,
    Flight,
    PairingRow,
    Prize,
    StageRow,
    StageStatus,
)
from tournaments.money.queries import balance_of
from tournaments.money.services.prizes import approve_prizes
from tournaments.stages.services.draws import draw_stage
from tournaments.stages.services.feeds import confirm_field, decline, fed_field, sources_of
from tournaments.stages.services.stages import numbers_of

pytestmark = pytest.mark.django_db

KNOCKOUT = StagePlan("Cup", "knockout", KnockoutOptions(seeding="hand"), 3)
GROUPS = FlightPlan(
    (
        *(
            StagePlan(f"Group {name}", "round_robin", RoundRobinOptions(), 3, feeds=(Top(2, "Cup"),))
            for name in "AB"
        ),
        KNOCKOUT,
    )
)
SWISS = FlightPlan(
    (
        StagePlan("Swiss", "swiss", SwissOptions(rounds=2), 3, feeds=(Top(2, "Cup"), Rest("Consolation"))),
        KNOCKOUT,
        StagePlan("Consolation", "knockout", KnockoutOptions(), 3),
    )
)
PLAYOFF = FlightPlan(
    (
        StagePlan("League", "round_robin", RoundRobinOptions(), 3, feeds=(TiedForFirst("Playoff"),)),
        StagePlan("Playoff", "knockout", KnockoutOptions(), 3),
    )
)


def planned(flight: FlightPlan, players: int) -> tuple[Flight, User]:
    club = ClubFactory.create()
    event = announce(club=club, plan=EventPlan("Winter Cup", now() + timedelta(hours=1), (flight,)))
    found = event.flights.get()
    for number in range(1, players + 1):
        entrant = enter(flight=found, players=[a_player(club, f"P{number}")])
        EntrantRow.objects.filter(pk=entrant.pk).update(rating=2000 - number)
    return found, member(club, Role.DIRECTOR)


def stage_named(flight: Flight, name: str) -> StageRow:
    return StageRow.objects.select_related("flight__event__club").get(flight=flight, name=name)


def number_of(entrant: EntrantRow | None) -> int:
    assert entrant is not None
    return int(entrant.members.get().player.person.name[1:])


def play(stage: StageRow, director: User) -> None:
    """The better rated wins everything."""
    while rows := open_pairings(stage):
        for row in rows:
            win(row, director, a=number_of(row.a) < number_of(row.b))


def in_numbers(flight: Flight, refs: list[str]) -> list[int]:
    known = {each.ref: number_of(each) for each in EntrantRow.objects.filter(flight=flight)}
    return [known[ref] for ref in refs]


@pytest.mark.long
def test_groups_are_of_equal_strength_and_fill_the_knockout():
    flight, director = planned(GROUPS, 8)
    draw_stage(stage=stage_named(flight, "Group B"), user=director)
    a, b = (stage_named(flight, f"Group {name}") for name in "AB")
    fields = [sorted(map(number_of, numbers_of(each).values())) for each in (a, b)]
    assert fields == [[1, 4, 5, 8], [2, 3, 6, 7]]
    play(a, director)
    cup = stage_named(flight, "Cup")
    with pytest.raises(DeskRefused, match="Group B must finish first"):
        confirm_field(user=None, stage=cup)
    play(b, director)
    cup = stage_named(flight, "Cup")
    assert in_numbers(flight, fed_field(cup)) == [1, 2, 4, 3]
    with pytest.raises(DeskRefused, match="Confirm the field"):
        draw_stage(stage=cup, user=director)
    confirm_field(user=None, stage=cup, refs=fed_field(cup))
    drawn = draw_stage(stage=cup, user=director)
    assert {frozenset(map(number_of, (row.a, row.b))) for row in open_pairings(drawn)} == {
        frozenset({1, 3}),
        frozenset({2, 4}),
    }
    play(drawn, director)
    flight.event.refresh_from_db()
    assert flight.event.status == EventStatus.FINISHED
    assert not any(chain_damage(each) for each in flight.stages.all())


def test_a_finished_event_opens_at_the_stage_that_decided_it(client):
    flight, director = planned(GROUPS, 8)
    draw_stage(stage=stage_named(flight, "Group A"), user=director)
    for name in ("Group A", "Group B"):
        play(stage_named(flight, name), director)
    address = flight.event.get_absolute_url()
    assert client.get(address).context["stage"].name == "Group A"
    confirm_field(user=None, stage=stage_named(flight, "Cup"))
    play(draw_stage(stage=stage_named(flight, "Cup"), user=director), director)
    assert client.get(address).context["stage"].name == "Cup"
    assert client.get(f"{address}?tab=matches").context["stage"].name == "Cup"


def field_of(stage):
    """Who would be drawn now, as far as it is known, in the order that the draw is given."""
    found = {entrant.ref: entrant for entrant in stage.flight.entrants.all()}
    return [found[ref] for ref in fed_field(stage)]


@pytest.mark.long
def test_a_swiss_fills_a_knockout_and_a_consolation_and_declined_places_pass_down():
    flight, director = planned(SWISS, 6)
    swiss = draw_stage(stage=stage_named(flight, "Swiss"), user=director)
    play(swiss, director)
    cup, rest = stage_named(flight, "Cup"), stage_named(flight, "Consolation")
    best = field_of(cup)
    assert len(best) == 2
    assert len(field_of(rest)) == 4
    confirm_field(user=None, stage=cup)
    cup = decline(user=None, stage=cup, entrant=best[0])
    assert cup.confirmed_at is None
    rest = stage_named(flight, "Consolation")
    assert best[0] not in [*field_of(cup), *field_of(rest)]
    assert (len(field_of(cup)), len(field_of(rest))) == (2, 3)
    cup = decline(user=None, stage=cup, entrant=best[0], declined=False)
    assert field_of(cup) == best
    with pytest.raises(DeskRefused, match="is not in the field"):
        decline(user=None, stage=cup, entrant=field_of(rest)[-1])


@pytest.mark.long
def test_a_consolation_beside_it_leaves_the_prizes_of_the_cup_alone():
    flight, director = planned(replace(SWISS, fees=Fees(entry=1000)), 6)
    play(draw_stage(stage=stage_named(flight, "Swiss"), user=director), director)
    for name in ("Cup", "Consolation"):
        confirm_field(user=None, stage=stage_named(flight, name))
        draw_stage(stage=stage_named(flight, name), user=director)
    play(stage_named(flight, "Cup"), director)
    prizes = {prize.ref: prize.amount for prize in approve_prizes(flight=flight)}
    assert sum(prizes.values()) == 6000
    consolation = stage_named(flight, "Consolation")
    row = open_pairings(consolation)[0]
    assert preview_correction(pairing=row, decision=DirectedResult("white", (3, 0))).prizes == ()
    play(consolation, director)
    assert {prize.ref: prize.amount for prize in Prize.objects.filter(flight=flight)} == prizes


def test_a_field_that_was_seen_otherwise_is_not_confirmed():
    flight, director = planned(SWISS, 6)
    play(draw_stage(stage=stage_named(flight, "Swiss"), user=director), director)
    with pytest.raises(DeskRefused, match="Check it and confirm it again"):
        confirm_field(user=None, stage=stage_named(flight, "Cup"), refs=["somebody"])


def test_a_playoff_without_a_tie_is_not_needed_and_the_league_has_a_winner():
    flight, director = planned(PLAYOFF, 3)
    play(draw_stage(stage=stage_named(flight, "League"), user=director), director)
    playoff = stage_named(flight, "Playoff")
    assert playoff.status == StageStatus.SKIPPED
    flight.event.refresh_from_db()
    assert flight.event.status == EventStatus.FINISHED
    with pytest.raises(DeskRefused, match="not needed"):
        draw_stage(stage=playoff, user=director)
    event = name_winners([flight.event])[0]
    assert [each.name for each in vars(event)["winners"]] == ["P1"], "the league decides without a playoff"


def test_a_correction_that_makes_a_tie_brings_the_playoff_back():
    flight, director = planned(PLAYOFF, 3)
    league = draw_stage(stage=stage_named(flight, "League"), user=director)
    play(league, director)
    row = next(
        each
        for each in league.pairings.select_related("stage__flight__event__club", "a", "b")
        if each.b is not None and {number_of(each.a), number_of(each.b)} == {1, 3}
    )
    win(row, director, a=number_of(row.a) == 3, reason="written the wrong way round")
    playoff = stage_named(flight, "Playoff")
    assert playoff.status == StageStatus.PLANNED
    assert len(field_of(playoff)) == 3
    flight.event.refresh_from_db()
    assert flight.event.status == EventStatus.RUNNING


def test_a_result_on_which_another_draw_was_made_is_locked():
    flight, director = planned(GROUPS, 8)
    draw_stage(stage=stage_named(flight, "Group A"), user=director)
    for name in "AB":
        play(stage_named(flight, f"Group {name}"), director)
    cup = confirm_field(user=None, stage=stage_named(flight, "Cup"))
    draw_stage(stage=cup, user=director)
    group = stage_named(flight, "Group A")
    rows = group.pairings.select_related("stage__flight__event__club", "a", "b")
    row = next(each for each in rows if {number_of(each.a), number_of(each.b)} == {4, 5})
    with pytest.raises(Exception, match="Cup was drawn on this result"):
        win(row, director, a=number_of(row.a) == 5, reason="wrong")
    win(row, director, a=number_of(row.a) == 5, reason="wrong", decided=True)
    assert in_numbers(flight, fed_field(stage_named(flight, "Cup"))) == [1, 2, 4, 3]


def test_a_copy_across_the_change_of_clocks_keeps_every_hour_and_day_of_the_venue():
    berlin = ZoneInfo("Europe/Berlin")

    def at(month, day, hour):
        return datetime(2026, month, day, hour, tzinfo=berlin).astimezone(UTC)

    league = StagePlan("League", "round_robin", RoundRobinOptions(start=date(2026, 3, 28)), 3)
    flight = FlightPlan((replace(league, starts=(at(3, 28, 10), at(3, 29, 10))),))
    plan = EventPlan("Open", at(3, 28, 10), (flight,), entries_from=at(3, 20, 9), entries_until=at(3, 28, 9))
    moved = plan.moved_to(at(4, 4, 10), tz=berlin)
    (stage,) = moved.flights[0].stages
    assert stage.starts == (at(4, 4, 10), at(4, 5, 10))
    assert stage.options.start == date(2026, 4, 4)
    assert (moved.entries_from, moved.entries_until) == (at(3, 27, 9), at(4, 4, 9))
    # An hour of the night is no day less.
    again = plan.moved_to(at(3, 30, 0), tz=berlin).flights[0].stages[0]
    assert again.options.start == date(2026, 3, 30)


def test_a_copy_a_week_later_is_the_same_plan():
    flight, director = planned(SWISS, 6)
    draw_stage(stage=stage_named(flight, "Swiss"), user=director)
    event = flight.event
    copy = copy_event(event=event)
    assert copy.starts_at == event.starts_at + timedelta(days=7)
    assert plan_of(copy) == plan_of(event).moved_to(copy.starts_at, tz=event.tz)
    assert EntrantRow.objects.filter(flight__event=copy).count() == 0
    assert not set(copy.flights.values_list("stages__seed", flat=True)) & set(
        event.flights.values_list("stages__seed", flat=True)
    )


@pytest.mark.parametrize(
    ("stages", "words"),
    [
        ((KNOCKOUT, KNOCKOUT), "a different name"),
        ((StagePlan("Cup", "swiss", KnockoutOptions()),), "SwissOptions"),
        ((StagePlan("Cup", "knockout", KnockoutOptions(), feeds=(Top(2, "Cup"),)),), "not a later stage"),
        ((StagePlan("Cup", "knockout", KnockoutOptions(), 0),), "at least 1 point"),
        ((), "at least one stage"),
    ],
)
def test_a_plan_that_cannot_be_played_is_not_announced(stages, words):
    with pytest.raises(DrawRefused, match=words):
        planned(FlightPlan(stages), 0)


@pytest.mark.django_db(transaction=True)
def test_two_groups_that_end_at_once_both_fill_the_knockout():
    flight, director = planned(GROUPS, 4)
    draw_stage(stage=stage_named(flight, "Group A"), user=director)
    last = [open_pairings(stage_named(flight, f"Group {name}"))[0] for name in "AB"]
    found = at_once(lambda: win(last[0], director), lambda: win(last[1], director))
    assert [each for each in found if isinstance(each, Exception)] == []
    assert len(fed_field(stage_named(flight, "Cup"))) == 4


@pytest.mark.django_db(transaction=True)
def test_two_directors_draw_a_filled_stage_once():
    flight, director = planned(GROUPS, 4)
    draw_stage(stage=stage_named(flight, "Group A"), user=director)
    for name in "AB":
        play(stage_named(flight, f"Group {name}"), director)
    cup = confirm_field(user=director, stage=stage_named(flight, "Cup"))
    found = at_once(
        lambda: draw_stage(stage=cup, user=director), lambda: draw_stage(stage=cup, user=director)
    )
    assert [type(each) for each in found if isinstance(each, Exception)] == [DeskRefused]
    assert len(open_pairings(cup)) == 2
    assert chain_damage(stage_named(flight, "Cup")) is None


def in_pool(flight: Flight, *numbers: int) -> None:
    """These entrants pay 10.00 each for a side pool that returns all of it."""
    Flight.objects.filter(pk=flight.pk).update(pools=[{"key": "B pool", "fee": 1000, "returned": 100}])
    flight.refresh_from_db()
    for entrant in EntrantRow.objects.filter(flight=flight):
        if number_of(entrant) in numbers:
            EntrantRow.objects.filter(pk=entrant.pk).update(pools=["B pool"])


def side_prizes(flight: Flight) -> dict[int, int]:
    rows = Prize.objects.filter(flight=flight, source="B pool").select_related("entrant")
    return {number_of(row.entrant): row.amount for row in rows}


def fill_and_play(flight: Flight, director: User, *names: str) -> None:
    for name in names:
        for source in sources_of(stage_named(flight, name)):
            settle_by_lot(source, director)
        confirm_field(user=None, stage=stage_named(flight, name))
        play(draw_stage(stage=stage_named(flight, name), user=director), director)


@pytest.mark.parametrize(
    ("members", "winners"),
    [
        ((2, 5, 8), {2: 3000}),
        ((5, 8), {5: 2000}),
        ((7, 8), {}),
    ],
)
def test_a_side_pool_counts_every_member_of_the_flight_and_falls_back_from_the_cup(members, winners):
    flight, director = planned(GROUPS, 8)
    in_pool(flight, *members)
    draw_stage(stage=stage_named(flight, "Group A"), user=director)
    for name in "AB":
        play(stage_named(flight, f"Group {name}"), director)
    fill_and_play(flight, director, "Cup")
    approve_prizes(flight=flight)
    # Without a member in the cup the groups decide: thirds share. Fourths have won no match: no prize.
    assert side_prizes(flight) == winners
    found = balance_of(flight)
    assert (found.approved, found.difference, found.mismatched) == (sum(winners.values()), 0, ())
    assert found.pools == 1000 * len(members)


@pytest.mark.long
def test_a_consolation_decides_a_side_pool_whose_members_missed_the_cup():
    flight, director = planned(SWISS, 6)
    play(draw_stage(stage=stage_named(flight, "Swiss"), user=director), director)
    out_of_cup = {number_of(each) for each in field_of(stage_named(flight, "Consolation"))}
    best, last = min(out_of_cup), max(out_of_cup)
    in_pool(flight, best, last)
    confirm_field(user=None, stage=stage_named(flight, "Consolation"))
    rest = draw_stage(stage=stage_named(flight, "Consolation"), user=director)
    fill_and_play(flight, director, "Cup")
    with pytest.raises(DeskRefused, match="The last match is not finished"):
        approve_prizes(flight=flight)
    play(rest, director)
    approve_prizes(flight=flight)
    assert side_prizes(flight) == {best: 2000}
    # A correction there opens the prizes again: the preview says so, and they are gone.
    rows = PairingRow.objects.filter(stage=rest).order_by("number")
    lost = next(row for row in rows if best in map(number_of, (row.a, row.b)))
    turned = number_of(lost.b) == best
    decision = DirectedResult("white" if turned else "black", (3, 0) if turned else (0, 3))
    assert preview_correction(pairing=lost, decision=decision).prizes_open
    win(lost, director, a=turned, reason="protest", decided=True)
    assert not Prize.objects.exists()


def test_the_money_page_warns_when_fees_come_in_after_the_prizes_were_written(client):
    flight, director = planned(replace(SWISS, fees=Fees(entry=1000)), 6)
    in_pool(flight, 1, 2)
    play(draw_stage(stage=stage_named(flight, "Swiss"), user=director), director)
    fill_and_play(flight, director, "Cup", "Consolation")
    approve_prizes(flight=flight)
    client.force_login(director)
    address = reverse("tournaments:money", args=[flight.event.ref])
    assert "are approved, but" not in client.get(address).content.decode()
    first = next(each for each in EntrantRow.objects.filter(flight=flight) if number_of(each) == 1)
    record_payment(entrant=first, user=director, payment=FeePayment.FREE)
    page = client.get(address).content.decode()
    assert "Main pool: prizes of 60.00" in page
    assert "B pool: prizes of 20.00" in page
    assert "Recalculate the prizes." in page
    body = client.get(f"/api/v1/flights/{flight.ref}/balance/").json()
    assert [(each["key"], each["approved"], each["pool"]) for each in body["mismatched"]] == [
        ("main", 6000, 5000),
        ("B pool", 2000, 1000),
    ]
    approve_prizes(flight=flight)
    assert balance_of(flight).mismatched == ()
