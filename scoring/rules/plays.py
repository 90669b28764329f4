"""Legal plays: the sequences of moves that a roll allows, and where they lead.

Source: docs/reference/rules.md, "Legal plays".

The rules, as they are said here:

1. a checker on the bar enters first;
2. a checker may land where fewer than two opposing checkers stand; a single one is hit;
3. a double is four moves;
4. a play uses as many dice as can be used;
5. if only one of two dice can be played, and either would do, it is the higher;
6. bearing off needs every checker in the home board, at every move; a die above the highest checker takes
   that one.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from scoring.rules.dice import Roll
from scoring.rules.errors import IllegalPlay
from scoring.rules.generate import generate
from scoring.rules.position import BAR, OFF, Position, trusted_position, unpacked


class Move(NamedTuple):
    """One checker moved by one die, in the mover's numbering: 25 is the bar, 0 is off.

    >>> Move(13, 8)
    Move(source=13, target=8)
    """

    source: int
    target: int


@dataclass(frozen=True, slots=True)
class Play:
    """A whole turn: its moves in an order in which they can be made, and where it leads.

    ``result`` is still seen by the player who moved.  A turn in which nothing can be moved has no moves.
    """

    moves: tuple[Move, ...]
    result: Position


def legal_results(position: Position, roll: Roll) -> set[int]:
    """The distinct resulting positions, packed (:attr:`Position.packed`), seen by the player who moved.

    Empty when nothing can be moved.  This is the quick way: about 20 microseconds for a middle-game position.

    >>> from scoring.rules.position import STARTING_POSITION
    >>> len(legal_results(STARTING_POSITION, Roll(3, 1)))
    16
    """
    return generate(position, roll)[1]


def legal_positions(position: Position, roll: Roll) -> list[Position]:
    """The distinct resulting positions as values, seen by the player who moved, in no particular order.

    >>> from scoring.rules.position import STARTING_POSITION
    >>> sorted(result.pips for result in legal_positions(STARTING_POSITION, Roll(6, 5)))
    [156, 156, 156, 156, 156, 156, 156]
    """
    return unpacked(generate(position, roll)[1], irregular=position.irregular)


def dice_to_play(position: Position, roll: Roll) -> int:
    """How many dice a legal play of this roll must use: 0 to 4."""
    return generate(position, roll)[0]


def legal_plays(position: Position, roll: Roll) -> tuple[Play, ...]:
    """One legal play for each distinct result, from the rearmost checkers on; none if nothing can move.

    >>> from scoring.rules.position import Position
    >>> for play in legal_plays(Position.from_points({6: 1, 3: 1}), Roll(4, 1)):
    ...     print([tuple(move) for move in play.moves])
    [(6, 2), (3, 2)]
    [(6, 2), (2, 1)]
    """
    board = ScratchBoard.of(position)
    found: dict[Position, tuple[Move, ...]] = {}
    for moves, result in _complete_sequences(board, roll, reorder_doubles=False):
        found.setdefault(result, moves)
    return tuple(Play(moves, result) for result, moves in sorted(found.items(), key=_from_the_back))


def legal_sequences(position: Position, roll: Roll) -> tuple[tuple[Move, ...], ...]:
    """Every order of moves that makes a legal play: what a page filters by the moves already made.

    Sorted, without repetition; empty when nothing can be moved.  Sequences that end in the same position are
    all listed.  A double can have thousands.

    >>> from scoring.rules.position import Position
    >>> for moves in legal_sequences(Position.from_points({6: 1, 2: 1}, {24: 2}), Roll(5, 4)):
    ...     print([tuple(move) for move in moves])
    [(6, 2), (2, 0)]
    """
    found = {moves for moves, _ in _complete_sequences(ScratchBoard.of(position), roll, reorder_doubles=True)}
    return tuple(sorted(found))


def mechanical_result(position: Position, moves: Sequence[tuple[int, int]]) -> Position:
    """Where ``moves`` put the checkers, whether they are allowed or not: single opposing checkers are hit.

    Raises :class:`IllegalPlay` when no board can show it: nothing to move, or a landing on a point that is
    held.

    >>> mechanical_result(Position.from_points({24: 15}, {1: 0}), [(24, 17)]).key
    '-----------------A------N-'
    """
    board = ScratchBoard.of(position)
    for source, target in moves:
        name = f"{source}/{target}"
        if not (OFF <= target < source <= BAR and board.own[source]):
            raise IllegalPlay("no_checker", "{move}: there is no checker to move", move=name)
        if target and board.opponent[25 - target] > 1:
            raise IllegalPlay(
                "blocked", "{move}: the opponent holds the {point} point", move=name, point=target
            )
        board.shift(source, target)
    return board.position()


def _from_the_back(found: tuple[Position, tuple[Move, ...]]) -> list[int]:
    return [-slot for move in found[1] for slot in move]


@dataclass(slots=True)
class ScratchBoard:
    """A scratch board on which moves are tried and taken back; counts as in :class:`Position`."""

    own: list[int]
    opponent: list[int]
    irregular: bool

    @classmethod
    def of(cls, position: Position) -> "ScratchBoard":
        """A scratch copy of ``position``."""
        return cls(list(position.own), list(position.opponent), position.irregular)

    def position(self) -> Position:
        """The board as a value."""
        return trusted_position(tuple(self.own), tuple(self.opponent), irregular=self.irregular)

    def highest(self) -> int:
        """The slot of the rearmost own checker, 0 when all are off."""
        return next((slot for slot in range(BAR, OFF, -1) if self.own[slot]), OFF)

    def can_move(self, source: int, die: int) -> bool:
        """Whether one checker may move from ``source`` by ``die`` now."""
        if not self.own[source] or (self.own[BAR] and source != BAR):
            return False
        target = source - die
        if target > 0:
            return self.opponent[25 - target] < 2
        highest = self.highest()
        return highest <= 6 and (target == 0 or source == highest)

    def move(self, source: int, die: int) -> bool:
        """Move one checker by ``die``; says whether it hit.  The caller has asked :meth:`can_move`."""
        return self.shift(source, max(source - die, OFF))

    def shift(self, source: int, target: int) -> bool:
        """Put a checker from ``source`` on ``target``; says whether it hit."""
        self.own[source] -= 1
        self.own[target] += 1
        hit = bool(target and self.opponent[25 - target])
        if hit:
            self.opponent[25 - target] -= 1
            self.opponent[BAR] += 1
        return hit

    def take_back(self, source: int, die: int, *, hit: bool) -> None:
        """Undo :meth:`move`."""
        target = max(source - die, OFF)
        self.own[source] += 1
        self.own[target] -= 1
        if hit:
            self.opponent[25 - target] += 1
            self.opponent[BAR] -= 1


def _complete_sequences(
    board: ScratchBoard, roll: Roll, *, reorder_doubles: bool
) -> list[tuple[tuple[Move, ...], Position]]:
    """The sequences that use the most dice, with their results; the higher die alone if either fits."""
    if roll.is_double:
        stuck = list(_sequences(board, roll.dice, (), reorder=reorder_doubles))
        return _longest(stuck)
    high_first = _longest(list(_sequences(board, roll.dice, (), reorder=True)))
    low_first = _longest(list(_sequences(board, roll.dice[::-1], (), reorder=True)))
    if any(len(moves) == 2 for moves, _ in high_first + low_first):
        return _longest(high_first + low_first)
    return high_first or low_first


def _longest(found: list[tuple[tuple[Move, ...], Position]]) -> list[tuple[tuple[Move, ...], Position]]:
    most = max(len(moves) for moves, _ in found)
    return [entry for entry in found if len(entry[0]) == most] if most else []


def _sequences(
    board: ScratchBoard, dice: tuple[int, ...], made: tuple[Move, ...], *, reorder: bool
) -> Iterator[tuple[tuple[Move, ...], Position]]:
    """Sequences that play ``dice`` in this order until stuck.  Without ``reorder``, sources never rise."""
    stuck = True
    if dice:
        die = dice[0]
        top = BAR if reorder or not made else made[-1].source
        for source in range(top, OFF, -1):
            if not board.can_move(source, die):
                continue
            stuck = False
            hit = board.move(source, die)
            yield from _sequences(
                board, dice[1:], (*made, Move(source, max(source - die, OFF))), reorder=reorder
            )
            board.take_back(source, die, hit=hit)
    if stuck:
        yield made, board.position()
