"""The two kinds of log have what it takes to read and to write each."""

import json

import pytest

from scoring.rules.chouette.events import Joined, Nothing, SessionStarted
from scoring.rules.chouette.options import ChouetteOptions
from scoring.rules.events import MatchStarted, OpeningRolled, Voided
from scoring.rules.logs import CHOUETTE_LOG, MATCH_LOG

LOGS = [
    (MATCH_LOG, [MatchStarted(3), OpeningRolled(3, 1)], Voided()),
    (CHOUETTE_LOG, [SessionStarted(ChouetteOptions()), Joined("ana", 1)], Nothing()),
]


@pytest.mark.parametrize(("kind", "events", "void"), LOGS)
def test_a_log_is_folded_written_and_read_by_its_kind(kind, events, void):
    state = kind.apply(kind.begin(events[0]), events[1])
    assert kind.replay(events) == state
    assert kind.state_from_plain(json.loads(kind.state_bytes(state))) == state
    assert kind.event_from_plain(*kind.event_to_plain(events[1])) == events[1]
    assert kind.replay([*events, void]).game == state.game
    assert isinstance(events[0], kind.start)
    assert [kind.is_void(event) for event in (*events, void, kind.cut)] == [False, False, True, True]
