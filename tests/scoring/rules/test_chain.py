"""The hash of an entry is SHA-256 over bytes that anyone can write down from its canonical JSON."""

import json
from hashlib import sha256

from scoring.rules.chain import link_of, linked_log
from scoring.rules.events import Event, MatchStarted, OpeningRolled
from scoring.rules.logs import MATCH_LOG


def hashed(text: str) -> str:
    return sha256(text.encode()).hexdigest()


def test_an_entry_is_hashed_with_what_it_replaces_and_the_digest_of_its_note() -> None:
    plain = '{"body":{"winner":3},"kind":"result","previous":"ab","replaces":4,"seq":7}'
    noted = '{"body":{"winner":3},"kind":"result","note":"cd","previous":"ab","replaces":null,"seq":7}'
    assert link_of("ab", 7, "result", {"winner": 3}, 4) == hashed(plain)
    assert link_of("ab", 7, "result", {"winner": 3}, note_digest="cd") == hashed(noted)


def test_a_log_links_each_event_to_the_one_before() -> None:
    events: list[Event] = [MatchStarted(3), OpeningRolled(3, 1)]
    state = MATCH_LOG.replay(events)
    log = linked_log(events, state)
    first = hashed('{"body":{"length":3},"kind":"match_start","previous":"","replaces":null,"seq":1}')
    second = hashed(
        f'{{"body":{{"black":1,"white":3}},"kind":"opening_roll","previous":"{first}","replaces":null,"seq":2}}'
    )
    assert json.loads(log.rows) == [
        [1, "match_start", {"length": 3}, first],
        [2, "opening_roll", {"white": 3, "black": 1}, second],
    ]
    assert (log.seq, log.hash) == (2, second)
    assert MATCH_LOG.state_from_plain(json.loads(log.state)) == state


def test_a_log_of_no_events_has_no_hash() -> None:
    log = linked_log([], MATCH_LOG.replay([MatchStarted(3)]))
    assert (log.rows, log.seq, log.hash) == ("[]", 0, "")
