"""The wizard: its steps, what it refuses, and what it announces."""

import re

import pytest
from django.urls import reverse

from clubs.templatetags.shell import refused_fields
from tests.tournaments.factories import an_event
from tests.tournaments.wizard import FORM, field_values, words
from tournaments.models import EntrantRow, Event, StageRow

pytestmark = pytest.mark.django_db


def opened(page):
    """The first field of each open fold of the form."""
    form = words(page).partition('class="wizard stepped"')[2]
    return [
        re.findall(r"<label[^>]*>([^<]+)", fold)[0].strip()
        for fold in re.split(r"<details[^>]* open> <summary>", form)[1:]
    ]


def test_four_steps_carry_what_was_typed_back_and_forth(client, directed):
    address = reverse("tournaments:new_event", args=[directed.slug])
    asked = {"format_key": "consolation", "entrants": "24", "tables": "10", "clocks": "", "length": "7"}
    page = client.get(address, asked)
    sent = field_values(page)
    assert {name: sent[name] for name in asked} == asked | {"clocks": "False"}
    typed = {"name": "Cup", "starts_at": "2026-12-05T10:30", "description": "a\nb", "venue": "Café"}
    for at, step, more in (
        ("what", "next", typed),
        ("who", "next", {"capacity": "24", "members_only": "on"}),
        ("format", "to:what", {"length": "9", "lengths": "9, 11"}),
        ("what", "to:money", {"contact": "Ana"}),
        ("money", "back", {"entry_fee": "20"}),
        ("format", "next", {}),
    ):
        assert page.context["step"] == at
        page = client.post(address, field_values(page) | more | {"step": step})
        assert page.status_code == 200
    answer = client.post(address, field_values(page) | {"step": "announce"}, follow=True)
    event = Event.objects.get()
    flight, stage = event.flights.get(), StageRow.objects.get()
    assert (event.name, event.venue, event.contact, event.description) == ("Cup", "Café", "Ana", "a\nb")
    assert (event.members_only, event.rules.clock, event.zone) == (True, None, "")
    assert (flight.capacity, flight.entry_fee, stage.lengths) == (24, 2000, [9, 11])
    shown = words(answer)
    assert answer.request["PATH_INFO"] == reverse("tournaments:announced", args=[event.ref])
    assert f"http://testserver{event.get_absolute_url()}</p>" in shown
    assert shown.count("<svg") >= 1
    assert "What visitors see" in shown
    assert "<strong>Café</strong>" in shown


def test_wrong_input_stays_on_its_step_and_is_named(client, directed):
    address = reverse("tournaments:new_event", args=[directed.slug])
    page = client.post(address, FORM | {"at": "what", "step": "next", "name": "", "format_key": ""})
    assert page.context["step"] == "what"
    assert "Name is required." in words(page)
    assert [field.name for field in refused_fields(page.context["form"])] == ["name"]
    page = client.post(address, FORM | {"at": "who", "step": "next", "capacity": "1", "entrants": "999"})
    assert page.context["step"] == "who"
    assert "must be at most 256" in words(page)
    assert 'value="999"' in words(page)
    assert (
        client.post(address, FORM | {"at": "who", "step": "back", "capacity": "x"}).context["step"] == "what"
    )
    # A later step is reached over those before it.
    page = client.post(address, FORM | {"at": "what", "step": "to:money", "capacity": "1"})
    assert page.context["step"] == "who"
    assert not Event.objects.exists()


def test_the_chooser_hands_on_what_was_typed(client, directed):
    asked = {"entrants": "24", "tables": "10", "length": "7", "clocks": "on", "starts_at": "2026-12-05T10:30"}
    page = client.get(reverse("tournaments:formats"), asked).content.decode()
    link = next(iter(re.findall(r'href="([^"]*format_key=progressive[^"]*)"', page))).replace("&amp;", "&")
    sent = field_values(client.get(link))
    assert (asked | {"clocks": "True"}).items() <= sent.items()


def test_a_template_fills_the_form(client, directed):
    page = words(
        client.get(reverse("tournaments:new_event", args=[directed.slug]), {"format_key": "jackpot_8"})
    )
    assert "Jackpot for eight" in page
    assert 'name="capacity" value="8"' in page


