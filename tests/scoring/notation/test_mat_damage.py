"""Damage to real files: each is read and says what was guessed, or refused by its line; never in silence."""

import random
from pathlib import Path

import pytest

from scoring.notation.formats import read_match
from scoring.notation.mat import read_mat
from scoring.notation.record import MatchRecord
from scoring.rules.errors import InvalidNotation
from scoring.rules.events import PlayStatus, Taken
from scoring.rules.sheet import replay
from scoring.rules.sides import Side
from tests.scoring.notation.test_mat import OPENING, mat, row
from tests.shared_data import SHARED_DATA, shared_files
from tests.tiers import sized

FILES = [*shared_files("matches/*.txt"), *shared_files("refused/match*.txt")]
ROUNDS = sized(5, 15)


def result(record: MatchRecord) -> tuple[object, ...]:
    score = record.state.score
    return record.length, score.capped(Side.WHITE), score.capped(Side.BLACK), record.winner


def read_or_refused(data: bytes) -> MatchRecord | None:
    """The record, held together; None where it is refused with the line and its words."""
    try:
        record = read_match(data)
    except InvalidNotation as error:
        assert error.code in {"unknown_format", "unsupported_format"} or error.line is not None  # noqa: PT017
        assert str(error)  # noqa: PT017
        return None
    assert replay(record.events) == record.state
    assert len(record.lines) == len(record.events)
    return record


def told_otherwise(record: MatchRecord | None, plain: MatchRecord) -> bool:
    """Whether a damaged file was read as another result, and nothing says so."""
    if record is None or not plain.finished or result(record) == result(plain):
        return False
    return {flag.code for flag in record.flags} <= {flag.code for flag in plain.flags}


def body_of(text: str) -> int:
    """Where the first row begins: what stands above (length, names) cannot be told from another file's."""
    return text.index("\n  1)")


@pytest.mark.parametrize("path", FILES)
def test_a_file_cut_off_anywhere_is_read_or_refused_and_says_so(path: Path) -> None:
    text = path.read_bytes()
    plain = read_match(text)
    drawn = random.Random(path.name)
    for at in [drawn.randrange(len(text)) for _ in range(ROUNDS)] + list(range(0, 400, 37)):
        assert not told_otherwise(read_or_refused(text[:at]), plain), at


@pytest.mark.parametrize("path", FILES)
def test_a_changed_character_is_read_or_refused_and_says_so(path: Path) -> None:
    text = path.read_text()
    plain = read_match(text.encode())
    drawn = random.Random(path.name)
    for _ in range(ROUNDS):
        at = drawn.randrange(body_of(text), len(text))
        other = drawn.choice("0123456789:/*()?xX \n\t\0é")
        damaged = text[:at] + other + text[at + 1 :]
        assert not told_otherwise(read_or_refused(damaged.encode()), plain), (at, other)


@pytest.mark.parametrize("path", FILES)
def test_a_lost_or_doubled_or_moved_line_is_read_or_refused_and_says_so(path: Path) -> None:
    text = path.read_text()
    plain = read_match(text.encode())
    drawn = random.Random(path.name)
    lines = text.split("\n")
    first = text[: body_of(text)].count("\n") + 1
    for _ in range(ROUNDS):
        at, to = drawn.randrange(first, len(lines)), drawn.randrange(first, len(lines))
        for damaged in (
            lines[:at] + lines[at + 1 :],
            [*lines[:at], lines[at], *lines[at:]],
            [*lines[: min(at, to)], lines[max(at, to)], *lines[min(at, to) :]],
        ):
            assert not told_otherwise(read_or_refused("\n".join(damaged).encode()), plain), (at, to)


def game(*rows: str, result: str = "      Wins 1 point") -> MatchRecord:
    return read_mat(mat(*rows, result, length=1))


def test_an_unrecorded_play_that_only_one_play_fits_is_repaired() -> None:
    rows = (
        row(1, "31: 8/5 6/5", "64: ???"),
        row(2, "52: 13/8 13/11", "31: 14/11 14/13"),
    )
    record = game(*rows, row(3, "21: 6/4 24/23", "65: ????"))
    assert record.winner is Side.WHITE
    assert [flag.code for flag in record.flags] == ["rest_unread"]
    told = game(row(1, "31: 8/5 6/5", "64: 24/x 18/x"), *rows[1:], row(3, "21: 6/4 24/23", "65: ????"))
    assert {flag.code for flag in told.flags} <= {"repaired", "rest_unread", "illegal_accepted"}


def test_a_missing_take_is_added_and_said() -> None:
    record = read_mat(mat(OPENING, row(2, " Doubles => 2"), row(3, "52: 13/8 13/11")))
    assert Taken() in record.events
    assert [(flag.code, flag.turn, flag.detail) for flag in record.flags][:1] == [("take_guessed", 3, "Jon")]


def test_the_rest_of_a_game_that_cannot_be_read_is_kept_by_its_result() -> None:
    unreadable = row(2, "52: 13/8 13/z", "64: 2/1 24/14")
    cube = row(3, " Doubles => 2", " Takes")
    record = read_mat(mat(OPENING, unreadable, cube, "      Wins 4 points"))
    assert record.state.games[0].outcome.points == 4
    assert record.state.games[0].outcome.cube == 2
    assert [flag.code for flag in record.flags] == ["rest_unread", "unfinished"]


def test_columns_that_change_their_players_are_followed() -> None:
    second = " Game 2\n Jon : 0                         Ana : 1\n" + row(1, "31: 8/5 6/5", "64: 24/14")
    record = read_mat(mat(OPENING, row(2, " Doubles => 2", " Drops"), "      Wins 1 point", second))
    assert record.players == ("Ana", "Jon")
    assert [flag.code for flag in record.flags] == ["columns_swapped", "unfinished"]
    assert [event.kind for event in record.events[-4:]] == ["opening_roll", "play", "roll", "play"]
    assert record.state.game.on_roll is Side.BLACK


def test_another_match_in_the_same_file_is_said_and_left() -> None:
    path = SHARED_DATA / "matches" / "galaxy-8062348.txt"
    if not path.exists():
        pytest.skip("data beside the project is absent")
    text = path.read_bytes()
    for second in (
        text,
        text.split(b"match\n", 1)[1].replace(b"bb2106", b"somebody").replace(b"lasse", b"else"),
    ):
        record = read_match(text + b"\n" + second)
        assert result(record) == result(read_match(text))
        assert [flag.code for flag in record.flags] == ["more_matches"]


def test_an_illegal_play_stays_as_it_was_played() -> None:
    record = read_mat(mat(row(1, "31: 13/8", "64: 24/14"), row(2, "52: 13/6")))
    assert record.events[2].status is PlayStatus.ILLEGAL_ACCEPTED  # type: ignore[union-attr]


def test_a_line_of_a_million_characters_costs_nothing() -> None:
    for character in (" : 1", "9", " ", "a/b", "Game ", "(", "12:"):
        line = character * (1_000_000 // len(character))
        record = read_mat(mat(OPENING, line))
        assert "line_skipped" in {flag.code for flag in record.flags}
