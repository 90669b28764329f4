"""A match written as OGXM is read back as the same plays; what the converter refuses is told."""

import pytest
from gvformat.mat_parser import parse_mat_file

from scoring.notation import ogxm
from scoring.notation.formats import read_match
from scoring.notation.identity import match_digest, match_digest_of
from scoring.rules.dice import Roll
from scoring.rules.errors import InvalidValue
from scoring.rules.events import Doubled, DoubleStatus, Played, Rolled, Taken
from scoring.rules.plays import Move
from tests.scoring.notation.test_complete_records import NAMES, OPENING, SHEETS, match
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


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("refused resignation", "game 1 has turns that it does not tell"),  # a double that waits
        ("corrected play", "game 1 is told in another order"),
    ],
)
def test_a_turn_that_the_converter_does_not_tell_is_refused(name, reason):
    with pytest.raises(InvalidValue) as caught:
        ogxm.write_ogxm(NAMES, SHEETS[name], {})
    assert str(caught.value) == f"this match cannot be written as OGXM: {reason}"


def test_a_game_that_the_converter_leaves_out_is_refused(monkeypatch):
    monkeypatch.setattr(ogxm, "parse_mat_file", lambda text: parse_mat_file(text) | {"games": []})
    with pytest.raises(InvalidValue, match="cannot be written as OGXM: game 1 is not told"):
        ogxm.write_ogxm(NAMES, SHEETS["accepted at once"], {})


def test_what_is_known_of_a_turn_is_told_with_it_in_the_points_of_the_format():
    told = []
    candidates = [[("8/5 6/5", 0.159), ("13/10 24/23", -0.01)], [("24/14", 0.0)]]

    def tell(step, entry):
        told.append((step.kind, entry["kind"], entry["player"]))
        if step.kind == "play":
            options = [
                {"move": move, "equity": equity, "played": not n, "eval_level": "2ply", "probs": [0.5] * 5}
                for n, (move, equity) in enumerate(candidates.pop(0))
            ]
            entry.update(move_options=options, lost_equity=0.0, counted=True)

    answer = (Doubled(DoubleStatus.VOID_AFTER_ROLL), Played((Move(24, 14),)))
    events = match(*OPENING, Doubled(), Taken(), Rolled(Roll(6, 4)), *answer)
    summary = {"engine": "gnubg 1.08.003 plain Kazaross-XG2", "eval_level": "2ply"}
    document = ogxm.ogxm_document(NAMES, events, {}, tell=tell, summary=summary)
    assert told == [
        ("play", "checker", "A"),
        ("double", "cube_decision", "B"),
        ("take", "cube_response", "A"),
        ("play", "checker", "B"),
    ]
    assert document["analysis_info"]["model_id"] == summary["engine"]
    opening, double, take, reply = document["games"][0]["plies"]
    assert "analysis" not in double
    assert "analysis" not in take
    # White runs from 1 to 24 there, so its 8 point is 17; Black's points are its own.
    played = [{"from": 17, "pips": 3}, {"from": 19, "pips": 1}]
    other = [{"from": 12, "pips": 3}, {"from": 1, "pips": 1}]
    assert opening["moves"] == played
    assert [each["move"] for each in opening["analysis"]["alternatives"]] == [played, other]
    assert [each["equity"] for each in opening["analysis"]["alternatives"]] == [0.159, -0.01]
    ran = [{"from": 24, "pips": 6}, {"from": 18, "pips": 4}]
    assert (reply["moves"], reply["analysis"]["alternatives"][0]["move"]) == (ran, ran)
