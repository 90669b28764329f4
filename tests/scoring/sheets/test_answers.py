"""The schema of a sheet is what the sheet answers, wherever a match stands: no field more, none less."""

import json
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from scoring.models import Match
from scoring.rules.dice import Roll
from scoring.rules.events import Doubled, OpeningRolled, Played, Resigned, Rolled, Taken
from scoring.rules.match import Win
from scoring.rules.plays import Move
from scoring.rules.sides import Side
from scoring.sheets.api.answers import SheetChangesOut, SheetOut, SheetProblem
from scoring.sheets.queries.scoresheet import view_for
from scoring.sheets.services.clocks import start_clock
from scoring.sheets.services.results import object_to_result
from tests.scoring.described import as_described
from tests.scoring.sheets.writing import author, loaded, two_players, win, write

pytestmark = pytest.mark.django_db


def described(match: Match, by: str = "") -> dict[str, Any]:
    """The view, once it is what its description makes of it."""
    match = loaded(match)
    view = json.loads(json.dumps(view_for(match.sheet, match, author(match, by) if by else None)))
    assert as_described(view, SheetOut) == view
    return dict(view)


def test_a_sheet_is_answered_as_the_schema_says_at_every_stage() -> None:
    match = two_players(3)
    assert described(match)["writer"] is None
    start_clock(match=match, side="white")
    match = write(match, OpeningRolled(3, 1))
    assert described(match, "white")["plays"]
    match = write(match, Played((Move(8, 5), Move(6, 5))), Doubled())
    assert described(match, "black")["game"]["cube"]["offered"] == 2
    match = write(match, Taken(), Rolled(Roll(4, 2)))
    assert described(match, "black")["clock"]["running"] == "white"
    match = write(match, Resigned(Side.WHITE, Win.SINGLE))
    assert described(match, "black")["game"]["resign_offered"]


def test_a_result_is_answered_as_the_schema_says() -> None:
    match = write(two_players(1), win(Side.WHITE))
    assert described(match, "black")["result"]["may_dispute"]
    object_to_result(match=match, side="black", user=author(match, "black").user, reason="no")
    assert described(match)["result"]["disputed_by"] == ["Ben"]


def test_what_has_changed_and_what_was_missed_are_answered_as_the_schema_says(
    caplog: pytest.LogCaptureFixture,
) -> None:
    match = write(two_players(3), OpeningRolled(3, 1))
    client = Client()
    user = author(match, "white").user
    assert user is not None
    client.force_login(user)
    address = reverse("api:match_events", args=[match.ref])
    entry = {"kind": "play", "body": {"moves": [[8, 5], [6, 5]]}}
    body = {"after": 2, "holds": match.version, "entries": [{"key": "a", **entry}]}
    changed = client.post(address, body, content_type="application/json").json()
    assert as_described(changed, SheetChangesOut) == changed
    assert not caplog.records
    differing = body | {"entries": [{"key": "b", **entry}], "differs": '{"roll": [3, 1]}'}
    late = client.post(address, differing, content_type="application/json")
    assert [record.getMessage() for record in caplog.records if record.name.endswith("api.sheets")] == [
        f"A page finds other legal plays, match {match.ref}: '{{\"roll\": [3, 1]}}'"
    ]
    assert (late.status_code, "state" in late.json()) == (409, False)
    assert as_described(late.json(), SheetProblem) == late.json()
    del body["holds"]
    late = client.post(address, body | {"entries": [{"key": "b", **entry}]}, content_type="application/json")
    assert as_described(late.json(), SheetProblem) == late.json()
    assert late.json()["state"]["seq"] == 3


def test_a_correction_that_does_not_fit_is_answered_as_the_schema_says() -> None:
    match = write(two_players(3), OpeningRolled(3, 1), Played((Move(8, 5), Move(6, 5))))
    client = Client()
    user = author(match, "white").user
    assert user is not None
    client.force_login(user)
    address = reverse("api:sheet_corrections", args=[match.ref])
    body = {"after": 3, "key": "c", "seq": 2, "kind": "opening_roll", "body": {"white": 6, "black": 2}}
    told = client.post(address, body | {"reason": "misread"}, content_type="application/json").json()
    assert (told["code"], told["does_not_fit"]["seq"]) == ("does_not_fit", 3)
    assert as_described(told, SheetProblem) == told
