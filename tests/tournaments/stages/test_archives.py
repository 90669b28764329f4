"""One file with all draws of an event, which anybody can check without us."""

import json
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils.timezone import now

from clubs.models import Role
from tests.factories import ClubFactory, member
from tests.tournaments.factories import a_player, an_event, drawn, open_pairings, settle_by_lot, win
from tournaments.core.brackets.elimination import KnockoutOptions
from tournaments.core.play.feeding import Top
from tournaments.core.proof.check import check_text
from tournaments.core.rounds.round_robin import RoundRobinOptions
from tournaments.entries.services.entries import enter
from tournaments.events.event_templates import flight_from, template
from tournaments.events.plans import EventPlan, FlightPlan, StagePlan, single_flight
from tournaments.events.queries.events import stages_of
from tournaments.events.services.events import announce
from tournaments.log.refusals import DeskRefused
from tournaments.models import Event, StageRow
from tournaments.stages.services.archives import event_archive_text
from tournaments.stages.services.draws import draw_stage
from tournaments.stages.services.feeds import confirm_field, decline

pytestmark = pytest.mark.django_db


def played_groups(*, decliners: int = 0) -> Event:
    """Groups that are over, the knockout behind them drawn, and a second flight that was not drawn yet."""
    club = ClubFactory.create()
    groups = template("groups_then_knockout").flight(3)
    flights = (groups, single_flight("swiss_3", 3, name="Novices"))
    event = announce(club=club, plan=EventPlan("Cup", now() + timedelta(hours=1), flights))
    first = event.flights.order_by("position")[0]
    for number in range(12):
        enter(flight=first, players=[a_player(club, f"P{number}")])
    director = member(club, Role.DIRECTOR)
    draw_stage(stage=stages_of(event)[0], user=None)
    for stage in stages_of(event)[:4]:
        while rows := open_pairings(stage):
            for row in rows:
                win(row, director)
        settle_by_lot(stage, director)
    cup = stages_of(event)[4]
    refs = [ref for sent in cup.fed.values() for ref in sent]
    for entrant in first.entrants.filter(ref__in=refs[:decliners]).with_players():
        decline(stage=cup, entrant=entrant, user=director)
    draw_stage(stage=confirm_field(stage=cup, user=director), user=director)
    return event


@pytest.mark.parametrize("decliners", [0, 2])
def test_all_stages_of_an_event_are_accepted_with_how_they_filled_each_other(decliners):
    event = played_groups(decliners=decliners)
    text = event_archive_text(event)
    assert check_text(text).faults == ()
    body = json.loads(text)
    assert len(body["stages"]) == 5
    assert len(body["feedings"]) == 1
    assert len(body["feedings"][0]["sources"]) == 4
    for stage in stages_of(event)[:5]:
        assert stage.seed in text
        assert stage.seed_hash in text


def played_unequal_groups(tops: tuple[int, ...]) -> Event:
    """Groups that send so many each to one knockout, which is drawn."""
    groups = tuple(
        StagePlan(f"Group {number}", "round_robin", RoundRobinOptions(), 3, feeds=(Top(count, "Cup"),))
        for number, count in enumerate(tops)
    )
    cup = StagePlan("Cup", "knockout", KnockoutOptions(), 3)
    plan = EventPlan("Cup", now() + timedelta(hours=1), (FlightPlan((*groups, cup)),))
    event = announce(club=ClubFactory.create(), plan=plan)
    for number in range(4 * len(tops)):
        enter(flight=event.flights.get(), players=[a_player(event.club, f"P{number}")])
    director = member(event.club, Role.DIRECTOR)
    draw_stage(stage=stages_of(event)[0], user=None)
    for stage in stages_of(event)[:-1]:
        while rows := open_pairings(stage):
            for row in rows:
                win(row, director)
    draw_stage(stage=confirm_field(stage=stages_of(event)[-1], user=director), user=director)
    return event


@pytest.mark.long
@pytest.mark.parametrize(("tops", "feedings"), [((2, 1), 2), ((1, 3), 2), ((2, 1, 2), 3), ((2, 2, 1), 2)])
def test_stages_that_send_by_different_rules_stand_in_the_archive(tops, feedings):
    event = played_unequal_groups(tops)
    body = json.loads(event_archive_text(event))
    assert check_text(json.dumps(body)).faults == ()
    assert len(body["feedings"]) == feedings
    assert sum(len(each["sources"]) for each in body["feedings"]) == len(tops)
    field = body["stages"]["Cup"]["field"]
    assert len(field) == sum(tops)
    field[0], field[1] = field[1], field[0]
    faults = check_text(json.dumps(body)).faults
    assert {"feeding"} <= {fault.code for fault in faults}
    named = ", ".join(f"Group {number}" for number in range(len(tops)))
    assert any(f"that {named} sent" in fault.message for fault in faults)


