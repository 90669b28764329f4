"""Which events are legal next in a game, and why others are refused.

Source: docs/reference/rules.md, "The course of a game".
"""

from collections.abc import Callable, Mapping

from scoring.rules.errors import IllegalAction
from scoring.rules.events import (
    Accepted,
    Beavered,
    Doubled,
    GameRecorded,
    NotRolled,
    OpeningRolled,
    Passed,
    Played,
    PositionSet,
    Raccooned,
    RefusedResignation,
    Resigned,
    Rolled,
    Taken,
)
from scoring.rules.game import BETWEEN_MOVES, GameState, Phase, is_closed_out
from scoring.rules.match import Win
from scoring.rules.refusals import WORDS


def refusal(game: GameState, kind: str) -> IllegalAction | None:
    """Why an event of this kind may not happen now; None if it may.

    A kind that needs values may still be refused for them.  Raises :class:`KeyError` for a kind that no
    game knows.
    """
    return _GUARDS[kind](game)


def resignation_levels(game: GameState) -> tuple[Win, ...]:
    """The resignation levels on offer: only a single while Jacoby applies."""
    return tuple(win for win in Win if game.counted(win) is win)


def not_now(game: GameState, what: str) -> IllegalAction:
    """The refusal of ``what`` while another event is expected."""
    side = game.to_act
    template = WORDS[f"not_now_{game.phase.value}"]
    return IllegalAction("not_now", template, what=what, side=side.value if side else "")


def _in_phase(what: str, *phases: Phase) -> Callable[[GameState], IllegalAction | None]:
    def guard(game: GameState) -> IllegalAction | None:
        return None if game.phase in phases else not_now(game, what)

    return guard


def _may_double(game: GameState) -> IllegalAction | None:
    if game.phase is Phase.MOVING:
        return IllegalAction("after_roll", WORDS["after_roll"], roll=str(game.roll))
    if game.phase is not Phase.TURN:
        return not_now(game, "a double")
    if not game.terms.options.cube:
        return IllegalAction("no_cube", WORDS["no_cube"])
    if game.terms.crawford:
        return IllegalAction("crawford", WORDS["crawford"])
    if game.terms.holland and min(game.white_rolls, game.black_rolls) < 2:
        rolls = {"white": game.white_rolls, "black": game.black_rolls}
        return IllegalAction("holland", WORDS["holland"], **rolls)
    if game.cube.owner not in {None, game.on_roll}:
        return IllegalAction("not_owner", WORDS["not_owner"], owner=str(game.cube.owner))
    return cube_refusal(game, game.cube.value * 2)


def _may_beaver(game: GameState) -> IllegalAction | None:
    if game.phase is not Phase.OFFERED:
        return not_now(game, "a beaver")
    if not (game.terms.money and game.terms.options.beavers):
        return IllegalAction("no_beavers", WORDS["no_beavers"])
    return cube_refusal(game, game.cube.value * 4)


def _may_raccoon(game: GameState) -> IllegalAction | None:
    if game.phase is not Phase.BEAVERED:
        return not_now(game, "a raccoon")
    if not game.terms.options.raccoons:
        return IllegalAction("no_raccoons", WORDS["no_raccoons"])
    return cube_refusal(game, game.cube.value * 2)


def _may_not_roll(game: GameState) -> IllegalAction | None:
    if game.phase not in {Phase.TURN, Phase.ROLL}:
        return not_now(game, "passing the dice")
    side = game.player
    if not is_closed_out(game.seen_by(side)):
        return IllegalAction("not_closed_out", WORDS["not_closed_out"], side=side.value)
    return None


def cube_refusal(game: GameState, value: int) -> IllegalAction | None:
    """Why the cube cannot be turned to ``value``; None if it can."""
    limit = game.terms.options.max_cube
    if limit is not None and value > limit:
        return IllegalAction("max_cube", WORDS["max_cube"], limit=limit, value=value)
    return None


def _never_before_the_end(game: GameState) -> IllegalAction | None:
    return not_now(game, "a result") if game.phase is Phase.OVER else None


_GUARDS: Mapping[str, Callable[[GameState], IllegalAction | None]] = {
    OpeningRolled.kind: _in_phase("an opening roll", Phase.OPENING),
    Rolled.kind: _in_phase("a roll", Phase.TURN, Phase.ROLL),
    Played.kind: _in_phase("a play", Phase.MOVING),
    Doubled.kind: _may_double,
    Taken.kind: _in_phase("a take", Phase.OFFERED, Phase.BEAVERED, Phase.RACCOONED),
    Passed.kind: _in_phase("a pass", Phase.OFFERED, Phase.BEAVERED, Phase.RACCOONED),
    Beavered.kind: _may_beaver,
    Raccooned.kind: _may_raccoon,
    Resigned.kind: _in_phase("a resignation", *BETWEEN_MOVES),
    Accepted.kind: _in_phase("an acceptance", Phase.RESIGN_OFFERED),
    RefusedResignation.kind: _in_phase("a refusal", Phase.RESIGN_OFFERED),
    NotRolled.kind: _may_not_roll,
    GameRecorded.kind: _never_before_the_end,
    PositionSet.kind: _in_phase("a new position", Phase.OPENING, *BETWEEN_MOVES),
}

GAME_KINDS = frozenset(_GUARDS)
"""The kinds of events that belong to a game."""
