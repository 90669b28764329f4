"""Whoever comes second finds on the page as it is now what they had typed, and can send it again."""

import re
from dataclasses import replace
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils.timezone import now

from clubs.models import Role
from tests.factories import member
from tests.tournaments.factories import an_event, drawn, open_pairings, other_side, win
from tests.tournaments.leagues.test_leagues import a_tie, league
from tournaments.events.event_templates import template
from tournaments.events.services.events import add_flight
from tournaments.leagues.services import agree_date, propose_date
from tournaments.log.refusals import DeskRefused
from tournaments.models import DeskEvent, EntrantRow, Event, PairingRow, StageRow
from tournaments.signals import entry_written
from tournaments.stages.services.draws import undo_draw
from tournaments.stages.services.ties import line_up_of, set_line_up

pytestmark = pytest.mark.django_db


def refused(answer):
    """The text of a page that answers with 409."""
    assert answer.status_code == 409, (answer.status_code, answer.content.decode())
    return " ".join(answer.content.decode().split())


def test_the_reason_of_a_redraw_stays_where_the_draw_stands(client):
    event = an_event(4)
    stage, director = drawn(event), member(event.club, Role.DIRECTOR)
    client.force_login(director)
    redraw = reverse("tournaments:redraw", args=[stage.ref])
    text = refused(client.post(redraw, {"reason": 'Ana & "Ben" were missing', "seen": "9"}))
    assert "open><summary>Redraw" in text
    assert 'name="reason" value="Ana &amp; &quot;Ben&quot; were missing"' in text
    assert "You typed" not in text
    # Sent again from there, with what that page showed, it holds.
    seen = re.search(rf'action="{redraw}">.*?name="seen" value="(\d+)"', text)
    assert seen is not None
    assert client.post(redraw, {"reason": "as typed", "seen": seen[1]}).status_code == 302
    assert StageRow.objects.get().drawn_at is None


def test_the_reason_of_a_redraw_that_somebody_else_has_made_is_told(client):
    event = an_event(4)
    stage, director = drawn(event), member(event.club, Role.DIRECTOR)
    undo_draw(stage=stage, user=director, reason="first")
    client.force_login(director)
    redraw = reverse("tournaments:redraw", args=[stage.ref])
    text = refused(client.post(redraw, {"reason": "<Ana> was missing", "seen": str(stage.head_seq)}))
    assert "You typed: &lt;Ana&gt; was missing" in text
    assert 'name="reason"' not in text


def test_a_line_up_that_came_second_stays_chosen_beside_the_one_that_stands(client):
    row, director = a_tie(boards=2, size=3)
    team = EntrantRow.objects.with_players().get(pk=row.a_id)
    first, second, third = team.players
    client.force_login(director)
    page = reverse("tournaments:arrange", args=[row.ref])
    seen = line_up_of(row, team)
    set_line_up(pairing=row, entrant=team, players=[third, first], user=director, seen=seen)
    # The page begins with who sits there now, not with the order of the team.
    shown = client.get(page).content.decode()
    assert f'<option value="{third.ref}" selected>' in shown
    sent = {"entrant": team.ref, "board_1": second.ref, "board_2": third.ref, "seen": " ".join(seen)}
    address = reverse("tournaments:line_up", args=[row.ref])
    text = refused(client.post(address, sent))
    assert "Someone else changed this" in text
    own = text.partition(f'name="entrant" value="{team.ref}"')[2].partition("</form>")[0]
    assert re.findall(r'value="(\w+)" selected', own) == [second.ref, third.ref]
    assert f'name="seen" value="{third.ref} {first.ref}"' in own
    assert f"{third.name} – " in text
    assert client.post(address, sent | {"seen": f"{third.ref} {first.ref}"}).status_code == 302
    assert line_up_of(row, team) == [second.ref, third.ref]


def test_a_line_up_for_a_tie_that_is_over_is_told(client):
    row, director = a_tie(boards=2, size=3)
    team = EntrantRow.objects.with_players().get(pk=row.a_id)
    first, second, _third = team.players
    PairingRow.objects.filter(pk=row.pk).update(state="decided")
    client.force_login(director)
    sent = {"entrant": team.ref, "board_1": second.ref, "board_2": first.ref}
    text = refused(client.post(reverse("tournaments:line_up", args=[row.ref]), sent))
    assert f"You typed: {second.name}, {first.name}" in text


def test_a_proposed_time_that_came_second_stays_beside_the_one_that_stands(client):
    row = open_pairings(league("Ana", "Ben"))[0]
    other = other_side(row)
    event = row.stage.flight.event
    mine, theirs = now() + timedelta(days=2), now() + timedelta(days=3)
    propose_date(pairing=row, entrant=row.a, at=theirs)
    client.force_login(other.members.get().player.user)
    typed = mine.astimezone(event.tz).strftime("%Y-%m-%dT%H:%M")
    address = reverse("tournaments:meeting_time", args=[row.ref])
    sent = {"at": typed, "proposed_at": "", "agreed_at": ""}
    text = refused(client.post(address, sent))
    assert f'name="at" value="{typed}"' in text
    assert "Accept time" in text
    stands = re.search(r'name="proposed_at" value="([^"]+)"', text)
    assert stands is not None
    assert client.post(address, sent | {"proposed_at": stands[1]}).status_code == 302
    assert PairingRow.objects.get(pk=row.pk).proposed_by == other
    # A yes has nothing typed: the form for a time is empty.
    agree_date(pairing=row, entrant=row.a)
    text = refused(client.post(address, {"answer": "yes"}))
    assert 'name="at" value' not in text


