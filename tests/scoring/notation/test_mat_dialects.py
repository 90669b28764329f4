"""How programs and people write what the format has no rule for: each form was met in a real file."""

import time

import pytest

from scoring.notation.formats import read_match
from scoring.notation.mat import read_mat, write_mat
from scoring.notation.mat_layout import MOST_CELLS
from scoring.notation.record import MOST_FLAGS, MatchRecord
from scoring.rules.errors import InvalidNotation
from scoring.rules.events import Accepted, Event, Resigned
from scoring.rules.match import Win
from scoring.rules.sheet import replay
from scoring.rules.sides import Side
from tests.scoring.notation.test_mat import OPENING, SECOND, mat, row

CRAWFORD = '; [Crawford "On"]\n'
LEFT, RIGHT = "      ", " " * 34
SLOW = 3.0
"""Seconds of processor for what takes a tenth of one, and took minutes."""


def codes(record: MatchRecord) -> list[str]:
    return [flag.code for flag in record.flags]


def score(record: MatchRecord) -> str:
    assert replay(record.events) == record.state
    return str(record.state.score)


@pytest.mark.parametrize(
    "given_up",
    [
        row(2, "52: ????"),
        row(2, "52: Concedes"),
        row(2, "00: ????"),
        row(2, "00:"),
        row(2, "????"),
        row(2, "Concedes"),
        row(2, "Resigned Game"),
        row(2, "Gives up"),
        " 2) Resigns",
    ],
)
def test_every_word_for_giving_up_is_a_resignation_without_a_flag(given_up: str) -> None:
    record = read_mat(mat(OPENING, given_up, RIGHT + "Wins 2 points"))
    assert (score(record), codes(record)) == ("0-2", ["unfinished"])
    assert record.events[-1] == Accepted()


def test_a_word_after_a_play_is_the_other_players() -> None:
    record = read_mat(mat(OPENING, row(2, "52: 13/8 24/22", "Concedes"), row(3, "Wins 1 point")))
    assert (score(record), codes(record)) == ("1-0", ["unfinished"])


@pytest.mark.parametrize("words", ["Won 2 points", "wins 2 pts", "Win 2"])
@pytest.mark.parametrize("passed", ["Drops", "Dropped", "Passes", "Folds", "Declined"])
def test_every_word_for_a_pass_and_a_win_is_read(passed: str, words: str) -> None:
    rows = row(2, " Doubles ==> 2", " Takes"), row(3, "52: 13/6", "61: 13/7 8/7"), row(4, "", "")
    data = mat(OPENING, *rows, row(5, "52: 8/3 6/4", " Redoubles => 4"), row(6, " " + passed), RIGHT + words)
    record = read_mat(data)
    assert (score(record), codes(record)) == ("0-2", ["unfinished"])


@pytest.mark.parametrize("taken", ["Takes", "Taken", "Accepted"])
def test_every_word_for_a_take_is_read(taken: str) -> None:
    record = read_mat(
        mat(OPENING, row(2, " Doubles => 2", " " + taken), row(3, "52: ????"), RIGHT + "Wins 2")
    )
    assert (score(record), codes(record)) == ("0-2", ["unfinished"])


@pytest.mark.parametrize("dice", ["3-1:", "3 1:", "3,1:", "31 :"])
def test_dice_are_read_however_they_are_parted(dice: str) -> None:
    record = read_mat(mat(row(1, f"{dice} 8/5 6/5", "64: 24/14")))
    assert (len(record.events), codes(record)) == (5, ["unfinished"])


@pytest.mark.parametrize("head", [" Game #1", " Game No. 1", "GAME 1:"])
@pytest.mark.parametrize("number", ["1)", "1.", "1.)"])
def test_numbers_of_games_and_rows_are_read_however_they_are_marked(head: str, number: str) -> None:
    data = mat(OPENING).decode().replace(" Game 1", head).replace("1)", number)
    assert codes(read_mat(data.encode())) == ["unfinished"]


def test_a_die_for_which_no_checker_is_left_and_short_names_of_bar_and_off_are_read() -> None:
    record = read_mat(mat(row(1, "31: 8/5 6/5 0/0", "64: 24/14 0/0"), row(2, "52: b/20 1/o")))
    assert codes(record) == ["rest_unread", "unfinished"]
    assert "off" not in record.flags[0].detail
    assert len(record.events) == 6


