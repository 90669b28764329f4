"""Whether moves are a legal play, and if not, exactly why.

Source: docs/reference/rules.md, "Legal plays".

Moves are given as they are written down: in any order, and one checker's steps joined (``24/13`` for a 65).
"""

from collections.abc import Mapping, Sequence
from itertools import accumulate, pairwise
from typing import Any

from scoring.rules.dice import Roll
from scoring.rules.errors import IllegalPlay
from scoring.rules.generate import generate
from scoring.rules.plays import Move, Play, ScratchBoard
from scoring.rules.position import BAR, OFF, Position

INCOMPLETE = frozenset({"must_play", "unused_die", "both_dice", "more_of_double"})
"""The codes of refusals of moves that are right in themselves, but too few."""


WORDS: Mapping[str, str] = {
    "not_forward": "{move} does not move forward: a move goes from a higher point to a lower one",
    "too_many_moves": "{move} is one move too many for the roll {roll}",
    "no_checker": "{move}: there is no checker on the {slot}",
    "bar_first": "{move}: {count} on the bar must enter first",
    "blocked": "{move} is blocked: {count} checkers on the {point} point",
    "wrong_dice": "{move} cannot be made with {dice}",
    "not_home": "{move}: a checker on the {slot} is not home yet",
    "higher_checker": "{move} with a {die}: there is a checker on the {highest} point",
    "must_play": "no checker was moved, but {most} of the roll {roll} can be played",
    "higher_die": "the higher die, {die}, must be played",
    "more_of_double": "{most} can be played, not only {used}",
    "both_dice": "both dice can be played: {move} leaves no {die}",
    "unused_die": "both dice can be played: after {move} play the {die}, for example {onward}",
    "play_is_legal": "a legal play cannot be {status}",
    "play_is_not_incomplete": "the play is illegal, not only incomplete",
    "must_be_corrected": "an illegal play that is noticed must be corrected here",
}
"""The refusals of plays by code; pages refuse in the same words (``static/scoring/rules/explain.js``)."""


def _refusal(code: str, **parameters: Any) -> IllegalPlay:
    return IllegalPlay(code, WORDS[code], **parameters)


def resolve_play(position: Position, roll: Roll, moves: Sequence[tuple[int, int]]) -> Play:
    """The legal play that ``moves`` describe, with one move for each die.

    Raises :class:`IllegalPlay` with the exact reason, as :func:`explain_play` returns it.
    """
    answer = explain_play(position, roll, moves)
    if isinstance(answer, IllegalPlay):
        raise answer
    return answer


def explain_play(position: Position, roll: Roll, moves: Sequence[tuple[int, int]]) -> Play | IllegalPlay:
    """The legal play that ``moves`` describe, or the reason why there is none (returned, not raised).

    ``moves`` are (source, target) pairs of the player on roll, in any order, 25 the bar and 0 off; a checker
    that moves on may be written as one pair.  Where pairs can be read in two ways the one that hits fewer
    blots is taken.

    >>> from scoring.rules.position import STARTING_POSITION, Position
    >>> explain_play(STARTING_POSITION, Roll(6, 5), [(24, 13)]).moves
    (Move(source=24, target=18), Move(source=18, target=13))
    >>> str(explain_play(STARTING_POSITION, Roll(6, 5), [(24, 19), (13, 7)]))
    '24/19 is blocked: 5 checkers on the 19 point'
    >>> print(explain_play(Position.from_points({13: 1, 1: 2}, {21: 2}), Roll(5, 4), [(13, 9)]))
    the higher die, 5, must be played
    """
    played = _as_dice(ScratchBoard.of(position), roll, [Move(*move) for move in moves])
    if isinstance(played, IllegalPlay):
        return played
    used, play = played
    if len(used) == len(roll.dice):
        return play
    most, results = generate(position, roll)
    if (not most and not used) or play.result.packed in results:
        return play
    return _what_was_left(roll, used, play, most)


class _Search:
    """Tries the written moves in every order and with every die, and remembers how far it came."""

    def __init__(self, board: ScratchBoard, roll: Roll) -> None:
        self.board = board
        self.roll = roll
        self.steps: list[Move] = []
        self.used: list[int] = []
        self.best: tuple[int, list[int], Play] | None = None
        self.furthest = (board.position(), list[Move](), list[int]())

    def run(self, pairs: list[Move], dice: list[int]) -> None:
        """Set ``best``, and ``furthest``: the board, moves and dice left when the most moves were made."""
        self.furthest = (self.board.position(), pairs, dice)
        self._go_on(pairs, dice, hits=0, half_made=False)

    def _go_on(self, pairs: list[Move], dice: list[int], *, hits: int, half_made: bool) -> None:
        if not pairs:
            if self.best is None or hits < self.best[0]:
                self.best = (hits, list(self.used), Play(tuple(self.steps), self.board.position()))
            return
        if not half_made and len(pairs) < len(self.furthest[1]):
            self.furthest = (self.board.position(), pairs, dice)
        for index, pair in enumerate(pairs):
            if pair in pairs[:index]:
                continue
            for die in dict.fromkeys(dice):
                self._try(pairs, index, dice, die=die, hits=hits)
                if self.best is not None and (self.best[0] == 0 or self.roll.is_double):
                    return

    def _try(self, pairs: list[Move], index: int, dice: list[int], *, die: int, hits: int) -> None:
        source, target = pairs[index]
        landing = max(source - die, OFF)
        if landing < target or not self.board.can_move(source, die):
            return
        rest = pairs[:index] + pairs[index + 1 :]
        if landing != target:
            rest.insert(index, Move(landing, target))
        left = list(dice)
        left.remove(die)
        hit = self.board.move(source, die)
        self.steps.append(Move(source, landing))
        self.used.append(die)
        self._go_on(rest, left, hits=hits + hit, half_made=landing != target)
        self.used.pop()
        self.steps.pop()
        self.board.take_back(source, die, hit=hit)


