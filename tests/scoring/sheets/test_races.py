"""Many at once on one sheet: each event once, and an append that costs the same however long the match is."""

import json
from itertools import islice
from threading import Barrier, Thread
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse

from scoring.chouettes.services.damage import damage_of
from scoring.models import Match, SheetEvent
from scoring.rules.dice import Roll
from scoring.rules.events import (
    Event,
    MatchStarted,
    OpeningRolled,
    Played,
    Resumed,
    Rolled,
    Suspended,
    event_to_plain,
)
from scoring.rules.game import Phase
from scoring.rules.plays import legal_plays
from scoring.rules.sheet import apply, begin
from scoring.rules.sides import Side
from scoring.sheets.services.entries import ConflictRefused, Entry, record
from tests.scoring.sheets.writing import author, loaded, two_players
from tests.tiers import sized

DOUBLES = sized(60, 1000)
PATIENCE = 300  # seconds that one of two writers waits for the other; far beyond what a busy machine needs


@pytest.mark.django_db(transaction=True)
def test_double_submissions_leave_one_event_each() -> None:
    """Two writers submit at the same moment, again and again: the same key, or two keys for one place."""
    match = two_players(5)
    meet = Barrier(2)
    outcomes: dict[str, list[str]] = {"white": [], "black": []}

    def submit(colour: str) -> None:
        who = author(match, colour)
        try:
            for number in range(DOUBLES):
                key = f"{number}" if number % 2 else f"{number}-{colour}"
                event: Event = Resumed() if number % 2 else Suspended()
                meet.wait(PATIENCE)
                try:
                    record(match=match, author=who, after=1 + number, entries=[Entry(key, event)])
                    outcomes[colour].append("written")
                except ConflictRefused:
                    outcomes[colour].append("conflict")
        finally:
            connection.close()

    threads = [Thread(target=submit, args=[colour]) for colour in outcomes]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    pairs = [sorted(pair) for pair in zip(*outcomes.values(), strict=True)]
    assert len(pairs) == DOUBLES
    assert pairs[0::2] == [["conflict", "written"]] * (DOUBLES // 2)
    assert pairs[1::2] == [["written", "written"]] * (DOUBLES // 2)
    match = loaded(match)
    seqs = SheetEvent.objects.filter(sheet=match.sheet).order_by("seq").values_list("seq", flat=True)
    assert list(seqs) == list(range(1, DOUBLES + 2))
    assert damage_of(match.sheet) is None


def played_events(match: Match) -> Any:
    """Events of games played by first legal plays, one after the other, without end."""
    state = begin(MatchStarted(match.length))
    while True:
        if state.game.phase is Phase.OPENING:
            events: list[Event] = [OpeningRolled(6, 5)]
            state = apply(state, events[0])
        else:
            events = [Rolled(Roll(4, 2) if state.game.player is Side.WHITE else Roll(3, 1))]
            state = apply(state, events[0])
        assert state.game.roll is not None
        plays = legal_plays(state.game.seen_by(state.game.player), state.game.roll)
        events.append(Played(plays[-1].moves if plays else ()))
        state = apply(state, events[-1])
        yield from events


def wire(key: str, event: Event) -> dict[str, Any]:
    kind, body = event_to_plain(event)
    return {"key": key, "kind": kind, "body": json.loads(json.dumps(body))}


@pytest.mark.django_db
def test_an_append_costs_the_same_at_event_5_and_at_event_400(django_assert_num_queries) -> None:
    match = two_players(63)
    who = author(match, "white")
    assert who.user is not None
    client = Client()
    client.force_login(who.user)
    address = reverse("api:match_events", args=[match.ref])
    events = played_events(match)

    def append(number: int) -> None:
        body = {"after": number - 1, "entries": [wire(f"e{number}", next(events))]}
        answer = client.post(address, body, content_type="application/json")
        assert (answer.status_code, answer.json()["seq"]) == (200, number)

    def write_up_to(number: int) -> None:
        while (head := loaded(match).sheet.head_seq) < number:
            some = list(islice(events, min(100, number - head)))
            entries = [Entry(f"e{head + n}", event) for n, event in enumerate(some, 1)]
            record(match=match, author=who, after=head, entries=entries)

    write_up_to(4)
    with django_assert_num_queries(QUERIES):
        append(5)
    write_up_to(399)
    with django_assert_num_queries(QUERIES):
        append(400)
    assert damage_of(loaded(match).sheet) is None


QUERIES = 5  # of a page that holds no view: the last lines are read for it
