"""What people write by hand, and what a record of ours may not say: each reading has its example."""

import pytest

from scoring.notation.mat import read_mat, write_mat
from scoring.notation.record import MatchRecord
from scoring.rules.cube import Cube
from scoring.rules.errors import InvalidNotation
from scoring.rules.events import MatchStarted, PositionSet
from scoring.rules.options import RuleOptions
from scoring.rules.position import STARTING_POSITION
from scoring.rules.sides import Side
from tests.scoring.notation.test_mat import OPENING, SECOND, mat, row
from tests.scoring.notation.test_mat_results import PASSED

RIGHT = " " * 34
WON = row(2, "52: ????", "Wins 2 points")
UNKNOWN = row(1, "31: 8/5 6/5", "64: ???")


def folded(*rows: str) -> bytes:
    """A page on which every run of spaces has become one."""
    return ("5 point match\n\nGame 1\nAna : 0 Jon : 0\n" + "\n".join(rows) + "\n").encode()


def told(data: bytes) -> tuple[str, list[tuple[str, str]]]:
    """The score and the flags, but for the one that the match is not over."""
    record: MatchRecord = read_mat(data)
    assert len(record.lines) == len(record.events)
    flags = [(flag.code, flag.detail) for flag in record.flags if flag.code != "unfinished"]
    return str(record.state.score), flags


def last_play(data: bytes) -> str:
    text = write_mat(("Ana", "Jon"), read_mat(data).events)
    return text.rstrip().splitlines()[-1]


@pytest.mark.parametrize(
    ("data", "score", "flags"),
    [
        (mat(), "0-0", []),
        (mat(OPENING).replace(b" Game 1\n", b""), "0-0", []),
        (mat(OPENING).replace(b" Game 1", b" at home\n Game 1"), "0-0", [("line_skipped", "at home")]),
        (mat(OPENING, row(2, "hello 52: 13/6")), "0-0", [("line_skipped", "hello")]),
        (mat(OPENING, row(2, "52: ????", "Wins 1 point"), "   and the match", length=1), "0-1", []),
        (mat(*PASSED, "      Wins 1 point", " Ana : 1                 Jon : 0", OPENING), "1-0", []),
        (mat(*PASSED, "      Wins 1 point", OPENING), "1-0", [("no_heading", "")]),
        (
            mat(*PASSED, "      Wins 1 point", OPENING, SECOND.format(3, 0)),
            "3-0",
            [("no_heading", "")],
        ),
        (mat(OPENING, WON, row(3, "31: 8/5 6/5", "64: 24/14")), "0-2", [("after_game", "31: 8/5 6/5")]),
        (
            mat(OPENING, WON.replace("2 points", "5 points and the match"), RIGHT + "Wins 5 points"),
            "0-0",
            [("conceded", "Jon")],
        ),
        (
            mat(*PASSED, "      Wins 5 points", SECOND.format(5, 0), length=7),
            "1-0",
            [("points_differ", "1 / Ana 5"), ("score_differs", "5–0 / 1–0")],
        ),
        (mat(OPENING, row(2, " Resigns", " Takes"), RIGHT + "Wins 1 point"), "0-1", []),
        (mat(OPENING, row(2, " Resigns"), "      Wins 1 point", SECOND.format(1, 0)), "1-0", []),
        (mat(OPENING, row(2, " Doubles => 2"), "      Wins 4 points"), "4-0", []),
        (
            mat(OPENING, row(2, " Doubles => 2"), RIGHT + "Wins 3 points", length=7),
            "0-1",
            [("points_differ", "Wins 3 points / Jon 1")],
        ),
    ],
)
def test_what_is_left_out_or_added_by_hand_is_put_right_or_said(
    data: bytes, score: str, flags: list[tuple[str, str]]
) -> None:
    found, said = told(data)
    assert found == score
    assert [flag for flag in said if flag[0] != "rest_unread"] == flags


@pytest.mark.parametrize(
    ("rows", "score", "flags"),
    [
        (("1) 31: 8/5 6/5",), "0-0", []),
        (("1) 31: 8/5 6/5", "Wins 1 point"), "0-0", [("no_result", "Wins 1 point")]),
        (("1) 31: 8/5 6/5", "2) 64: 24/14 52: 13/6"), "0-0", []),
        (("1) 31: 8/5 6/5 64: 24/14", "2) Wins 1 point"), "0-0", [("no_result", "Wins 1 point")]),
        (("1) 31: 8/5 6/5 64: 24/14", "2) 52: ????", "Wins 2 points"), "0-2", []),
        (("1) 31: 8/5 6/5 64: 24/14", "2) Doubles => 2", "Wins 1 point"), "1-0", []),
        (
            ("1) 31: 8/5 6/5 64: 24/14", "2) 52: 13/6", "Wins 2 points", "Game 2", "Ana : 0 Jon : 2"),
            "0-2",
            [],
        ),
    ],
)
def test_on_a_folded_page_the_game_tells_whose_a_cell_is(
    rows: tuple[str, ...], score: str, flags: list[tuple[str, str]]
) -> None:
    assert told(folded(*rows)) == (score, flags)


