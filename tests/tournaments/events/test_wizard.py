"""The wizard, the pages of entering, and stages on the event's page."""

import re

import pytest
from django.urls import reverse

from clubs.models import Role
from clubs.templatetags.shell import refused_fields
from tests.factories import ClubFactory, member
from tests.tournaments.factories import a_player, an_event, drawn, flight_of, open_pairings, other_side, win
from tournaments.core.formats.presets import PRESETS
from tournaments.core.timetable.forecast import Conditions
from tournaments.entries.services.check_ins import open_door
from tournaments.entries.services.entries import enter
from tournaments.events.event_templates import TEMPLATES, template
from tournaments.events.plans import EventPlan, check_plan, single_flight
from tournaments.events.queries.chooser import judged_briefly
from tournaments.events.queries.format_cards import format_cards
from tournaments.events.queries.plan_forecast import event_forecast, stage_counts
from tournaments.events.queries.template_verdicts import judged_template
from tournaments.events.services.events import join_flight
from tournaments.models import EntrantRow, Event, Flight, StageRow
from tournaments.words.suitability import verdict

pytestmark = pytest.mark.django_db

FORM = {"name": "Cup", "starts_at": "2026-12-02T19:30", "length": "5", "returned": "100", "rated": "on"}


def words(response):
    return " ".join(response.content.decode().split())


@pytest.fixture
def directed(client):
    """A club whose director is signed in."""
    club = ClubFactory.create(tz="Europe/Berlin", currency="EUR")
    client.force_login(member(club, Role.DIRECTOR))
    return club


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


def field_values(response):
    """What the page of a step would send: its visible and hidden fields by name."""
    found = {}
    for tag in re.findall(r"<input[^>]*>", response.content.decode().partition('id="wizard"')[2]):
        kept = dict(re.findall(r'(\w+)="([^"]*)"', tag))
        if kept.get("type") not in {"radio", "checkbox"} or " checked" in tag:
            found[kept["name"]] = kept.get("value", "")
    for name, inside in re.findall(
        r'<select name="(\w+)".*?>(.*?)</select>', response.content.decode(), re.DOTALL
    ):
        found[name] = next(iter(re.findall(r'value="([^"]*)" selected', inside)), "")
    return found | {"description": response.context["form"]["description"].value() or ""}


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


def test_the_page_leads_from_groups_to_the_knockout(client, directed):
    client.post(
        reverse("tournaments:new_event", args=[directed.slug]), FORM | {"format_key": "groups_then_knockout"}
    )
    event = Event.objects.get()
    flight = event.flights.get()
    for number in range(8):
        enter(flight=flight, players=[a_player(directed, f"P{number}")])
    first = flight.stages.order_by("position")[0]
    page = words(client.post(reverse("tournaments:draw_one", args=[first.ref]), follow=True))
    assert "Group D" in page
    assert "Qualifiers from" in page
    director = member(directed, Role.DIRECTOR)
    for stage in flight.stages.filter(format="round_robin"):
        for row in open_pairings(stage):
            win(row, director)
    page = words(client.get(event.get_absolute_url()))
    assert "Confirm field" in page
    cup = flight.stages.get(format="knockout")
    refs = list(dict.fromkeys(ref for sent in cup.fed.values() for ref in sent))
    wrong = client.post(reverse("tournaments:field", args=[cup.ref]), {"entrant": refs[:2]}, follow=True)
    assert "The field has changed. Check it" in words(wrong)
    client.post(reverse("tournaments:declined", args=[cup.ref]), {"entrant": refs[0]})
    client.post(reverse("tournaments:field", args=[cup.ref]))
    page = words(client.post(reverse("tournaments:draw_one", args=[cup.ref]), follow=True))
    assert StageRow.objects.get(pk=cup.pk).drawn_at is not None
    assert not cup.numbers.filter(entrant__ref=refs[0]).exists()


def test_a_member_names_a_partner_who_says_yes_on_the_page(client, directed):
    client.post(reverse("tournaments:new_event", args=[directed.slug]), FORM | {"format_key": "doubles_cup"})
    Event.objects.update(starts_at="2099-01-01T00:00:00Z")
    event = Event.objects.get()
    ana, ben = member(directed), member(directed)
    client.force_login(ana)
    assert "Partner" in words(client.get(event.get_absolute_url()))
    sent = {"flight": event.flights.get().ref, "player_2": ben.player.ref}
    page = words(client.post(reverse("tournaments:enter", args=[event.ref]), sent, follow=True))
    assert "Waiting for a partner</p>" in page
    client.force_login(ben)
    assert "Enter as" in words(client.get(event.get_absolute_url()))
    entrant = EntrantRow.objects.get()
    client.post(reverse("tournaments:answer", args=[entrant.ref]), {"answer": "yes"})
    entrant.refresh_from_db()
    assert entrant.state == "registered"


def test_a_list_is_shown_before_it_is_entered(client, directed):
    event = an_event(1, club=directed)
    address = reverse("tournaments:entry_list", args=[event.ref])
    page = words(client.post(address, {"entries": "Zoë; cash\nIker; P1"}))
    assert "New guest" in page
    assert "P1 is already in this event." in page
    assert client.post(address, {"entries": "Zoë; cash\nIker; P1", "commit": "yes"}).status_code == 409
    assert EntrantRow.objects.count() == 1
    assert client.post(address, {"entries": "Zoë; cash", "commit": "yes"}).status_code == 302
    assert EntrantRow.objects.count() == 2