def _as_dice(board: ScratchBoard, roll: Roll, pairs: list[Move]) -> tuple[list[int], Play] | IllegalPlay:
    """The dice used and the play, or why the moves cannot be made with this roll."""
    for move in pairs:
        if not (OFF <= move.target < move.source <= BAR):
            return _refusal("not_forward", move=_name(move))
    search = _Search(board, roll)
    search.run(pairs, list(roll.dice))
    if search.best is not None:
        return search.best[1], search.best[2]
    return _why_not(*search.furthest, roll)


def _why_not(position: Position, waiting: list[Move], dice: list[int], roll: Roll) -> IllegalPlay:
    """Why the first of the ``waiting`` moves cannot be made with ``dice``."""
    move = waiting[0]
    source, target = move
    own = position.own
    if not dice:
        return _refusal("too_many_moves", move=_name(move), roll=str(roll))
    if not own[source]:
        return _refusal("no_checker", move=_name(move), slot=_slot(source))
    if own[BAR] and source != BAR:
        return _refusal("bar_first", move=_name(move), count=_checkers(own[BAR]))
    if target == OFF and source <= sum(dice):
        refusal = _why_not_off(position, move, dice)
        if refusal is not None:
            return refusal
    for step in _steps_towards(move, dice):
        standing = position.opponent[25 - step.target] if step.target else 0
        if standing > 1:
            return _refusal("blocked", move=_name(step), count=standing, point=step.target)
    return _refusal("wrong_dice", move=_name(move), dice=" and ".join(map(str, dice)))


def _why_not_off(position: Position, move: Move, dice: list[int]) -> IllegalPlay | None:
    highest = next(slot for slot in range(BAR, OFF, -1) if position.own[slot])
    reach = max(dice)
    if highest > 6 and highest != move.source:
        return _refusal("not_home", move=_name(move), slot=_slot(highest))
    if move.source < highest and reach > move.source:
        return _refusal("higher_checker", move=_name(move), die=reach, highest=highest)
    return None


def _steps_towards(move: Move, dice: list[int]) -> list[Move]:
    """The single steps of every way in which ``dice`` could make ``move``."""
    steps = []
    for order in (dice, dice[::-1]):
        slots = [move.source - pips for pips in accumulate(order, initial=0)]
        if move.target in slots:
            slots = slots[: slots.index(move.target) + 1]
            steps += [Move(source, target) for source, target in pairwise(slots)]
    return steps


def _what_was_left(roll: Roll, used: list[int], play: Play, most: int) -> IllegalPlay:
    """The refusal of a legal but incomplete play, or of the wrong die."""
    if not used:
        return _refusal("must_play", most=_dice(most), roll=str(roll))
    if len(used) == most:
        return _refusal("higher_die", die=roll.high)
    if roll.is_double:
        return _refusal(
            "more_of_double",
            most=_times(most, roll.high),
            used=_times(len(used), roll.high),
        )
    other = roll.low if used[0] == roll.high else roll.high
    board = ScratchBoard.of(play.result)
    following = next((slot for slot in range(BAR, OFF, -1) if board.can_move(slot, other)), None)
    made = _name(play.moves[0])
    if following is None:
        return _refusal("both_dice", move=made, die=other)
    onward = _name(Move(following, max(following - other, OFF)))
    return _refusal("unused_die", move=made, die=other, onward=onward)


def _name(move: Move) -> str:
    source = "bar" if move.source == BAR else str(move.source)
    target = "off" if move.target == OFF else str(move.target)
    return f"{source}/{target}"


def _slot(slot: int) -> str:
    return "bar" if slot == BAR else f"{slot} point"


def _checkers(count: int) -> str:
    return "1 checker" if count == 1 else f"{count} checkers"


def _dice(count: int) -> str:
    return "1 die" if count == 1 else f"{count} dice"


def _times(count: int, die: int) -> str:
    return f"one {die}" if count == 1 else f"{count} {die}s"
