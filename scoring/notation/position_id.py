"""GNU Backgammon's Position ID: 14 characters for where the checkers stand.

Source: docs/reference/notation.md, "Position ID".

80 bits: first for the player who is *not* on roll, then for the one who is, points 1 to 24 and the bar in
each player's numbering, each as many ones as checkers and a zero; least significant bit first, then base64
without padding.
The order of the players follows the program's source; the sentence in its manual has it the other way round.
"""

import base64
import binascii
from itertools import chain

from scoring.rules.errors import InvalidNotation, InvalidValue
from scoring.rules.position import BAR, CHECKERS, OFF, Position

_LENGTH = 14
_BYTES = 10
_BASE64 = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")


def encode_position_id(position: Position) -> str:
    """The ID of ``position``, seen by the player on roll.

    Raises :class:`InvalidValue` for an irregular position: the ID cannot say how many checkers are off.

    >>> from scoring.rules.position import STARTING_POSITION
    >>> encode_position_id(STARTING_POSITION)
    '4HPwATDgc/ABMA'
    """
    if position.irregular:
        raise InvalidValue(
            "irregular", "{position} is irregular and has no Position ID", position=str(position)
        )
    bits, at = 0, 0
    for count in chain(position.opponent[1:], position.own[1:]):
        bits |= ((1 << count) - 1) << at
        at += count + 1
    return encode_base64(bits.to_bytes(_BYTES, "little"))


def decode_position_id(text: str) -> Position:
    """Undo :func:`encode_position_id`; the checkers that are not in view are off.

    Raises :class:`InvalidNotation` at the first bad character, :class:`InvalidValue` for an impossible
    position.

    >>> decode_position_id("sGfwATDgc/ABMA").opponent[5]
    2
    """
    bits = int.from_bytes(decode_base64(text, _LENGTH, "Position ID"), "little")
    opponent, bits = _read_side(bits, text)
    own, bits = _read_side(bits, text)
    if bits:
        raise InvalidNotation(
            "trailing_bits", "{text!r} goes on after the last bar (at {at})", at=_LENGTH - 1, text=text
        )
    return Position(own, opponent)


def _read_side(bits: int, text: str) -> tuple[tuple[int, ...], int]:
    counts = [0] * (BAR + 1)
    for slot in range(1, BAR + 1):
        while bits & 1:
            counts[slot] += 1
            bits >>= 1
        bits >>= 1
    in_view = sum(counts)
    if in_view > CHECKERS:
        raise InvalidValue(
            "checkers", "{text!r} shows {total} checkers of one side", text=text, total=in_view
        )
    counts[OFF] = CHECKERS - in_view
    return tuple(counts), bits


def encode_base64(data: bytes) -> str:
    """``data`` in base64 without padding."""
    return base64.b64encode(data).decode().rstrip("=")


def decode_base64(text: str, length: int, name: str) -> bytes:
    """The bytes of ``length`` characters of base64 without padding.

    Raises :class:`InvalidNotation` for another length or alphabet, or set bits after the last byte.
    """
    for at, character in enumerate(text):
        if character not in _BASE64:
            raise InvalidNotation(
                "base64",
                "{text!r} is not a valid {name}: {character!r} at {at}",
                at=at,
                text=text,
                name=name,
                character=character,
            )
    if len(text) != length:
        raise InvalidNotation(
            "id_length",
            "a {name} has {length} characters, {text!r} has {given}",
            at=min(len(text), length),
            name=name,
            length=length,
            text=text,
            given=len(text),
        )
    data = binascii.a2b_base64(text + "=" * (-length % 4))
    if encode_base64(data) != text:
        raise InvalidNotation(
            "trailing_bits", "{text!r} goes on after the last byte (at {at})", at=length - 1, text=text
        )
    return data
