"""A Keizer season: announced, played and corrected, with its points on the page and in the API."""

import pytest
from django.urls import reverse

from clubs.models import Role, Scope
from tests.clubs.api.clients import with_token
from tests.factories import member
from tests.scoring.matches.test_list_pages import words
from tests.tournaments.factories import an_event, drawn, open_pairings, other_side, win
from tournaments.core.proof.check import check_text
from tournaments.core.stages.outcomes import Gone
from tournaments.desk.services.departures import leave
from tournaments.desk.services.undo import undo
from tournaments.entries.services.late_entries import come_back
from tournaments.events.services.events import OvertakenRefused
from tournaments.models import DeskEvent, EntrantMember, EntrantRow, PairingRow, StageRow
from tournaments.stages.services.archives import archive_text
from tournaments.stages.services.round_absences import miss_round
from tournaments.stages.services.rounds import pair_round

pytestmark = pytest.mark.django_db


def read(client, stage):
    rows = client.get(f"/api/v1/stages/{stage.ref}/standings/").json()["rows"]
    assert {each["key"] for row in rows for each in row["tie_breaks"]} == {"keizer_value"}
    return [(row["score"], row["tie_breaks"][0]["value"]) for row in rows]


def test_a_season_shows_points_and_values_counts_an_absence_and_follows_a_correction(client):
    event = an_event(6, format_key="keizer")
    director = member(event.club, Role.DIRECTOR)
    stage = drawn(event)
    for row in open_pairings(stage):
        win(row, director)
    assert read(client, stage) == [(13, 7), (9, 5), (6, 6), (5, 3), (4, 4), (2, 2)]
    page = client.get(stage.get_absolute_url()).text
    assert "Value" in page
    away = other_side(PairingRow.objects.filter(stage=stage).order_by("number")[0])
    leave(entrant=away, how=Gone.WITHDRAWN, user=director)
    pair_round(stage=stage, user=director)
    rows = open_pairings(stage)
    assert away.pk not in {pk for row in rows for pk in (row.a_id, row.b_id)}
    for row in rows:
        win(row, director)
    come_back(entrant=away, user=director)
    before = read(client, stage)
    pair_round(stage=stage, user=director)
    first = PairingRow.objects.filter(stage=stage, round=1).order_by("number")[1]
    win(first, director, a=False, reason="typo", decided=True)
    assert read(client, stage) != before
    assert len(open_pairings(stage)) == 3
    assert check_text(archive_text(StageRow.objects.get(pk=stage.pk))).faults == ()


