"""What a stated result means: capped totals where a match is decided, doubt anywhere else."""

from pathlib import Path

import pytest

from scoring.notation.mat import read_mat
from scoring.notation.mat_results import StatedResult, level_of, stated_totals, worth_of
from scoring.notation.record import MatchRecord
from scoring.rules.endings import Ending
from scoring.rules.events import GameRecorded, MatchEnded
from scoring.rules.match import MatchScore, Win
from scoring.rules.sides import Side
from tests.scoring.notation.test_mat import OPENING, mat, row
from tests.shared_data import SHARED_DATA

# Of the refused files: players, length, raw score, winner, games. All but the last state capped points.
REFUSED = [
    ("match1004844.txt", ("lasse", "williampitt"), 3, "5-0", Side.WHITE, 2),
    ("match1004950.txt", ("lasse", "airway12"), 5, "6-1", Side.WHITE, 4),
    ("match10089897.txt", ("lasse", "euli"), 5, "10-0", Side.WHITE, 2),
    ("match1032950.txt", ("lasse", "meisampourtaghi"), 3, "4-0", Side.WHITE, 1),
    ("match1035628.txt", ("chiefstain", "lasse"), 7, "3-8", Side.BLACK, 3),
    ("match1281172.txt", ("llabba", "mano"), 5, "1-10", Side.BLACK, 3),
    ("match2900236.txt", ("lasse", "canoz"), 3, "0-3", Side.BLACK, 2),
    ("match3241209.txt", ("lasse", "olliereborn"), 3, "2-3", Side.BLACK, 3),
    ("match3755271.txt", ("lasse", ""), 3, "0-4", Side.BLACK, 1),
]
CAPPED = ["match1004844.txt", "match1004950.txt", "match10089897.txt", "match1032950.txt"]


def refused(name: str) -> bytes:
    return (SHARED_DATA / "refused" / name).read_bytes()


def codes(record: MatchRecord) -> list[str]:
    return [flag.code for flag in record.flags]


@pytest.mark.shared_data
@pytest.mark.parametrize(("name", "players", "length", "score", "winner", "games"), REFUSED)
def test_a_refused_file_is_read_as_it_was_played(
    name: str, players: tuple[str, str], length: int, score: str, winner: Side, games: int
) -> None:
    record = read_mat(refused(name))
    assert (record.players, record.length, str(record.state.score)) == (players, length, score)
    assert (record.winner, len(record.state.games)) == (winner, games)


@pytest.mark.shared_data
@pytest.mark.parametrize("name", [*CAPPED, "match1035628.txt", "match1281172.txt"])
def test_a_capped_total_in_the_last_game_is_right(name: str) -> None:
    assert read_mat(refused(name)).flags == ()


@pytest.mark.shared_data
def test_points_that_no_game_has_are_read_as_the_least_that_decides() -> None:
    path = next(Path(SHARED_DATA / "refused").glob("Minchy*"))
    record = read_mat(path.read_bytes())
    assert str(record.state.score) == "3-15"
    assert [(flag.code, flag.game, flag.turn, flag.detail) for flag in record.flags] == [
        ("points_differ", 10, 31, "Wins 4016 point / Llabba 4")
    ]


def given_up(points: int, *, cube: int = 1, length: int = 5, score: tuple[int, int] = (0, 0)) -> MatchRecord:
    """White gives up after rolling, the cube turned by White and Black in turn, and Black wins the points."""
    rows, turn = [OPENING], 2
    offers = {1: [], 2: ["w"], 4: ["w", "b"]}[cube]
    value = 1
    for side in offers:
        value *= 2
        if side == "w":
            rows.append(row(turn, f" Doubles => {value}", " Takes"))
            rows.append(row(turn + 1, "21: 13/11 6/5", "21: 13/11 6/5"))
        else:
            rows.append(row(turn, "21: 13/11 6/5", f" Doubles => {value}"))
            rows.append(row(turn + 1, " Takes", "21: 13/11 6/5"))
        turn += 2
    rows.append(row(turn, "52: ????", f"Wins {points} points and the match"))
    return read_mat(mat(*rows, length=length, score=score))


@pytest.mark.parametrize(
    ("points", "cube", "length", "start", "worth"),
    [
        (2, 1, 5, (0, 3), 2),  # as it was worth
        (1, 2, 5, (4, 4), 2),  # capped to the points needed
        (3, 2, 5, (0, 2), 4),  # a gammon, capped to the points needed
        (5, 2, 5, (0, 0), 6),  # a backgammon, needed and length being one
        (5, 4, 5, (0, 1), 8),  # capped to the length of the match
        (2, 4, 5, (0, 3), 4),  # a single, capped to the points needed
        (7, 4, 7, (0, 0), 8),
        (11, 4, 11, (0, 0), 12),  # a backgammon with a cube
        (3, 1, 3, (0, 0), 3),  # a backgammon without one
        (2, 1, 5, (0, 4), 2),  # a gammon, as it was worth, where one point was needed
    ],
)
def test_a_stated_total_is_the_worth_or_what_was_needed_or_the_length(
    points: int, cube: int, length: int, start: tuple[int, int], worth: int
) -> None:
    record = given_up(points, cube=cube, length=length, score=start)
    assert record.winner is Side.BLACK
    assert record.state.games[0].outcome.points == worth
    assert set(codes(record)) <= {"handicap", "illegal_accepted"}


