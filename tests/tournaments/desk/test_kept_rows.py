"""The rows of the desk are kept by what they say: none is shown once it would say something else."""

import re
from dataclasses import fields, replace
from datetime import UTC, date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.urls import reverse
from django.utils import timezone, translation

from clubs.models import Person, Role
from scoring.rules.sides import Side
from tests.factories import member
from tests.tournaments.factories import an_event, drawn, open_pairings
from tournaments.desk.queries import desk as desk_queries
from tournaments.desk.queries.desk_lines import DeskState
from tournaments.desk.queries.event_log import LogLine
from tournaments.desk.queries.match_rows import (
    BlockedBy,
    DeskActivity,
    DeskBoard,
    DeskMatch,
    DeskMatchStatus,
    DeskSide,
    DeskTable,
)
from tournaments.desk.services.calls import call, feature, start
from tournaments.desk.services.penalties import penalise
from tournaments.desk.services.tables import change_table, make_tables
from tournaments.models import Event, PairingRow
from tournaments.templatetags import desk as tags
from tournaments.templatetags.desk import kept

AT = datetime(2026, 11, 28, 13, 20, tzinfo=UTC)
ANN, BEN = DeskSide("ann3333333", "Ann"), DeskSide("ben3333333", "Ben")
BOARD = DeskBoard(1, "board33333", "Ann", "Ben", DeskState.READY, "Open", None, "", False, None)
WAITS = replace(BOARD, state=DeskState.WAITING, points=(3, 2), revision="4")
MATCH = DeskMatch(
    event="event33333",
    path="/events/event33333/desk/",
    ref="pairing333",
    seen="7",
    match="match33333",
    revision="",
    length="5",
    state=DeskState.READY,
    settles=False,
    a=ANN,
    b=BEN,
    boards=(),
    featured=False,
    was_called=False,
    penalty=0,
    has_table=True,
    has_free=True,
)
TO_SETTLE = replace(MATCH, state=DeskState.WAITING, settles=True, revision="4")
STATUS = DeskMatchStatus(
    state=DeskState.LATE,
    is_team=False,
    table=3,
    minutes=6,
    deadline=None,
    opens_at=None,
    next_penalty_at=AT,
    break_name="",
    blocked_by=None,
    points=None,
    penalised=(),
    is_low=False,
    silent_minutes=None,
)
READY = replace(STATUS, state=DeskState.READY)
EARLY = replace(STATUS, state=DeskState.EARLY, opens_at=AT)
BLOCKED = replace(STATUS, state=DeskState.BLOCKED, blocked_by=BlockedBy("Cy", "Di", 2))
UNCONFIRMED = replace(STATUS, state=DeskState.WAITING, points=(3, 2))
TABLE = DeskTable("event33333", 4, "Window", False, False, "")
CALL = LogLine(AT, "Ann", "Called", "Ann – Ben", seq=9, kind="called", may_undo=True)
RESULT = replace(CALL, kind="result", pairing="pairing333")
LATER = AT + timedelta(hours=1)


def with_other(row: Any, name: str, value: Any) -> Any:
    """The row with another value in one field."""
    return replace(row, **{name: value})


def on_board(board: Any, name: str, value: Any) -> tuple[str, Any, str, Any]:
    """A match in which one field of a board is another."""
    return "_match", with_other(MATCH, "boards", (board,)), "boards", (with_other(board, name, value),)


def in_activity(line: Any, name: str, value: Any) -> tuple[str, Any, str, Any]:
    """An entry in which one field of the line is another."""
    return "_activity", DeskActivity("event33333", line, False), "line", with_other(line, name, value)


CHANGES: list[tuple[str, Any, str, Any]] = [
    ("_match", MATCH, "event", "event44444"),
    ("_match", MATCH, "ref", "pairing444"),
    ("_match", MATCH, "seen", "8"),
    ("_match", MATCH, "match", "match44444"),
    ("_match", MATCH, "length", "7"),
    ("_match", MATCH, "state", DeskState.CALLED),
    ("_match", MATCH, "settles", True),
    ("_match", MATCH, "a", ANN._replace(title="Eve")),
    ("_match", MATCH, "b", BEN._replace(ref="eve3333333")),
    ("_match", MATCH, "boards", (BOARD,)),
    ("_match", MATCH, "featured", True),
    ("_match", MATCH, "was_called", True),
    ("_match", MATCH, "penalty", 2),
    ("_match", MATCH, "has_table", False),
    ("_match", MATCH, "has_free", False),
    ("_match", TO_SETTLE, "path", "/events/event44444/desk/"),
    ("_match", TO_SETTLE, "revision", "5"),
    on_board(BOARD, "number", 2),
    on_board(BOARD, "match", "board44444"),
    on_board(BOARD, "white", "Eve"),
    on_board(BOARD, "black", "Eve"),
    on_board(BOARD, "state", DeskState.PLAYING),
    on_board(replace(BOARD, state=DeskState.OVER), "status", "Void"),
    on_board(WAITS, "points", (2, 3)),
    on_board(WAITS, "revision", "5"),
    on_board(BOARD, "is_low", True),
    on_board(BOARD, "silent_minutes", 12),
    ("_match_status", STATUS, "state", DeskState.PLAYING),
    ("_match_status", UNCONFIRMED, "is_team", True),
    ("_match_status", STATUS, "table", 4),
    ("_match_status", STATUS, "minutes", 7),
    ("_match_status", READY, "deadline", date(2026, 12, 4)),
    ("_match_status", EARLY, "opens_at", LATER),
    ("_match_status", STATUS, "next_penalty_at", LATER),
    ("_match_status", EARLY, "break_name", "Lunch"),
    ("_match_status", BLOCKED, "blocked_by", BlockedBy("Cy", "Di", None)),
    ("_match_status", UNCONFIRMED, "points", (2, 3)),
    ("_match_status", STATUS, "penalised", (("Ann", 1),)),
    ("_match_status", STATUS, "is_low", True),
    ("_match_status", STATUS, "silent_minutes", 12),
    ("_table", TABLE, "event", "event44444"),
    ("_table", TABLE, "number", 5),
    ("_table", TABLE, "name", "Door"),
    ("_table", TABLE, "featured", True),
    ("_table", TABLE, "closed", True),
    ("_table", TABLE, "players", "Ann – Ben"),
    in_activity(CALL, "at", LATER),
    in_activity(CALL, "title", "Started"),
    in_activity(CALL, "words", "Ann – Eve"),
    in_activity(CALL, "seq", 10),
    in_activity(CALL, "kind", "result"),
    in_activity(CALL, "undone", True),
    in_activity(CALL, "may_undo", False),
    in_activity(RESULT, "pairing", "pairing444"),
    in_activity(RESULT, "board", 2),
    ("_activity", DeskActivity("event33333", CALL, False), "event", "event44444"),
    ("_activity", DeskActivity("event33333", CALL, False), "is_newest", True),
]


