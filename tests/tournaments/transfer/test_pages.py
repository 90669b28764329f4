"""Moving an event by its pages, by the API and by the clock: what each says, before and after."""

from datetime import timedelta

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from django.utils.timezone import now

from clubs.models import Role, Scope, User
from scoring.files.services.imports import import_file
from scoring.models import Sheet
from tests.clubs.api.clients import with_token
from tests.factories import ClubFactory, member
from tests.scoring.records import short_match
from tests.tournaments.factories import an_event, drawn, open_pairings
from tests.tournaments.transfer.machines import LAPTOP, at_the_venue, away, played
from tournaments.models import Event, EventStatus, PairingRow
from tournaments.tasks import look_after_deadlines
from tournaments.transfer.services.moves import moved_file, unlock

pytestmark = pytest.mark.django_db(transaction=True)


def words(response) -> str:
    return " ".join(response.content.decode().split())


def page(name: str, event: Event) -> str:
    return reverse(f"tournaments:{name}", args=[event.ref])


def signed_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def test_a_director_moves_the_event_there_and_back_by_its_pages(tmp_path):
    event, director = played(1)
    client = signed_in(director)
    shown = words(client.get(page("move", event)))
    assert "it is locked here" in shown
    assert client.get(page("event_file", event)).status_code == 409
    assert client.post(page("move", event), {"to": ""}).status_code == 200
    assert Event.objects.get().moved_at is None
    moved = client.post(page("move", event), {"to": LAPTOP}, follow=True)
    assert "This event was moved to Ana&#x27;s laptop on" in words(moved)
    assert "Download the file" in words(moved)
    again = client.post(page("move", event), {"to": "another"})
    assert (again.status_code, "Make changes there" in words(again)) == (409, True)
    saved = client.get(page("event_file", event))
    assert saved.headers["Content-Disposition"] == f'attachment; filename="event-{event.ref}.json"'
    assert saved.content.decode() == client.get(page("event_file", event)).content.decode()
    venue = at_the_venue(tmp_path, saved.content.decode(), lambda _event, _vera: None)
    client = signed_in(director)
    reading = reverse("tournaments:read_file", args=[event.club.slug])
    sent = client.post(reading, {"file": SimpleUploadedFile("e.json", venue.encode())}, follow=True)
    assert "Wednesday is on this computer now." in words(sent)
    assert "was moved to" not in words(sent)
    twice = client.post(reading, {"file": SimpleUploadedFile("e.json", venue.encode())})
    assert (twice.status_code, "A file can be imported once" in words(twice)) == (409, True)
    hollow = client.post(reading, {"file": SimpleUploadedFile("hollow.json", b"")})
    assert "hollow.json is empty." in hollow.content.decode()
    broken = client.post(reading, {"file": SimpleUploadedFile("e.json", b"\xff\xfe{")})
    assert (broken.status_code, "cannot be imported" in words(broken)) == (409, True)


def test_where_a_moved_event_is_said_directors_can_bring_it_back(client):
    event, director = played(1)
    away(event, director)
    back = f'href="{page("move", event)}"'
    for address in (event.get_absolute_url(), page("desk", event)):
        assert back in words(signed_in(director).get(address))
    assert back not in words(client.get(event.get_absolute_url()))


def test_an_owner_unlocks_by_force_and_is_told_before_and_after_what_is_discarded():
    event, director = played(1)
    away(event, director)
    owner = signed_in(member(event.club, Role.OWNER))
    assert "Discard and unlock" not in words(signed_in(director).get(page("move", event)))
    assert signed_in(director).post(page("unlock_event", event)).status_code == 403
    before = words(owner.get(page("move", event)))
    assert "Everything done on Ana&#x27;s laptop since" in before
    assert "is discarded: draws, results, entries, payments and rulings" in before
    after = words(owner.post(page("unlock_event", event), follow=True))
    assert "Changes made on Ana&#x27;s laptop are discarded." in after
    logged = words(owner.get(page("log", event)))
    assert "Unlocked without a file" in logged
    assert "changes made elsewhere since" in logged
    again = owner.post(page("unlock_event", event))
    assert (again.status_code, "is already on this computer" in words(again)) == (409, True)


@pytest.mark.long
def test_a_program_moves_reads_and_unlocks(tmp_path):
    event, director = played(1)
    api = with_token(director, Scope.DIRECT)
    address = reverse("api:event_file", args=[event.ref])
    assert api.get(address).json()["code"] == "not_moved"
    assert api.post(address, {"to": ""}, "json").status_code == 400
    text = api.post(address, {"to": LAPTOP}, "json").json()["file"]
    assert api.get(address).json()["file"] == text
    assert api.post(address, {"to": "another"}, "json").json()["code"] == "moved"
    told = api.get(reverse("api:event", args=[event.ref])).json()
    assert told["moved_to"] == LAPTOP
    assert told["moved_at"] is not None
    reading = reverse("api:club_event_file", args=[event.club.slug])
    assert api.post(reading, {"file": text}, "json").json()["moved_at"] is None
    assert api.post(reading, {"file": text}, "json").json()["code"] == "here"
    away(Event.objects.get(), director)
    unlocking = reverse("api:unlock_event", args=[event.ref])
    assert api.post(unlocking).status_code == 403
    owner = with_token(member(event.club, Role.OWNER), Scope.DIRECT)
    assert owner.post(unlocking).json()["moved_at"] is None
    assert owner.post(unlocking).json()["code"] == "not_moved"


def test_a_page_that_was_open_says_where_the_event_is(client):
    event, director = played(1)
    client.force_login(director)
    row = open_pairings(event.flights.get().stages.get())[0]
    away(event, director)
    answer = client.post(
        reverse("tournaments:pairing_action", args=[row.ref]), {"action": "call", "next": page("desk", event)}
    )
    assert answer.status_code == 409
    assert "Wednesday was moved to Ana&#x27;s laptop on" in words(answer)
    # A scoresheet at home, too, and a file of its match.
    match = row.boards.get().match
    sheet = words(client.get(reverse("scoring:scoresheet", args=[match.ref])))
    assert "This match was moved to another computer on" in sheet


def test_by_the_clock_nothing_is_ended_or_reminded_of_while_the_event_is_away(mailoutbox):
    event = an_event(4, format_key="round_robin")
    director = member(event.club, Role.DIRECTOR)
    drawn(event)
    Event.objects.update(status=EventStatus.RUNNING)
    PairingRow.objects.update(deadline=(now() - timedelta(days=2)).date())
    away(Event.objects.get(), director)
    before = moved_file(event)
    look_after_deadlines()
    assert moved_file(event) == before
    unlock(event=event, user=director)
    look_after_deadlines()
    assert not PairingRow.objects.filter(state="open").exists()


def test_a_file_of_a_match_that_is_away_is_refused_in_its_report():
    club = ClubFactory.create()
    match, _report = import_file(club=club, filename="a.mat", content=short_match("Ana", "Ben"))
    assert match is not None
    Sheet.objects.update(moved_at=now())
    again, report = import_file(club=club, filename="b.mat", content=short_match("Ana", "Ben"))
    assert again is None
    assert report.error is not None
    assert report.error["code"] == "moved"
    assert match.sources.count() == 1
