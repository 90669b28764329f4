"""Merge a chouette game's table log into its board record.

The board has the rolls and plays, the table's log the cubes. A table event knows how far the board's record
had come when it was written; scorers write a double before or after the dice it came before, and where the
board leaves one place for it, that is its place.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from scoring.rules.chouette.events import (
    Answered,
    ChouetteEvent,
    CubeBeavered,
    CubeRaccooned,
    ExtraTaken,
    Offered,
    RefusedExtra,
)
from scoring.rules.chouette.game_state import TableGame
from scoring.rules.chouette.table import apply_to_table
from scoring.rules.errors import IllegalAction
from scoring.rules.events import Event, MatchStarted, Voided
from scoring.rules.game import Phase
from scoring.rules.match_state import MatchState
from scoring.rules.sheet import apply, begin
from scoring.rules.sides import Side

_FOLLOW_AN_OFFER = Answered | CubeBeavered | CubeRaccooned | ExtraTaken | RefusedExtra


@dataclass(frozen=True, slots=True)
class TableMoment:
    """An event of the chouette's log, its seq there, and the seq of the board's head when it was written."""

    seq: int
    board_seq: int
    event: ChouetteEvent


@dataclass(frozen=True, slots=True)
class PlacedMoment:
    """A moment where it belongs.

    ``in_turn`` is False for a double that fits no turn of the doubler's, and for its answers.
    """

    moment: TableMoment
    in_turn: bool = True


@dataclass(frozen=True, slots=True)
class BoardStep:
    """An event of the board (None: after the last), the state before it, and what the table did before it.

    ``shows`` is the seq of the board's event at which what the table did is shown: this one, or the last.
    """

    shows: int
    state: MatchState
    event: Event | None
    placed: tuple[PlacedMoment, ...]


def steps_of(
    game: TableGame, board: Sequence[tuple[int, Event]], moments: Sequence[TableMoment]
) -> list[BoardStep]:
    """Every event of the board's record, corrections applied, and a last step for what came after it.

    Args:
        game: the chouette's game as it begins.
        board: seq and event, from the MatchStarted on.
        moments: the table's events of this game, corrections applied, in their order.

    Raises IllegalAction for a record that does not begin with its start, and what replaying the two raises.
    """
    if not board or not isinstance(board[0][1], MatchStarted):
        raise IllegalAction("not_started", "a scoresheet begins with the start of the match")
    states = [begin(board[0][1])]
    board = [(seq, event) for seq, event in board if not isinstance(event, Voided)]
    for _seq, event in board[1:]:
        states.append(apply(states[-1], event))
    placed = _placed(game, [seq for seq, _event in board], states, moments)
    steps = [
        BoardStep(seq, state, event, tuple(placed[index]))
        for index, ((seq, event), state) in enumerate(zip(board[1:], states, strict=False))
    ]
    return [*steps, BoardStep(board[-1][0], states[-1], None, tuple(placed[-1]))]


def is_turn(state: MatchState, side: Side | None = None) -> bool:
    """Whether somebody (``side``) is to roll, and so could double."""
    game = state.game
    return game.phase is Phase.TURN and side in {None, game.on_roll}


def _placed(
    game: TableGame, seqs: Sequence[int], states: Sequence[MatchState], moments: Sequence[TableMoment]
) -> list[list[PlacedMoment]]:
    """For each state of the board, the moments at which it stood."""
    found: list[list[PlacedMoment]] = [[] for _state in states]
    last, in_turn = 0, True
    for moment in moments:
        wanted = max(sum(1 for seq in seqs if seq <= moment.board_seq) - 1, 0)
        if isinstance(moment.event, Offered):
            turn = _turn_for(states, wanted, _doubler(game, moment.event))
            in_turn = turn is not None and turn >= last
            wanted = turn if turn is not None and in_turn else wanted
        elif isinstance(moment.event, _FOLLOW_AN_OFFER):
            wanted = last
        last = max(last, wanted)
        found[last].append(PlacedMoment(moment, in_turn))
        game = apply_to_table(game, moment.event)
    return found


def _doubler(game: TableGame, event: Offered) -> Side:
    """The side of the board that doubles: the box, or who plays its part on an extra, is White."""
    cube = game.cube(event.cubes[0])
    return Side.WHITE if event.by == (cube.against or game.seating.box) else Side.BLACK


def _turn_for(states: Sequence[MatchState], index: int, side: Side) -> int | None:
    """The place of a double of this side that was written at ``index``: None where there is none.

    Written after the dice, it came before them; written before the other's play, after it.
    """
    if is_turn(states[index], side):
        return index
    if states[index].game.phase is not Phase.MOVING:
        return None
    back = states[index].game.on_roll is side
    places = range(index - 1, -1, -1) if back else range(index + 1, len(states))
    ends = (place for place in places if states[place].game.phase in {Phase.TURN, Phase.OPENING})
    at = next(ends, None)
    return at if at is not None and is_turn(states[at], side) else None
