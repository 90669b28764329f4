"""Matches whose scoresheet gets no more entries: at the desk, and over its API."""

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils.timezone import now

from clubs.models import Role, Scope
from scoring.log.queries.writers import Author
from scoring.rules.endings import GameEnd
from scoring.rules.events import GameRecorded, OpeningRolled, Suspended
from scoring.rules.match import Win
from scoring.rules.sides import Side
from scoring.sheets.services.entries import Entry, record
from tests.clubs.api.clients import with_token
from tests.factories import member
from tests.tournaments.factories import an_event, drawn, open_pairings
from tests.tournaments.leagues.test_leagues import a_tie
from tournaments.desk.queries.desk import desk_page
from tournaments.desk.services.calls import call, start
from tournaments.desk.services.results import match_of
from tournaments.desk.services.tables import make_tables
from tournaments.stages.services.stages import load_fresh

pytestmark = pytest.mark.django_db

GAME = GameRecorded(Side.BLACK, Win.SINGLE, 1, GameEnd.BORNE_OFF)


def enter(match, director, key, entry):
    author = Author(user=director, directs=True)
    match.refresh_from_db()
    record(match=match, author=author, after=match.sheet.head_seq, entries=[Entry(key, entry)])


def silent(event, minutes):
    """Silent minutes of each match so many minutes from now, by ref."""
    page = desk_page(event, read=load_fresh, at=now() + timedelta(minutes=minutes))
    return {line.pairing.ref: line.silent_minutes for line in page.lines}


def test_a_scoresheet_without_entries_is_marked_after_5_or_25_minutes(client, monkeypatch):
    event = an_event(4, length=5)
    stage = drawn(event)
    make_tables(event=event, last=4, user=None)
    director = member(event.club, Role.DIRECTOR)
    row, paper = open_pairings(stage)
    for each in (row, paper):
        call(pairing=each, user=director)
        start(pairing=each, user=director)
    match = match_of(row)
    assert set(silent(event, 90).values()) == {None}  # both on paper, as far as is known
    enter(match, director, "game", GAME)
    assert [silent(event, minutes)[row.ref] for minutes in (24, 26, 100)] == [None, 26, 100]
    enter(match, director, "dice", OpeningRolled(3, 1))
    assert [silent(event, minutes)[row.ref] for minutes in (4, 6)] == [None, 6]
    assert silent(event, 90)[paper.ref] is None
    client.force_login(director)
    desk, api = reverse("tournaments:desk", args=[event.ref]), f"/api/v1/events/{event.ref}/desk/"
    assert "no entry for" not in client.get(desk).text
    later = now() + timedelta(minutes=7, seconds=30)
    monkeypatch.setattr("tournaments.desk.queries.desk.now", lambda: later)
    assert client.get(desk).text.count("no entry for 7 min") == 1
    told = with_token(director, Scope.READ, Scope.DIRECT).get(api).json()["matches"]
    heard = {line["pairing"]: (line["last_entry_at"], line["silent_minutes"]) for line in told}
    assert (heard[paper.ref], heard[row.ref][1]) == ((None, None), 7)
    assert heard[row.ref][0] is not None
    # From now on by games again: what is recorded counts, not what was.
    enter(match, director, "rest", GAME)
    assert [silent(event, minutes)[row.ref] for minutes in (24, 26)] == [None, 26]
    enter(match, director, "pause", Suspended())
    assert silent(event, 90)[row.ref] is None


def test_each_board_of_a_team_match_is_marked_by_itself(client, monkeypatch):
    row, director = a_tie()
    boards = list(row.boards.order_by("number"))
    enter(boards[1].match, director, "game", GAME)
    event = row.stage.flight.event
    later = now() + timedelta(minutes=30, seconds=30)
    (line,) = desk_page(event, read=load_fresh, at=later).lines
    assert [board.silent_minutes for board in line.boards] == [None, 30, None]
    assert (line.silent_minutes, line.last_entry_at) == (None, None)
    client.force_login(director)
    monkeypatch.setattr("tournaments.desk.queries.desk.now", lambda: later)
    assert client.get(reverse("tournaments:desk", args=[event.ref])).text.count("no entry for 30 min") == 1