def test_spaces_that_do_not_break_are_spaces() -> None:
    text = mat(OPENING).decode().replace(" ", "\u00a0")
    assert codes(read_mat(text.encode())) == ["unfinished"]


def test_a_comment_may_stand_before_the_names() -> None:
    """It was taken for the names, and the file refused."""
    text = mat(OPENING).decode().replace(" Game 1\n", " Game 1\n; a note on the game: 31\n\n; another\n")
    assert read_mat(text.encode()).players == ("Ana", "Jon")


def test_a_heading_that_names_nobody_keeps_the_players() -> None:
    """The whole match was refused for the heading of its second game."""
    won = row(2, "52: ????", "Wins 2 points")
    for heading in (" Game 2\n", " Game 2\n(the names are lost)\n", " Game 2\n" + OPENING):
        record = read_mat(mat(OPENING, won, heading))
        assert (record.players, score(record)) == (("Ana", "Jon"), "0-2")


def test_a_heading_of_ours_names_its_players() -> None:
    remark = '; Midpoint: ruling {"by": "director", "text": "play on"}'
    with pytest.raises(InvalidNotation, match="does not name two players"):
        read_mat(mat(OPENING, row(2, "52: ????", "Wins 2 points"), " Game 2", remark))


@pytest.mark.parametrize("form", ["({})", "- {}", "[{}]"])
def test_a_heading_of_another_form_names_the_players_of_the_head(form: str) -> None:
    head = '; [Player 1 "Jon"]\n; [Player 2 "Ana"]\n'
    text = mat(OPENING, tags=head).decode().replace(": 0", form.format(0))
    record = read_mat(text.encode())
    assert (record.players, codes(record)) == (("Ana", "Jon"), ["line_skipped", "unfinished"])


def test_the_next_heading_names_a_winner_whose_column_is_lost() -> None:
    data = mat(OPENING, LEFT + "Wins 2 points", SECOND.format(0, 2), OPENING)
    record = read_mat(data)
    assert (score(record), codes(record)) == ("0-2", ["winner_differs", "unfinished"])
    resigned = read_mat(
        data.replace(LEFT.encode() + b"Wins", row(2, "", "52: ????").encode() + b"\n      Wins")
    )
    assert score(resigned) == "2-0", "the resignation and the column agree against the heading"
    passed = read_mat(
        mat(OPENING, row(2, " Doubles => 2"), LEFT + "Wins 1 point", SECOND.format(0, 1), OPENING)
    )
    assert score(passed) == "1-0", "the double and the column agree against the heading"


def test_hidden_plays_with_which_a_game_goes_on_are_no_resignation() -> None:
    """The last player to roll was said to have resigned, against the stated winner."""
    hidden = [row(n, "52: ????", "61: ????") for n in range(2, 5)]
    record = read_mat(mat(OPENING, *hidden, row(5, "33: ????"), LEFT + "Wins 2 points"))
    assert (score(record), codes(record)) == ("2-0", ["rest_unread", "unfinished"])


def test_a_result_that_the_rules_forbid_ends_the_record_and_not_the_reading() -> None:
    """Failed with: this game has no cube: it cannot be at 2."""
    lost = OPENING, row(2, "52: 8/x 6/x"), row(3, " Doubles => 2", " Takes")
    record = read_mat(mat(*lost, SECOND.format(4, 2), OPENING, score=(4, 0), tags=CRAWFORD))
    assert (score(record), codes(record)[-2:]) == ("4-0", ["no_result", "unfinished"])


def test_a_game_that_did_not_count_is_left_out_and_the_match_goes_on() -> None:
    """The record stopped there; with an empty game it was refused, as if its score were a row."""
    broken_off = mat(OPENING, SECOND.format(0, 0), OPENING, RIGHT + "Wins 2 points")
    empty = mat(SECOND.format(0, 0), OPENING, RIGHT + "Wins 2 points")
    for data in (broken_off, empty):
        record = read_mat(data)
        assert (score(record), codes(record)) == ("0-2", ["no_result", "unfinished"])
        assert len(record.state.games) == 1
    assert len(read_mat(mat(OPENING, SECOND.format(0, 0))).events) == 5, "nothing follows: it stays"