@pytest.mark.parametrize(("template", "row", "name", "value"), CHANGES)
def test_a_row_is_written_again_when_anything_it_says_changes(template, row, name, value):
    file = f"tournaments/desk/{template}.html"
    before = kept(file, row)
    assert kept(file, row) is before
    assert kept(file, with_other(row, name, value)) != before


def test_every_field_of_a_row_is_something_that_it_says():
    tried = {(type(row), name) for _template, row, name, _value in CHANGES}
    for model in (DeskMatch, DeskMatchStatus, DeskTable, DeskActivity):
        assert {name for each, name in tried if each is model} == {each.name for each in fields(model)}


def test_a_row_is_kept_for_its_language_and_time_zone():
    name, dated = "tournaments/desk/_match_status.html", replace(READY, deadline=date(2026, 3, 4))
    english = kept(name, dated)
    with translation.override("de"):
        assert "März" in kept(name, dated)
    with timezone.override(ZoneInfo("UTC")):
        assert "13:20" in kept(name, STATUS)
    with timezone.override(ZoneInfo("Asia/Tokyo")):
        assert "22:20" in kept(name, STATUS)
    assert kept(name, dated) is english


@pytest.fixture
def desk(db, client, monkeypatch):
    """An event of four at the desk of a director, and a function: the page as kept, equal to a new one."""
    event = an_event(4)
    stage = drawn(event)
    make_tables(event=event, last=3, user=None)
    director = member(event.club, Role.DIRECTOR)
    client.force_login(director)
    moment = [timezone.now() + timedelta(hours=1)]  # after whatever is done while the test runs
    monkeypatch.setattr(desk_queries, "now", lambda: moment[0])

    def page(later=timedelta()):
        moment[0] += later
        address = reverse("tournaments:desk", args=[event.ref])
        found = rows_of(client.get(address).text)
        tags._written.cache_clear()
        assert rows_of(client.get(address).text) == found
        return found

    return event, stage, director, page


def rows_of(page):
    """The desk without its version and the tokens in its forms."""
    shown = page[page.index('<div class="desk">') : page.index('class="keys')]
    return re.sub(r'value="\w{64}"', "", shown)


def test_the_desk_as_kept_is_the_desk_as_it_would_be_written(desk):
    event, stage, director, page = desk
    first, second = open_pairings(stage)
    seen = [page()]

    def changed(**said):
        seen.append(page(**said))
        assert seen[-1] != seen[-2]

    call(pairing=first, user=director)
    changed()
    changed(later=timedelta(minutes=1))
    changed(later=timedelta(minutes=10))
    penalise(pairing=first, to=Side.BLACK, points=1, user=director)
    changed()
    start(pairing=PairingRow.objects.get(pk=first.pk), user=director)
    changed()
    feature(pairing=PairingRow.objects.get(pk=second.pk), featured=True, user=director)
    changed()
    change_table(event=event, number=3, name="Window", user=director)
    changed()
    change_table(event=event, number=2, closed=True, user=director)
    changed()
    Person.objects.filter(player__entries__entrant=second.a).update(name="Zoë <b> 李")
    changed()
    assert "Zoë &lt;b&gt; 李" in seen[-1]
    Event.objects.filter(pk=event.pk).update(zone="Asia/Tokyo")
    changed()


def test_each_director_gets_their_own_token_in_kept_forms(desk, client):
    event, _stage, director, _page = desk
    address = reverse("tournaments:desk", args=[event.ref])
    tokens = []
    for user in (director, member(event.club, Role.DIRECTOR)):
        client.force_login(user)
        found = re.findall(r'csrfmiddlewaretoken" value="(\w+)"', client.get(address).text)
        assert len(found) > 8
        assert len(set(found)) == 1
        tokens += found[:1]
    assert tokens[0] != tokens[1]


def test_a_name_like_a_stand_in_stays_a_name(desk):
    _event, stage, _director, page = desk
    (first, *_rest) = open_pairings(stage)
    Person.objects.filter(player__entries__entrant=first.a).update(name=str(tags.TOKEN))
    assert "&lt;!--token--&gt;" in page()
