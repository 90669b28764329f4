"""Real match records, damaged ones, and records made to be awkward."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.notation.mat import read_mat, write_mat
from scoring.rules.endings import Ending, GameEnd
from scoring.rules.errors import InvalidNotation, InvalidValue
from scoring.rules.events import (
    Accepted,
    DoubleStatus,
    GameRecorded,
    MatchEnded,
    MatchStarted,
    PlayStatus,
    Resigned,
)
from scoring.rules.match import Win
from scoring.rules.match_state import Status
from scoring.rules.options import RuleOptions
from scoring.rules.sheet import replay
from scoring.rules.sides import Side
from tests.shared_data import SHARED_DATA

# file, players, length, raw score, winner, games
RECORDS = [
    ("BoardLord-Llabba_7pt_studio.txt", ("BoardLord", "Llabba"), 7, "8-2", Side.WHITE, 3),
    ("Llabba-petruhl_11pt_studio.txt", ("Llabba", "petruhl"), 11, "8-12", Side.BLACK, 8),
    ("Magic-Lasse_5pt_studio.txt", ("Magic", "Lasse"), 5, "4-5", Side.BLACK, 8),
    ("Moderntavla31-Llabba_9pt_studio.txt", ("Moderntavla31", "Llabba"), 9, "3-13", Side.BLACK, 7),
    ("charlot1-charlot2_7p.mat", ("charlot1", "charlot2"), 7, "9-2", Side.WHITE, 4),
    ("galaxy-11730001.txt", ("lasse", "docr"), 7, "6-7", Side.BLACK, 7),
    ("galaxy-12456124.txt", ("lasse", "tdm06"), 7, "12-0", Side.WHITE, 2),
    ("galaxy-1574521.txt", ("lasse", "hornet"), 1, "0-1", Side.BLACK, 1),
    ("galaxy-6800849.txt", ("lasse", "simon_haag"), 3, "3-2", Side.WHITE, 4),
    ("galaxy-7940391.txt", ("zeus200", "lasse"), 16, "0-4", None, 1),
    ("galaxy-8062348.txt", ("bb2106", "lasse"), 2, "2-0", Side.WHITE, 1),
    ("galaxy-9923551.txt", ("lasse", "beaver89"), 5, "1-6", Side.BLACK, 4),
    ("solnze-Lasse_3pt_studio.txt", ("solnze", "Lasse"), 3, "3-0", Side.WHITE, 2),
]


def read(data: bytes) -> Any:
    """The record, its events of whatever kind they are."""
    return read_mat(data)


def shared(name):
    return (SHARED_DATA / "matches" / name).read_bytes()


@pytest.mark.shared_data
@pytest.mark.parametrize(("name", "players", "length", "score", "winner", "games"), RECORDS)
def test_real_record_has_its_players_length_score_and_winner(name, players, length, score, winner, games):
    record = read(shared(name))
    assert (record.players, record.length, str(record.state.score)) == (players, length, score)
    assert (record.winner, record.finished, len(record.state.games)) == (winner, winner is not None, games)
    early = ["unlimited", "unfinished"] if name == "galaxy-7940391.txt" else []
    assert [flag.code for flag in record.flags] == early
    assert replay(record.events) == record.state
    assert len(record.lines) == len(record.events)


@pytest.mark.shared_data
@pytest.mark.parametrize("name", [row[0] for row in RECORDS])
def test_real_record_is_written_so_that_it_reads_the_same(name):
    record = read(shared(name))
    text = write_mat(record.players, record.events, dict(record.tags))
    again = read(text.encode())
    assert again.state.games == record.state.games
    assert again.players == record.players
    assert write_mat(again.players, again.events, dict(again.tags)) == text


def mat(*rows, length=5, score=(0, 0), tags=""):
    head = f"{tags}\n {length} point match\n\n Game 1\n"
    head += f" Ana : {score[0]}                         Jon : {score[1]}\n"
    return (head + "\n".join(rows) + "\n").encode()


def row(number, left="", right=""):
    return f"{number:3d}) {left:<27} {right}"


OPENING = row(1, "31: 8/5 6/5", "64: 24/14")


def test_byte_order_mark_and_carriage_returns_are_survived():
    assert read(b"\xef\xbb\xbf" + mat(OPENING).replace(b"\n", b"\r\n")).players == ("Ana", "Jon")


def test_a_file_in_windows_1252_is_read_and_flagged():
    record = read(mat(OPENING).replace(b"Ana", "Iñaki".encode("cp1252")))
    assert record.players[0] == "Iñaki"
    assert record.flags[0].code == "encoding"


def test_a_record_that_stops_early_is_unfinished():
    record = read(mat(OPENING))
    assert not record.finished
    assert record.winner is None
    assert record.flags[-1].code == "unfinished"
    assert record.state.status is Status.PLAYING


@pytest.mark.shared_data
def test_a_missing_last_wins_line_after_the_last_checker_does_not_matter():
    text = shared("galaxy-8062348.txt").decode()
    record = read(text[: text.index("      Wins 2 point and")].encode())
    assert record.finished
    assert str(record.state.score) == "2-0"


def test_a_missing_wins_line_of_an_earlier_game_is_told_by_the_next_score():
    second = " Game 2\n Ana : 0                         Jon : 2\n" + row(1, "31: 8/5 6/5")
    record = read(mat(OPENING, "", second))
    assert record.state.games[0].outcome.points == 2
    assert record.state.games[0].outcome.win is Win.GAMMON


def test_an_illegal_play_is_kept_as_played_and_flagged():
    record = read(mat(row(1, "31: 8/4", "64: 24/14"), row(2, "52: 13/6")))
    assert record.events[2].status is PlayStatus.LEGAL
    record = read(mat(row(1, "31: 13/8", "64: 24/14"), row(2, "52: 13/6")))
    assert record.events[2].status is PlayStatus.ILLEGAL_ACCEPTED
    assert record.events[2].result.own[8] == 4
    assert [(flag.line, flag.code) for flag in record.flags] == [(6, "illegal_accepted"), (7, "unfinished")]
    assert "13/8 cannot be made with 3 and 1" in record.flags[0].detail


def test_an_incomplete_play_is_kept_and_flagged():
    record = read(mat(row(1, "31: 8/5", "64: Cannot Move")))
    assert [flag.code for flag in record.flags][:2] == ["incomplete_accepted"] * 2
    assert record.state.game.on_roll is Side.WHITE


def test_an_illegal_play_in_an_odd_order_is_kept_if_any_order_makes_sense():
    record = read(mat(row(1, "31: 9/6 13/9")))
    assert record.events[2].result.own[6] == 6


@pytest.mark.parametrize("word", ["????", ""])
def test_a_roll_without_a_play_before_the_result_is_a_resignation(word):
    record = read(mat(OPENING, row(2, f"52: {word}", "Wins 2 points")))
    assert record.events[-2:] == (Resigned(Side.WHITE, Win.GAMMON), Accepted())
    assert record.state.games[0].outcome.ended is GameEnd.RESIGNATION


@pytest.mark.shared_data
def test_an_empty_play_is_the_forced_one_or_none():
    record = read(shared("charlot1-charlot2_7p.mat"))
    assert replay(record.events).games == record.state.games
    dance = next(event for event, line in zip(record.events, record.lines, strict=True) if line == 73)
    assert dance.kind == "roll"


@pytest.mark.shared_data
def test_a_closed_out_player_s_roll_that_is_left_out_is_no_roll():
    lines = shared("charlot1-charlot2_7p.mat").decode().splitlines()
    assert lines[76].endswith("44: ")
    lines[76] = lines[76][:32]
    record = read("\n".join(lines).encode())
    assert [event.kind for event, line in zip(record.events, record.lines, strict=True) if line == 78][
        :1
    ] == ["no_roll"]
    assert record.name(Side.BLACK) == "charlot2"
    assert record.finished


def test_money_is_length_zero_and_closed_after_its_last_game():
    record = read(mat(OPENING, row(2, "Resigns", "Wins 1 point"), length=0))
    assert record.events[0] == MatchStarted(0, RuleOptions())
    assert record.events[-1] == MatchEnded(Ending.AGREED)
    assert record.winner is Side.BLACK
    assert read(mat(OPENING, length=0)).winner is None


def test_money_points_tell_whether_jacoby_was_on():
    rows = OPENING, row(2, "52: ????", "Wins 2 points")
    record = read(mat(*rows, length=0, tags='; [Jacoby "False"]\n'))
    assert not record.events[0].options.jacoby
    assert record.flags == ()
    told = read(mat(*rows, length=0))
    assert not told.events[0].options.jacoby
    assert [flag.code for flag in told.flags] == ["jacoby_off"]


def test_money_points_that_jacoby_does_not_count_are_flagged_and_not_counted():
    record = read(mat(OPENING, row(2, "52: ????", "Wins 2 points"), length=0, tags='; [Jacoby "True"]\n'))
    assert str(record.state.score) == "0-1"
    assert [(flag.line, flag.code) for flag in record.flags] == [(8, "points_differ")]


def test_a_play_of_more_moves_than_any_is_no_play():
    with pytest.raises(InvalidNotation) as caught:
        read(mat(row(1, "31: 8/5(4) 6/5(4) 13/11")))
    assert (caught.value.code, caught.value.line) == ("too_many_moves", 6)
    assert str(caught.value) == "line 6: 9 moves are too many for a play"
    eight = read(mat(row(1, "31: 8/5 8/5 8/5 6/5(4) 13/11")))
    assert eight.flags[0].code == "illegal_accepted"


def test_tags_set_the_options():
    tags = '; [Site "x"]\n; [Crawford "Off"]\n; [Beaver "No"]\n; [CubeLimit "64"]\n; a remark\n'
    record = read(mat(OPENING, tags=tags))
    assert record.events[0].options == RuleOptions(crawford=False, beavers=False, max_cube=64)
    assert ("Site", "x") in record.tags


def test_a_handicap_is_the_score_of_the_first_game():
    record = read(mat(OPENING, score=(2, 1)))
    assert record.events[0] == MatchStarted(5, RuleOptions(), 2, 1)


def test_a_double_in_the_crawford_game_is_recorded_and_void():
    record = read(
        mat(OPENING, row(2, " Doubles => 2", " Takes"), row(3, "52: 13/6", "Wins 1 point"), score=(4, 1))
    )
    assert record.events[5].status is DoubleStatus.VOID_CRAWFORD
    assert [flag.code for flag in record.flags][:2] == ["handicap", "void_double"]
    assert record.state.games[0].outcome.points == 1


def test_a_drop_of_a_void_double_is_a_resignation():
    record = read(mat(OPENING, row(2, " Doubles => 2", " Drops"), "      Wins 1 point", score=(4, 1)))
    assert record.state.games[0].outcome.ended is GameEnd.RESIGNATION
    wrong = read(mat(OPENING, row(2, " Doubles => 2", " Drops"), " " * 34 + "Wins 1 point", score=(4, 1)))
    assert wrong.winner is Side.WHITE
    assert "winner_differs" in {flag.code for flag in wrong.flags}


def test_a_pass_may_be_told_by_the_result_alone():
    record = read(mat(OPENING, row(2, " Doubles => 2"), "      Wins 1 point"))
    assert record.state.games[0].outcome.ended is GameEnd.PASS


def test_beavers_and_raccoons_are_read():
    rows = OPENING, row(2, " Doubles => 2", " Beavers"), row(3, " Raccoons", " Takes"), row(4, "52: 13/6")
    record = read(mat(*rows, length=0))
    assert record.state.game.cube.value == 8
    assert record.state.game.cube.owner is Side.BLACK
    text = write_mat(record.players, record.events)
    assert read(text.encode()).state == record.state


def test_a_game_of_a_result_alone_is_a_recorded_game():
    record = read(mat("      Wins 2 points"))
    assert record.events[1] == GameRecorded(Side.WHITE, Win.GAMMON, 1, GameEnd.RESIGNATION)
    record = read(mat(" " * 34 + "Wins 4 points"))
    assert record.events[1] == GameRecorded(Side.BLACK, Win.SINGLE, 4, GameEnd.RESIGNATION)


SECOND = " Game 2\n Ana : {}                         Jon : {}\n"
WON = row(2, "52: ????", "Wins 2 points")

# what tells no match: the line that is named, and what is said of it
REFUSED = [
    (b"", 1, "ends before the length"),
    (b"\n\nhello", 3, "'hello' is not a match length"),
    (b" Game 1\n Ana : 0   Jon : 0\n", 1, "write ' 7 point match' before"),
    (b" 5 point match\n", 2, "ends before the first game"),
    (b" 5 point match\n  1) 31: 8/5 6/5\n", 2, "before the first game"),
    (b" 5 point match\n Game 1\n", 2, "does not name two players"),
    (b" 5 point match\n Game 1\n  1) 31: 8/5 6/5\n", 3, "does not name two players"),
    (b" 99999 point match\n Game 1\n Ana : 0   Jon : 0\n", 1, "cannot be to 99999 points"),
    (b" 999999 point match\n Game 1\n Ana : 0   Jon : 0\n", 1, "too large a number"),
    (b"a\nb\0c", 2, "zero byte"),
    ("\ufeff 5 point match\nodd\0line\n".encode("utf-16-le"), 2, "zero byte"),
    (mat(OPENING, score=(5, 0)), 2, "cannot start a match to 5 with 5 points"),
    (mat(OPENING, tags='; [Variation "Nackgammon"]\n'), 3, "'Nackgammon' is not backgammon"),
    (mat(row(1, "31: 8/x 6/x")), 6, "no point 'x'"),
    (mat("garbage"), 6, "'garbage' is not a row of a game"),
    (mat(row(1, "33: 8/5 6/5")), 6, "opening roll cannot be 33"),
    (mat(row(1, "31: 24/19", "64: 12/2")), 6, "holds the 19 point"),
    (mat(row(1, " Doubles => 2")), 6, "the opening roll comes next"),
]

# what tells a match all the same: the line and code of its flag, and what it says
FORGIVEN = [
    (mat(row(1, "31: 8/5 6/5", "71: 24/14")), 6, "rest_unread", None),
    (mat(row(1, "31: 8/5 6/5", "64: 24/14 52: 13/6")), 6, "long_row", ""),
    (mat(row(1, "31: 8/5 6/5"), row(2, "64: 24/14")), 7, "rest_unread", "not the turn of Ana"),
    (mat(OPENING, row(2, " Doubles => 4")), 7, "rest_unread", "cannot go from 1 to 4"),
    (mat(OPENING, row(2, "Losses")), 7, "points_differ", "Losses / Jon 1"),
    (mat(OPENING, row(2, "Takes it")), 7, "rest_unread", "not possible now"),
    (mat(OPENING, row(2, " Takes")), 7, "rest_unread", "not possible now"),
    (mat(OPENING, row(2, " Doubles => 2"), row(3, " Takes")), 8, "rest_unread", "not the turn of Ana"),
    (mat(OPENING, row(2, " Takes"), length=0), 7, "rest_unread", "a take is not possible now"),
    (mat(OPENING, row(2, "52: ????", "Wins some points")), 7, "points_differ", "Wins some points / Jon 1"),
    (mat(OPENING, row(2, "52: ????", "Wins 4 points")), 7, "points_differ", "Wins 4 points / Jon 1"),
    (mat(OPENING, WON, SECOND.format(0, 1)), 9, "score_differs", "0–1 / 0–2"),
    (mat(OPENING, SECOND.format(1, 1)), 8, "no_result", "1–1"),
    (mat(OPENING, SECOND.format(0, 0)), 8, "no_result", "0–0"),
    (mat(OPENING, WON, SECOND.format(0, 2).replace("Jon", "Joe")), 9, "players_changed", "Ana – Joe"),
    (mat(OPENING, WON, row(3, "31: 8/5 6/5")), 8, "after_game", "31: 8/5 6/5"),
]


@pytest.mark.parametrize(("data", "line", "text"), REFUSED)
def test_a_file_that_tells_no_match_is_refused_by_its_line(data, line, text):
    with pytest.raises(InvalidNotation) as caught:
        read(data)
    assert f"line {caught.value.line}: " in str(caught.value)
    assert caught.value.line == line
    assert text in str(caught.value)


@pytest.mark.parametrize(("data", "line", "code", "detail"), FORGIVEN)
def test_a_damaged_file_that_tells_a_match_is_read_and_flagged_by_its_line(data, line, code, detail):
    record = read(data)
    flag = next(flag for flag in record.flags if flag.code == code)
    assert flag.line == line
    assert detail is None or detail in flag.detail
    assert replay(record.events) == record.state


def test_a_record_of_ours_is_held_to_every_word():
    events = read(mat(OPENING, WON)).events
    text = write_mat(("Ana", "Jon"), events, complete=True)
    with pytest.raises(InvalidNotation, match="cannot be won with the cube at 1"):
        read(text.replace("Wins 2 points", "Wins 5 points").encode())


@pytest.mark.shared_data
def test_the_board_is_believed_where_the_stated_result_alone_contradicts_it():
    record = read(shared("galaxy-8062348.txt").replace(b"Wins 2 point", b"Wins 1 point"))
    assert str(record.state.score) == "2-0"
    assert [(flag.code, flag.detail) for flag in record.flags] == [
        ("points_differ", "Wins 1 point and the match / bb2106 2")
    ]


@given(st.binary(max_size=300))
def test_any_bytes_are_a_record_or_a_typed_error(data):
    with pytest.raises(InvalidNotation):
        read(data)


@pytest.mark.shared_data
@given(st.integers(0, 1382), st.integers(0, 255))
def test_a_changed_byte_is_read_or_refused_by_line(at, byte):
    data = bytearray(shared("galaxy-8062348.txt"))
    data[at] = byte
    try:
        record = read(bytes(data))
    except InvalidNotation as error:
        assert error.line is not None  # noqa: PT017
        return
    assert replay(record.events) == record.state


def test_a_name_that_the_format_cannot_hold_is_refused():
    for name in ("", "a : b", "a\nb"):
        with pytest.raises(InvalidValue, match="cannot be written to a"):
            write_mat((name, "Jon"), [MatchStarted(5)])
    with pytest.raises(InvalidValue, match="begins with the start"):
        write_mat(("Ana", "Jon"), [])