def test_on_a_folded_page_a_roll_before_the_opening_is_nobodys() -> None:
    with pytest.raises(InvalidNotation, match="'64: 24/14' cannot be read") as caught:
        read_mat(folded("1) Resigns", "2) 64: 24/14", "3) 31: 8/5 6/5 64: 24/14"))
    assert caught.value.line == 6


@pytest.mark.parametrize(
    ("heading", "players"),
    [(" Ana : 0", ("Ana", "")), (" " * 33 + "Jon : 0", ("", "Jon"))],
)
def test_a_heading_of_one_name_is_of_the_column_it_stands_in(heading: str, players: tuple[str, str]) -> None:
    record = read_mat(f" 5 point match\n\n Game 1\n{heading}\n{OPENING}\n".encode())
    assert record.players == players
    assert record.flags[0].code == "no_name"


def test_a_play_that_was_broken_over_two_lines_is_one() -> None:
    assert last_play(mat(row(1, "31: 8/5"), "      6/5")) == "  1) 31: 8/5 6/5"


def test_the_readable_half_of_a_move_tells_the_play() -> None:
    assert told(mat(row(1, "31: 8/5 6/5", "64: x/14"), row(2, "52: 13/6"))) == (
        "0-0",
        [("repaired", "x/14 → 24/14")],
    )


@pytest.mark.parametrize(
    "following",
    [
        row(2, "52: 13/8 13/11"),
        PASSED[1] + "\n" + row(3, "52: 13/8 13/11"),
        row(2, "52: 13/8 13/11", "31: 24/z"),
        row(2, "52: 13/8 13/11", "31: 14/10"),
    ],
)
def test_a_play_that_nothing_tells_is_not_made_up(following: str) -> None:
    assert told(mat(UNKNOWN, following)) == (
        "0-0",
        [("rest_unread", "the play of the roll 64 is not recorded")],
    )


def test_bytes_that_no_encoding_of_windows_has_are_kept() -> None:
    record = read_mat(mat(OPENING).replace(b"Ana", b"A\x81na"))
    assert record.players[0] == "A\x81na"
    assert record.flags[0].code == "encoding"


def test_wide_text_without_its_mark_is_read() -> None:
    for encoding in ("utf-16-le", "utf-16-be"):
        assert read_mat(mat(OPENING).decode().encode(encoding)) == read_mat(mat(OPENING))


RESIGNED = write_mat(("Ana", "Jon"), read_mat(mat(OPENING, WON)).events, complete=True)
LIMITED = write_mat(("Ana", "Jon"), [MatchStarted(11, RuleOptions(max_cube=2))], complete=True)
AT_THE_HIGHEST = write_mat(
    ("Ana", "Jon"),
    [
        MatchStarted(5),
        PositionSet(STARTING_POSITION, "as it is", on_roll=Side.WHITE, cube=Cube(1 << 15, Side.WHITE)),
    ],
    complete=True,
)
DROPPED = write_mat(("Ana", "Jon"), read_mat(mat(*PASSED)).events, complete=True)


@pytest.mark.parametrize(
    ("text", "code", "line"),
    [
        (RESIGNED.replace(RIGHT + "Wins", "      Wins"), "resigned", 10),
        (DROPPED + row(3, "31: 8/5 6/5") + "\n", "after_end", 11),
        (RESIGNED + SECOND.format(0, 1), "score_differs", 12),
        (DROPPED.replace("Wins 1 point", "Wins 2 points"), "points_differ", 10),
        (RESIGNED.replace(RIGHT + "Wins 2 points\n", "") + SECOND.format(0, 0), "no_result", 11),
        # Eight points need a cube at 4 or 8, and it stops at 2.
        (LIMITED + SECOND.format(8, 0), "max_cube", 10),
        (AT_THE_HIGHEST + row(1, " Doubles => 65536") + "\n", "highest_cube", 9),
    ],
)
def test_a_record_of_ours_that_contradicts_itself_is_refused_by_its_line(
    text: str, code: str, line: int
) -> None:
    with pytest.raises(InvalidNotation) as caught:
        read_mat(text.encode())
    assert (caught.value.code, caught.value.line) == (code, line)