def test_the_code_at_the_door_checks_in(client, directed):
    event = an_event(0, club=directed)
    page = words(client.get(reverse("tournaments:door", args=[event.ref])))
    assert "<svg" in page
    event.refresh_from_db()
    address = reverse("tournaments:here", args=[event.ref, event.door])
    assert address in page
    user = member(directed)
    entrant = enter(flight=flight_of(event), players=[user.player])
    client.force_login(user)
    assert "You are signed in as" in words(client.get(address))
    client.post(address)
    entrant.refresh_from_db()
    assert entrant.state == "present"
    other = reverse("tournaments:here", args=[event.ref, "elsewhere"])
    assert client.get(other).status_code == 404
    assert open_door(event=event) == event.door


@pytest.mark.parametrize("flights", [1, 3])
def test_queries_of_the_page_of_an_event_with_several_flights(client, django_assert_num_queries, flights):
    event = an_event(4)
    for position in range(1, flights):
        flight = join_flight(event=event, plan=single_flight("swiss_3", 3, name=f"F{position}"), user=None)
        enter(flight=flight, players=[a_player(event.club, f"Q{position}")])
    client.force_login(member(event.club, Role.DIRECTOR))
    with django_assert_num_queries(6):
        client.get(event.get_absolute_url())


def test_somebody_is_let_in_late_and_replaced_on_the_page(client, directed):
    event = an_event(3, club=directed)
    stage = drawn(event)
    late, later = a_player(directed, "Late"), a_player(directed, "Later")
    client.post(reverse("tournaments:late", args=[stage.ref]), {"player_1": late.ref})
    entrant = EntrantRow.objects.get(members__player=late)
    address = reverse("tournaments:substitute", args=[entrant.ref])
    entry = reverse("tournaments:edit_entry", args=[entrant.ref])
    assert f'href="{entry}"' in words(client.get(event.get_absolute_url(), {"tab": "players"}))
    assert f'href="{address}"' in words(client.get(entry))
    assert "Substitute for Late" in words(client.get(address))
    page = words(client.post(address, {"player_1": later.ref}, follow=True))
    assert "Later is now the substitute for Late." in page
    entrant.refresh_from_db()
    assert entrant.state == "withdrawn"
    assert EntrantRow.objects.entered().filter(members__player=later).exists()
    client.post(reverse("tournaments:payment", args=[entrant.ref]), {"payment": "cash", "refunded": "yes"})
    entrant.refresh_from_db()
    assert entrant.payment == "cash"
    assert entrant.refunded_at is not None


def test_the_page_of_a_substitute_is_led_to_while_a_draw_is_under_way(client, directed):
    event = an_event(3, club=directed)
    entrants = EntrantRow.objects.filter(flight__event=event)
    entries = [reverse("tournaments:edit_entry", args=[each.ref]) for each in entrants]
    text = words(client.get(event.get_absolute_url(), {"tab": "players"}))
    assert all(f'href="{entry}"' in text for entry in entries)
    assert not any("/substitute/" in client.get(entry).text for entry in entries)
    drawn(event)
    assert all("/substitute/" in client.get(entry).text for entry in entries)
    client.logout()
    assert "/edit/" not in words(client.get(event.get_absolute_url(), {"tab": "players"}))


def test_a_substitute_who_is_refused_or_mistyped_stays_typed(client, directed):
    event = an_event(4, club=directed)
    row = open_pairings(drawn(event))[0]
    second, later = other_side(row), a_player(directed, "Later")
    address = reverse("tournaments:substitute", args=[row.a.ref])
    here = second.members.get().player
    answer = client.post(address, {"player_1": here.ref, "payment": "cash"})
    assert answer.status_code == 409
    text = words(answer)
    assert "One of these players is already in this event." in text
    assert f'name="player_1" value="{here.ref}"' in text
    assert '<option value="cash" selected>' in text
    assert row.a.title in text
    answer = client.post(address, {"player_1": "", "payment": "transfer"})
    assert answer.status_code == 409
    assert '<option value="transfer" selected>' in words(answer)
    # Nobody was replaced; somebody who has a result is not any more.
    assert EntrantRow.objects.entered().filter(pk=row.a.pk).exists()
    win(row, member(directed, Role.DIRECTOR))
    answer = client.post(address, {"player_1": later.ref})
    assert answer.status_code == 409
    assert f'name="player_1" value="{later.ref}"' in words(answer)
    assert EntrantRow.objects.entered().filter(pk=row.a.pk).exists()


def test_whom_the_rule_of_a_flight_keeps_out_can_be_a_substitute_without_a_further_word(client, directed):
    stage = drawn(an_event(2, club=directed))
    Flight.objects.update(eligibility={"rating_below": 1600})
    first = stage.numbers.order_by("number")[0].entrant
    address, later = reverse("tournaments:substitute", args=[first.ref]), a_player(directed, "Later")
    assert 'name="override"' not in words(client.get(address))
    assert client.post(address, {"player_1": later.ref}).status_code == 302
    assert stage.numbers.order_by("number")[0].entrant.players == [later]


def opened(page):
    """The first field of each open fold of the form."""
    form = words(page).partition('class="wizard stepped"')[2]
    return [
        re.findall(r"<label[^>]*>([^<]+)", fold)[0].strip()
        for fold in re.split(r"<details[^>]* open> <summary>", form)[1:]
    ]


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