def test_players_and_directors_report_absences_until_the_round_is_paired(client):
    event = an_event(5, format_key="keizer")
    director = member(event.club, Role.DIRECTOR)
    stage = drawn(event)
    for row in open_pairings(stage):
        win(row, director)
    entrants = {row.title: row for row in EntrantRow.objects.filter(flight__event=event).with_players()}
    mine, other = entrants["P1"], entrants["P2"]
    user = member(event.club, Role.MEMBER)
    EntrantMember.objects.filter(entrant=mine).update(player=user.player)
    page = reverse("tournaments:absent", args=[stage.ref])
    client.force_login(user)
    assert f'href="{page}"' in client.get(event.get_absolute_url()).text
    shown = words(client.get(page))
    assert user.player.name in shown
    assert "P2" not in shown
    refused = client.post(page, {"entrant": other.ref, "round": "2"})
    assert refused.status_code == 403
    assert "Only directors can report the absence of another player." in refused.text
    assert client.post(page, {"entrant": mine.ref, "round": "2"}).status_code == 302
    assert "Undo absence" in client.get(page).text
    token = with_token(director, Scope.READ, Scope.RECORD)
    address = reverse("api:stage_absences", args=[stage.ref])
    assert token.get(address).json() == {"round": 2, "absent": [mine.ref]}
    assert token.post(address, {}, format="json").json()["errors"][0]["code"] == "unknown_entrant"
    told = token.post(address, {"entrant": other.ref}, format="json").json()
    assert set(told["absent"]) == {mine.ref, other.ref}
    told = token.post(address, {"entrant": other.ref, "absent": False}, format="json").json()
    assert told["absent"] == [mine.ref]
    with_token(user, Scope.RECORD).post(address, {"absent": False}, format="json")
    assert token.get(address).json()["absent"] == []
    client.force_login(director)
    client.post(page, {"entrant": mine.ref, "round": "2"})
    client.post(page, {"entrant": other.ref, "round": "2"})
    assert "2 players are absent." in client.get(reverse("tournaments:round", args=[stage.ref])).text
    newest, reported = (
        each.seq for each in DeskEvent.objects.filter(kind="round_missed").order_by("-seq")[:2]
    )
    undo(event=event, seq=newest, user=director)
    assert token.get(address).json()["absent"] == [mine.ref]
    pair_round(stage=stage, user=director)
    with pytest.raises(OvertakenRefused):
        undo(event=event, seq=reported, user=director)
    playing = {pk for row in open_pairings(stage) for pk in (row.a_id, row.b_id)}
    assert mine.pk not in playing
    assert other.pk in playing
    assert check_text(archive_text(StageRow.objects.get(pk=stage.pk))).faults == ()
    swiss = drawn(an_event(4, club=event.club, format_key="swiss"))
    assert client.get(reverse("tournaments:absent", args=[swiss.ref])).status_code == 404
    refused = token.get(reverse("api:stage_absences", args=[swiss.ref]))
    assert (refused.status_code, refused.json()["code"]) == (409, "no_absences")


def test_an_absence_is_of_the_round_that_the_page_showed(client):
    event = an_event(6, format_key="keizer")
    director = member(event.club, Role.DIRECTOR)
    stage = drawn(event)
    entrant = EntrantRow.objects.filter(flight__event=event).with_players().order_by("pk")[0]
    page = reverse("tournaments:absent", args=[stage.ref])
    client.force_login(director)
    assert '<input type="hidden" name="round" value="2">' in client.get(page).text
    for row in open_pairings(stage):
        win(row, director)
    pair_round(stage=stage, user=director)
    for sent in ({}, {"absent": "no"}):
        answer = client.post(page, {"entrant": entrant.ref, "round": "2", **sent})
        assert answer.status_code == 409
        assert "Round 2 is already paired; the next round is 3." in answer.text
    for typed in ("", "two", "²", "9" * 10):
        answer = client.post(page, {"entrant": entrant.ref, "round": typed})
        assert (answer.status_code, "This form is out of date." in answer.text) == (409, True)
    token = with_token(director, Scope.READ, Scope.RECORD)
    address = reverse("api:stage_absences", args=[stage.ref])
    for number, said in (
        (2, "Round 2 is already paired; the next round is 3."),
        (9, "Round 9 comes later; the next round is 3."),
    ):
        told = token.post(address, {"entrant": entrant.ref, "round": number}, format="json")
        assert (told.status_code, told.json()["code"], told.json()["detail"]) == (409, "another_round", said)
    assert token.get(address).json() == {"round": 3, "absent": []}
    stranger = with_token(member(event.club), Scope.RECORD).post(address, {}, format="json")
    assert "Only players of this draw and directors" in stranger.json()["detail"]


def test_a_round_for_which_too_few_are_left_is_the_next_step_of_the_desk(client):
    event = an_event(3, format_key="keizer")
    director = member(event.club, Role.DIRECTOR)
    stage = drawn(event)
    for row in open_pairings(stage):
        win(row, director)
    absent, gone, _left = EntrantRow.objects.filter(flight__event=event).order_by("pk")
    miss_round(stage=stage, entrant=absent, user=director)
    leave(entrant=gone, user=director)
    client.force_login(director)
    page = client.get(reverse("tournaments:desk", args=[event.ref])).text
    assert "Change absences: Main" in page
    assert f'href="{reverse("tournaments:absent", args=[stage.ref])}"' in page
