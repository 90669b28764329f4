"""Plays read as people and programs write them, and written in one way."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.notation.plays import format_moves, format_play, parse_moves
from scoring.rules.dice import Roll
from scoring.rules.errors import IllegalPlay, InvalidNotation
from scoring.rules.explain import resolve_play
from scoring.rules.plays import legal_plays
from scoring.rules.position import STARTING_POSITION
from tests.scoring.rules.positions import positions, rolls
from tests.scoring.rules.test_legal_plays import worked


@pytest.mark.parametrize(
    ("text", "moves"),
    [
        ("13/8 6/5", [(13, 8), (6, 5)]),
        ("25/20 1/0", [(25, 20), (1, 0)]),
        ("Bar/20* 8/Off", [(25, 20), (8, 0)]),
        ("6/4(2)", [(6, 4), (6, 4)]),
        ("13/7*(2) 7/1*(2)", [(13, 7), (13, 7), (7, 1), (7, 1)]),
        ("24/18/13", [(24, 18), (18, 13)]),
        ("24/18*/13*", [(24, 18), (18, 13)]),
        ("20/8(2)", [(20, 8), (20, 8)]),
        ("13/8,6/5", [(13, 8), (6, 5)]),
        ("  13/8   6/5  ", [(13, 8), (6, 5)]),
        ("Cannot Move", []),
        ("", []),
    ],
)
def test_every_spelling_is_read(text, moves):
    assert list(parse_moves(text)) == moves


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("13/8 6-5", 5),
        ("13/26", 3),
        ("13/8 foo/5", 5),
        ("13/8(5)", 0),
        ("????", 0),
        ("13/", 0),
        ("/8", 0),
        ("13/08", 3),
    ],
)
def test_what_cannot_be_read_is_told_by_its_offset(text, at):
    with pytest.raises(InvalidNotation) as caught:
        parse_moves(text)
    assert caught.value.at == at
    assert str(at) in str(caught.value)


@given(st.text(alphabet="bar/of*0123456789() ", max_size=20))
def test_any_text_is_moves_or_a_typed_error(text):
    try:
        moves = parse_moves(text)
    except InvalidNotation:
        return
    assert len(moves) >= text.count("/")


@given(positions, rolls)
def test_every_legal_play_is_written_so_that_it_reads_the_same(position, roll):
    for play in legal_plays(position, roll)[:30]:
        text = format_play(position, play)
        read = resolve_play(position, roll, parse_moves(text))
        assert read.result == play.result
        assert format_play(position, read) == text


@pytest.mark.parametrize(
    ("position", "moves", "text"),
    [
        (STARTING_POSITION, ((6, 4), (24, 22), (6, 4), (22, 20)), "24/20 6/4(2)"),
        (STARTING_POSITION, (), ""),
        (worked("24:2,6:13", "18"), ((24, 18), (24, 18)), "24/18*(2)"),
        (worked("24:2,6:13", "18"), ((24, 18), (18, 12), (24, 18), (18, 12)), "24/18*/12 24/12"),
        (worked("bar,6:14", "20"), ((25, 20), (6, 3)), "bar/20* 6/3"),
        (worked("6,2"), ((2, 0), (6, 1)), "6/1 2/off"),
    ],
)
def test_plays_are_written_in_one_way(position, moves, text):
    from scoring.rules.plays import Move

    assert format_moves(position, tuple(Move(*move) for move in moves)) == text


def test_a_play_that_is_read_may_still_not_be_allowed():
    with pytest.raises(IllegalPlay, match="blocked") as caught:
        resolve_play(worked("24,13:14", "18:4"), Roll(6, 5), parse_moves("24/18 13/8"))
    assert str(caught.value) == "24/18 is blocked: 4 checkers on the 18 point"
