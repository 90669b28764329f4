"""How long an event takes, and which formats suit it, as the wizard says."""

import pytest
from django.urls import reverse

from tests.tournaments.factories import an_event
from tests.tournaments.wizard import FORM, words
from tournaments.core.formats.presets import PRESETS
from tournaments.core.timetable.forecast import Conditions
from tournaments.events.event_templates import TEMPLATES, template
from tournaments.events.plans import EventPlan, check_plan
from tournaments.events.queries.chooser import judged_briefly
from tournaments.events.queries.format_cards import format_cards
from tournaments.events.queries.plan_forecast import event_forecast, stage_counts
from tournaments.events.queries.template_verdicts import judged_template
from tournaments.words.suitability import verdict

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("key", TEMPLATES)
def test_every_template_can_be_played_and_says_how_long_it_takes(key):
    chosen = template(key)
    flight = chosen.flight(chosen.length)
    event = an_event()
    check_plan(EventPlan("x", event.starts_at, (flight,)))
    figures = event_forecast([(flight, chosen.entrants)], tables=8).whole
    assert figures is not None
    assert 0 < (figures.usually or 0) <= (figures.at_worst or 0)
    assert 0 < figures.tables <= 8
    assert figures.matches_each >= 1


def test_a_forecast_counts_who_goes_on():
    flight = template("swiss_and_cup").flight(5)
    assert list(stage_counts(flight, 20).values()) == [20, 8, 12]
    groups = template("groups_then_knockout").flight(5)
    assert list(stage_counts(groups, 18).values()) == [5, 5, 4, 4, 8]


def test_the_forecast_follows_what_is_typed_before_the_event_has_a_name(client, directed):
    address = reverse("tournaments:new_event", args=[directed.slug])
    typed = {"at": "who", "step": "forecast", "entrants": "24", "tables": "8", "returned": "x", "length": "7"}
    part = client.post(address, typed, headers={"HX-Target": "forecast", "HX-Request": "true"})
    shown = words(part)
    assert shown.startswith("<aside")
    assert "As a knockout with consolation" in shown
    figures = client.post(address, typed).context["whole"].figures
    assert (figures.entrants, figures.tables) == (24, 8)
    assert figures.matches == round(figures.matches_each * 12)
    assert figures.rounds in range(5, 9)
    later = client.post(
        address,
        typed | {"starts_at": "2026-12-05T10:30"},
        headers={"HX-Target": "forecast", "HX-Request": "true"},
    )
    assert 'datetime="2026-12-05T' in words(later)
    assert "Correct the fields" in words(client.post(address, typed | {"entrants": "many"}))
    page = client.post(address, typed | {"step": "to:format", "name": "Cup", "starts_at": "2026-12-05T10:30"})
    cards = page.context["cards"]
    assert (cards.first[0].suitability, page.context["form"]["format_key"].value()) == (
        "suits",
        cards.first[0].key,
    )
    assert {each.key for each in (*cards.first, *cards.more)} == set(PRESETS)
    assert all(each.verdict for each in (*cards.first, *cards.more, *cards.templates))
    assert "Suits 24" in words(page)


@pytest.mark.parametrize(
    ("key", "told", "line"),
    [
        ("keizer", "One round an evening", "per evening"),
        ("league", "there is no finishing time", "over several weeks"),
        ("ladder", "there is no finishing time", "over several weeks"),
    ],
)
def test_the_forecast_of_a_season_has_no_finishing_time(client, directed, key, told, line):
    address = reverse("tournaments:new_event", args=[directed.slug])
    typed = FORM | {"at": "who", "step": "forecast", "entrants": "9", "format_key": key}
    page = client.post(address, typed)
    whole = page.context["whole"]
    assert (whole.usually, whole.figures.usually, whole.figures.at_worst) == (None, None, None)
    if key == "keizer":
        assert (whole.figures.rounds, whole.figures.tables) == (10, 4)
        assert 5 * 5 < whole.figures.evening <= 14 * 5
        crowded = client.post(address, typed | {"tables": "1"}).context["whole"].figures
        assert crowded.evening > 100
    assert told in words(page)
    assert '<p class="big"><time' not in words(page)
    cards = client.post(address, typed | {"step": "to:format"}).context["cards"]
    (card,) = (each for each in cards.first if each.key == key)
    assert (card.at_worst, card.evening, card.matches_each is None) == (None, whole.figures.evening, False)
    # A division that ends with the day leaves the event without an end all the same.
    cup = {"flight_name": "Season", "flight": "f2", "f2-name": "Cup", "f2-format_key": "knockout"}
    both = client.post(address, typed | cup | {"f2-length": "5", "f2-returned": "100"})
    assert both.context["whole"].usually is None
    assert [each.usually is None for each in both.context["each"]] == [True, False]
    assert line in words(both)


@pytest.mark.parametrize(
    ("key", "entrants", "line"),
    [
        ("knockout_lot", 24, "Suits 24"),
        ("third_place", 3, "Not sensible for 3: too few entrants for: Third place"),
        ("double_round_robin", 6, "Possible: 10 matches per player"),
        ("double_round_robin", 24, "Not sensible for 24: 46 matches per player"),
        ("keizer", 16, "Suits 16"),
        ("keizer", 3, "Not sensible for 3: 70% of the matches are rematches"),
        ("ladder", 24, "Suits 24"),
    ],
)
def test_a_format_that_is_not_compared_is_judged_too(key, entrants, line):
    assert verdict(judged_briefly(key, entrants, Conditions()), entrants).startswith(line)


@pytest.mark.parametrize(
    ("key", "entrants", "line"),
    [
        ("wednesday_swiss", 16, "Suits 16"),
        ("groups_then_knockout", 16, "Suits 16"),
        ("groups_then_knockout", 7, "Not sensible for 7: needs at least 8 entrants"),
        ("groups_then_knockout", 64, "Not sensible for 64: "),
        ("swiss_and_cup", 9, "Not sensible for 9: needs at least 10 entrants"),
        ("jackpot_8", 8, "Suits 8"),
        ("jackpot_8", 7, "Not sensible for 7: needs at least 8 entrants"),
        ("jackpot_8", 24, "Possible: 3 draws of 8, one after the other"),
        ("jackpot_8", 20, "Possible: draws of 8: 4 of the entrants do not fill one"),
        ("team_league", 6, "Suits 6"),
        ("team_league", 40, "Not sensible for 40: "),
    ],
)
def test_a_template_is_judged_by_the_rule_for_formats_and_its_places(key, entrants, line):
    assert verdict(judged_template(key, entrants, Conditions(length=5)), entrants).startswith(line)


@pytest.mark.parametrize(("key", "preset"), [("wednesday_swiss", "swiss_3"), ("three_lives", "lives")])
def test_a_template_of_one_format_has_its_verdict(key, preset):
    conditions = Conditions(length=5, tables=6)
    cards = format_cards(23, conditions)
    found = {each.key: each.verdict for each in (*cards.first, *cards.more, *cards.templates)}
    assert found[key] == found[preset]
