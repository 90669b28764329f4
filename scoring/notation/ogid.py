"""OpenGammon's OGID: a position with cube, dice and score, one character a checker.

Source: docs/reference/notation.md, "OGID".

``white:black:cube[:dice:acted:state:white points:black points:length:move[:checkers]]``.  The characters 0-9
and a-p are the slots 0 to 25 of a fixed board: White runs from 1 to 24, 0 is White's bar, 25 Black's.  Any
order of checkers is read; they are written sorted, as GammonView writes them.
"""

import re
from dataclasses import dataclass
from enum import StrEnum

from scoring.rules.cube import HIGHEST_CUBE, Cube
from scoring.rules.dice import Roll
from scoring.rules.errors import InvalidNotation, InvalidValue
from scoring.rules.match import LONGEST_MATCH
from scoring.rules.position import BAR, CHECKERS, OFF, Position
from scoring.rules.sides import Side

_SLOTS = "0123456789abcdefghijklmnop"
_OWNERS = {"N": None, "W": Side.WHITE, "B": Side.BLACK}
_SIDES = {"W": Side.WHITE, "B": Side.BLACK}
_FIELDS = (
    ("white", r"[0-9a-o]*"),
    ("black", r"[1-9a-p]*"),
    ("cube", r"(?P<owner>[NWB])(?P<power>\d{1,2})(?P<action>[NOTP])"),
    ("dice", r"(?:[1-6]{2})?"),
    ("acted", r"[WB]?"),
    ("state", r"[A-Z]{0,2}"),
    ("white_points", r"\d{1,5}"),
    ("black_points", r"\d{1,5}"),
    ("length", r"(?P<points>\d{1,5})(?P<rule>C|L|G(?P<games>\d{1,5}))?"),
    ("move", r"\d{1,9}"),
    ("checkers", r"\d{1,2}"),
)
_WRONG = {
    "white": "Field 1 of the OGID, White's checkers: {value!r} is not points (1 to 9, a to o; 0 is the bar).",
    "black": "Field 2 of the OGID, Black's checkers: {value!r} is not points (1 to 9, a to o; p is the bar).",
    "cube": "Field 3 of the OGID, the cube: {value!r} is not owner (N, W or B), power of 2 and action "
    "(N, O, T or P), such as N0N.",
    "dice": "Field 4 of the OGID, the dice: {value!r} is not a roll such as 31, or empty.",
    "acted": "Field 5 of the OGID, the player on roll: {value!r} is not W or B.",
    "state": "Field 6 of the OGID, the state of the game: {value!r} is not two capital letters at most.",
    "white_points": "Field 7 of the OGID, White's score: {value!r} is not a whole number.",
    "black_points": "Field 8 of the OGID, Black's score: {value!r} is not a whole number.",
    "length": "Field 9 of the OGID, the match length: {value!r} is not a whole number, then C, L or G.",
    "move": "Field 10 of the OGID, the move: {value!r} is not a whole number.",
    "checkers": "Field 11 of the OGID, the checkers of a side: {value!r} is not a whole number.",
}
_SHORT, _LONG = 3, 10


class CubeAction(StrEnum):
    """What last happened to the cube."""

    NONE = "N"
    OFFERED = "O"
    TAKEN = "T"
    PASSED = "P"


@dataclass(frozen=True, slots=True)
class Ogid:
    """What an OGID says.

    ``position``   seen by White;
    ``acted``      the side that brought the position about, so that the other one is on roll; None if it is
                   not said;
    ``state``      the program's own letters for the state of the game, such as ``IW``;
    ``length``     0 for money; ``crawford`` and ``post_crawford`` belong to a match, ``games`` limits a
                   session;
    ``move``       the program's count of moves.

    Raises :class:`InvalidValue` for what no game can be.
    """

    position: Position
    cube: Cube = Cube()  # noqa: RUF009 - frozen
    action: CubeAction = CubeAction.NONE
    roll: Roll | None = None
    acted: Side | None = None
    state: str = ""
    white: int = 0
    black: int = 0
    length: int = 0
    crawford: bool = False
    post_crawford: bool = False
    games: int | None = None
    move: int = 0

    def __post_init__(self) -> None:
        for name in ("white", "black", "length", "move", "games"):
            number = getattr(self, name)
            if not (number is None and name == "games") and (type(number) is not int or number < 0):
                raise InvalidValue("number", "{name} cannot be {number!r}", name=name, number=number)
        if self.crawford + self.post_crawford + (self.games is not None) > 1:
            raise InvalidValue(
                "length_rule", "a game cannot be Crawford, post-Crawford and in a limited session at once"
            )
        if self.length > LONGEST_MATCH or (self.length and max(self.white, self.black) > self.length):
            raise InvalidValue(
                "beyond_length",
                "{white}-{black} is not a score in a match to {length}",
                white=self.white,
                black=self.black,
                length=self.length,
            )
        if sum(self.position.own) != sum(self.position.opponent):
            raise InvalidValue("uneven", "both sides of an OGID have the same number of checkers")

    @property
    def on_roll(self) -> Side | None:
        """Who is to act; None if the ID does not say."""
        return self.acted and self.acted.other