def test_a_time_for_a_match_that_is_over_is_told(client):
    stage = league("Ana", "Ben")
    row = open_pairings(stage)[0]
    win(row, member(stage.flight.event.club, Role.DIRECTOR))
    client.force_login(row.a.members.get().player.user)
    address = reverse("tournaments:meeting_time", args=[row.ref])
    assert "You typed: 2 Dec 2099, 19:30" in refused(client.post(address, {"at": "2099-12-02T19:30"}))
    assert "You typed: soon" in refused(client.post(address, {"at": "soon"}))


@pytest.fixture
def a_log_that_takes_nothing():
    """The event's log refuses reports and rulings, as where somebody else was first."""

    def refuse(entry, **_sent):
        if entry.kind in {"conduct", "ruling"}:
            raise DeskRefused("Somebody else was first.")

    entry_written.connect(refuse, sender=DeskEvent)
    yield
    entry_written.disconnect(refuse, sender=DeskEvent)


@pytest.mark.parametrize(
    ("form", "typed"),
    [
        ("conduct", {"text": "Shouted at Ben & left"}),
        ("new_ruling", {"happened": "Shouted at Ben & left", "decision": "A warning"}),
    ],
)
def test_a_report_or_a_ruling_that_is_refused_stays_typed(client, a_log_that_takes_nothing, form, typed):
    event = an_event(1)
    client.force_login(member(event.club, Role.DIRECTOR))
    about = EntrantRow.objects.get().members.get().player.ref
    address = reverse(f"tournaments:{form}", args=[event.ref])
    text = refused(client.post(address, {"about": about} | typed))
    assert "Somebody else was first." in text
    assert "Shouted at Ben &amp; left" in text
    assert form != "conduct" or f'value="{about}"' in text
    # What is mistyped was not refused: the form says what it wants.
    assert client.post(address, {"about": about}).status_code == 200


def of_the_form(text, address):
    """What a page has between the address of a form and its end."""
    assert f'action="{address}"' in text, address
    return text.partition(f'action="{address}"')[2].partition("</form>")[0]


def chosen_in(form: str) -> list[str]:
    """The refs of the people whom a form has chosen."""
    return re.findall(r'name="player_\d" value="(\w+)"', form)


def test_whoever_the_desk_enters_stays_chosen_where_the_entry_is_refused(client):
    event = an_event(4)
    director, ana = member(event.club, Role.DIRECTOR), member(event.club).player
    client.force_login(director)
    address = reverse("tournaments:enter_players", args=[event.ref])
    flight = event.flights.get()
    table = reverse("tournaments:entries", args=[event.ref])
    sent = {"flight": flight.ref, "player_1": ana.ref, "payment": "barter", "next": table}
    text = refused(client.post(address, sent))
    assert "barter is not one of the available choices" in text
    form = of_the_form(text, address)
    assert chosen_in(form) == [ana.ref]
    assert not EntrantRow.objects.filter(members__player=ana).exists()
    client.post(address, sent | {"payment": "cash"})
    pair = sent | {"player_2": member(event.club).player.ref, "payment": "transfer"}
    text = refused(client.post(address, pair))
    form = of_the_form(text, address)
    assert chosen_in(form) == [ana.ref, pair["player_2"]]
    assert '<option value="transfer" selected' in form
    assert "You typed" not in text
    assert EntrantRow.objects.get(members__player=ana).payment == "cash"


def with_doubles(event):
    """A second flight, of pairs."""
    plan = replace(template("doubles_cup").flight(3), name="Doubles")
    return add_flight(event=event, plan=plan, position=2)


def test_an_entry_that_is_refused_stays_in_the_form_of_its_own_flight(client):
    event = an_event(2)
    second = with_doubles(event)
    director = member(event.club, Role.DIRECTOR)
    ana, ben = (member(event.club).player for _each in range(2))
    client.force_login(director)
    address = reverse("tournaments:enter_players", args=[event.ref])
    table = reverse("tournaments:entries", args=[event.ref])
    sent = {"flight": second.ref, "player_1": ana.ref, "player_2": ana.ref, "next": table}
    text = refused(client.post(address, sent))
    single, double = (text.split(f'action="{address}"')[number].partition("</form>")[0] for number in (1, 2))
    assert chosen_in(double) == [ana.ref, ana.ref]
    assert chosen_in(single) == []
    assert client.post(address, sent | {"player_2": ben.ref}).status_code == 302


def test_a_partner_is_told_when_the_entries_have_closed_meanwhile(client):
    event = an_event(2)
    second = with_doubles(event)
    ana, ben = member(event.club), member(event.club)
    client.force_login(ana)
    address = reverse("tournaments:enter", args=[event.ref])
    Event.objects.update(entries_until=now() - timedelta(minutes=1))
    text = refused(client.post(address, {"flight": second.ref, "player_2": ben.player.ref}))
    assert f"You typed: {ben.player.name}" in text
    assert f'action="{address}"' not in text
