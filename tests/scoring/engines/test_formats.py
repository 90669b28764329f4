"""Every format gives the same record; what is damaged, too large or not supported is told, with its place."""

import gzip
import json
import struct
import zlib

import pytest
from gvformat import mat_to_ogxm, write_gvab
from gvformat.xg import convert_xg

from scoring.notation import formats
from scoring.notation.formats import FileFormat, UnsupportedFormat, detect_format, read_match, turned
from scoring.notation.identity import match_digest, match_digest_of
from scoring.notation.ogxm_cells import mat_text
from scoring.rules.dice import Roll
from scoring.rules.errors import InvalidNotation
from scoring.rules.events import (
    Event,
    MatchStarted,
    NotRolled,
    OpeningRolled,
    Played,
    PlayStatus,
    PositionSet,
    Rolled,
)
from scoring.rules.plays import Move
from scoring.rules.position import Position
from scoring.rules.sheet import replay
from scoring.rules.sides import Side
from tests.shared_data import shared_files

HEADER, RECORD, GAME_HEADER = 8232, 2560, 1


@pytest.fixture
def xg(shared_data):
    return (shared_data / "matches" / "charlot1-charlot2_7p.xg").read_bytes()


@pytest.fixture
def mat(shared_data):
    return (shared_data / "matches" / "charlot1-charlot2_7p.mat").read_bytes()


def records_of(xg):
    start = HEADER + struct.unpack_from("<I", xg, 20)[0]
    return start, bytearray(zlib.decompress(xg[start:]))


def with_records(xg, records):
    start, _ = records_of(xg)
    return xg[:start] + zlib.compress(bytes(records))


def renamed(xg, first, second):
    """The same file, its players called otherwise."""
    _, records = records_of(xg)
    for offset, name in ((9, first), (50, second)):
        records[offset : offset + 41] = (bytes([len(name)]) + name.encode("cp1252", errors="replace")).ljust(
            41, b"\0"
        )
    for offset, name in ((880, first), (1138, second)):
        records[offset : offset + 258] = name.encode("utf-16-le").ljust(258, b"\0")
    return with_records(xg, records)