@pytest.mark.long
def test_a_changed_field_and_a_changed_seed_are_found():
    event = played_groups()
    body = json.loads(event_archive_text(event))
    cup = next(name for name in body["stages"] if "Knockout" in name)
    swapped = json.loads(json.dumps(body))
    field = swapped["stages"][cup]["field"]
    field[0], field[1] = field[1], field[0]
    assert {fault.code for fault in check_text(json.dumps(swapped)).faults} & {"feeding", "draw"}
    body["stages"][cup]["seed"] = "another"
    assert "seed_hash" in {fault.code for fault in check_text(json.dumps(body)).faults}


def test_flights_with_stages_of_the_same_name_are_told_apart():
    plan = EventPlan(
        "Cup",
        now() + timedelta(hours=1),
        (single_flight("knockout", 3, name="Open"), single_flight("swiss_3", 3, name="Novices")),
    )
    event = announce(club=ClubFactory.create(), plan=plan)
    for flight in event.flights.order_by("position"):
        for number in range(4):
            enter(flight=flight, players=[a_player(event.club, f"{flight.name} {number}")])
    for stage in stages_of(event):
        draw_stage(stage=stage, user=None)
    text = event_archive_text(event)
    assert sorted(json.loads(text)["stages"]) == ["1 Open / Main", "2 Novices / Main"]
    assert check_text(text).accepted


def test_the_archive_names_no_person():
    event = an_event(4)
    drawn(event)
    assert "P1" not in event_archive_text(event)


def test_nothing_is_there_to_check_before_the_first_draw(client):
    event = an_event(2)
    with pytest.raises(DeskRefused) as refused:
        event_archive_text(event)
    assert refused.value.code == "planned"
    assert client.get(reverse("tournaments:event_draws", args=[event.ref])).status_code == 409
    assert client.get(reverse("api:event_archive", args=[event.ref])).status_code == 409


def test_everybody_fetches_it_from_the_events_page_and_over_the_api(client):
    event = an_event(4)
    drawn(event)
    address = reverse("tournaments:event_draws", args=[event.ref])
    assert address in client.get(event.get_absolute_url(), {"tab": "info"}).content.decode()
    page = client.get(address)
    assert check_text(page.content.decode()).accepted
    answer = client.get(reverse("api:event_archive", args=[event.ref])).json()
    assert answer["archive"] == page.content.decode()


@pytest.mark.parametrize(
    ("key", "name"),
    [
        ("last_chance", "Knockout, consolation and last chance"),
        ("consolation", "Knockout with consolation"),
        ("double_last_chance", "Double elimination and last chance"),
        ("lives_4", "Four lives"),
        ("knockout_lot", "Knockout, drawn by lot"),
    ],
)
def test_a_draw_is_called_what_the_chooser_calls_it_before_and_after(key, name):
    event = an_event(8, format_key=key)
    assert stages_of(event)[0].format_name == name
    drawn(event)
    assert StageRow.objects.get().format_name == name


def test_a_round_robin_with_deadlines_is_a_league():
    plan = EventPlan("Spring", now(), (flight_from("league", 5, now().date()),))
    event = announce(club=ClubFactory.create(), plan=plan)
    assert stages_of(event)[0].format_name == "League, a round a week"


@pytest.mark.long
def test_a_format_that_no_preset_is_like_has_its_own_name():
    event = played_groups()
    assert str(stages_of(event)[4].format_name) == "Knockout"
    StageRow.objects.filter(format="swiss").update(options={"rounds": 9})
    assert stages_of(event)[5].format_name == "Swiss"


def test_the_page_links_what_its_viewer_may_see(client):
    event = an_event(4)
    drawn(event)
    page = client.get(event.get_absolute_url(), {"tab": "info"}).content.decode()
    for name in ("report", "event_calendar", "event_draws", "wall"):
        assert reverse(f"tournaments:{name}", args=[event.ref]) in page
    for name in ("money", "log", "join"):
        assert reverse(f"tournaments:{name}", args=[event.ref]) not in page
    client.force_login(member(event.club, Role.DIRECTOR))
    page = client.get(event.get_absolute_url(), {"tab": "info"}).content.decode()
    for name in ("money", "log", "join", "desk"):
        assert reverse(f"tournaments:{name}", args=[event.ref]) in page
