"""Whatever is given to a decoder is a value or a typed error that says where and why."""

import base64
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.notation.formats import read_match
from scoring.notation.match_id import decode_match_id, encode_match_id
from scoring.notation.ogid import decode_ogid, encode_ogid
from scoring.notation.plays import parse_moves
from scoring.notation.position_id import decode_base64, decode_position_id, encode_position_id
from scoring.notation.xgid import decode_xgid, encode_xgid
from scoring.rules.dice import Roll
from scoring.rules.errors import InvalidNotation, InvalidValue, ScoringError
from scoring.rules.position import STARTING_POSITION, Position

START = "-b----E-C---eE---c-e----B-"
KNOWN = {
    "position ID": (decode_position_id, ["4HPwATDgc/ABMA", "sGfwATDgc/ABMA"]),
    "match ID": (decode_match_id, ["cAngAAAAAAAA", "cAngAAAAAAAE", "QYkqASAAIAAA", "MIEFAAAAAAAA"]),
    "XGID": (decode_xgid, [f"XGID={START}:0:0:1:00:0:0:0:0:10", f"{START}:1:-1:-1:63:2:4:0:9:10"]),
    "OGID": (decode_ogid, ["11jjjjjhhhccccc:ooddddd88866666:N0N::W:IW:0:0:1:0", "0:p:N0N"]),
    "position key": (Position.from_key, [START]),
    "roll": (Roll.parse, ["31", "66"]),
    "moves": (parse_moves, ["13/8 6/5", "bar/20*/16 6/4(2)", "Cannot Move"]),
}
CANONICAL = [
    *((decode_position_id, encode_position_id, text) for text in KNOWN["position ID"][1]),
    *((decode_match_id, encode_match_id, text) for text in KNOWN["match ID"][1]),
    (decode_xgid, encode_xgid, KNOWN["XGID"][1][1]),
    (decode_ogid, encode_ogid, "11ccccchhhjjjjj:66666888dddddoo:N0N::W:IW:0:0:1:0"),
    (Position.from_key, lambda position: position.key, START),
    (Roll.parse, str, "31"),
]  # fmt: skip


def judged(decode, text):
    """Whether ``text`` was read; an error must be typed, told by its offset, and say its own parameters."""
    error = refusal(decode, text)
    if error is None:
        return True
    assert type(error) in {InvalidNotation, InvalidValue}
    assert error.code.isidentifier()
    assert error.template.format(**error.parameters) == str(error)
    if isinstance(error, InvalidNotation):
        assert error.at is not None
        assert 0 <= error.at <= len(text)
    return False


def refusal(decode, text):
    try:
        decode(text)
    except ScoringError as error:
        return error
    return None


@pytest.mark.parametrize(("decode", "known"), KNOWN.values(), ids=KNOWN)
def test_a_text_cut_off_or_with_one_character_changed_is_read_or_told_by_its_place(decode, known):
    for text in known:
        assert judged(decode, text)
        for at in range(len(text)):
            judged(decode, text[:at])
            for other in "\0 Az09:/-*é٣\ud800":
                judged(decode, text[:at] + other + text[at + 1 :])
                judged(decode, text[:at] + other + text[at:])


@pytest.mark.parametrize(("decode", "known"), KNOWN.values(), ids=KNOWN)
@given(st.text(max_size=60) | st.binary(max_size=60).map(lambda data: data.decode("latin-1")))
def test_any_text_is_read_or_told_by_its_place(decode, known, text):
    judged(decode, text)


@pytest.mark.parametrize(("decode", "encode", "text"), CANONICAL)
def test_a_canonical_text_is_written_as_it_was_read(decode, encode, text):
    assert encode(decode(text)) == text


@given(st.binary(min_size=9, max_size=9))
def test_a_match_id_that_is_read_is_written_the_same_unless_its_dice_were_turned(data):
    text = base64.b64encode(data).decode()
    try:
        value = decode_match_id(text)
    except ScoringError:
        return
    bits = int.from_bytes(data, "little")
    high, low = bits >> 15 & 7, bits >> 18 & 7
    assert (encode_match_id(value) == text) == (high >= low)
    assert decode_match_id(encode_match_id(value)) == value


def test_the_bits_of_the_starting_position_are_the_published_ones():
    text = encode_position_id(STARTING_POSITION)
    assert decode_base64(text, 14, "Position ID").hex() == "e073f00130e073f00130"


@given(
    st.sampled_from(
        [b"", b"RGMH", b"OGXM", b"{", b'{"games": [', b'{"format":"BGF"}\n:)\n', b"\x1f\x8b", b";"]
    ),
    st.binary(max_size=200),
)
def test_any_bytes_are_a_match_or_a_typed_error(magic, data):
    with pytest.raises(InvalidNotation) as caught:
        read_match(magic + data)
    assert str(caught.value)


def test_a_file_of_digits_alone_is_refused_at_once():
    began = time.process_time()
    with pytest.raises(InvalidNotation):
        read_match(b"x" + b"1" * 30_000)
    assert time.process_time() - began < 1