def first_game(xg):
    """The records of the head and the first game."""
    _, records = records_of(xg)
    headers = [n for n in range(len(records) // RECORD) if records[n * RECORD + 8] == GAME_HEADER]
    return records[: headers[1] * RECORD]


def kinds(record):
    return [event.kind for event in record.events]


def test_an_xg_and_a_mat_of_one_match_are_one_match(xg, mat):
    ours, theirs = read_match(mat), read_match(xg)
    assert theirs.players == ours.players == ("charlot1", "charlot2")
    assert theirs.length == ours.length == 7
    assert (theirs.finished, theirs.winner) == (True, Side.WHITE)
    assert str(theirs.state.score) == str(ours.state.score)
    assert kinds(theirs) == kinds(ours)
    assert match_digest(theirs) == match_digest(ours)
    assert dict(theirs.tags)["EventDate"] == "2025.11.08"


@pytest.mark.parametrize(
    ("first", "second"), [("Zoe", "Adam"), ("Adam", "Zoe"), ("Twin", "Twin"), ("Núñez : 0", "李 雷")]
)
def test_columns_are_those_of_the_file_whatever_the_names(xg, first, second):
    record = read_match(renamed(with_records(xg, first_game(xg)), first, second))
    assert record.players == (first, second)
    # charlot2, the second player, won the first game with 2 points
    assert (record.state.score.white, record.state.score.black) == (0, 2)


def test_names_are_read_from_the_old_field_when_the_new_one_is_empty(xg):
    _, records = records_of(renamed(with_records(xg, first_game(xg)), "Old", "Older"))
    for offset in (880, 1138):
        records[offset : offset + 258] = bytes(258)
    assert read_match(with_records(xg, records)).players == ("Old", "Older")


@pytest.mark.parametrize("path", shared_files("matches/*.txt"))
def test_ogxm_of_a_text_match_is_that_match(path):
    ours = read_match(path.read_bytes())
    document = mat_to_ogxm(path.read_text("utf-8-sig"))
    if document["player_white"] != ours.players[0]:
        document = turned(document)
    if ours.length == 0:
        document = {**document, "match_length": 0, "jacoby": True}
    for data in (json.dumps(document).encode(), write_gvab(document)):
        record = read_match(data)
        assert match_digest(record) == match_digest(ours)
        assert record.players == ours.players
        assert str(record.state.score) == str(ours.state.score)


def test_a_digest_does_not_depend_on_the_columns(xg, mat):
    record = read_match(mat)
    document = turned(convert_xg(xg))
    other = read_match(json.dumps(document).encode())
    assert other.players == ("charlot2", "charlot1")
    assert other.winner is Side.BLACK
    assert match_digest(other) == match_digest(record)


def test_a_digest_depends_on_players_length_and_plays(mat):
    record = read_match(mat)
    told = {
        match_digest_of(record.players, record.length, record.events),
        match_digest_of(("charlot1", "charlot3"), record.length, record.events),
        match_digest_of(record.players, 9, record.events),
        match_digest_of(record.players, record.length, record.events[:-3]),
    }
    assert len(told) == 4
    assert match_digest_of((" CHARLOT1", "Charlot2 "), record.length, record.events) in told


def test_a_closed_out_players_roll_may_be_written_or_left_out():
    shut = Position.from_points({25: 1, 6: 14}, dict.fromkeys(range(1, 7), 2) | {13: 3})
    before: list[Event] = [
        MatchStarted(3),
        OpeningRolled(3, 1),
        Played((Move(8, 5), Move(6, 5))),
        PositionSet(shut, "a test", on_roll=Side.WHITE),
    ]
    after: list[Event] = [Rolled(Roll(2, 1)), Played((Move(13, 11), Move(13, 12)))]
    written = [*before, Rolled(Roll(6, 2)), Played(), *after]
    left_out = [*before, NotRolled(), *after]
    assert replay(written).game.position == replay(left_out).game.position
    assert match_digest_of(("a", "b"), 3, written) == match_digest_of(("a", "b"), 3, left_out)


def test_the_way_of_a_checker_makes_no_other_match():
    plays = [(Move(24, 23), Move(13, 9)), (Move(13, 9), Move(24, 23))]
    told = {match_digest_of(("a", "b"), 3, [MatchStarted(3), OpeningRolled(4, 1), Played(p)]) for p in plays}
    assert len(told) == 1


def test_an_illegal_play_is_kept_as_played_and_flagged(mat):
    document = mat_to_ogxm(mat.decode())
    ply = document["games"][0]["plies"][1]
    ply["moves"] = [{"from": 19, "pips": 5}, {"from": 19, "pips": 1}]
    document["games"] = [{**document["games"][0], "plies": document["games"][0]["plies"][:2], "winner": 255}]
    record = read_match(json.dumps(document).encode())
    (play,) = [e for e in record.events if isinstance(e, Played) and e.status is PlayStatus.ILLEGAL_ACCEPTED]
    assert [tuple(move) for move in play.moves] == [(6, 1), (6, 5)]
    flag = next(flag for flag in record.flags if flag.code == "illegal_accepted")
    assert record.lines[record.events.index(play)] == flag.line


def test_a_play_stated_as_a_position_becomes_moves_again(mat):
    document = mat_to_ogxm(mat.decode())
    plies = document["games"][0]["plies"][:1]
    stated = [0] * 26
    for point, count in {1: 2, 12: 5, 17: 3, 19: 5}.items():
        stated[point] = count
    for point, count in {24: 1, 23: 1, 13: 4, 9: 1, 8: 3, 6: 5}.items():
        stated[point] = -count
    stated[19] -= 1  # White, with a 64 from 6 to off: not by any roll
    plies.append({"color": 1, "action_id": 31, "d1": 6, "d2": 4, "set_position": stated})
    text = mat_text({**document, "games": [{**document["games"][0], "plies": plies, "winner": 255}]})
    assert text.data.splitlines()[-1].split(b"64: ")[1] == b"6/0"


@pytest.mark.parametrize(
    ("start", "found"),
    [
        (b" 7 point match\n", FileFormat.MAT),
        (b'\xef\xbb\xbf; [Site "x"]\n', FileFormat.MAT),
        (b"\n Game 1\n", FileFormat.MAT),
        (b"RGMH\0\0", FileFormat.XG),
        (b"(;FF[4]GM[6]AP[x]", FileFormat.SGF),
        (b"\n ( ;GM[6]", FileFormat.SGF),
        (b"OGXM\0", FileFormat.OGXM_BINARY),
        (b' {"match_length": 7}', FileFormat.OGXM_JSON),
        (b'{"format":"BGF","version":"1.0"}\n:)\n', FileFormat.BGF),
    ],
)
def test_a_format_is_known_by_its_content(start, found):
    assert detect_format(start) is found


def test_an_archive_is_an_unsupported_format():
    with pytest.raises(UnsupportedFormat, match="unsupported format"):
        read_match(b"PK\x03\x04...")


@pytest.mark.parametrize("data", [b"\0" * 100, b"hello", b"\x89PNG\r\n", b"%PDF-1.7", b"[1, 2]"])
def test_what_is_no_match_file_is_told(data):
    with pytest.raises(InvalidNotation, match="not a match file"):
        read_match(data)


def test_a_gzip_envelope_is_opened(mat):
    assert match_digest(read_match(gzip.compress(mat))) == match_digest(read_match(mat))


def test_a_file_that_is_too_large_or_inflates_too_far_is_refused(xg, monkeypatch):
    with pytest.raises(InvalidNotation, match="larger than 67108864 bytes"):
        read_match(gzip.compress(bytes(70_000_000), 1))
    monkeypatch.setattr(formats, "LARGEST_FILE", 1000)
    with pytest.raises(InvalidNotation, match="more than 1000"):
        read_match(xg)


@pytest.mark.long
def test_what_a_file_holds_does_not_inflate_too_far_either(xg):
    bomb = zlib.compress(bytes(70_000_000), 9)
    start, _ = records_of(xg)
    for data in (xg[:start] + bomb, b'{"format":"BGF"}\n' + bomb):
        with pytest.raises(InvalidNotation, match="larger than 67108864 bytes"):
            read_match(data)


@pytest.mark.parametrize("share", [0.01, 0.05, 0.1, 0.5, 0.9])
def test_a_truncated_xg_is_told_with_its_place(xg, share):
    with pytest.raises(InvalidNotation, match=r"file ends|cut off"):
        read_match(xg[: int(len(xg) * share)])


def test_a_record_cut_in_two_is_told(xg):
    start, records = records_of(xg)
    with pytest.raises(InvalidNotation, match=rf"{len(records) // RECORD - 1} whole records .+ byte {start}"):
        read_match(with_records(xg, records[:-100]))


@pytest.mark.long
def test_whatever_is_changed_in_an_xg_is_a_match_or_a_typed_error(xg):
    records = first_game(xg)
    outcomes = set()
    for number in range(0, len(records) // RECORD, 5):
        for offset, value in ((8, 77), (8, 2), (12, 255), (100, 200), (40, 90)):
            changed = bytearray(records)
            changed[number * RECORD + offset] = value
            outcomes.add(outcome(with_records(xg, changed)))
    assert "read" in outcomes
    assert len(outcomes) > 1


def outcome(data):
    try:
        read_match(data)
    except InvalidNotation as error:
        return error.code
    return "read"


@pytest.mark.parametrize(
    "data",
    [
        b"{",
        b"{}",
        b'{"games": 3}',
        b'{"games": [{}], "match_length": "x"}',
        b'{"games": [{"plies": [{"action_id": 99}]}], "match_length": 5}',
        b'{"a":' + b"[" * 100_000,
        b"OGXM",
        b"OGXM" + b"\xff" * 200,
        b'{"format":"BGF"}\n',
        b'{"format":"BGF"}\n:)\n\x03\xfa\xff',
        b'{"format":"BGF"}\n:)\n\x03\xfa\x80a\x99',
    ],
)
def test_damaged_documents_are_typed_errors(data):
    with pytest.raises(InvalidNotation):
        read_match(data)


def test_an_impossible_action_is_told_by_game_and_action(mat):
    document = mat_to_ogxm(mat.decode())
    document["games"][1]["plies"][3]["moves"] = [{"from": 2, "pips": 1}]
    with pytest.raises(InvalidNotation, match="game 2, action 4"):
        read_match(json.dumps(document).encode())