@pytest.mark.shared_data
@pytest.mark.parametrize("stated", [1, 2, 3, 4, 5, 6, 8])
def test_a_total_on_the_board_is_right_only_as_worth_as_needed_or_as_the_length(stated: int) -> None:
    text = refused("match10089897.txt").replace(b"3 point and the match", b"%d point and the match" % stated)
    record = read_mat(text)
    assert str(record.state.score) == "10-0"
    # White needed 3 of 5 points, and the game was worth 8
    assert ("points_differ" in codes(record)) is (stated not in {3, 5, 8})


@pytest.mark.shared_data
@pytest.mark.parametrize(("before", "after"), [(b"Wins 1 point\n", b"Wins 2 point\n"), (b"0\n", b"0\n")])
def test_in_the_middle_of_a_match_another_total_is_flagged_and_the_board_believed(
    before: bytes, after: bytes
) -> None:
    plain = read_mat(refused("match1004950.txt"))
    record = read_mat(refused("match1004950.txt").replace(before, after, 1))
    assert record.state.games == plain.state.games
    assert codes(record) == (["points_differ"] if before != after else [])


SECOND = " Game 2\n Ana : {}                         Jon : {}\n" + row(1, "31: 8/5 6/5", "64: 24/14")
PASSED = (OPENING, row(2, " Doubles => 2", " Drops"))


@pytest.mark.parametrize(
    ("stated", "heading", "score", "flags"),
    [
        (1, (1, 0), "1-0", ["unfinished"]),
        (2, (1, 0), "1-0", ["points_differ", "unfinished"]),
        (1, (2, 0), "1-0", ["score_differs", "unfinished"]),
        (2, (2, 0), "2-0", ["points_differ", "unfinished"]),
        (2, (3, 0), "1-0", ["points_differ", "score_differs", "unfinished"]),
        (1, (0, 0), "1-0", ["score_differs", "unfinished"]),
    ],
)
def test_of_board_statement_and_heading_two_that_agree_are_believed(
    stated: int, heading: tuple[int, int], score: str, flags: list[str]
) -> None:
    result = f"      Wins {stated} point"
    record = read_mat(mat(*PASSED, result, SECOND.format(*heading)))
    assert str(record.state.score) == score
    assert codes(record) == flags


def test_a_stated_winner_who_lost_on_the_board_is_flagged() -> None:
    record = read_mat(mat(*PASSED, " " * 34 + "Wins 1 point"))
    assert str(record.state.score) == "1-0"
    assert codes(record) == ["winner_differs", "unfinished"]


def test_a_match_that_was_given_up_for_all_its_points_is_conceded() -> None:
    record = read_mat(mat(OPENING, row(2, "52: ????", "Wins 7 points and the match"), length=7))
    assert record.events[-1] == MatchEnded(Ending.RETIRED, Side.BLACK)
    assert codes(record) == ["conceded"]


def test_a_game_of_which_only_capped_points_are_told_decides_the_match() -> None:
    record = read_mat(mat(" " * 34 + "Wins 5 points and the match"))
    assert record.winner is Side.BLACK
    (game,) = record.events[1:]
    assert isinstance(game, GameRecorded)


def test_games_after_the_end_of_the_match_are_not_read() -> None:
    rows = (OPENING, row(2, "52: ????", "Wins 1 point"))
    record = read_mat(mat(*rows, SECOND.format(0, 1), length=1))
    assert (record.winner, len(record.state.games)) == (Side.BLACK, 1)
    assert codes(record) == ["after_match"]


def test_an_unlimited_game_beyond_16_points_is_a_money_session() -> None:
    tags = '; [Site "BackgammonGalaxy"]\n; [CubeLimit "1024"]\n'
    game = " Game {}\n Ana : {}                         Jon : 0\n      Wins 8 points\n"
    games = "".join(game.format(n + 1, 8 * n) for n in range(3))
    record = read_mat((tags + "\n16 point match\n\n" + games).encode())
    assert (record.length, str(record.state.score), record.winner) == (0, "24-0", Side.WHITE)
    assert codes(record) == ["unlimited"]


def test_a_match_played_without_the_crawford_rule_is_told_by_its_points() -> None:
    rows = (OPENING, row(2, " Doubles => 2", " Takes"), row(3, "52: 13/6", "21: 13/11 6/5"))
    last = row(4, "21: ????", "Wins 4 points and the match")
    record = read_mat(mat(*rows, last, score=(4, 1)))
    assert record.winner is Side.BLACK
    assert codes(record) == ["crawford_off", "handicap"]


def test_totals_levels_and_cubes() -> None:
    score = MatchScore.start(5, black=3)
    assert stated_totals(score, Side.BLACK, 8) == {2, 5, 8}
    assert stated_totals(score, Side.WHITE, 2) == {2}
    assert level_of(score, StatedResult(Side.BLACK, 5), 4) is Win.GAMMON
    assert level_of(score, StatedResult(Side.WHITE, 3), 2) is None
    assert worth_of(score, StatedResult(Side.WHITE, 6), [1]) is None
    assert stated_totals(MatchScore.start(0), Side.WHITE, 6) == {6}
