"""GNU Backgammon's Match ID: 12 characters for cube, dice, score and who is to act.

Source: docs/reference/notation.md, "Match ID".

72 bits, least significant first.  Player 0 is White, the left column; player 1 is Black.
"""

from dataclasses import dataclass
from enum import IntEnum

from scoring.notation.position_id import decode_base64, encode_base64
from scoring.rules.cube import Cube
from scoring.rules.dice import Roll
from scoring.rules.errors import InvalidNotation, InvalidValue
from scoring.rules.match import LONGEST_MATCH
from scoring.rules.sides import Side

_LENGTH = 12
_PLAYERS = (Side.WHITE, Side.BLACK)
_CENTRED = 3
_HIGHEST_CUBE = 2**15

# name, width in bits, in the order in which they are packed
_FIELDS = (
    ("cube", 4), ("owner", 2), ("on_roll", 1), ("crawford", 1), ("state", 3), ("turn", 1), ("doubled", 1),
    ("resignation", 2), ("high", 3), ("low", 3), ("length", 15), ("white", 15), ("black", 15), ("no_jacoby",
    1),
)  # fmt: skip


class Progress(IntEnum):
    """The state of the game as a Match ID has it."""

    NOT_STARTED = 0
    PLAYING = 1
    OVER = 2
    RESIGNED = 3
    DROPPED = 4


@dataclass(frozen=True, slots=True)
class MatchId:
    """What a Match ID says.

    ``on_roll``      whose turn it is;
    ``turn``         who decides next: the other one after a double or resignation;
    ``resignation``  the level that was offered, 0 for none;
    ``length``       0 for money;
    ``white``        the points of player 0, as ``black`` are those of player 1.

    Raises :class:`InvalidValue` for what the ID cannot hold or no match can be.
    """

    cube: Cube = Cube()  # noqa: RUF009 - frozen
    on_roll: Side = Side.WHITE
    crawford: bool = False
    progress: Progress = Progress.PLAYING
    turn: Side = Side.WHITE
    doubled: bool = False
    resignation: int = 0
    roll: Roll | None = None
    length: int = 0
    white: int = 0
    black: int = 0
    jacoby: bool = True

    def __post_init__(self) -> None:
        if self.cube.value > _HIGHEST_CUBE:
            raise InvalidValue("cube", "a Match ID cannot hold a cube of {value}", value=self.cube.value)
        if self.crawford and (not self.length or self.cube.value > 1):
            raise InvalidValue("crawford", "a Crawford game needs a match length and has no cube")
        if type(self.resignation) is not int or not 0 <= self.resignation <= 3:
            raise InvalidValue("resignation", "{level!r} is not a resignation level", level=self.resignation)
        for name in ("length", "white", "black"):
            points = getattr(self, name)
            if type(points) is not int or not 0 <= points <= LONGEST_MATCH:
                raise InvalidValue("points", "{name} cannot be {points!r}", name=name, points=points)
        beyond = self.length and max(self.white, self.black) >= self.length
        if beyond and self.progress in {Progress.NOT_STARTED, Progress.PLAYING}:
            raise InvalidValue(
                "beyond_length",
                "no game is played at {white}-{black} in a match to {length}",
                white=self.white,
                black=self.black,
                length=self.length,
            )


def encode_match_id(value: MatchId) -> str:
    """The ID of ``value``.

    >>> encode_match_id(MatchId(on_roll=Side.BLACK, turn=Side.BLACK, length=7, jacoby=True))
    'cAngAAAAAAAA'
    """
    owner = _CENTRED if value.cube.owner is None else _PLAYERS.index(value.cube.owner)
    numbers = {
        "cube": value.cube.value.bit_length() - 1,
        "owner": owner,
        "on_roll": _PLAYERS.index(value.on_roll),
        "crawford": int(value.crawford),
        "state": int(value.progress),
        "turn": _PLAYERS.index(value.turn),
        "doubled": int(value.doubled),
        "resignation": value.resignation,
        "high": value.roll.high if value.roll else 0,
        "low": value.roll.low if value.roll else 0,
        "length": value.length,
        "white": value.white,
        "black": value.black,
        "no_jacoby": int(not value.jacoby),
    }
    bits, at = 0, 0
    for name, width in _FIELDS:
        bits |= numbers[name] << at
        at += width
    return encode_base64(bits.to_bytes(9, "little"))


def decode_match_id(text: str) -> MatchId:
    """Undo :func:`encode_match_id`.

    Raises :class:`InvalidNotation` for text that cannot be read, :class:`InvalidValue` for a cube, die or
    score that cannot be.

    >>> value = decode_match_id("QYkqASAAIAAA")
    >>> value.length, value.white, value.black, value.cube, str(value.roll)
    (9, 2, 4, Cube(value=2, owner=<Side.WHITE: 'white'>), '52')
    """
    bits = int.from_bytes(decode_base64(text, _LENGTH, "Match ID"), "little")
    numbers = {}
    for name, width in _FIELDS:
        numbers[name] = bits & ((1 << width) - 1)
        bits >>= width
    if bits:
        raise InvalidNotation("spare_bits", "{text!r} sets spare bits (at {at})", at=_LENGTH - 1, text=text)
    if numbers["owner"] == 2:
        raise InvalidNotation("owner", "{text!r} has an unknown cube owner (at {at})", at=0, text=text)
    if numbers["state"] not in set(Progress):
        raise InvalidNotation(
            "state", "{text!r} has an unknown state: {state}", at=1, text=text, state=numbers["state"]
        )
    return MatchId(
        cube=Cube(1 << numbers["cube"], None if numbers["owner"] == _CENTRED else _PLAYERS[numbers["owner"]]),
        on_roll=_PLAYERS[numbers["on_roll"]],
        crawford=bool(numbers["crawford"]),
        progress=Progress(numbers["state"]),
        turn=_PLAYERS[numbers["turn"]],
        doubled=bool(numbers["doubled"]),
        resignation=numbers["resignation"],
        roll=Roll(numbers["high"], numbers["low"]) if numbers["high"] or numbers["low"] else None,
        length=numbers["length"],
        white=numbers["white"],
        black=numbers["black"],
        jacoby=not numbers["no_jacoby"],
    )
