"""A no-show, a late player or a withdrawal: one question on page and API, its log and its undo."""

import pytest
from django.urls import reverse
from django.utils.timezone import now

from clubs.models import Role, Scope
from scoring.models import Match
from tests.clubs.api.clients import with_token
from tests.factories import ClubFactory, member
from tests.forms import forms_of
from tests.races import in_between
from tests.tournaments.factories import a_player, an_event, drawn, open_pairings
from tests.tournaments.leagues.test_leagues import a_tie
from tournaments.core.play.absence import AbsenceScope
from tournaments.core.prizes.pools import Fees
from tournaments.desk.queries.absences import sides
from tournaments.desk.services.absences import record_absence
from tournaments.desk.services.undo import undo
from tournaments.entries.services.entries import enter
from tournaments.events.event_templates import flight_from
from tournaments.events.plans import EventPlan
from tournaments.events.services.events import FlightTerms, announce
from tournaments.log.refusals import DeskRefused
from tournaments.models import (
    DeskEvent,
    EntrantRow,
    EntrantState,
    FeePayment,
    PairingRow,
    PairingState,
)
from tournaments.stages.services.draws import draw_stage

pytestmark = pytest.mark.django_db


@pytest.fixture
def director(client):
    def of(event):
        user = member(event.club, Role.DIRECTOR)
        client.force_login(user)
        return user

    return of


def test_the_page_shows_what_follows_before_the_choice(client, director, django_assert_max_num_queries):
    event = an_event(12, format_key="progressive", terms=FlightTerms(Fees(0, 2000, 100)))
    stage, user = drawn(event), director(event)
    EntrantRow.objects.update(payment=FeePayment.CASH)
    row = open_pairings(stage)[0]
    absent, other = sides(row)
    address = reverse("tournaments:absence", args=[row.ref])
    assert address in client.get(reverse("tournaments:desk", args=[event.ref])).text
    first = client.get(address).text
    assert "Who is absent?" in first
    assert not any("scope" in each.fields for each in forms_of(first))
    with django_assert_max_num_queries(8):
        page = client.get(f"{address}?entrant={absent.ref}").text
    for said in (
        "Who loses this match is out of its bracket.",
        f"{absent.title} plays on in the consolation: match",
        f"{other.title} wins and meets",
        f"{absent.title} plays no further match.",
        "without a prize",
        "is paid and stays in the pool unless you refund it.",
    ):
        assert said in page, said
    (form,) = [each for each in forms_of(page) if "scope" in each.fields]
    sent = form.fields | {"scope": "event", "reason": "called from home"}
    stale = client.post(address, sent | {"seen": "0"})
    assert (stale.status_code, "Someone else changed this draw" in stale.text) == (409, True)
    assert client.post(address, sent).status_code == 302
    entry = DeskEvent.objects.get(event=event, kind="withdrawn")
    assert entry.note is not None
    assert (entry.note.text, entry.body["entrant"]) == ("called from home", absent.ref)
    row.refresh_from_db()
    assert (row.state, row.winner_id) == (PairingState.DECIDED, other.pk)
    again = client.post(address, sent | {"reason": "again"}, follow=True)
    assert "This match already has a result." in map(str, again.context["messages"])
    undo(event=event, seq=entry.seq, user=user)
    row.refresh_from_db()
    absent.refresh_from_db()
    assert (row.state, absent.state) == (PairingState.OPEN, EntrantState.REGISTERED)


def test_out_of_this_match_a_no_show_is_undone_like_a_result(client, director):
    event = an_event(6, format_key="swiss_3")
    stage, user = drawn(event), director(event)
    row = open_pairings(stage)[0]
    absent = sides(row)[1]
    record_absence(pairing=row, entrant=absent, scope=AbsenceScope.MATCH, user=user)
    row.refresh_from_db()
    assert (row.ended, row.winner_id) == ("no_show", row.a_id)
    assert reverse("tournaments:reopen", args=[row.ref]) in client.get(f"/events/{event.ref}/desk/").text


def test_out_of_this_draw_an_entrant_keeps_the_place_behind_it():
    club = ClubFactory.create()
    user = member(club, Role.DIRECTOR)
    event = announce(
        club=club, plan=EventPlan("Cup", now(), (flight_from("swiss_and_cup", 1, now().date()),))
    )
    flight = event.flights.get()
    for number in range(6):
        enter(flight=flight, players=[a_player(club, f"P{number}")])
    stage = draw_stage(stage=flight.stages.get(format="swiss"), user=user)
    api = with_token(user, Scope.READ, Scope.DIRECT)
    row = open_pairings(stage)[0]
    absent, other = sides(row)
    address = f"/api/v1/pairings/{row.ref}/absence/"
    told = api.get(address, {"entrant": absent.ref}).data
    assert [each["not_offered"] for each in told["answers"]] == ["", "", ""]
    assert "can qualify for Cup, Consolation." in told["answers"][1]["consequences"][1]
    unknown = api.get(address, {"entrant": "xxxx"})
    assert (unknown.status_code, unknown.data["errors"][0]["field"]) == (400, "entrant")
    body = {"entrant": absent.ref, "scope": "draw", "seen": told["seen"]}
    assert api.post(address, body, format="json").status_code == 200
    absent.refresh_from_db()
    assert absent.state == EntrantState.REGISTERED
    entry = DeskEvent.objects.get(event=event, kind="left_draw")
    assert not PairingRow.objects.filter(stage=stage, state=PairingState.OPEN, a=absent).exists()
    assert api.post(address, body, format="json").status_code == 409
    undo(event=event, seq=entry.seq, user=user)
    row.refresh_from_db()
    assert row.state == PairingState.OPEN
    wrong = api.post(address, {"entrant": other.ref, "scope": "sideways"}, format="json")
    assert wrong.status_code == 400


def test_a_knockout_offers_no_consolation_that_it_does_not_have():
    event = an_event(4)
    stage, user = drawn(event), member(event.club, Role.DIRECTOR)
    api = with_token(user, Scope.READ, Scope.DIRECT)
    row = open_pairings(stage)[0]
    body = {"entrant": row.a.ref, "scope": "draw"}
    refused = api.post(f"/api/v1/pairings/{row.ref}/absence/", body, format="json")
    assert (refused.status_code, refused.data["code"]) == (409, "not_offered")


def test_a_team_that_does_not_come_loses_every_board():
    row, user = a_tie()
    record_absence(pairing=row, entrant=sides(row)[0], scope=AbsenceScope.MATCH, user=user)
    row.refresh_from_db()
    assert (row.state, row.winner_id) == (PairingState.DECIDED, row.b_id)


@pytest.mark.django_db(transaction=True)
def test_two_directors_who_miss_a_team_each_record_one_of_them():
    row, user = a_tie()
    teams = sides(row)
    seen = row.stage.head_seq

    def misses(team):
        found = PairingRow.objects.select_related("stage").get(pk=row.pk)
        return record_absence(pairing=found, entrant=team, scope=AbsenceScope.MATCH, user=user, seen=seen)

    answers = in_between(lambda: misses(teams[0]), lambda: misses(teams[1]))
    assert [type(answer) for answer in answers] == [type(None), DeskRefused]
    results = Match.objects.filter(board__pairing=row).values_list("result__winner", "result__ended")
    assert set(results) == {("black", "no_show")}
