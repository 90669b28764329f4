"""Format details, as the wizard and the page of another flight ask for it."""

import re

import pytest
from django.urls import reverse

from clubs.models import Club, Role
from tests.factories import ClubFactory, member
from tests.tournaments.factories import an_event
from tournaments.core.formats.presets import PRESETS
from tournaments.events.announcements import SEEDINGS
from tournaments.events.event_templates import TEMPLATES
from tournaments.events.format_details import OPTIONS, has_table, usual_details
from tournaments.models import Event, StageRow
from tournaments.stages.services.stages import load

pytestmark = pytest.mark.django_db

FORM = {"name": "Cup", "starts_at": "2026-12-02T19:30", "length": "5", "returned": "100", "step": "announce"}


@pytest.fixture
def wizard(client):
    club = ClubFactory.create(currency="EUR")
    client.force_login(member(club, Role.DIRECTOR))
    return reverse("tournaments:new_event", args=[club.slug])


def details_of(page):
    """The names of the fields of the detail."""
    text = page.content.decode().partition("Format details")[2].partition("</details>")[0]
    return re.findall(r'<(?:input|select)[^>]* name="(\w+)"', text)


def stages():
    return list(StageRow.objects.order_by("position"))


@pytest.mark.parametrize(
    ("key", "names"),
    [
        ("wednesday_swiss", ["seeding", "rounds", "accelerated_rounds"]),
        ("three_lives", ["seeding", "lives"]),
        ("weekend", ["seeding", "consolation_rounds", "last_chance_rounds"]),
        ("consolation", ["seeding", "consolation_rounds"]),
        ("double_64", ["seeding", "last_chance_rounds"]),
        ("ladder", ["seeding", "rounds", "reach", "days"]),
        ("keizer", ["seeding", "rounds", "rounds_apart"]),
        ("league", ["seeding", "rounds", "days"]),
        ("round_robin", ["seeding", "rounds"]),
        ("team_league", ["seeding", "rounds"]),
    ],
)
def test_the_wizard_asks_for_what_the_format_knows(client, wizard, key, names):
    ranked = ("tie_breaks", "lot_last") if has_table(key) else ()
    shown = details_of(client.get(wizard, {"format_key": key, "step": "format"}))
    assert shown == [*names, *ranked, "boards", "duplicate_dice"]


@pytest.mark.parametrize("key", [*TEMPLATES, *PRESETS])
def test_every_format_has_details_of_its_own_or_none(key):
    assert set(usual_details(key)) <= {*OPTIONS, "boards"}
    assert usual_details(key)["seeding"] in {"rating", "hand", "lot"}


def test_the_usual_values_are_shown_and_not_sent(client, wizard):
    text = client.get(wizard, {"format_key": "wednesday_swiss", "step": "format"}).content.decode()
    assert re.search(r'name="rounds"[^>]* placeholder="3"', text)
    assert re.search(r'<option value="" selected>\s*by lot', text)
    assert client.post(wizard, FORM | {"format_key": "wednesday_swiss"}).status_code == 302
    assert stages()[0].options["rounds"] == 3
    assert stages()[0].options["seeding"] == "lot"


@pytest.mark.parametrize("sent", ["", "lot", "rating"])
def test_every_way_to_seed_is_offered_once(client, wizard, sent):
    asked = {"format_key": "wednesday_swiss", "step": "format", "seeding": sent}
    text = client.get(wizard, asked).text.partition('name="seeding"')[2].partition("</select>")[0]
    labels = [label.strip() for label in re.findall(r"<option[^>]*>([^<]*)</option>", text)]
    assert sorted(labels) == sorted(map(str, SEEDINGS.values()))


def test_more_rounds_can_feed_consolation_and_last_chance(client, wizard):
    more = {"format_key": "weekend", "consolation_rounds": "4", "last_chance_rounds": "2"}
    assert client.post(wizard, FORM | more).status_code == 302
    assert {"feeding": 4, "last_chance": 2}.items() <= stages()[0].options.items()
    wrong = client.post(wizard, FORM | {"format_key": "knockout", "consolation_rounds": "2"})
    assert "does not use this setting" in wrong.content.decode()


def test_the_boards_of_teams_are_shown_too(client, wizard):
    text = client.get(wizard, {"format_key": "team_league", "step": "format"}).content.decode()
    assert re.search(r'name="boards"[^>]* placeholder="3"', text)


def test_a_swiss_of_four_rounds_is_announced_and_forecast(client, wizard):
    sent = FORM | {"format_key": "wednesday_swiss", "rounds": "4", "seeding": "rating", "entrants": "16"}
    page = client.post(wizard, sent | {"step": "forecast"})
    assert page.context["whole"].figures.matches_each == 4
    assert client.post(wizard, sent).status_code == 302
    (stage,) = stages()
    options = load(stage).options
    assert (options.rounds, options.seeding) == (4, "rating")


def test_the_first_rounds_of_a_swiss_are_accelerated(client, wizard):
    sent = FORM | {"format_key": "swiss", "rounds": "5", "accelerated_rounds": "2"}
    assert client.post(wizard, sent).status_code == 302
    (stage,) = stages()
    assert stage.options["accelerated"] == 2
    assert stage.format_name == "Swiss, accelerated"


def test_a_ladder_has_its_periods_days_and_reach(client, wizard):
    sent = FORM | {"format_key": "ladder", "rounds": "6", "days": "7", "reach": "2"}
    assert client.post(wizard, sent).status_code == 302
    (stage,) = stages()
    assert {"periods": 6, "days_per_period": 7, "reach": 2}.items() <= stage.options.items()
    assert stage.options["start"] == "2026-12-02"


