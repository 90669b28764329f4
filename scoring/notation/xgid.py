"""eXtreme Gammon's XGID: a position with its cube, dice and score in one line.

Source: docs/reference/notation.md, "XGID".

Ten fields with colons between.  The board is absolute: the bottom player's checkers are capital letters
even if Black is on roll.  Here the bottom player is White.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any, TypeVar

from scoring.rules.cube import HIGHEST_CUBE, Cube, check_cube_value
from scoring.rules.dice import Roll
from scoring.rules.errors import InvalidNotation, InvalidValue, ScoringError
from scoring.rules.game import GameState, Phase
from scoring.rules.match import LONGEST_MATCH, Crawford, MatchScore
from scoring.rules.match_state import MatchState
from scoring.rules.position import Position
from scoring.rules.sides import Side

T = TypeVar("T")

_PREFIX = "XGID="
_NAMES = ("position", "cube", "owner", "turn", "dice", "white", "black", "flag", "length", "max_cube")
_OWNERS = {"1": Side.WHITE, "0": None, "-1": Side.BLACK}
_TURNS = {"1": Side.WHITE, "-1": Side.BLACK}
_STANDARD_MAX_CUBE = 1024
_WRONG = {
    "position": "Field 1 of the XGID, the position: {value!r} ({count} characters) is not 26 of - (empty), "
    "A to O (1 to 15 of the bottom player's checkers) and a to o (the top player's).",
    "cube": "Field 2 of the XGID, the cube: {value!r} is not a whole number from 0 to {highest} (0 is a "
    "cube of 1, 1 of 2, 2 of 4).",
    "owner": "Field 3 of the XGID, the owner of the cube: {value!r} is not 1 (bottom player), 0 (centred) or "
    "-1 (top player).",
    "turn": "Field 4 of the XGID, the player on roll: {value!r} is not 1 (bottom player) or -1 (top player).",
    "dice": "Field 5 of the XGID, the dice: {value!r} is not a roll such as 31, 00 (not rolled) or D, B or R "
    "(double, beaver or raccoon offered).",
    "white": "Field 6 of the XGID, the bottom player's score: {value!r} is not a whole number from 0 to "
    "{highest}.",
    "black": "Field 7 of the XGID, the top player's score: {value!r} is not a whole number from 0 to "
    "{highest}.",
    "flag": "Field 8 of the XGID, the rules: {value!r} is not a whole number from 0 to {highest} (in a match "
    "1 is the Crawford game; in money play 1 is Jacoby, 2 beavers, 3 both).",
    "length": "Field 9 of the XGID, the match length: {value!r} is not a whole number from 0 (money play) to "
    "{highest}.",
    "max_cube": "Field 10 of the XGID, the highest cube: {value!r} is not a whole number from 0 to {highest} "
    "(10 is a cube of 1024).",
}


class Offer(StrEnum):
    """What stands in the place of the dice while a double, beaver or raccoon waits for its answer."""

    DOUBLE = "D"
    BEAVER = "B"
    RACCOON = "R"


@dataclass(frozen=True, slots=True)
class Xgid:
    """What an XGID says.

    ``position``  seen by White, the bottom player, also when Black is on roll;
    ``roll``      the dice on the board, or None; ``offer`` instead of it while the cube is offered;
    ``length``    0 for money, where ``jacoby`` and ``beavers`` mean something; ``crawford`` means something
                  in a match.

    Raises :class:`InvalidValue` for a score, cube or combination that cannot be.
    """

    position: Position
    cube: Cube = Cube()  # noqa: RUF009 - frozen
    turn: Side = Side.WHITE
    roll: Roll | None = None
    offer: Offer | None = None
    white: int = 0
    black: int = 0
    crawford: bool = False
    jacoby: bool = False
    beavers: bool = False
    length: int = 0
    max_cube: int = _STANDARD_MAX_CUBE

    @property
    def has_cube(self) -> bool:
        """Whether a cube lies on the board: none does in the Crawford game and in a match to one point."""
        return not self.crawford and self.length != 1

    def __post_init__(self) -> None:
        check_cube_value(self.max_cube)
        for name in ("length", "white", "black"):
            points = getattr(self, name)
            if type(points) is not int or not 0 <= points <= LONGEST_MATCH:
                raise InvalidValue("points", "{name} cannot be {points!r}", name=name, points=points)
        if self.length and max(self.white, self.black) >= self.length:
            raise InvalidValue(
                "beyond_length",
                "no game is played at {white}-{black} in a match to {length}",
                white=self.white,
                black=self.black,
                length=self.length,
            )
        if self.roll is not None and self.offer is not None:
            raise InvalidValue(
                "roll_and_offer", "the dice show {roll} and the cube is offered", roll=str(self.roll)
            )
        if self.crawford and (not self.length or self.cube.value > 1):
            raise InvalidValue("crawford", "a Crawford game needs a match length and has no cube")
        if self.length and (self.jacoby or self.beavers):
            raise InvalidValue(
                "money_rules", "a match to {length} has no Jacoby rule and no beavers", length=self.length
            )
        if self.position.irregular:
            raise InvalidValue(
                "irregular", "{position} is irregular and has no XGID", position=str(self.position)
            )


def encode_xgid(value: Xgid) -> str:
    """The ten fields, without the prefix ``XGID=`` that some programs write.

    >>> from scoring.rules.position import STARTING_POSITION
    >>> encode_xgid(Xgid(STARTING_POSITION))
    '-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:0:10'
    """
    owner = next(text for text, side in _OWNERS.items() if side is value.cube.owner)
    dice = value.offer.value if value.offer else str(value.roll) if value.roll else "00"
    flag = int(value.crawford) if value.length else int(value.jacoby) + 2 * int(value.beavers)
    fields = (
        value.position.key,
        value.cube.value.bit_length() - 1,
        owner,
        1 if value.turn is Side.WHITE else -1,
        dice,
        value.white,
        value.black,
        flag,
        value.length,
        value.max_cube.bit_length() - 1,
    )
    return ":".join(map(str, fields))


def decode_xgid(text: str) -> Xgid:
    """Undo :func:`encode_xgid`; the prefix is accepted.

    Raises :class:`InvalidNotation` with the field that cannot be read, its value and what it can be, and
    :class:`InvalidValue` for a position, cube or score that cannot be.
    """
    start = len(_PREFIX) if text.startswith(_PREFIX) else 0
    parts = text[start:].split(":")
    if len(parts) != len(_NAMES):
        raise InvalidNotation(
            "fields", "an XGID has 10 fields, {text!r} has {count}", at=len(text), text=text, count=len(parts)
        )
    reader = _Fields(dict(zip(_NAMES, parts, strict=True)), start)
    length = reader.number("length", LONGEST_MATCH)
    flag = reader.number("flag", 1 if length else 3)
    highest = HIGHEST_CUBE.bit_length() - 1
    dice = reader.fields["dice"]
    offer = Offer(dice) if dice in set(Offer) else None
    return Xgid(
        position=reader.position(),
        cube=Cube(1 << reader.number("cube", highest), reader.choice("owner", _OWNERS)),
        turn=reader.choice("turn", _TURNS),
        roll=None if offer or dice == "00" else reader.roll(),
        offer=offer,
        white=reader.number("white", LONGEST_MATCH),
        black=reader.number("black", LONGEST_MATCH),
        crawford=bool(length and flag),
        jacoby=bool(not length and flag & 1),
        beavers=bool(not length and flag & 2),
        length=length,
        max_cube=1 << reader.number("max_cube", highest),
    )


def xgid_of(state: MatchState) -> str:
    """The XGID of the game in ``state``, White at the bottom.

    A beaver or raccoon that waits for its answer is written as XG does: the cube as it stands, the offer in
    the place of the dice.  Raises :class:`InvalidValue` for what an XGID cannot show: a finished match, an
    irregular position.
    """
    return xgid_at(state.game, state.score)


def xgid_at(game: GameState, score: MatchScore) -> str:
    """:func:`xgid_of` for a game at a score, as a step of a match has them.  Raises the same."""
    options = game.terms.options
    offers = {Phase.OFFERED: Offer.DOUBLE, Phase.BEAVERED: Offer.BEAVER, Phase.RACCOONED: Offer.RACCOON}
    return encode_xgid(
        Xgid(
            position=game.position,
            cube=game.cube,
            turn=game.on_roll or Side.WHITE,
            roll=game.roll,
            offer=offers.get(game.phase),
            white=score.white,
            black=score.black,
            crawford=score.crawford is Crawford.NOW,
            jacoby=score.is_money and options.jacoby,
            beavers=score.is_money and options.beavers,
            length=score.length,
            max_cube=options.max_cube or _STANDARD_MAX_CUBE,
        )
    )


class _Fields:
    """Fields by name, each of which knows where it stands in the text."""

    def __init__(self, fields: dict[str, str], start: int) -> None:
        self.fields = fields
        self.start = start

    def _wrong(self, name: str, **values: Any) -> InvalidNotation:
        at = self.start
        for before in _NAMES[: _NAMES.index(name)]:
            at += len(self.fields[before]) + 1
        return InvalidNotation("field", _WRONG[name], at=at, value=self.fields[name], **values)

    def position(self) -> Position:
        text = self.fields["position"]
        try:
            return Position.from_key(text)
        except InvalidNotation as error:
            raise InvalidNotation(
                error.code, _WRONG["position"], at=error.at, value=text, count=len(text)
            ) from error

    def number(self, name: str, highest: int) -> int:
        text = self.fields[name]
        if (
            not (text.isascii() and text.isdigit() and len(text) < 6)
            or str(int(text)) != text
            or int(text) > highest
        ):
            raise self._wrong(name, highest=highest)
        return int(text)

    def choice(self, name: str, choices: dict[str, T]) -> T:
        if self.fields[name] not in choices:
            raise self._wrong(name)
        return choices[self.fields[name]]

    def roll(self) -> Roll:
        try:
            return Roll.parse(self.fields["dice"])
        except ScoringError:
            raise self._wrong("dice") from None
