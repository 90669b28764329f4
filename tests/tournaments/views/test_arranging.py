"""The pages of matches to arrange, teams, ladders, seasons, flights, starts and event files."""

from datetime import timedelta

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from django.utils.timezone import now

from clubs.models import Role
from tests.factories import ClubFactory, member
from tests.tournaments.factories import an_event, drawn, open_pairings, win
from tests.tournaments.services.test_leagues import a_tie, league
from tournaments.draws.ladder import LadderOptions
from tournaments.models import Board, Entrant, Event, Pairing, Stage
from tournaments.plans import StagePlan
from tournaments.services.event_files import event_file

pytestmark = pytest.mark.django_db


def words(response):
    return " ".join(response.content.decode().split())


def user_of(entrant):
    return entrant.members.get().player.user


def test_two_people_agree_on_a_time(client):
    row = open_pairings(league("Ana", "Ben"))[0]
    event, at = row.stage.flight.event, now() + timedelta(days=2)
    client.force_login(user_of(row.a))
    address = reverse("tournaments:arrange", args=[row.ref])
    assert address in words(client.get(event.get_absolute_url()))
    assert "When do you play?" in words(client.get(address))
    typed = {"at": at.astimezone(event.tz).strftime("%Y-%m-%dT%H:%M")}
    time = reverse("tournaments:meeting_time", args=[row.ref])
    assert "Proposed:" in words(client.post(time, typed, follow=True))
    assert "Say when you could play" in words(client.post(time, {"at": "soon"}, follow=True))
    client.force_login(user_of(row.b))
    assert "Yes, this time suits us" in words(client.get(address))
    assert "Agreed:" in words(client.post(time, {"answer": "yes"}, follow=True))


def test_strangers_arrange_nothing(client):
    row = open_pairings(league("Ana", "Ben"))[0]
    client.force_login(member(row.stage.flight.event.club))
    assert client.post(reverse("tournaments:meeting_time", args=[row.ref])).status_code == 403
    assert client.post(reverse("tournaments:line_up", args=[row.ref])).status_code == 403


def test_a_director_sets_a_line_up_and_enters_a_board(client):
    pairing, director = a_tie(size=4, duplicate_dice=True)
    client.force_login(director)
    address = reverse("tournaments:arrange", args=[pairing.ref])
    assert "Line-up of Reds" in words(client.get(address)) or "Line-up of Blues" in words(client.get(address))
    team = Entrant.objects.with_players().get(pk=pairing.a_id)
    sent = {"entrant": team.ref}
    sent |= {f"board_{n}": team.players[4 - n].ref for n in range(1, 4)}
    page = words(client.post(reverse("tournaments:line_up", args=[pairing.ref]), sent, follow=True))
    assert "The line-up is set." in page
    first = Board.objects.select_related("match").get(pairing=pairing, number=1)
    assert first.match.white.players == [team.players[3]]
    stage = Stage.objects.get(pk=pairing.stage_id)
    result = reverse("tournaments:result", args=[pairing.ref]) + "?board=2"
    form = {"ended": "played", "a_points": "3", "b_points": "0", "commit": "", "seen": str(stage.head_seq)}
    assert client.post(result, form).status_code == 302
    assert Board.objects.get(pairing=pairing, number=2).match.status == "finished"
    assert Board.objects.get(pairing=pairing, number=1).match.status == "playing"
    assert "Game 5" in words(client.get(reverse("tournaments:rolls", args=[pairing.ref])))


def test_somebody_challenges_on_the_ladder(client):
    options = LadderOptions(periods=3, reach=2, seeding="hand")
    stage = league("Ana", "Ben", "Cleo", "Dora", stage=StagePlan("Ladder", "ladder", options, 3))
    director = member(stage.flight.event.club, Role.DIRECTOR)
    for row in open_pairings(stage):
        win(row, director)
    playing = {pk for row in open_pairings(stage) for pk in (row.a_id, row.b_id)}
    entrants = {number.number: number.entrant for number in stage.numbers.select_related("entrant")}
    free = [entrant for entrant in entrants.values() if entrant.pk not in playing]
    client.force_login(user_of(free[-1]))
    address = reverse("tournaments:challenge", args=[stage.ref])
    said = words(client.post(address, {"challenged": free[0].ref}, follow=True))
    assert "rungs above" in said
    assert "Say who challenges whom" in words(client.post(address, {"challenged": "nobody"}, follow=True))


def test_a_flight_is_added_to_an_event(client):
    event = an_event(2)
    client.force_login(member(event.club, Role.DIRECTOR))
    address = reverse("tournaments:new_flight", args=[event.ref])
    form = {"name": "Novices", "format_key": "swiss_3", "length": "3", "returned": "100"}
    page = words(client.post(address, form | {"rating_below": "1500"}, follow=True))
    assert "The flight is added." in page
    assert "ratings under 1500" in page
    assert list(event.flights.order_by("position").values_list("name", flat=True)) == ["", "Novices"]
    Event.objects.update(status="finished")
    assert client.post(address, form).status_code == 409


def test_rounds_have_starts_on_the_venues_clock(client):
    event = an_event(4, club=ClubFactory.create(tz="Europe/Berlin"), format_key="swiss_3")
    stage = drawn(event)
    client.force_login(member(event.club, Role.DIRECTOR))
    address = reverse("tournaments:starts", args=[stage.ref])
    assert "is no time" in words(client.post(address, {"starts": "noon"}))
    later_first = "2026-12-02 20:30\n2026-12-02 19:30"
    assert "does not start before" in words(client.post(address, {"starts": later_first}))
    client.post(address, {"starts": "2026-12-02 19:30\n2026-12-02 20:30"})
    stage.refresh_from_db()
    assert stage.starts["1"] == "2026-12-02T19:30:00+01:00"
    assert "2026-12-02 20:30" in words(client.get(address))


def test_the_next_season_is_announced_from_the_last(client):
    event = an_event(2, format_key="round_robin")
    director = member(event.club, Role.DIRECTOR)
    client.force_login(director)
    address = reverse("tournaments:season", args=[event.ref])
    form = {"at": "2027-03-01T19:00", "moves": "0"}
    assert client.post(address, form).status_code == 409
    win(open_pairings(drawn(event))[0], director)
    assert client.post(address, form).status_code == 302
    made = Event.objects.exclude(pk=event.pk).get()
    assert Entrant.objects.filter(flight__event=made).count() == 2


def test_an_event_is_saved_and_read(client):
    event = an_event(4)
    director = member(event.club, Role.DIRECTOR)
    stage = drawn(event)
    client.force_login(director)
    saved = client.get(reverse("tournaments:event_file", args=[event.ref])).content
    assert saved.decode() == event_file(event)
    win(open_pairings(stage)[0], director)
    address = reverse("tournaments:read_file", args=[event.club.slug])
    older = client.post(address, {"file": SimpleUploadedFile("event.json", saved)})
    assert older.status_code == 409
    assert "went further here" in words(older)
    now_saved = client.get(reverse("tournaments:event_file", args=[event.ref])).content
    sent = {"file": SimpleUploadedFile("event.json", now_saved)}
    assert client.post(address, sent).status_code == 302
    assert Pairing.objects.filter(stage=stage, state="decided").count() == 1
    broken = {"file": SimpleUploadedFile("event.json", b"\xff\xfe{")}
    assert "no event file" in words(client.post(address, broken))
