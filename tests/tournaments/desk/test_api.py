"""The desk over the API: once each under a key, 409 with the present state, and the same log."""

from dataclasses import replace

import pytest

from clubs.models import Role, Scope
from tests.clubs.api.clients import with_token
from tests.factories import member
from tests.tournaments.factories import a_player, an_event, drawn, open_pairings, other_side, win
from tests.tournaments.leagues.test_leagues import a_tie
from tournaments.desk.services.tables import make_tables
from tournaments.entries.services.entries import enter
from tournaments.events.event_templates import flight_from
from tournaments.events.services.events import join_flight
from tournaments.models import DeskEvent, EventStatus, PairingRow

pytestmark = pytest.mark.django_db


@pytest.fixture
def desk():
    event = an_event(8)
    stage = drawn(event)
    make_tables(event=event, last=3, user=None)
    director = member(event.club, Role.DIRECTOR)
    return event, stage, with_token(director, Scope.READ, Scope.DIRECT)


def test_the_desk_lists_matches_to_act_on(desk):
    event, stage, api = desk
    (step,) = api.get(f"/api/v1/events/{event.ref}/desk/").data["next_steps"]
    assert (step["kind"], step["title"]) == ("call_matches", "Call 3 of 4")
    api.post(step["address"])
    told = api.get(f"/api/v1/events/{event.ref}/desk/").data
    assert sorted(line["state"] for line in told["matches"]) == ["called", "called", "called", "ready"]
    assert told["free_tables"] == []
    assert told["expected_end"] is not None
    assert {line["pairing"] for line in told["matches"]} == {row.ref for row in open_pairings(stage)}


@pytest.mark.parametrize("drawn_so", [True, False])
def test_a_division_that_is_not_full_is_drawn_or_cancelled_once_all_else_is_played(client, drawn_so):
    event = an_event(2)
    row = open_pairings(drawn(event))[0]
    director = member(event.club, Role.DIRECTOR)
    api = with_token(director, Scope.READ, Scope.DIRECT)
    plan = flight_from("jackpot_8", 1, event.starts_at.date())
    jackpot = join_flight(event=event, plan=replace(plan, name="Jackpot"), user=director)
    for name in ("Ana", "Ben", "Cleo"):
        enter(flight=jackpot, players=[a_player(event.club, name)])
    desk = f"/api/v1/events/{event.ref}/desk/"
    assert [step["kind"] for step in api.get(desk).data["next_steps"]] == ["call_matches"]
    win(row, director)
    draw, cancel = api.get(desk).data["next_steps"]
    assert (draw["kind"], cancel["kind"]) == ("draw_unfilled", "cancel_division")
    assert "3 of 8 places are taken" in draw["about"]
    client.force_login(director)
    page = client.get(f"/events/{event.ref}/desk/").text
    assert page.index("Make the draw: Jackpot") < page.index("Cancel division: Jackpot")
    assert api.post((draw if drawn_so else cancel)["address"]).status_code == 200
    event.refresh_from_db()
    assert event.status == (EventStatus.RUNNING if drawn_so else EventStatus.FINISHED)


def test_an_entry_that_is_sent_twice_is_made_once(desk):
    event, stage, api = desk
    row = open_pairings(stage)[0]
    url = f"/api/v1/pairings/{row.ref}/report/"
    body = {"ended": "played", "points": [3, 1], "seen": 0}
    first = api.post(url, body, format="json", HTTP_IDEMPOTENCY_KEY="k1")
    again = api.post(url, body, format="json", HTTP_IDEMPOTENCY_KEY="k1")
    assert (first.status_code, again.status_code) == (200, 200)
    assert first.json() == again.json()
    assert DeskEvent.objects.filter(event=event, kind="result").count() == 1


def test_an_outdated_request_gets_409_with_the_current_state(desk):
    _event, stage, api = desk
    row = open_pairings(stage)[0]
    url = f"/api/v1/pairings/{row.ref}/desk/"
    called = api.post(url, {"action": "call", "table": 2, "seen": 0}, format="json")
    late = api.post(url, {"action": "call", "table": 3, "seen": 0}, format="json")
    assert (called.status_code, called.data["table"], late.status_code) == (200, 2, 409)
    assert late.data["code"] == "overtaken"
    assert late.data["parameters"]["table"] == 2
    assert late.data["parameters"]["seen"] == called.data["seen"]
    started = api.post(url, {"action": "start", "seen": called.data["seen"]}, format="json")
    assert started.data["started_at"] is not None
    moved = api.post(url, {"action": "move"}, format="json")
    assert (moved.status_code, moved.data["errors"][0]["field"]) == (400, "table")


def test_a_penalty_is_awarded_and_undone(desk):
    event, stage, api = desk
    row = open_pairings(stage)[0]
    api.post(f"/api/v1/pairings/{row.ref}/penalties/", {"to": "white", "points": 1}, format="json")
    entry = DeskEvent.objects.get(event=event, kind="penalty")
    undone = api.post(f"/api/v1/events/{event.ref}/log/{entry.seq}/undo/")
    assert (undone.status_code, undone.data["undoes"]) == (200, entry.seq)
    assert api.post(f"/api/v1/events/{event.ref}/log/{entry.seq}/undo/").status_code == 409
    log = api.get(f"/api/v1/events/{event.ref}/log/").data["items"]
    assert [line["kind"] for line in log[:3]] == ["undone", "penalty", "tables_made"]


