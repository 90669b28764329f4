"""Every address that changes an event refuses while the event lives on another machine; the others say so.

The addresses are those of the access matrix: one that is new is walked here too.
"""

import json
import logging
from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from django.contrib.messages import get_messages
from django.core.files.base import File
from django.db import transaction
from django.urls import reverse

from scoring.models import Match
from tests.architecture.access_matrix import MATRIX
from tests.architecture.access_rules import Row
from tests.architecture.access_world import World, a_drawn_stage
from tests.architecture.test_access_matrix import ADDRESSES, groups_of, in_groups, values_of
from tests.tournaments.factories import open_pairings
from tournaments.events.moved_events import LEADS_TO_EVENT
from tournaments.models import Event
from tournaments.transfer.services.moves import move_away, moved_file

pytestmark = pytest.mark.django_db

OF_EVENTS = [row for row in MATRIX if {*ADDRESSES[row.name].arguments} & {*LEADS_TO_EVENT}]
CHANGING = [row for row in OF_EVENTS if set(row.rules) - {"GET"}]
READING = [row for row in OF_EVENTS if "GET" in row.rules and not row.is_api]
OF_MATCHES = [row for row in MATRIX if "match" in ADDRESSES[row.name].arguments]
BESIDE_THE_SHEET = {
    "scoring:analyse": "an analysis of this copy",
    "scoring:deeper": "an analysis of this copy",
    "scoring:try_play": "an analysis of this copy",
    "api:match_analyses": "an analysis of this copy",
    "scoring:write_note": "a member's own note, which stays on this machine",
    "api:match_notes": "a member's own note, which stays on this machine",
    "scoring:match_photos": "photos stay on this machine",
    "api:match_photos": "photos stay on this machine",
    "scoring:match_video": "a link of this copy",
    "api:match_video": "a link of this copy",
    "scoring:match_links": "a link to this copy",
    "api:match_links": "a link to this copy",
    "scoring:match_privacy": "who can see the analysis of this copy",
    "api:match_privacy": "who can see the analysis of this copy",
}
"""What a match has on this machine alone, and its event's file has not."""
SHEETS = [row for row in OF_MATCHES if set(row.rules) - {"GET"} and row.name not in BESIDE_THE_SHEET]
FOR_MOVED_EVENTS = {"tournaments:move", "tournaments:unlock_event", "api:event_file", "api:unlock_event"}
NO_PAGE = {"tournaments:event_file", "tournaments:event_draws"}
WITHOUT_A_BANNER = {
    "tournaments:overlay": "a picture for a broadcast",
    "tournaments:featured": "leads to the overlay",
    "tournaments:draw_embed": "a part of another site",
    "tournaments:changes": "a part of the page of a stage",
    "tournaments:followed": "a part of the page of a stage",
}


def view_of(name: str) -> Any:
    """What answers an address, by its name."""
    return ADDRESSES[name].view


TO_BE_FILLED_IN = {row.name for row in READING if getattr(view_of(row.name), "needs_event_here", False)}


@pytest.fixture(autouse=True)
def _quiet() -> Iterator[None]:
    """Refusals are what is asked for here; Django logs each of them."""
    logging.disable(logging.WARNING)
    yield
    logging.disable(logging.NOTSET)


def moved(world: World, rows: Sequence[Row]) -> tuple[Event, dict[str, str]]:
    """The event that these addresses are about, on another machine, and the values of the addresses."""
    values = values_of(rows[0], world, "owner")
    named = {path: values[name] for name, path in LEADS_TO_EVENT.items() if name in values}
    event = Event.objects.get(**named)
    move_away(event=event, to="Ana’s laptop", user=world.users["owner"])
    return event, values


def names(rows: Sequence[Row]) -> str:
    return f"changed by one of {[row.name for row in rows]}"


def ask(world: World, row: Row, method: str, address: str) -> Any:
    body = row.rules[method].send or {}
    body = body() if callable(body) else body
    client = world.clients["owner"]
    if method == "POST" and (not row.is_api or any(isinstance(each, File) for each in body.values())):
        return client.post(address, body)
    headers = {"If-Match": "*"} if row.is_api else {}
    return client.generic(method, address, json.dumps(body), content_type="application/json", headers=headers)


def test_every_address_that_changes_an_event_is_walked():
    assert len(CHANGING) > 90
    assert len(SHEETS) > 8
    assert {row.name for row in CHANGING} > FOR_MOVED_EVENTS
    for rows in (CHANGING, READING):
        walked = [row.name for _name, group in groups_of(rows) for row in group]
        assert sorted(walked) == sorted(row.name for row in rows)


