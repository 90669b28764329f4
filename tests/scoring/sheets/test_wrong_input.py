"""Every field of every address that writes a sheet, filled with what nobody meant: refused, never broken."""

import json
from itertools import product
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from clubs.models import Role
from scoring.chouettes.services.damage import damage_of
from scoring.log.queries.writers import Author
from scoring.models import Match, MatchStatus
from scoring.rules.errors import ScoringError
from scoring.rules.events import EVENT_TYPES, OpeningRolled, Voided
from scoring.sheets.services.clocks import start_clock
from scoring.sheets.services.corrections import correct
from scoring.sheets.services.entries import EntryRefused, record
from scoring.sheets.services.requests import entries_in
from tests.factories import member
from tests.scoring.sheets.writing import author, loaded, two_players, write
from tests.tiers import sized

pytestmark = pytest.mark.django_db

EVERY_WRONG: list[Any] = [
    *(None, True, False, 0, 1, -1, 7, 2**31, 2**63, 10**25, 1.5, -0.0),
    *("", " ", "white", "\0", "\ud800", "x" * 5000, "⚀" * 70, "1"),
    *(
        [],
        [1],
        [[1, 2, 3]],
        [[24, 18, 0]],
        [["a", "b"]],
        {},
        {"own": []},
        {"own": [15] * 26, "opponent": [0] * 26},
    ),
]
ONE_OF_EACH_KIND: list[Any] = [None, True, -1, 2**63, 1.5, "", "\ud800", "x" * 5000, [[1, 2, 3]], {"own": []}]
WRONG = sized(ONE_OF_EACH_KIND, EVERY_WRONG)
NONSENSE = sized([None, "\ud800"], EVERY_WRONG)
"""For a field that there is not."""
ENTRY = {"key": "k", "kind": "roll", "body": {"dice": [3, 1]}}
ENDPOINTS: dict[str, dict[str, Any]] = {
    "match_events": {"after": 2, "entries": [ENTRY]},
    "sheet_undo": {"after": 2, "key": "u"},
    "sheet_corrections": {
        "after": 2,
        "key": "c",
        "seq": 2,
        "kind": "opening_roll",
        "body": {"white": 4, "black": 1},
        "reason": "misread",
        "cut": False,
    },
    "sheet_text": {"after": 2, "key": "t", "text": "85 65"},
    "sheet_clock": {"action": "set", "side": "white", "white_ms": 1, "black_ms": 1},
    "sheet_claims": {"side": "white"},
    "confirmations": {},
    "disputes": {"reason": "no"},
}
REFUSED = {400, 403, 409, 422}


@pytest.fixture
def match() -> Match:
    match = write(two_players(5), OpeningRolled(3, 1))
    start_clock(match=match, side="white")
    return loaded(match)


@pytest.fixture
def white(match: Match) -> Client:
    client = Client()
    user = author(match, "white").user
    assert user is not None
    client.force_login(user)
    return client


def send(client: Client, match: Match, name: str, body: Any) -> int:
    text = body if isinstance(body, str) else json.dumps(body)
    address = reverse(f"api:{name}", args=[match.ref])
    answer = client.post(address, text, content_type="application/json")
    assert answer.status_code in {200, 201, *REFUSED}, (name, text[:200], answer.status_code)
    if answer.status_code in REFUSED:
        assert answer.headers["Content-Type"] == "application/problem+json"
        assert answer.json()["detail"]
    return int(answer.status_code)


@pytest.mark.parametrize("name", ENDPOINTS)
def test_a_wrong_value_in_any_field_is_refused_in_words(match: Match, white: Client, name: str) -> None:
    for field, value in (*product(ENDPOINTS[name], WRONG), *product(["nonsense"], NONSENSE)):
        send(white, match, name, ENDPOINTS[name] | {field: value})
    assert damage_of(loaded(match).sheet) is None


NO_OBJECTS = [
    *("", "null", "[]", "{", '"x"', "1", "NaN", '{"after": NaN}', '{"after": Infinity}', "\x00"),
    *('{"after": 1e400}', "[" * 100_000, '{"a":' * 50_000, '{"after": 2, "after": 3}'),
]


@pytest.mark.parametrize("name", ENDPOINTS)
def test_what_is_no_object_is_refused_in_words(match: Match, white: Client, name: str) -> None:
    for text in NO_OBJECTS:
        # A confirmation, an objection and a claim need nothing, not even a body.
        assert send(white, match, name, text) in REFUSED or text == "" or text.startswith('{"after"')
    assert loaded(match).sheet.head_seq <= 3


@pytest.mark.parametrize("part", ["key", "kind", "body"])
def test_a_wrong_part_of_an_entry_is_refused_with_its_place(match: Match, white: Client, part: str) -> None:
    for value in WRONG:
        send(white, match, "match_events", {"after": 2, "entries": [ENTRY | {part: value}]})
    wrong: list[Any] = [[1], [[]], [None], [ENTRY] * 201, [ENTRY, ENTRY], ENTRY, "x"]
    for entries in wrong:
        send(white, match, "match_events", {"after": 2, "entries": entries})
    assert loaded(match).sheet.head_seq == 2


BODIES: dict[str, dict[str, Any]] = {
    "roll": {"dice": [3, 1]},
    "play": {"moves": [[8, 5], [6, 5]]},
    "resign": {"by": "white", "level": 1},
    "game_result": {"winner": "white", "win": 1, "cube": 1, "ended": "borne_off"},
    "final_score": {"white": 5, "black": 3},
    "match_end": {"reason": "retired", "winner": "white"},
    "set_length": {"length": 7, "reason": "agreed"},
    "penalty": {"to": "white", "points": 1, "reason": "late"},
    "set_position": {"position": {"own": [0, 15, *[0] * 24], "opponent": [0, 15, *[0] * 24]}, "reason": "so"},
    "ruling": {"text": "play on"},
}


@pytest.mark.parametrize("kind", [*EVENT_TYPES, "nonsense"])
def test_a_wrong_value_in_any_event_leaves_the_sheet_whole(match: Match, kind: str) -> None:
    director = Author(member(match.club, Role.DIRECTOR), directs=True)
    fields = [*EVENT_TYPES[kind].__dataclass_fields__] if kind in EVENT_TYPES else []
    body, after = BODIES.get(kind, {}), match.sheet.head_seq
    wrong = (*product(fields, WRONG), *product(["nonsense"], NONSENSE))
    for number, (field, value) in enumerate(wrong):
        sent = {"entries": [{"key": f"k{number}", "kind": kind, "body": body | {field: value}}]}
        try:
            record(match=match, author=director, after=after, entries=entries_in(sent, director))
        except (EntryRefused, ScoringError):
            match.sheet.refresh_from_db(fields=["head_seq"])
            assert match.sheet.head_seq == after
        else:
            current = loaded(match)
            result = getattr(current, "result", None)
            assert current.status != MatchStatus.FINISHED or result is not None
            correct_away(current, director, f"u{number}")
            match = loaded(match)
            after = match.sheet.head_seq
    assert damage_of(loaded(match).sheet) is None


def correct_away(match: Match, director: Author, key: str) -> None:
    """Take the last event back, also where it made a result final."""
    last = match.sheet.head_seq
    correct(match=match, author=director, after=last, key=key, seq=last, event=Voided(), reason="only a test")
