"""Changes of a position on an editor: cube, score, roll, sides, one value at a time.

Every change gives a whole position again, so that the address of a page can hold it. Values that contradict
one another are brought into line where only one reading makes sense: a cube at 1 has no owner, money play has
no Crawford game, a match no Jacoby rule.
"""

from collections.abc import Mapping
from dataclasses import replace

from scoring.notation.xgid import Xgid
from scoring.rules.cube import Cube
from scoring.rules.dice import Roll
from scoring.rules.errors import InvalidValue
from scoring.rules.match import LONGEST_MATCH
from scoring.rules.position import BAR, CHECKERS, OFF, STARTING_POSITION, Position
from scoring.rules.sides import Side

START = Xgid(STARTING_POSITION, length=7)
EMPTY = Position.from_points({}, {})
CUBES = tuple(1 << power for power in range(11))
_SIDES = {"white": Side.WHITE, "black": Side.BLACK}


def swapped(seen: Xgid) -> Xgid:
    """The same position with the sides exchanged: what was Black's is White's, at the bottom."""
    owner = seen.cube.owner
    return replace(
        seen,
        position=seen.position.flipped(),
        cube=replace(seen.cube, owner=owner.other if owner else None),
        turn=seen.turn.other,
        white=seen.black,
        black=seen.white,
    )


def with_start(seen: Xgid) -> Xgid:
    """The starting position, cube centred at 1, no roll."""
    return replace(seen, position=STARTING_POSITION, cube=Cube(), roll=None, offer=None)


def emptied(seen: Xgid) -> Xgid:
    """All checkers off, to place them one by one."""
    return replace(seen, position=EMPTY, roll=None, offer=None)


def placed(seen: Xgid, side: Side, slot: int, checkers: int) -> Xgid:
    """The position with so many checkers of a side on a slot of its own numbering (25 the bar).

    What is taken away is borne off; what is added was off. Raises InvalidValue for a point that the other
    side holds, and for more than 15 checkers.

    >>> placed(START, Side.WHITE, 6, 4).position.own[0]
    1
    """
    if not 1 <= slot <= BAR:
        raise InvalidValue("slot", "There is no point {slot}. Enter 1 to 24, or 25 for the bar.", slot=slot)
    if not 0 <= checkers <= CHECKERS:
        raise InvalidValue("count", "{count} checkers do not exist. Enter 0 to 15.", count=checkers)
    white = side is Side.WHITE
    counts = list(seen.position.own if white else seen.position.opponent)
    other = seen.position.opponent if white else seen.position.own
    if checkers and slot < BAR and other[BAR - slot]:
        raise InvalidValue(
            "held",
            "{other} holds this point with {count}. Remove them first.",
            other=side.other.value.capitalize(),
            count=other[BAR - slot],
        )
    counts[slot] = checkers
    total = sum(counts[1:])
    if total > CHECKERS:
        raise InvalidValue(
            "too_many",
            "{side} would have {total} checkers. Remove {over}.",
            side=side.value.capitalize(),
            total=total,
            over=total - CHECKERS,
        )
    counts[OFF] = CHECKERS - total
    own = tuple(counts)
    return replace(seen, position=Position(own, other) if white else Position(other, own))


def changed(seen: Xgid, values: Mapping[str, str]) -> Xgid:
    """The position with the named values as they were typed.

    ``length``, ``white_away`` and ``black_away`` in points (length 0: money play), ``cube``, ``owner``
    (white, black or ""), ``turn``, ``roll`` ("31" or ""), and ``crawford``, ``jacoby``, ``beavers`` ("on" or
    ""); ``slot`` with ``side`` and ``checkers``, as in `placed`. What is not
    named stays. Raises InvalidValue that names the value.
    """
    if values.get("slot", "").strip():
        slot = _number(values, "slot", 0, BAR)
        count = _number(values, "checkers", 0, CHECKERS)
        seen = placed(seen, _side(values, "side", None) or Side.WHITE, slot, count)
    length = _number(values, "length", seen.length, LONGEST_MATCH)
    money = length == 0
    away = {
        name: _number(values, f"{name}_away", _away(seen, name) if seen.length else length, LONGEST_MATCH)
        for name in _SIDES
    }
    for name, points in away.items():
        if length < points == _away(seen, name):
            away[name] = length  # the match became shorter: this player has not been asked about
        elif length and not 1 <= points <= length:
            raise InvalidValue(
                "away",
                "{side} cannot be {away} away in a match to {length}. Enter 1 to {length}.",
                side=name.capitalize(),
                away=points,
                length=length,
            )
    cube = _number(values, "cube", seen.cube.value, 1 << 30)
    owner = _side(values, "owner", seen.cube.owner)
    is_crawford = _flag(values, "crawford", seen.crawford) and not money
    roll = seen.roll
    if "roll" in values:
        roll = Roll.parse(values["roll"].replace("-", "")) if values["roll"].strip() else None
    return replace(
        seen,
        cube=Cube() if is_crawford else Cube(cube, owner if cube > 1 else None),
        turn=_side(values, "turn", seen.turn) or seen.turn,
        roll=roll,
        offer=None if roll or "roll" in values else seen.offer,
        white=0 if money else length - away["white"],
        black=0 if money else length - away["black"],
        crawford=is_crawford,
        jacoby=money and _flag(values, "jacoby", seen.jacoby),
        beavers=money and _flag(values, "beavers", seen.beavers),
        length=length,
    )


def _away(seen: Xgid, side: str) -> int:
    return seen.length - (seen.white if side == "white" else seen.black)


def _number(values: Mapping[str, str], name: str, otherwise: int, highest: int) -> int:
    text = values.get(name, "").strip()
    if not text:
        return otherwise
    if not (text.isascii() and text.isdigit() and len(text) < 11 and int(text) <= highest):
        raise InvalidValue(
            "number", "{name} cannot be {text!r}. Enter a whole number up to {highest}.",
            name=name, text=text[:20], highest=highest,
        )  # fmt: skip
    return int(text)


def _side(values: Mapping[str, str], name: str, otherwise: Side | None) -> Side | None:
    if name not in values:
        return otherwise
    return _SIDES.get(values[name])


def _flag(values: Mapping[str, str], name: str, otherwise: bool) -> bool:  # noqa: FBT001 - a value of the position
    return values[name] == "on" if name in values else otherwise