@pytest.mark.parametrize("rows", in_groups(CHANGING))
def test_what_changes_an_event_is_refused_while_it_is_on_another_machine(world, rows):
    event, values = moved(world, rows)
    before = moved_file(event)
    refusing = [row for row in rows if row.name not in FOR_MOVED_EVENTS]
    for row in refusing:
        for method in sorted(set(row.rules) - {"GET"}):
            with transaction.atomic():
                answer = ask(world, row, method, reverse(row.name, kwargs=values))
            assert answer.status_code == 409, (row.name, method, answer.content[:300])
            if row.is_api:
                assert answer.json()["code"] == "moved", row.name
                assert "was moved to Ana’s laptop on" in answer.json()["detail"], row.name
            else:
                said = answer.content.decode()
                assert f'role="alert"><p>{event.name} was moved to Ana’s laptop on' in said, row.name
    assert moved_file(event) == before, names(refusing)
    # Who must not know the event is not told where it is, and a visitor is asked to sign in as ever.
    world.hide(hidden=True)
    stranger = world.clients["stranger"]
    for row in refusing:
        method = min(set(row.rules) - {"GET"})
        answer = stranger.generic(method, reverse(row.name, kwargs=values), headers={"If-Match": "*"})
        assert answer.status_code in {400, 403, 404}, (row.name, answer.status_code)
        assert "laptop" not in answer.content.decode(), row.name


def a_moved_match(world: World) -> tuple[Event, Match]:
    """A match of an event that is on another machine."""
    match = open_pairings(a_drawn_stage(world, ""))[0].boards.get().match
    event = Event.objects.get(flights__stages__pairings__boards__match=match)
    move_away(event=event, to="Ana’s laptop", user=world.users["owner"])
    return event, match


def test_nothing_is_written_on_the_scoresheet_of_a_match_that_is_on_another_machine(world):
    event, match = a_moved_match(world)
    before = moved_file(event)
    client = world.clients["owner"]
    for row in SHEETS:
        for method in sorted(set(row.rules) - {"GET"}):
            with transaction.atomic():
                path = reverse(row.name, kwargs={"match": match.ref})
                headers = {"If-Match": "*"} if row.is_api else {}
                answer = client.generic(method, path, "{}", content_type="application/json", headers=headers)
            if row.name in {"scoring:confirm", "scoring:dispute"}:
                said = " ".join(map(str, get_messages(answer.wsgi_request)))
            else:
                assert (answer.status_code, answer.json()["code"]) == (409, "moved"), row.name
                said = answer.json()["detail"]
            assert "This match was moved to another computer on" in said, row.name
    assert moved_file(event) == before, names(SHEETS)


def test_what_stands_beside_the_sheet_changes_nothing_of_the_moved_event(world):
    event, match = a_moved_match(world)
    before = moved_file(event)
    rows = [row for row in MATRIX if row.name in BESIDE_THE_SHEET]
    assert len(rows) == len(BESIDE_THE_SHEET)
    for row in rows:
        arguments = ADDRESSES[row.name].arguments
        values = {"match": match.ref, **({"step": "1"} if "step" in arguments else {})}
        for method in sorted(set(row.rules) - {"GET"}):
            with transaction.atomic():
                answer = ask(world, row, method, reverse(row.name, kwargs=values))
            assert answer.status_code < 500, (row.name, method, answer.content[:300])
    assert moved_file(event) == before, names(rows)


@pytest.mark.parametrize("rows", in_groups(READING))
def test_what_shows_an_event_says_that_it_is_on_another_machine(world, rows):
    event, values = moved(world, rows)
    before = moved_file(event)
    for row in rows:
        answer = world.clients["owner"].get(reverse(row.name, kwargs=values))
        usual = 200 if row.name == "tournaments:event_file" else row.rules["GET"].status or 200
        assert answer.status_code == (409 if row.name in TO_BE_FILLED_IN else usual), row.name
        is_html = answer.headers.get("Content-Type", "").startswith("text/html")
        if is_html and answer.status_code in {200, 409} and row.name not in NO_PAGE:
            found = "Ana’s laptop" in answer.content.decode()
            assert found == (row.name not in WITHOUT_A_BANNER), row.name
    assert moved_file(event) == before, names(rows)