@pytest.mark.parametrize("apart", [0, 5])
def test_a_keizer_has_its_rounds_without_a_rematch(client, wizard, apart):
    sent = FORM | {"format_key": "keizer", "rounds_apart": str(apart)}
    assert client.post(wizard, sent).status_code == 302
    body = {"name": "Season", "starts_at": "2026-12-02T19:30Z", "length": 5, "format": "keizer"}
    address = f"/api/v1/clubs/{Club.objects.get().slug}/events/"
    made = client.post(address, body | {"rounds_apart": apart}, "application/json")
    assert made.status_code == 201
    assert [stage.options["apart"] for stage in stages()] == [apart, apart]


def test_details_are_of_the_stages_in_which_entrants_begin(client, wizard):
    assert (
        client.post(wizard, FORM | {"format_key": "groups_then_knockout", "seeding": "rating"}).status_code
        == 302
    )
    *groups, cup = stages()
    assert {group.options["seeding"] for group in groups} == {"rating"}
    assert cup.options["seeding"] == "hand"


def test_a_tie_is_played_on_as_many_boards_with_the_same_rolls(client, wizard):
    sent = FORM | {"format_key": "knockout", "team_size": "5", "boards": "4", "duplicate_dice": "on"}
    assert client.post(wizard, sent).status_code == 302
    (stage,) = stages()
    assert (stage.boards, stage.duplicate_dice, len(stage.dice_hash)) == (4, True, 64)


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ({"format_key": "knockout", "rounds": "4"}, "“Knockout” does not use this setting. Leave it blank."),
        ({"format_key": "round_robin", "days": "4"}, "does not use this setting"),
        ({"format_key": "lives", "accelerated_rounds": "2"}, "“Three lives” does not use this setting."),
        ({"format_key": "swiss_3", "accelerated_rounds": "2"}, "A field drawn by lot has no upper half."),
        ({"format_key": "swiss_and_cup", "accelerated_rounds": "5"}, "5 of 5 rounds cannot be accelerated"),
        ({"format_key": "swiss_3", "rounds_apart": "0"}, "does not use this setting"),
        ({"format_key": "keizer", "rounds_apart": "-1"}, "Rounds without a rematch must be at least 0."),
        ({"format_key": "swiss_3", "rounds": "31"}, "Rounds must be at most 30."),
        ({"format_key": "swiss_3", "rounds": "0"}, "Rounds must be at least 1."),
        ({"format_key": "swiss_3", "seeding": "stars"}, "stars is not one of the available choices"),
        ({"format_key": "team_league", "boards": "4"}, "A team of 3 cannot play on 4 boards."),
        ({"format_key": "round_robin", "tie_breaks": "buchholz"}, "Buchholz is equal for all who are level"),
        ({"format_key": "knockout", "tie_breaks": "group"}, "is ranked without tie-breaks"),
        (
            {"format_key": "swiss_3", "duplicate_dice": "on"},
            "Duplicate dice need at least two boards per team match.",
        ),
    ],
)
def test_what_cannot_be_is_said_and_stays_typed(client, wizard, typed, said):
    text = client.post(wizard, FORM | typed).content.decode()
    assert said in text
    assert re.search(r"<details[^>]* open>", text)
    (name,) = set(typed) - {"format_key"}
    assert re.search(rf'<(?:input|select)[^>]* name="{name}"', text)
    assert not Event.objects.exists()


def test_another_flight_has_its_details_too(client):
    event = an_event(2)
    client.force_login(member(event.club, Role.DIRECTOR))
    address = reverse("tournaments:new_flight", args=[event.ref])
    form = {"name": "Novices", "format_key": "lives", "length": "3", "returned": "100", "lives": "2"}
    assert client.post(address, form).status_code == 302
    assert StageRow.objects.get(flight__name="Novices").options["lives"] == 2


def test_programs_set_the_details_too(client, wizard):
    club = Club.objects.get()
    body = {"name": "Cup", "starts_at": "2026-12-02T19:30Z", "length": 5}
    address = f"/api/v1/clubs/{club.slug}/events/"
    own = {"format": "swiss_3", "rounds": 4, "seeding": "rating", "percentages": [60, 40]}
    own |= {"tie_breaks": ["point_difference", "lot"]}
    second = {"name": "Teams", "format": "team_league", "length": 3, "boards": 2, "duplicate_dice": True}
    sent = body | own | {"flight_name": "Open", "flights": [second]}
    assert client.post(address, sent, "application/json").status_code == 201
    swiss, teams = StageRow.objects.order_by("flight__position")
    assert (swiss.options["rounds"], swiss.flight.percentages) == (4, [60, 40])
    assert (teams.boards, teams.duplicate_dice) == (2, True)
    assert (swiss.tie_breaks, teams.tie_breaks[0]) == (["point_difference", "lot"], "direct_encounter")
    for wrong, name in (
        ({"format": "knockout", "rounds": 4}, "rounds"),
        ({"format": "swiss_3", "boards": 2}, "boards"),
        ({"format": "swiss_3", "rounds_apart": 2}, "rounds_apart"),
        ({"format": "keizer", "rounds_apart": -1}, "rounds_apart"),
        ({"format": "swiss_3", "percentages": [40, 60]}, "percentages"),
        ({"format": "round_robin", "tie_breaks": ["koya", "buchholz_cut1"]}, "tie_breaks"),
        ({"format": "swiss_3", "tie_breaks": ["lot", "koya"]}, "tie_breaks"),
    ):
        answer = client.post(address, body | wrong, "application/json")
        assert answer.status_code == 400
        assert name in str(answer.json())
