"""What a drawn board shows: position, cube, arrows, and from whose side."""

from dataclasses import dataclass
from enum import StrEnum

from scoring.rules.plays import Move
from scoring.rules.position import BAR, Position
from scoring.rules.sides import Side


class Home(StrEnum):
    """Where the player at the bottom bears off."""

    RIGHT = "right"
    LEFT = "left"


class ArrowMeaning(StrEnum):
    """What an arrow says; an arrow with a label is an error, marked with its size.

    ``MINE`` is an answer of the reader, beside what was played in the match.
    """

    PLAYED = "played"
    BEST = "best"
    MINE = "mine"


@dataclass(frozen=True, slots=True)
class Arrow:
    """A play to be shown: its moves in order, in the numbering of the player on roll.

    ``label`` is the size of the error in the reader's language, e.g. "−0.084"; "" for none.
    """

    meaning: ArrowMeaning
    moves: tuple[Move, ...]
    label: str = ""


@dataclass(frozen=True, slots=True)
class DrawnCube:
    """The cube: its value, on whose side it lies (None: centred), and to whom it is being offered, if so."""

    value: int = 1
    owner: Side | None = None
    offered_to: Side | None = None


@dataclass(frozen=True, slots=True)
class BoardView:
    """What is to be seen, and from where.

    ``position``  seen by ``on_roll``: its ``own`` checkers are those of that side.
    ``bottom``    the side whose player looks from below.
    ``cube``      None where there is none: the Crawford game, a game without the cube.
    ``roll``      the dice of ``on_roll`` that are drawn, None before rolling.
    ``turn``      whether the side on roll is marked; False where nobody is, as at the end of a game.
    """

    position: Position
    on_roll: Side = Side.WHITE
    bottom: Side = Side.WHITE
    home: Home = Home.RIGHT
    cube: DrawnCube | None = DrawnCube()
    roll: tuple[int, ...] | None = None
    arrows: tuple[Arrow, ...] = ()
    turn: bool = True

    @property
    def numbers(self) -> Side:
        """The side whose numbers the points have: the one that moves or answers, else the one below."""
        if self.cube and self.cube.offered_to:
            return self.cube.offered_to
        return self.on_roll if self.turn else self.bottom

    def checkers(self, side: Side) -> tuple[int, ...]:
        """The 26 counts of ``side`` in its own numbering: off, points 1 to 24, bar."""
        return self.position.own if side is self.on_roll else self.position.opponent

    def pips(self, side: Side) -> int:
        """The pip count of ``side``."""
        return self.position.pips if side is self.on_roll else self.position.flipped().pips

    def occupied(self, side: Side) -> list[tuple[int, int]]:
        """The slots where ``side`` stands as (slot, count), from the bar down to the 1 point and off."""
        counts = self.checkers(side)
        return [(slot, counts[slot]) for slot in range(BAR, -1, -1) if counts[slot]]