def test_everything_is_set_in_one_form(client, directed):
    form = FORM | {
        "format_key": "swiss_and_cup",
        "zone": "America/New_York",
        "lengths": "5, 7, 9",
        "profile": "us",
        "capacity": "32",
        "rating_below": "1700",
        "entries_until": "2026-12-02T18:00",
        "hidden": "on",
        "entry_fee": "12.50",
        "percentages": "60, 40",
        "pools": "High; 10.00; 80",
    }
    del form["rated"]
    address = reverse("tournaments:new_event", args=[directed.slug])
    assert client.post(address, form).status_code == 302
    event = Event.objects.get()
    assert event.starts_at.isoformat() == "2026-12-03T00:30:00+00:00"
    assert event.entries_until is not None
    assert (event.zone, event.rated, event.hidden) == ("America/New_York", False, True)
    assert (event.rules.name, event.rules.clock) == ("us", None)
    flight = event.flights.get()
    assert (flight.entry_fee, flight.percentages) == (1250, [60, 40])
    assert flight.eligibility == {"rating_below": 1700.0}
    assert flight.pools == [{"key": "High", "fee": 1000, "returned": 80}]
    swiss, cup, consolation = flight.stages.order_by("position")
    assert (swiss.lengths, cup.lengths) == ([5, 7, 9], [])
    assert [rule.into for rule in swiss.rules] == [cup.ref, consolation.ref]


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("lengths", "5, many", "“many” is not a number from 1 to 25"),
        ("percentages", "60, 30", "The prizes add up to 90%"),
        ("percentages", "40, 60", "A higher place cannot get less"),
        ("pools", "High", "is not a side pool"),
        ("pools", "High; 1; 101", "is not a side pool"),
        ("zone", "Mars/Olympus", "is not a time zone"),
        ("starts_when_full", "on", "Enter the number of places"),
        ("profile", "chess", "chess"),
    ],
)
def test_what_cannot_be_is_named_and_nothing_is_announced(client, directed, field, value, said):
    form = FORM | {"format_key": "knockout", field: value}
    page = words(client.post(reverse("tournaments:new_event", args=[directed.slug]), form))
    assert said in page
    assert not Event.objects.exists()


def test_last_weeks_event_is_announced_again_in_one_click(client, directed):
    event = an_event(3, club=directed)
    page = words(client.get(reverse("tournaments:new_event", args=[directed.slug])))
    assert reverse("tournaments:copy", args=[event.ref]) in page
    client.post(reverse("tournaments:copy", args=[event.ref]))
    copy = Event.objects.exclude(pk=event.pk).get()
    assert copy.name == event.name
    assert not EntrantRow.objects.filter(flight__event=copy).exists()


def test_the_summary_of_errors_goes_down_the_page(client, directed):
    address = reverse("tournaments:new_event", args=[directed.slug])
    wrong = {
        "starts_at": "",
        "zone": "Mars",
        "entries_until": "x",
        "capacity": "1",
        "length": "0",
        "rounds": "0",
    }
    refused = refused_fields(client.post(address, FORM | {"format_key": "swiss"} | wrong).context["form"])
    assert [field.name for field in refused] == ["starts_at", "zone"]


def test_what_few_set_is_folded_until_it_is_typed(client, directed):
    address = reverse("tournaments:new_event", args=[directed.slug])
    sent = FORM | {"format_key": "knockout", "step": "forecast", "profile": "wbf", "clocks": "on"}
    for step in ("what", "who", "format", "money"):
        assert opened(client.get(address, {"format_key": "knockout", "step": step})) == []
        assert opened(client.post(address, sent | {"at": step})) == []
    typed = sent | {"zone": "Mars/Olympus", "pools": "High; 10.00; 80"}
    assert opened(client.post(address, typed | {"at": "what"})) == ["Address"]
    typed |= {"zone": "", "added": "5"}
    assert opened(client.post(address, typed | {"at": "money"})) == ["Registration fee (kept)"]
