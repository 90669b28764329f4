"""Where the checkers stand, seen by the player on roll.

Source: docs/reference/rules.md, "The board".

Every slot counts down: 25 is the bar, 24 to 1 are the points, 0 is off, so a move is always a subtraction.
Each player counts in their own numbering; the opponent's point ``p`` is ``25 - p`` of the player on roll.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

from scoring.rules.errors import InvalidNotation, InvalidValue
from scoring.rules.refusals import WORDS

OFF, BAR = 0, 25
SLOTS = 26
CHECKERS = 15
_MOST_CHECKERS = 30
_EMPTY = "-"


@dataclass(frozen=True, slots=True)
class Position:
    """The checkers of the player on roll (``own``) and of the opponent, each in that player's own numbering.

    ``own[n]`` and ``opponent[n]`` are counts: index 0 is off, 1 to 24 the points, 25 the bar.

    ``irregular``   a wrong set-up that was played on: 1 to 30 checkers a side in place of exactly 15.

    Raises :class:`InvalidValue` for the wrong number of slots or checkers, a negative count, or a point held
    by both.

    >>> STARTING_POSITION.pips, STARTING_POSITION.own[6], STARTING_POSITION.flipped() == STARTING_POSITION
    (167, 5, True)
    >>> Position.from_points(own={6: 5, 3: 1}).own[OFF]
    9
    """

    own: tuple[int, ...]
    opponent: tuple[int, ...]
    irregular: bool = field(default=False, kw_only=True)

    def __post_init__(self) -> None:
        for owner, counts in (("own", self.own), ("opponent", self.opponent)):
            _check_counts(owner, counts, irregular=self.irregular)
        for point in range(1, 25):
            if self.own[point] and self.opponent[25 - point]:
                raise InvalidValue(
                    "shared_point",
                    WORDS["shared_point"],
                    point=point,
                    own=self.own[point],
                    opponent=self.opponent[25 - point],
                )

    @classmethod
    def from_points(cls, own: dict[int, int], opponent: dict[int, int] | None = None) -> "Position":
        """Build from ``{slot: count}``, each side in its own numbering; checkers not named are off.

        Raises :class:`InvalidValue` as the constructor does.
        """
        return cls(_with_rest_off("own", own), _with_rest_off("opponent", opponent or {}))

    @classmethod
    def from_packed(cls, packed: int, *, irregular: bool = False) -> "Position":
        """Undo :attr:`packed`.  Raises :class:`InvalidValue` for a number that no position packs to."""
        try:
            raw = packed.to_bytes(2 * SLOTS, "little")
        except OverflowError:
            raise InvalidValue("packed", "{packed} is not a packed position", packed=packed) from None
        return cls(tuple(raw[:SLOTS]), tuple(raw[SLOTS:]), irregular=irregular)

    @classmethod
    def from_key(cls, key: str) -> "Position":
        """Read a position key (see :attr:`key`); checkers not in view are off.

        Raises :class:`InvalidNotation` at the first bad character, :class:`InvalidValue` for an impossible
        position.
        """
        if len(key) != SLOTS:
            raise InvalidNotation(
                "position_key_length",
                "a position key has 26 characters, {key!r} has {length}",
                at=min(len(key), SLOTS),
                key=key,
                length=len(key),
            )
        own, opponent = [0] * SLOTS, [0] * SLOTS
        for at, character in enumerate(key):
            if character == _EMPTY:
                continue
            mine = "A" <= character <= "O" and at > 0
            theirs = "a" <= character <= "o" and at < BAR
            if not mine and not theirs:
                raise InvalidNotation(
                    "position_key",
                    "character {at} of the position key {key!r} cannot be {character!r}",
                    at=at,
                    key=key,
                    character=character,
                )
            if mine:
                own[at] = ord(character) - ord("A") + 1
            else:
                opponent[25 - at] = ord(character) - ord("a") + 1
        return cls.from_points(dict(enumerate(own)), dict(enumerate(opponent)))

    @property
    def key(self) -> str:
        """26 characters: the opponent's bar, points 1 to 24 of the player on roll, their own bar.

        ``-`` is empty, ``A`` to ``O`` are 1 to 15 own checkers, ``a`` to ``o`` the opponent's.  Checkers off
        are not shown: the key is exact for regular positions only.

        >>> STARTING_POSITION.key
        '-b----E-C---eE---c-e----B-'
        """
        slots = []
        for point in range(SLOTS):
            mine = self.own[point] if point else 0
            theirs = self.opponent[25 - point] if point < BAR else 0
            slots.append(
                chr(ord("A") - 1 + mine) if mine else chr(ord("a") - 1 + theirs) if theirs else _EMPTY
            )
        return "".join(slots)

    @property
    def packed(self) -> int:
        """One whole number for the whole position: byte n is ``own[n]``, byte 26 + n is ``opponent[n]``."""
        return int.from_bytes(bytes(self.own + self.opponent), "little")

    def flipped(self) -> "Position":
        """The same board seen by the opponent."""
        return trusted_position(self.opponent, self.own, irregular=self.irregular)

    @property
    def pips(self) -> int:
        """Pip count of the player on roll: the units of movement still needed to bear off everything."""
        return sum(slot * count for slot, count in enumerate(self.own))

    def __str__(self) -> str:
        return self.key


# The slots' own setters: a frozen value is filled without asking its class for every attribute.
_put_own, _put_opponent, _put_irregular = (
    vars(Position)[name].__set__ for name in ("own", "opponent", "irregular")
)


def trusted_position(own: tuple[int, ...], opponent: tuple[int, ...], *, irregular: bool) -> Position:
    """A position that follows by the rules from a valid one: not validated again, for a quick replay."""
    position = object.__new__(Position)
    _put_own(position, own)
    _put_opponent(position, opponent)
    _put_irregular(position, irregular)
    return position


def unpacked(results: Iterable[int], *, irregular: bool) -> list[Position]:
    """The positions that many packed results stand for, not validated again.

    Most plays of a roll hit nobody or the same blots: equal halves are decoded once.
    """
    opponents: dict[bytes, tuple[int, ...]] = {}
    positions = []
    for packed in results:
        raw = packed.to_bytes(2 * SLOTS, "little")
        half = raw[SLOTS:]
        opponent = opponents.get(half)
        if opponent is None:
            opponent = opponents[half] = tuple(half)
        positions.append(trusted_position(tuple(raw[:SLOTS]), opponent, irregular=irregular))
    return positions


def _check_counts(owner: str, counts: tuple[int, ...], *, irregular: bool) -> None:
    if type(counts) is not tuple or len(counts) != SLOTS:
        raise InvalidValue(
            "slots",
            "{owner}: 26 counts are needed (off, 24 points, bar), not {counts!r}",
            owner=owner,
            counts=counts,
        )
    for slot, count in enumerate(counts):
        if type(count) is not int or count < 0:
            raise InvalidValue(
                "count",
                "{owner}: slot {slot} cannot hold {count!r} checkers",
                owner=owner,
                slot=slot,
                count=count,
            )
    total = sum(counts)
    if irregular and 1 <= total <= _MOST_CHECKERS:
        return
    if total != CHECKERS:
        raise InvalidValue("checkers", WORDS["checkers"], owner=owner, total=total)


def _with_rest_off(owner: str, points: dict[int, int]) -> tuple[int, ...]:
    counts = [0] * SLOTS
    for slot, count in points.items():
        if type(slot) is not int or not OFF <= slot <= BAR:
            raise InvalidValue("slot", "{owner}: there is no slot {slot!r}", owner=owner, slot=slot)
        counts[slot] = count
    if not all(type(count) is int for count in counts):
        return tuple(counts)
    in_view = sum(counts[1:])
    if counts[OFF] == 0 and in_view <= CHECKERS:
        counts[OFF] = CHECKERS - in_view
    return tuple(counts)


STARTING_POSITION = Position.from_points(own={24: 2, 13: 5, 8: 3, 6: 5}, opponent={24: 2, 13: 5, 8: 3, 6: 5})
"""The standard set-up, 167 pips each; the same from both sides."""
