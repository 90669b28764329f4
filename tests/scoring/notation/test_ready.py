"""A record is stored as its digest and a log that folds to its state."""

import json

from scoring.notation.identity import match_digest_of
from scoring.notation.mat import read_mat
from scoring.notation.ready import ready
from scoring.rules.logs import MATCH_LOG
from tests.scoring.notation.test_mat import mat
from tests.scoring.notation.test_mat_results import PASSED


def test_the_log_of_a_record_is_its_events_and_comes_to_its_state() -> None:
    record = read_mat(mat(*PASSED))
    stored = ready(record)
    assert stored.record == record
    assert stored.digest == match_digest_of(("Ana", "Jon"), 5, record.events)
    rows = json.loads(stored.log.rows)
    assert [seq for seq, *_ in rows] == [1, 2, 3, 4, 5, 6, 7]
    assert [kind for _, kind, *_ in rows] == [
        "match_start", "opening_roll", "play", "roll", "play", "double", "pass",
    ]  # fmt: skip
    events = [MATCH_LOG.event_from_plain(kind, body) for _, kind, body, _ in rows]
    assert MATCH_LOG.replay(events) == record.state
    assert MATCH_LOG.state_from_plain(json.loads(stored.log.state)) == record.state
    assert (stored.log.seq, stored.log.hash) == (7, rows[-1][3])
