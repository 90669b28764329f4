"""The pages of entering: partners, lists, the door, late entrants and substitutes."""

import pytest
from django.urls import reverse

from clubs.models import Role
from tests.factories import member
from tests.tournaments.factories import a_player, an_event, drawn, flight_of, open_pairings, other_side, win
from tests.tournaments.wizard import FORM, words
from tournaments.entries.services.check_ins import open_door
from tournaments.entries.services.entries import enter
from tournaments.models import EntrantRow, Event, Flight

pytestmark = pytest.mark.django_db


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
