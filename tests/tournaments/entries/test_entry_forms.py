"""The forms with which a team or a pair enters, on the page of its event."""

import re

import pytest
from django.urls import reverse

from clubs.models import Role
from tests.factories import member
from tests.tournaments.factories import a_player, an_event, drawn
from tournaments.models import EntrantMember, EntrantRow, Event

pytestmark = pytest.mark.django_db


@pytest.fixture
def cup() -> Event:
    """An event that teams of three enter."""
    event = an_event(0)
    event.flights.update(team_size=3)
    return event


def labels(page: str, address: str) -> list[str]:
    """The labels of the form that is sent to an address, none where the page has no such form."""
    form = page.partition(f'action="{address}"')[2].partition("</form>")[0]
    return re.findall(r"<(?:label|legend)[^>]*>([^<]+?) *<", form)


def test_a_member_enters_a_team_with_a_name_and_stands_first(client, cup):
    me, ben, cleo = (member(cup.club, name=name) for name in ("Ana", "Ben", "Cleo"))
    client.force_login(me)
    address = reverse("tournaments:enter", args=[cup.ref])
    page = client.get(cup.get_absolute_url()).content.decode()
    assert "<h3>Enter your team</h3>" in page
    assert labels(page, address) == ["Team name", "Player 1", "Player 2", "Player 3"]
    assert re.search(r'<input type="text" name="me" value="Ana"[^>]* disabled', page)
    sent = {"name": "Blots", "me": "Ben", "player_2": ben.player.ref, "player_3": cleo.player.ref}
    assert client.post(address, sent).status_code == 302
    entrant = EntrantRow.objects.with_players().get()
    assert (entrant.title, [player.name for player in entrant.players]) == ("Blots", ["Ana", "Ben", "Cleo"])


def test_a_team_without_a_name_is_called_by_its_players(client, cup):
    me, ben, cleo = (member(cup.club, name=name) for name in ("Ana", "Ben", "Cleo"))
    client.force_login(me)
    sent = {"player_2": ben.player.ref, "player_3": cleo.player.ref}
    client.post(reverse("tournaments:enter", args=[cup.ref]), sent)
    assert EntrantRow.objects.with_players().get().title == "Ana / Ben / Cleo"


@pytest.mark.parametrize(("size", "asked"), [(2, "Enter a pair"), (3, "Enter a team")])
def test_a_director_has_one_form_for_a_team(client, cup, size, asked):
    cup.flights.update(team_size=size)
    client.force_login(member(cup.club, Role.DIRECTOR))
    table = client.get(reverse("tournaments:entries", args=[cup.ref])).text
    assert f"<summary>{asked}</summary>" in table
    assert labels(table, reverse("tournaments:enter_players", args=[cup.ref]))
    page = client.get(cup.get_absolute_url()).text
    assert not labels(page, reverse("tournaments:enter", args=[cup.ref]))
    assert "Enter your" not in page


def test_missing_fields_are_listed_once_above_the_form(client, cup):
    client.force_login(member(cup.club))
    answer = client.post(reverse("tournaments:enter", args=[cup.ref]), {"name": "x" * 61})
    page = answer.content.decode()
    assert answer.status_code == 409
    said = "Team name can have at most 60 characters. Player 2 is required. Player 3 is required."
    assert f"<p>{said}</p>" in page


@pytest.mark.parametrize(
    ("size", "said"),
    [
        (None, "Paste rows from a spreadsheet, with or without headings, or type one player per line."),
        (2, "Paste rows from a spreadsheet, or type one pair per line: Ana Gil; Ben Roy; cash."),
        (3, "Paste rows from a spreadsheet, or type one team per line, with its 3 players."),
    ],
)
def test_a_list_says_how_its_lines_are_written(client, cup, size, said):
    cup.flights.update(team_size=size)
    client.force_login(member(cup.club, Role.DIRECTOR))
    assert said in client.get(reverse("tournaments:entry_list", args=[cup.ref])).content.decode()


def test_a_late_entry_is_confirmed_and_offers_a_partner_only_where_pairs_play(client):
    event = an_event(4, format_key="swiss_3")
    stage = drawn(event)
    client.force_login(member(event.club, Role.DIRECTOR))
    table, late = (
        reverse("tournaments:entries", args=[event.ref]),
        reverse("tournaments:late", args=[stage.ref]),
    )
    assert not {"Partner", "Partner (optional)"} & set(labels(client.get(table).text, late))
    sent = {"player_1": "guest", "player_1_name": "Zoë Late", "next": table}
    assert "Late entry: Zoë Late." in client.post(late, sent, follow=True).text
    entrant = EntrantRow.objects.filter(flight__event=event).order_by("pk")[0]
    partner = a_player(event.club, "Ben")
    EntrantMember.objects.create(entrant=entrant, player=partner, flight=entrant.flight, position=1)
    assert any(label.startswith("Partner") for label in labels(client.get(table).text, late))
