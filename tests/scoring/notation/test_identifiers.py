"""One position in every notation: read from each, written in each, and the same in all of them."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.notation.identifiers import identifiers_of, read_identifier
from scoring.notation.xgid import Offer, Xgid, decode_xgid, encode_xgid
from scoring.rules.cube import Cube
from scoring.rules.dice import ALL_ROLLS
from scoring.rules.errors import InvalidNotation, InvalidValue, ScoringError
from scoring.rules.position import STARTING_POSITION, Position
from scoring.rules.sides import Side

OPENING = "-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:7:10"
# GNU Backgammon's manual, "Match ID": a match to 9 at 2-4, cube 2 owned by player 0, a 52 to play.
GNUBG = "4HPwATDgc/ABMA:QYkqASAAIAAA"
# OpenGammon's opening position, as GammonView writes it.
OGID = "11ccccchhhjjjjj:66666888dddddoo:N0N::W:IW:0:0:1:0"


def test_each_notation_is_read() -> None:
    assert encode_xgid(read_identifier(f" XGID={OPENING} \n")) == OPENING
    assert encode_xgid(read_identifier(f"https://club.example/positions/?xgid={OPENING}")) == OPENING
    seen = read_identifier(GNUBG)
    assert (seen.length, seen.white, seen.black, str(seen.roll)) == (9, 2, 4, "52")
    assert seen.cube == Cube(2, Side.WHITE)
    assert seen == read_identifier("GNU Backgammon  Position ID: 4HPwATDgc/ABMA\n Match ID   : QYkqASAAIAAA")
    seen = read_identifier(OGID)
    assert (seen.position, seen.turn, seen.length) == (STARTING_POSITION, Side.BLACK, 1)


@pytest.mark.parametrize(
    "text",
    ["", "x", "4HPwATDgc/ABM", "XGID=", OPENING[:-3], "https://club.example/", "1:1:N", "a" * 1000, "\x00"],
)
def test_what_is_none_of_them_is_refused(text: str) -> None:
    with pytest.raises(ScoringError):
        read_identifier(text)


def test_the_refusal_names_what_was_pasted() -> None:
    with pytest.raises(InvalidNotation, match="“hello” is not an XGID"):
        read_identifier("hello")


sides = st.sampled_from([Side.WHITE, Side.BLACK])
cubes = st.one_of(st.just(Cube()), st.builds(Cube, st.sampled_from([2, 4, 64]), sides))
positions = st.sampled_from(
    [
        STARTING_POSITION,
        Position.from_points({25: 1, 6: 5, 1: 2}, {25: 2, 13: 1}),
        decode_xgid("-ABBCCD------------edcba--:0:0:1:00:0:0:0:0:10").position,
    ]
)


@given(positions, cubes, sides, st.sampled_from([None, *ALL_ROLLS, Offer.DOUBLE]), st.integers(0, 6))
def test_every_notation_says_the_same(position, cube, turn, shown, black) -> None:
    seen = Xgid(
        position,
        cube=cube,
        turn=turn,
        roll=None if isinstance(shown, Offer) else shown,
        offer=shown if isinstance(shown, Offer) else None,
        white=3,
        black=black,
        length=7,
        crawford=black == 6 and cube == Cube(),
    )
    written = identifiers_of(seen)
    assert read_identifier(written.xgid) == seen
    assert read_identifier(f"{written.position_id}:{written.match_id}") == seen
    assert read_identifier(written.ogid) == seen


def test_money_play_in_every_notation() -> None:
    seen = replace(decode_xgid(OPENING), length=0, jacoby=True, beavers=True)
    written = identifiers_of(seen)
    for text in (written.xgid, f"{written.position_id}:{written.match_id}", written.ogid):
        assert read_identifier(text) == seen


def test_a_beaver_has_no_match_id() -> None:
    seen = replace(decode_xgid(OPENING), roll=None, offer=Offer.BEAVER, length=0)
    assert identifiers_of(seen).match_id == ""


def test_a_cube_above_32768_has_no_match_id() -> None:
    # Four bits hold the power of two: 15 is the highest.
    money = replace(decode_xgid(OPENING), length=0, jacoby=True, beavers=True)
    seen = replace(money, cube=Cube(1 << 15, Side.WHITE))
    written = identifiers_of(seen)
    assert read_identifier(f"{written.position_id}:{written.match_id}") == seen
    beyond = identifiers_of(replace(seen, cube=Cube(1 << 16, Side.WHITE)))
    assert beyond.match_id == ""
    assert beyond.xgid.split(":")[1:3] == ["16", "1"]
    assert ":W16N:" in beyond.ogid


def test_an_ogid_of_fewer_than_15_checkers_is_refused() -> None:
    fourteen = OGID.replace("11c", "1c").replace("oo:", "o:") + ":14"
    with pytest.raises(InvalidValue, match="only positions with 15 checkers a side can be read"):
        read_identifier(fourteen)
