"""docs/engineers/paths.md shows each module that its requests pass, and no other."""

import json
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from clubs.models import Role, Scope
from scoring.rules.events import OpeningRolled, Played
from scoring.rules.plays import Move
from scoring.sheets.services.claims import make_claim
from tests.clubs.api.clients import with_token
from tests.clubs.test_pictures import a_picture
from tests.factories import member
from tests.scoring.sheets.writing import author, two_players, write
from tests.tournaments.factories import a_player, an_event, drawn, open_pairings
from tournaments.models import Event

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs/engineers/paths.md"
MODULE = re.compile(r"\b(?:scoring|tournaments)/[\w/]+\.py\b")
BESIDE = re.compile(
    r"^(?:scoring|tournaments)/(?:rules|formulas|notation|core|words|models)/"
    r"|^tournaments/events/(?:views/)?moved_events\.py$|^scoring/codec\.py$"
)
MOST = 31
"""Half of the 62 modules that a result passed before this page."""

pytestmark = pytest.mark.django_db


@contextmanager
def passed() -> Iterator[set[str]]:
    """The modules whose functions are called inside, without the door, the pure rules and the models.

    The set is filled at the end of the block.
    """
    files: set[str] = set()
    found: set[str] = set()

    def note(frame: FrameType, event: str, _argument: Any) -> None:
        if event == "call" and frame.f_code.co_name != "<module>":
            files.add(frame.f_code.co_filename)

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        yield found
    finally:
        sys.setprofile(before)
    modules = {path.relative_to(ROOT).as_posix() for path in map(Path, files) if path.is_relative_to(ROOT)}
    found |= {module for module in modules if MODULE.fullmatch(module) and not BESIDE.match(module)}


def shown(title: str) -> set[str]:
    """The modules in the picture of this section of the page."""
    section = PAGE.read_text().split(f"\n## {title}\n")[1].split("\n## ")[0]
    return set(MODULE.findall(section.split("```")[1]))


@pytest.fixture
def desk():
    event = an_event(8)
    stage = drawn(event)
    api = with_token(member(event.club, Role.DIRECTOR), Scope.READ, Scope.DIRECT)
    assert (
        api.get(f"/api/v1/events/{event.ref}/").status_code == 200
    )  # the addresses are loaded with the first
    return event, stage, api


def test_a_result_from_the_desk(desk):
    _event, stage, api = desk
    row = open_pairings(stage)[0]
    body = {"ended": "played", "points": [3, 1], "seen": 0}
    with passed() as found:
        answer = api.post(f"/api/v1/pairings/{row.ref}/report/", body, format="json")
    assert answer.status_code == 200
    assert found == shown("A result from the desk")
    assert len(found) <= MOST


def test_a_correction(desk):
    _event, stage, api = desk
    row = open_pairings(stage)[0]
    api.post(f"/api/v1/pairings/{row.ref}/report/", {"ended": "played", "points": [3, 1]}, format="json")
    body = {"ended": "played", "points": [1, 3]}
    with passed() as found:
        preview = api.post(f"/api/v1/pairings/{row.ref}/preview/", body, format="json")
        sent = body | {"reason": "mistyped"} | {name: preview.json()[name] for name in ("seen", "sheet")}
        answer = api.post(f"/api/v1/pairings/{row.ref}/result/", sent, format="json")
    assert answer.status_code == 200
    assert found == shown("A correction")
    assert len(found) <= MOST


def test_an_entry(desk):
    event, _stage, api = desk
    coming: Event = an_event(2, club=event.club)
    ana = a_player(event.club, "Ana")
    with passed() as found:
        answer = api.post(f"/api/v1/events/{coming.ref}/entrants/", {"players": [ana.ref]}, format="json")
    assert answer.status_code == 201
    assert found == shown("An entry")
    assert len(found) <= MOST


@pytest.mark.parametrize("who", ["a player with a login", "a guest with a code", "a program with a token"])
def test_a_roll_on_a_scoresheet(who):
    match = write(two_players(5), OpeningRolled(3, 1), Played((Move(8, 5), Move(6, 5))))
    player = author(match, "black")
    assert player.user is not None
    client: Any = with_token(player.user, Scope.READ, Scope.RECORD) if "token" in who else Client()
    if "code" in who:
        _claim, code = make_claim(match=match, author=player)
        assert client.post(reverse("scoring:join_sheet", args=[code])).status_code == 302
    elif "login" in who:
        client.force_login(player.user)
    state, address = f"/api/v1/matches/{match.ref}/sheet/", f"/api/v1/matches/{match.ref}/events/"
    assert client.get(state).json()["seq"] == 3
    entry = {"key": "r", "kind": "roll", "body": {"dice": [4, 2]}}
    body = json.dumps({"after": 3, "holds": match.version, "entries": [entry]})
    with passed() as found:
        answer = client.post(address, body, content_type="application/json")
    assert answer.json()["follows"] == match.version
    sides = {"scoring/log/queries/results.py"}  # a guest has none to look for
    assert found == shown("A roll on a scoresheet") - (sides if "code" in who else set())


def test_a_photo_of_a_paper_scoresheet():
    match = two_players(5)
    ana = match.white.players[0].user
    assert ana is not None
    api, address = with_token(ana, Scope.READ, Scope.RECORD), f"/api/v1/matches/{match.ref}/photos/"
    assert api.get(address).status_code == 200
    with passed() as found:
        photo = SimpleUploadedFile("sheet.png", a_picture())
        assert api.post(address, {"photo": photo}, format="multipart").status_code == 201
    assert found == shown("A photo of a paper scoresheet")


def test_every_module_on_the_page_is_there():
    named = set(MODULE.findall(PAGE.read_text()))
    assert {name for name in named if not (ROOT / name).is_file()} == set()
