"""Position ID, Match ID, XGID and OGID: known values, round trips, and anything else refused."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.notation.match_id import MatchId, Progress, decode_match_id, encode_match_id
from scoring.notation.ogid import CubeAction, Ogid, decode_ogid, encode_ogid
from scoring.notation.position_id import decode_position_id, encode_position_id
from scoring.notation.xgid import Offer, Xgid, decode_xgid, encode_xgid, xgid_of
from scoring.rules.cube import Cube
from scoring.rules.dice import ALL_ROLLS, Roll
from scoring.rules.errors import InvalidNotation, InvalidValue
from scoring.rules.events import Beavered, Doubled, OpeningRolled, Played, Raccooned
from scoring.rules.plays import Move
from scoring.rules.position import STARTING_POSITION, Position
from tests.scoring.rules.positions import positions
from tests.scoring.rules.sheets import BLACK, WHITE, after, game, started, white_to_roll

START = "-b----E-C---eE---c-e----B-"
SIDES = st.sampled_from([WHITE, BLACK])
CUBES = st.builds(
    lambda power, owner: Cube(1 << power, owner if power else None), st.integers(0, 15), st.none() | SIDES
)
MAYBE_ROLL = st.none() | st.sampled_from(ALL_ROLLS)
IRREGULAR = Position((2, 14, *[0] * 24), (15, *[0] * 25), irregular=True)


def refused(decode, text):
    with pytest.raises((InvalidNotation, InvalidValue)) as caught:
        decode(text)
    return caught.value


# Position ID


def test_known_position_ids():
    assert encode_position_id(STARTING_POSITION) == "4HPwATDgc/ABMA"
    state = after(started(), OpeningRolled(3, 1), Played((Move(8, 5), Move(6, 5))))
    assert encode_position_id(state.game.seen_by(BLACK)) == "sGfwATDgc/ABMA"
    assert decode_position_id("sGfwATDgc/ABMA") == state.game.seen_by(BLACK)


@given(positions)
def test_a_position_is_read_back_from_its_id(position):
    assert decode_position_id(encode_position_id(position)) == position


@pytest.mark.parametrize(
    ("text", "code", "at"),
    [
        ("4HPwATDgc/ABM", "id_length", 13),
        ("4HPwATDgc/ABMAA", "id_length", 14),
        ("4HPwATDgc/AB-A", "base64", 12),
        ("4HPwATDgc/ABMé", "base64", 13),
        ("4HPwATDgc/ABMB", "trailing_bits", 13),
        ("AAAAAAAAAAAAgA", "trailing_bits", 13),
    ],
)
def test_a_position_id_that_cannot_be_read_is_told_by_its_offset(text, code, at):
    error = refused(decode_position_id, text)
    assert (error.code, error.at) == (code, at)


def test_an_id_of_an_impossible_position_is_refused():
    assert refused(decode_position_id, "//////////////"[:13] + "8").code in {"checkers", "trailing_bits"}
    assert refused(decode_position_id, "//8AAAAAAAAAAA").code == "checkers"
    with pytest.raises(InvalidValue, match="no Position ID"):
        encode_position_id(IRREGULAR)


@given(st.text(max_size=16) | st.text("ABCDEFGHIabcdefghi0123+/", min_size=14, max_size=14))
def test_any_text_is_a_position_id_or_a_typed_error(text):
    try:
        position = decode_position_id(text)
    except (InvalidNotation, InvalidValue):
        return
    assert encode_position_id(position) == text


# Match ID


KNOWN_MATCH_IDS = {
    "cAngAAAAAAAA": MatchId(on_roll=BLACK, turn=BLACK, length=7),
    "cAngAAAAAAAE": MatchId(on_roll=BLACK, turn=BLACK, length=7, jacoby=False),
    "QYkqASAAIAAA": MatchId(
        Cube(2, WHITE), on_roll=BLACK, turn=BLACK, roll=Roll(5, 2), length=9, white=2, black=4
    ),
    "MIEFAAAAAAAA": MatchId(roll=Roll(3, 1)),
}


@pytest.mark.parametrize("text", KNOWN_MATCH_IDS)
def test_known_match_ids(text):
    assert decode_match_id(text) == KNOWN_MATCH_IDS[text]
    assert encode_match_id(KNOWN_MATCH_IDS[text]) == text


@st.composite
def match_ids(draw):
    length = draw(st.integers(0, 32767))
    highest = length - 1 if length else 32767
    crawford = bool(length) and draw(st.booleans())
    return MatchId(
        cube=Cube() if crawford else draw(CUBES),
        on_roll=draw(SIDES),
        crawford=crawford,
        progress=draw(st.sampled_from(Progress)),
        turn=draw(SIDES),
        doubled=draw(st.booleans()),
        resignation=draw(st.integers(0, 3)),
        roll=draw(MAYBE_ROLL),
        length=length,
        white=draw(st.integers(0, highest)),
        black=draw(st.integers(0, highest)),
        jacoby=draw(st.booleans()),
    )


@given(match_ids())
def test_a_match_id_is_read_back(value):
    assert decode_match_id(encode_match_id(value)) == value


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("cAngAAAAAAA", "id_length"),
        ("cAngAAAAAAA=", "base64"),
        ("cAngAAAAAAAI", "spare_bits"),
        ("IAngAAAAAAAA", "owner"),
        ("cA3gAAAAAAAA", "state"),
        ("AAngAAAAAAAA", "cube_owned"),
        ("MIEBAAAAAAAA", "die"),
        ("MIEHAAAAAAAA", "die"),
    ],
)
def test_a_match_id_that_cannot_be_is_refused(text, code):
    assert refused(decode_match_id, text).code == code


@pytest.mark.parametrize(
    "make",
    [
        lambda: MatchId(Cube(2**16, WHITE)),
        lambda: MatchId(length=5, white=5),
        lambda: MatchId(length=-1),
        lambda: MatchId(length=5, black=True),
        lambda: MatchId(length=32768),
        lambda: MatchId(resignation=4),
        lambda: MatchId(crawford=True),
        lambda: MatchId(Cube(2), crawford=True, length=5),
    ],
)
def test_a_match_that_no_id_can_hold_is_refused(make):
    with pytest.raises(InvalidValue):
        make()


def test_a_finished_match_may_stand_at_its_length():
    value = MatchId(length=5, white=5, progress=Progress.OVER)
    assert decode_match_id(encode_match_id(value)) == value


@given(st.text("ABCDEFGHIabcdefghi0123+/", min_size=12, max_size=12))
def test_any_text_is_a_match_id_or_a_typed_error(text):
    try:
        value = decode_match_id(text)
    except (InvalidNotation, InvalidValue):
        return
    assert decode_match_id(encode_match_id(value)) == value


# XGID


def test_known_xgids():
    assert encode_xgid(Xgid(STARTING_POSITION)) == f"{START}:0:0:1:00:0:0:0:0:10"
    assert decode_xgid(f"XGID={START}:0:0:1:00:0:0:0:0:10") == Xgid(STARTING_POSITION)
    value = decode_xgid(f"{START}:1:-1:-1:63:2:4:0:9:10")
    assert value == Xgid(STARTING_POSITION, Cube(2, BLACK), BLACK, Roll(6, 3), white=2, black=4, length=9)
    assert decode_xgid(f"{START}:0:0:1:D:0:0:3:0:10").offer is Offer.DOUBLE
    assert decode_xgid(f"{START}:0:0:1:D:0:0:3:0:10").beavers
    assert decode_xgid(f"{START}:0:0:1:00:4:0:1:5:10").crawford
    lengths = {length: decode_xgid(f"{START}:0:0:1:00:0:0:0:{length}:10").has_cube for length in (0, 1, 5)}
    assert lengths == {0: True, 1: False, 5: True}


@st.composite
def xgids(draw):
    length = draw(st.integers(0, 25))
    highest = length - 1 if length else 1000
    crawford = bool(length) and draw(st.booleans())
    offer = draw(st.none() | st.sampled_from(Offer))
    return Xgid(
        position=draw(positions),
        cube=Cube() if crawford else draw(CUBES),
        turn=draw(SIDES),
        roll=None if offer else draw(MAYBE_ROLL),
        offer=offer,
        white=draw(st.integers(0, highest)),
        black=draw(st.integers(0, highest)),
        crawford=crawford,
        jacoby=not length and draw(st.booleans()),
        beavers=not length and draw(st.booleans()),
        length=length,
        max_cube=1 << draw(st.integers(0, 20)),
    )


@given(xgids())
def test_an_xgid_is_read_back(value):
    text = encode_xgid(value)
    assert decode_xgid(text) == value
    assert encode_xgid(decode_xgid("XGID=" + text)) == text


@pytest.mark.parametrize(
    ("text", "code", "at"),
    [
        (f"{START}:0:0:1:00:0:0:0:0", "fields", 43),
        (f"XGID={START}:x:0:1:00:0:0:0:0:10", "field", 32),
        (f"{START}:99:0:1:00:0:0:0:0:10", "field", 27),
        (f"{START}:0:2:1:00:0:0:0:0:10", "field", 29),
        (f"{START}:0:0:0:00:0:0:0:0:10", "field", 31),
        (f"{START}:0:0:1:07:0:0:0:0:10", "field", 33),
        (f"{START}:0:0:1:00:-1:0:0:0:10", "field", 36),
        (f"{START}:0:0:1:00:0:01:0:0:10", "field", 38),
        (f"{START}:0:0:1:00:0:0:2:5:10", "field", 40),
        (f"{START}:0:0:1:00:0:0:4:0:10", "field", 40),
        (f"{START}:0:0:1:00:0:0:0:99999:10", "field", 42),
        (f"{START}:0:0:1:00:0:0:0:٣:10", "field", 42),
        (f"{START}:0:0:1:00:0:0:0:0:31", "field", 44),
        (START[:25] + ":0:0:1:00:0:0:0:0:10", "position_key_length", 25),
    ],
)
def test_an_xgid_that_cannot_be_read_is_told_by_its_offset(text, code, at):
    error = refused(decode_xgid, text)
    assert (error.code, error.at) == (code, at)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            f"{START}:99:0:1:00:0:0:0:0:10",
            "Field 2 of the XGID, the cube: '99' is not a whole number from 0 to",
        ),
        (
            f"{START}:0:2:1:00:0:0:0:0:10",
            "Field 3 of the XGID, the owner of the cube: '2' is not 1 (bottom player)",
        ),
        (f"{START}:0:0:1:77:0:0:0:0:10", "Field 5 of the XGID, the dice: '77' is not a roll such as 31"),
        (
            f"{START}:0:0:1:00:0:0:2:5:10",
            "Field 8 of the XGID, the rules: '2' is not a whole number from 0 to 1",
        ),
        (
            START[:25] + ":0:0:1:00:0:0:0:0:10",
            "Field 1 of the XGID, the position: '-b----E-C---eE---c-e----B'",
        ),
    ],
)
def test_what_is_wrong_with_an_xgid_names_field_value_and_what_it_can_be(text, said):
    assert said in str(refused(decode_xgid, text))


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (f"{START}:0:1:1:00:0:0:0:0:10", "cube_owned"),
        (f"{START}:0:0:1:00:5:0:0:5:10", "beyond_length"),
        (f"{START}:1:1:1:00:4:0:1:5:10", "crawford"),
        ("A" * 26 + ":0:0:1:00:0:0:0:0:10", "position_key"),
        ("-O" + "A" + "-" * 23 + ":0:0:1:00:0:0:0:0:10", "checkers"),
    ],
)
def test_an_xgid_of_what_cannot_be_is_refused(text, code):
    assert refused(decode_xgid, text).code == code


@pytest.mark.parametrize(
    "make",
    [
        lambda: Xgid(IRREGULAR),
        lambda: Xgid(STARTING_POSITION, roll=Roll(3, 1), offer=Offer.DOUBLE),
        lambda: Xgid(STARTING_POSITION, length=5, jacoby=True),
        lambda: Xgid(STARTING_POSITION, white=-1),
        lambda: Xgid(STARTING_POSITION, length=True),
        lambda: Xgid(STARTING_POSITION, max_cube=3),
        lambda: Xgid(STARTING_POSITION, crawford=True),
    ],
)
def test_what_an_xgid_cannot_show_is_refused(make):
    with pytest.raises(InvalidValue):
        make()


def test_the_xgid_of_a_state_shows_the_board_of_white():
    assert xgid_of(started(7)) == f"{START}:0:0:1:00:0:0:0:7:10"
    state = after(started(7, max_cube=64), game(BLACK), OpeningRolled(1, 3))
    assert xgid_of(state) == f"{START}:0:0:-1:31:0:1:0:7:6"
    assert xgid_of(started(3, white=2)).endswith(":2:0:1:3:10")
    state = after(white_to_roll(started(0)), Doubled())
    assert ":0:0:1:D:0:0:3:0:10" in xgid_of(state)
    assert ":2:-1:1:B:0:0:3:0:10" in xgid_of(after(state, Beavered()))
    assert ":3:-1:1:R:0:0:3:0:10" in xgid_of(after(state, Beavered(), Raccooned()))


@given(st.text(max_size=60))
def test_any_text_is_an_xgid_or_a_typed_error(text):
    assert refused(decode_xgid, text).code


# OGID


def test_known_ogids():
    known = Ogid(STARTING_POSITION, acted=WHITE, state="IW", length=1)
    assert decode_ogid("11jjjjjhhhccccc:ooddddd88866666:N0N::W:IW:0:0:1:0") == known
    assert encode_ogid(known) == "11ccccchhhjjjjj:66666888dddddoo:N0N::W:IW:0:0:1:0"
    assert known.on_roll is BLACK
    value = decode_ogid("cccccggggg:ddddiiiiii:W2T:36:B:IW:4:3:7C:1:15")
    assert (value.cube, value.action, value.roll) == (Cube(4, WHITE), CubeAction.TAKEN, Roll(6, 3))
    assert (value.crawford, value.on_roll, value.position.own[0]) == (True, WHITE, 5)


def test_fields_after_the_cube_may_be_missing():
    value = decode_ogid("0:p:N0N")
    assert (value.position.own[25], value.position.opponent[25], value.on_roll) == (1, 1, None)
    assert decode_ogid("0:p:N0N:31").roll == Roll(3, 1)
    assert decode_ogid(encode_ogid(value)) == value


@st.composite
def ogids(draw):
    length = draw(st.integers(0, 25))
    rule = draw(st.sampled_from(["", "C", "L", "G"]))
    return Ogid(
        position=draw(positions),
        cube=draw(CUBES),
        action=draw(st.sampled_from(CubeAction)),
        roll=draw(MAYBE_ROLL),
        acted=draw(st.none() | SIDES),
        state=draw(st.text("ABCDEFGHIJKLMNOPQRSTUVWXYZ", max_size=2)),
        white=draw(st.integers(0, length)),
        black=draw(st.integers(0, length)),
        length=length,
        crawford=rule == "C",
        post_crawford=rule == "L",
        games=draw(st.integers(0, 99)) if rule == "G" else None,
        move=draw(st.integers(0, 999)),
    )


@given(ogids())
def test_an_ogid_is_read_back(value):
    text = encode_ogid(value)
    assert decode_ogid(text) == value
    assert encode_ogid(decode_ogid(text)) == text


def test_another_number_of_checkers_is_written_last():
    text = "123:mno:N0N:::" + ":0:0:0:0:3"
    value = decode_ogid(text)
    assert value.position.irregular
    assert encode_ogid(value) == text


@pytest.mark.parametrize(
    ("text", "code", "at"),
    [
        ("11:oo", "fields", 5),
        (":".join(["1"] * 12), "fields", 23),
        ("p:oo:N0N", "field", 0),
        ("1:0:N0N", "field", 2),
        ("1:o:X0N", "field", 4),
        ("1:o:N0N:70", "field", 8),
        ("1:o:N0N::X", "field", 9),
        ("1:o:N0N::W:iw", "field", 11),
        ("1:o:N0N::W::x", "field", 12),
        ("1:o:N0N::W::0:0:5X", "field", 16),
        ("1:o:N٣N", "field", 4),
    ],
)
def test_an_ogid_that_cannot_be_read_is_told_by_its_offset(text, code, at):
    error = refused(decode_ogid, text)
    assert (error.code, error.at) == (code, at)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("1" * 16 + ":o:N0N", "checkers"),
        ("1:" + "o" * 16 + ":N0N", "checkers"),
        ("1:1:N0N", "shared_point"),
        ("1:o:W0N", "cube_owned"),
        ("1:o:W99N", "cube"),
        ("1:o:N0N::W::6:0:5:0", "beyond_length"),
        ("1:o:N0N::W::0:0:0:0:0", "checkers"),
    ],
)
def test_an_ogid_of_what_cannot_be_is_refused(text, code):
    assert refused(decode_ogid, text).code == code


@pytest.mark.parametrize(
    "make",
    [
        lambda: Ogid(STARTING_POSITION, crawford=True, post_crawford=True),
        lambda: Ogid(STARTING_POSITION, length=40000),
        lambda: Ogid(STARTING_POSITION, white=-1),
        lambda: Ogid(STARTING_POSITION, move=True),
        lambda: Ogid(STARTING_POSITION, games=-1),
        lambda: Ogid(Position((1, 13) + (0,) * 24, (15,) + (0,) * 25, irregular=True)),
    ],
)
def test_what_an_ogid_cannot_show_is_refused(make):
    with pytest.raises(InvalidValue):
        make()


@given(st.text("0123456789abcdefghijklmnop:NWBOTP", max_size=60))
def test_any_text_is_an_ogid_or_a_typed_error(text):
    try:
        value = decode_ogid(text)
    except (InvalidNotation, InvalidValue):
        return
    assert decode_ogid(encode_ogid(value)) == value
