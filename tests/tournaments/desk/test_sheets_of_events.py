"""The scoresheet of an event's match: what the draw cannot follow is refused in words, and not written."""

import json
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.timezone import now

from clubs.models import Role, User, WorkStatus
from clubs.work import services as work
from scoring.log.queries.writers import Author
from scoring.models import Match, MatchStatus, ObjectionWindow, Result
from scoring.rules.match import Win
from scoring.rules.sides import Side
from scoring.sheets.services.entries import Entry, record
from scoring.sheets.services.results import close_objection_window
from scoring.signals import ResultRefused, result_changed
from tests.clubs.api.clients import with_token
from tests.factories import UserFactory, member
from tests.scoring.sheets.writing import loaded, win
from tests.tournaments.factories import an_event, drawn, open_pairings, pairing
from tests.tournaments.factories import win as decide
from tournaments.models import StageRow

pytestmark = pytest.mark.django_db


@pytest.fixture
def refusing() -> Any:
    """A draw that refuses whatever becomes of a result."""

    def refuse(**_signal: Any) -> None:
        raise ResultRefused("pairing 9 stands on it", code="locked")

    yield lambda: result_changed.connect(refuse, sender=Match, weak=False, dispatch_uid="refuse")
    result_changed.disconnect(sender=Match, dispatch_uid="refuse")


def played_on() -> tuple[StageRow, Match, User]:
    """A stage whose final is over, the first match of its first round, and a director."""
    event = an_event(4, length=1)
    stage, director = drawn(event), member(event.club, Role.DIRECTOR)
    for row in open_pairings(stage):
        decide(row, director)
    decide(open_pairings(stage)[0], director)
    return stage, loaded(pairing(stage, 1).boards.get().match), director


def reported() -> tuple[Match, User]:
    """A match of an event that White has reported, and Black's login."""
    event = an_event(4, length=1)
    match = loaded(pairing(drawn(event), 1).boards.get().match)
    users = []
    for side in (match.white, match.black):
        player = side.players[0]
        player.user = UserFactory.create()
        player.save()
        users.append(player.user)
    white = Author(users[0], side="white")
    record(match=match, author=white, after=1, entries=[Entry("a", win(Side.WHITE))])
    return loaded(match), users[1]


def signed_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def post(client: Any, address: str, body: dict[str, Any]) -> Any:
    return client.post(address, json.dumps(body), content_type="application/json")


def test_a_correction_that_the_draw_cannot_follow_is_a_conflict_in_words() -> None:
    stage, match, director = played_on()
    head, drawn_head = match.sheet.head_seq, StageRow.objects.get().head_seq
    other = {"white": 0, "black": 1}
    body = {"after": head, "key": "c", "seq": head, "kind": "final_score", "body": other, "reason": "misread"}
    answer = post(signed_in(director), reverse("api:sheet_corrections", args=[match.ref]), body)
    assert (answer.status_code, answer.json()["code"]) == (409, "locked")
    assert answer.json()["detail"]
    assert loaded(match).sheet.head_seq == head
    assert (StageRow.objects.get().head_seq, pairing(stage, 1).winner) == (drawn_head, pairing(stage, 1).a)


def test_an_entry_that_the_draw_cannot_follow_names_the_last_of_its_call(refusing: Any) -> None:
    event = an_event(2, length=2)
    match = loaded(pairing(drawn(event), 1).boards.get().match)
    refusing()
    director = signed_in(member(event.club, Role.DIRECTOR))
    game = {"kind": "game_result", "body": {"winner": "white", "win": Win.SINGLE, "cube": 1, "ended": "pass"}}
    body = {"after": 1, "entries": [{"key": "a", **game}, {"key": "b", **game}]}
    answer = post(director, reverse("api:match_events", args=[match.ref]), body)
    told = answer.json()
    assert (answer.status_code, told["code"], told["detail"]) == (409, "locked", "pairing 9 stands on it")
    assert [error["field"] for error in told["errors"]] == ["entries.1"]
    assert loaded(match).sheet.head_seq == 1


def test_a_yes_that_the_draw_cannot_follow_is_refused_on_pages_and_in_the_api(refusing: Any) -> None:
    match, black = reported()
    refusing()
    client = signed_in(black)
    page = client.post(reverse("scoring:confirm", args=[match.ref]), follow=True)
    api = with_token(black).post(f"/api/v1/matches/{match.ref}/confirmations/")
    assert (page.status_code, "pairing 9 stands on it" in page.content.decode()) == (200, True)
    assert (api.status_code, api.data["detail"]) == (409, "pairing 9 stands on it")
    assert loaded(match).result.final_at is None


def test_a_window_whose_end_the_draw_cannot_follow_leaves_the_result_to_a_director(refusing: Any) -> None:
    match, _black = reported()
    refusing()
    ObjectionWindow.objects.update(available_at=now() - timedelta(seconds=1))
    window = work.claim(ObjectionWindow)
    assert window is not None
    close_objection_window(window)
    window.refresh_from_db()
    assert (window.status, window.error) == (WorkStatus.FAILED, "locked: pairing 9 stands on it")
    assert (Result.objects.get(match=match).final_at, loaded(match).status) == (None, MatchStatus.FINISHED)
