"""A match written as OGXM is read back as the same plays; what the converter refuses is told."""

import pytest

from scoring.notation import ogxm
from scoring.notation.formats import read_match
from scoring.notation.identity import match_digest, match_digest_of
from scoring.rules.errors import InvalidValue
from tests.scoring.notation.test_complete_records import NAMES, SHEETS
from tests.shared_data import shared_files
from tests.tiers import sized

RECORDS = [*shared_files("matches/*"), *shared_files("xg/*.xg")]


@pytest.mark.parametrize("path", sized(RECORDS[::3], RECORDS))
def test_every_record_is_read_again_as_the_same_match(path):
    record = read_match(path.read_bytes())
    again = read_match(ogxm.write_ogxm(record.players, record.events, {}))
    assert again.players == record.players
    assert match_digest(again) == match_digest(record)


@pytest.mark.parametrize("name", ["accepted at once", "Black starts"])
def test_a_match_written_as_ogxm_is_that_match(name):
    events = SHEETS[name]
    record = read_match(ogxm.write_ogxm(NAMES, events, {}))
    assert record.players == NAMES
    told = events[:-1] if name == "Black starts" else events  # dice that were not played are not told
    assert match_digest(record) == match_digest_of(NAMES, 5, told)


def test_a_match_that_the_converter_does_not_follow_is_refused(monkeypatch):
    def refuse(_text):
        raise LookupError("no such game")

    monkeypatch.setattr(ogxm, "parse_mat_file", refuse)
    with pytest.raises(InvalidValue, match="cannot be written as OGXM: no such game") as caught:
        ogxm.write_ogxm(NAMES, SHEETS["nothing"], {})
    assert caught.value.code == "not_in_ogxm"