def test_games_without_anything_tell_no_match() -> None:
    with pytest.raises(InvalidNotation, match=r"^line 7: there is no play or result above it"):
        read_mat(mat(SECOND.format(0, 0)))


@pytest.mark.parametrize(("length", "points"), [(7, 98304), (7, 4096), (1, 4), (0, 98304)])
def test_a_total_that_no_cube_of_the_match_makes_is_never_believed(length: int, points: int) -> None:
    """Read in silence, as a backgammon with the cube at 32,768."""
    record = read_mat(mat(LEFT + f"Wins {points} points", length=length))
    assert "points_differ" in codes(record)
    assert record.state.games[0].outcome.points < 10


def test_a_highest_cube_that_cannot_be_is_passed_over() -> None:
    for limit in ("63", "0", "1048576", "9" * 900):
        record = read_mat(mat(OPENING, tags=f'; [CubeLimit "{limit}"]\n'))
        assert codes(record) == ["line_skipped", "unfinished"]
        assert len(record.flags[0].detail) < 80


def test_a_resignation_in_a_record_of_ours_cannot_be_won_by_who_resigned() -> None:
    """It was read without a flag, as a game won by the player who had resigned."""
    events: list[Event] = [*read_mat(mat(OPENING)).events, Resigned(Side.WHITE, Win.GAMMON)]
    text = write_mat(("Ana", "Jon"), events, complete=True)
    assert read_mat((text + RIGHT + "Wins 2 points\n").encode()).events == (*events, Accepted())
    with pytest.raises(InvalidNotation, match="Ana resigned and cannot win"):
        read_mat((text + LEFT + "Wins 2 points\n").encode())
    with pytest.raises(InvalidNotation, match="'Wins 3 points', but Ana resigned 2 points"):
        read_mat((text + RIGHT + "Wins 3 points\n").encode())


@pytest.mark.parametrize(
    "rows",
    [
        [f"{n:3d})  Doubles                     Takes" for n in range(2, 16_000)],
        [row(2, " Doubles"), *[f"{n:3d})  Beavers                     Raccoons" for n in range(3, 8_000)]],
        [f"{n:3d}) 52: ????                    61: ????" for n in range(2, 16_000)],
    ],
)
def test_a_game_without_end_is_bounded_early(rows: list[str]) -> None:
    """16,000 rows took minutes: each was held against all before it."""
    begun = time.process_time()
    record = read_mat(mat(OPENING, *rows, LEFT + "Wins 1 point", length=0))
    assert time.process_time() - begun < SLOW
    assert len(record.events) < MOST_CELLS
    assert {"line_skipped", "rest_unread"} <= set(codes(record))


def test_the_cube_goes_to_32768_and_the_result_of_a_game_beyond_is_kept() -> None:
    skimmed = [row(n, " Doubles", " Takes") for n in range(2, 40)]
    record = read_mat(mat(row(1, "31: 8/5 9/8", "64: 1/1"), *skimmed, LEFT + "Wins 3 points"))
    assert codes(record)[:2] == ["rest_unread", "points_differ"]


def test_very_many_flags_are_counted_and_not_kept() -> None:
    record = read_mat(mat(OPENING, *["this says nothing"] * 5000, *["  1) 31:", "  2) 31:"] * 500))
    assert len(record.flags) == MOST_FLAGS + 1
    assert record.flags[-1].code == "more_flags"
    assert int(record.flags[-1].detail) > 4000


@pytest.mark.parametrize("data", [b"", b"  \n \r\n", b"\xef\xbb\xbf"])
def test_an_empty_file_says_that_it_is_empty(data: bytes) -> None:
    with pytest.raises(InvalidNotation, match="the file is empty"):
        read_match(data)


def test_what_is_no_match_file_says_which_files_are() -> None:
    with pytest.raises(InvalidNotation, match=r"begins with 'XGID=-b----E-C--'\. Choose a \.mat"):
        read_match(b"XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:7:10")