def encode_ogid(value: Ogid) -> str:
    """The ten fields, and the number of checkers where it is not 15.

    >>> from scoring.rules.position import STARTING_POSITION
    >>> encode_ogid(Ogid(STARTING_POSITION, acted=Side.WHITE, state="IW", move=0, length=1))
    '11ccccchhhjjjjj:66666888dddddoo:N0N::W:IW:0:0:1:0'
    """
    owner = next(text for text, side in _OWNERS.items() if side is value.cube.owner)
    rule = "C" if value.crawford else "L" if value.post_crawford else ""
    rule = f"G{value.games}" if value.games is not None else rule
    white = sorted(_SLOTS[BAR - slot] * count for slot, count in enumerate(value.position.own) if slot != OFF)
    black = sorted(_SLOTS[slot] * count for slot, count in enumerate(value.position.opponent) if slot != OFF)
    fields = [
        "".join(white),
        "".join(black),
        f"{owner}{value.cube.value.bit_length() - 1}{value.action.value}",
        f"{value.roll.low}{value.roll.high}" if value.roll else "",
        "" if value.acted is None else "W" if value.acted is Side.WHITE else "B",
        value.state,
        str(value.white),
        str(value.black),
        f"{value.length}{rule}",
        str(value.move),
    ]
    checkers = sum(value.position.own)
    return ":".join(fields if checkers == CHECKERS else [*fields, str(checkers)])


def decode_ogid(text: str) -> Ogid:
    """Undo :func:`encode_ogid`; fields after the cube may be missing from the end.

    Raises :class:`InvalidNotation` with the offset of the field that cannot be read, :class:`InvalidValue`
    for a position, cube or score that cannot be.

    >>> decode_ogid("11jjjjjhhhccccc:ooddddd88866666:N0N::W:IW:0:0:1:0").position.key
    '-b----E-C---eE---c-e----B-'
    """
    parts = text.split(":")
    if not _SHORT <= len(parts) <= len(_FIELDS):
        raise InvalidNotation(
            "fields",
            "an OGID has 3 to 11 fields, {text!r} has {count}",
            at=len(text),
            text=text,
            count=len(parts),
        )
    found: dict[str, str] = {}
    at = 0
    for (name, pattern), part in zip(_FIELDS, parts, strict=False):
        match = re.fullmatch(pattern, part, re.ASCII)
        if match is None:
            raise InvalidNotation("field", _WRONG[name], at=at, value=part)
        found |= {name: part} | {key: value for key, value in match.groupdict().items() if value is not None}
        at += len(part) + 1
    if (1 << int(found["power"])) > HIGHEST_CUBE:
        raise InvalidValue("cube", "a cube cannot show 2 to the power of {power}", power=found["power"])
    rule = found.get("rule", "")
    return Ogid(
        position=_position(found["white"], found["black"], int(found.get("checkers", CHECKERS))),
        cube=Cube(1 << int(found["power"]), _OWNERS[found["owner"]]),
        action=CubeAction(found["action"]),
        roll=Roll.parse(found["dice"]) if found.get("dice") else None,
        acted=_SIDES.get(found.get("acted", "")),
        state=found.get("state", ""),
        white=int(found.get("white_points", 0)),
        black=int(found.get("black_points", 0)),
        length=int(found.get("points", 0)),
        crawford=rule == "C",
        post_crawford=rule == "L",
        games=int(found["games"]) if "games" in found else None,
        move=int(found.get("move", 0)),
    )


def _position(white: str, black: str, checkers: int) -> Position:
    own, opponent = [0] * (BAR + 1), [0] * (BAR + 1)
    for character in white:
        own[BAR - _SLOTS.index(character)] += 1
    for character in black:
        opponent[_SLOTS.index(character)] += 1
    for side, counts in (("white", own), ("black", opponent)):
        if sum(counts) > checkers:
            raise InvalidValue(
                "checkers",
                "{side} shows {total} of {checkers} checkers",
                side=side,
                total=sum(counts),
                checkers=checkers,
            )
        counts[OFF] = checkers - sum(counts)
    return Position(tuple(own), tuple(opponent), irregular=checkers != CHECKERS)