def test_a_result_is_reported_previewed_and_undone(desk):
    _event, stage, api = desk
    row = open_pairings(stage)[0]
    body = {"ended": "no_show", "winner": "b"}
    assert api.post(f"/api/v1/pairings/{row.ref}/report/", body, format="json").data["state"] == "decided"
    assert api.post(f"/api/v1/pairings/{row.ref}/report/", body, format="json").status_code == 409
    preview = api.get(f"/api/v1/pairings/{row.ref}/reopen/")
    sent = {"seen": preview.data["seen"], "reason": "They were only late.", "force": True}
    back = api.post(f"/api/v1/pairings/{row.ref}/reopen/", sent, format="json")
    assert (back.status_code, back.data["state"]) == (200, "open")
    assert PairingRow.objects.get(pk=row.pk).winner is None


def test_tables_rulings_appeals_and_reports_go_over_the_api(desk):
    event, stage, api = desk
    here = f"/api/v1/events/{event.ref}"
    assert api.post(f"{here}/tables/2/", {"closed": True}, format="json").data["closed"] is True
    assert [table["closed"] for table in api.get(f"{here}/tables/").data["items"]] == [False, True, False]
    assert api.post(f"{here}/tables/9/", {"closed": True}, format="json").status_code == 409
    row, *_others = open_pairings(stage)
    body = {"happened": "Cocked dice.", "decision": "Roll again.", "rule": "3.5", "pairing": row.ref}
    ruling = api.post(f"{here}/rulings/", body, format="json").data
    assert ruling["text"] == "Cocked dice.\n→ Roll again.\n§ 3.5"
    offered = {each["clause"]: each["words"] for each in api.get(f"{here}/rulings/").data["clauses"]}
    assert offered["die_on_checker"] == "A die that lies flat on a checker is valid."
    assert "holland" not in offered
    refused = api.post(f"{here}/rulings/", body | {"clause": "holland"}, format="json")
    assert (refused.status_code, refused.data["code"]) == (409, "clause")
    assert api.post(f"{here}/rulings/", body | {"clause": "dice"}, format="json").status_code == 400
    cites = api.post(f"{here}/rulings/", body | {"clause": "die_on_checker"}, format="json").data
    for asked in ({"clause": "die_on_checker"}, {"q": "lies flat"}):
        assert [each["seq"] for each in api.get(f"{here}/log/", asked).data["items"]] == [cites["seq"]]
    kinds = api.get(f"{here}/log/", {"kind": "ruling"}).data["items"]
    assert [each["seq"] for each in kinds] == [cites["seq"], ruling["seq"]]
    playing = [entrant.members.get().player.ref for entrant in (row.a, other_side(row))]
    people = [member(event.club).player.ref for _ in range(3)]
    appeal = f"{here}/rulings/{ruling['seq']}/appeal/"
    refused = api.post(appeal, {"committee": [playing[0], *people[:2]]}, format="json")
    assert (refused.status_code, refused.data["code"]) == (409, "interested")
    assert api.post(appeal, {"committee": people}, format="json").status_code == 200
    assert api.post(appeal, {"committee": people}, format="json").data["code"] == "overtaken"
    decided = {"upheld": True, "decision": "They had not settled."}
    for status in (200, 409):
        told = api.post(f"{here}/rulings/{ruling['seq']}/decision/", decided, format="json")
        assert told.status_code == status
    report = api.post(f"{here}/conduct/", {"about": [playing[0]], "text": "Shouting."}, format="json")
    assert report.status_code == 200
    assert [line["kind"] for line in api.get(f"{here}/conduct/").data["items"]] == ["conduct"]
    assert "conduct" not in [line["kind"] for line in api.get(f"{here}/log/").data["items"]]


def test_a_disqualified_entrant_is_out_of_the_draw(desk):
    _event, stage, api = desk
    row = open_pairings(stage)[0]
    assert api.post(f"/api/v1/entrants/{row.a.ref}/disqualify/").status_code == 200
    assert api.post(f"/api/v1/entrants/{row.a.ref}/disqualify/").status_code == 409
    assert PairingRow.objects.get(pk=row.pk).winner == row.b


def test_the_boards_of_a_tie_are_told_entered_and_guarded():
    row, director = a_tie()
    api = with_token(director, Scope.READ, Scope.DIRECT)
    desk = f"/api/v1/events/{row.stage.flight.event.ref}/desk/"
    result = {"ended": "played", "points": [3, 1], "board": 2}
    shown = api.post(f"/api/v1/pairings/{row.ref}/preview/", result, format="json").data
    assert api.post(f"/api/v1/pairings/{row.ref}/report/", result, format="json").status_code == 200
    (line,) = api.get(desk).data["matches"]
    assert [(board["number"], board["state"]) for board in line["boards"]] == [
        (1, "ready"),
        (2, "over"),
        (3, "ready"),
    ]
    second = line["boards"][1]
    assert (second["points"], second["sheet"] > shown["sheet"]) == ([3, 1], True)
    late = result | {"points": [0, 3], "reason": "so", "seen": shown["seen"], "sheet": shown["sheet"]}
    refused = api.post(f"/api/v1/pairings/{row.ref}/result/", late, format="json")
    assert (refused.status_code, refused.data["code"]) == (409, "overtaken")
    assert refused.data["parameters"]["points"] == [3, 1]
    taken = api.get(f"/api/v1/pairings/{row.ref}/reopen/", {"board": 2}).data
    body = {"seen": taken["seen"], "sheet": taken["sheet"], "board": 2, "reason": "typo"}
    assert api.post(f"/api/v1/pairings/{row.ref}/reopen/", body, format="json").status_code == 200
    assert api.get(desk).data["matches"][0]["boards"][1]["state"] != "over"
