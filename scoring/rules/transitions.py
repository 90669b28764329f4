"""One game as a fold of its events: the transitions of the scoring state machine.

Source: docs/reference/rules.md, "The course of a game".
"""

from collections.abc import Callable, Mapping
from typing import Any

from scoring.rules.cube import Cube
from scoring.rules.dice import Roll
from scoring.rules.endings import GameEnd
from scoring.rules.errors import IllegalAction, IllegalPlay, InvalidValue
from scoring.rules.events import (
    Accepted,
    Beavered,
    Doubled,
    DoubleStatus,
    GameRecorded,
    NotRolled,
    OpeningRolled,
    Passed,
    Played,
    PlayStatus,
    PositionSet,
    Raccooned,
    RefusedResignation,
    Resigned,
    Rolled,
    Taken,
    VoidRoll,
)
from scoring.rules.evolve import evolve
from scoring.rules.explain import INCOMPLETE, WORDS, explain_play, resolve_play
from scoring.rules.game import BETWEEN_MOVES, GameOutcome, GameState, Phase, Resignation
from scoring.rules.guards import cube_refusal, not_now, refusal, resignation_levels
from scoring.rules.match import Win
from scoring.rules.options import DieOnChecker, MovesPolicy, PrematureCube, PrematureRoll
from scoring.rules.plays import mechanical_result
from scoring.rules.position import OFF, Position
from scoring.rules.refusals import WORDS as ACTION_WORDS
from scoring.rules.sides import Side


def apply_to_game(game: GameState, event: Any) -> GameState:
    """The game after ``event``.

    Raises :class:`IllegalAction` or :class:`IllegalPlay` if it may not happen, :class:`InvalidValue` for a
    value that cannot be, :class:`KeyError` for an event that is not one of a game.
    """
    return _HANDLERS[type(event)](game, event)


def _require(refused: IllegalAction | None) -> None:
    if refused is not None:
        raise refused


def _opening_roll(game: GameState, event: OpeningRolled) -> GameState:
    _require(refusal(game, event.kind))
    roll = Roll(event.white, event.black)
    if not roll.is_double:
        winner = Side.WHITE if event.white > event.black else Side.BLACK
        return _with_roll(evolve(game, on_roll=winner), roll)
    doubled = game.cube.value * 2
    options = game.terms.options
    allowed = game.terms.money and options.cube and game.automatic_doubles < options.automatic_doubles
    if not allowed or cube_refusal(game, doubled):
        return game
    return evolve(game, cube=Cube(doubled), automatic_doubles=game.automatic_doubles + 1)


def _rolled(game: GameState, event: Rolled) -> GameState:
    if event.void is not None:
        return _void_roll(game, event.void)
    _require(refusal(game, event.kind))
    return _with_roll(game, event.dice)


def _with_roll(game: GameState, roll: Roll) -> GameState:
    if game.on_roll is Side.WHITE:
        return evolve(game, phase=Phase.MOVING, roll=roll, white_rolls=game.white_rolls + 1)
    return evolve(game, phase=Phase.MOVING, roll=roll, black_rolls=game.black_rolls + 1)


def _void_roll(game: GameState, reason: VoidRoll) -> GameState:
    if game.phase not in {Phase.OPENING, *BETWEEN_MOVES}:
        raise not_now(game, "a roll")
    options = game.terms.options
    if reason is VoidRoll.PREMATURE and options.premature_roll is PrematureRoll.STANDS:
        raise IllegalAction("premature_stands", ACTION_WORDS["premature_stands_roll"])
    if reason is VoidRoll.DIE_ON_CHECKER and options.die_on_checker is DieOnChecker.VALID:
        raise IllegalAction("die_valid", ACTION_WORDS["die_valid"])
    return game


def _not_rolled(game: GameState, event: NotRolled) -> GameState:
    _require(refusal(game, event.kind))
    return evolve(game, phase=Phase.TURN, on_roll=game.player.other)


def _played(game: GameState, event: Played) -> GameState:
    _require(refusal(game, event.kind))
    side = game.player
    roll = game.roll
    assert roll is not None  # noqa: S101 - true in the phase MOVING
    before = game.seen_by(side)
    if event.status is PlayStatus.LEGAL:
        result = resolve_play(before, roll, event.moves).result
        if event.result not in {None, result}:
            raise IllegalPlay(
                "other_result",
                "these moves lead to {result}, not to {given}",
                result=str(result),
                given=str(event.result),
            )
        return _moved(game, side, result)
    _check_not_legal(event, before, roll)
    if event.status is PlayStatus.ILLEGAL_CORRECTED:
        return game
    _check_acceptance(game, event, side)
    result = event.result or mechanical_result(before, event.moves)
    if (sum(result.own), sum(result.opponent)) != (sum(before.own), sum(before.opponent)):
        raise IllegalPlay("checkers_changed", "{result} lost or gained a checker", result=str(result))
    return _moved(game, side, result)


def _check_not_legal(event: Played, before: Position, roll: Roll) -> None:
    answer = explain_play(before, roll, event.moves)
    legal = not isinstance(answer, IllegalPlay) and event.result in {None, answer.result}
    if legal:
        raise IllegalAction("play_is_legal", WORDS["play_is_legal"], status=event.status.value)
    incomplete = isinstance(answer, IllegalPlay) and answer.code in INCOMPLETE
    if event.status is PlayStatus.INCOMPLETE_ACCEPTED and not incomplete:
        raise IllegalAction("play_is_not_incomplete", WORDS["play_is_not_incomplete"])


def _check_acceptance(game: GameState, event: Played, side: Side) -> None:
    if event.accepted_by is None:
        return
    if event.accepted_by is side:
        raise IllegalAction("accepted_by_mover", ACTION_WORDS["accepted_by_mover"], side=side.value)
    if game.terms.options.moves_policy is MovesPolicy.LEGAL:
        raise IllegalAction("must_be_corrected", WORDS["must_be_corrected"])


def _moved(game: GameState, side: Side, result: Position) -> GameState:
    position = result if side is Side.WHITE else result.flipped()
    if result.own[OFF] != sum(result.own):
        return evolve(game, phase=Phase.TURN, on_roll=side.other, roll=None, position=position)
    win = game.counted(Win.over(result.flipped()))
    return _over(evolve(game, position=position), GameOutcome(side, win, game.cube.value, GameEnd.BORNE_OFF))


def _over(game: GameState, outcome: GameOutcome) -> GameState:
    return evolve(game, phase=Phase.OVER, roll=None, resignation=None, outcome=outcome)


_VOID_DOUBLES = {
    DoubleStatus.VOID_CRAWFORD: "crawford",
    DoubleStatus.VOID_HOLLAND: "holland",
    DoubleStatus.VOID_NOT_OWNER: "not_owner",
    DoubleStatus.VOID_AFTER_ROLL: "after_roll",
}


def _doubled(game: GameState, event: Doubled) -> GameState:
    refused = refusal(game, event.kind)
    if event.status is DoubleStatus.OK:
        _require(refused)
        return evolve(game, phase=Phase.OFFERED)
    if event.status is DoubleStatus.VOID_PREMATURE:
        if game.phase not in BETWEEN_MOVES:
            raise not_now(game, "a double")
        if game.terms.options.premature_cube is PrematureCube.STANDS:
            raise IllegalAction("premature_stands", ACTION_WORDS["premature_stands_double"])
        return game
    if refused is None or refused.code != _VOID_DOUBLES[event.status]:
        raise IllegalAction("not_void", ACTION_WORDS["not_void"], status=event.status.value)
    return game


def _taken(game: GameState, event: Taken) -> GameState:
    _require(refusal(game, event.kind))
    if game.phase is not Phase.OFFERED:
        return evolve(game, phase=Phase.ROLL)
    return evolve(game, phase=Phase.ROLL, cube=game.cube.turned_to(game.player.other), cube_turned=True)


def _passed(game: GameState, event: Passed) -> GameState:
    _require(refusal(game, event.kind))
    doubler = game.player
    # the offer that is refused is the last turn of the cube: a pass pays what it showed before that
    value = game.cube.value if game.phase is Phase.OFFERED else game.cube.value // 2
    winner = doubler.other if game.phase is Phase.BEAVERED else doubler
    return _over(game, GameOutcome(winner, Win.SINGLE, value, GameEnd.PASS))


def _beavered(game: GameState, event: Beavered) -> GameState:
    _require(refusal(game, event.kind))
    cube = game.cube.turned_to(game.player.other, 2)
    return evolve(game, phase=Phase.BEAVERED, cube=cube, cube_turned=True)


def _raccooned(game: GameState, event: Raccooned) -> GameState:
    _require(refusal(game, event.kind))
    return evolve(game, phase=Phase.RACCOONED, cube=game.cube.turned_to(game.player.other))


def _resigned(game: GameState, event: Resigned) -> GameState:
    _require(refusal(game, event.kind))
    if event.level not in resignation_levels(game):
        raise IllegalAction(
            "jacoby",
            ACTION_WORDS["jacoby"],
            win=event.level.name.lower(),
        )
    offer = Resignation(event.by, event.level, game.phase)
    return evolve(game, phase=Phase.RESIGN_OFFERED, resignation=offer)


def _accepted(game: GameState, event: Accepted) -> GameState:
    _require(refusal(game, event.kind))
    offer = _resignation(game)
    return _over(game, GameOutcome(offer.by.other, offer.level, game.cube.value, GameEnd.RESIGNATION))


def _refused(game: GameState, event: RefusedResignation) -> GameState:
    _require(refusal(game, event.kind))
    return evolve(game, phase=_resignation(game).phase, resignation=None)


def _resignation(game: GameState) -> Resignation:
    assert game.resignation is not None  # noqa: S101 - true in the phase RESIGN_OFFERED
    return game.resignation


def _game_recorded(game: GameState, event: GameRecorded) -> GameState:
    _require(refusal(game, event.kind))
    cube = Cube(event.cube).value
    _require(cube_refusal(game, cube))
    if cube > 1 and (game.terms.crawford or not game.terms.options.cube):
        why = "crawford" if game.terms.crawford else "no_cube"
        raise IllegalAction(why, ACTION_WORDS["cube_off"], cube=cube)
    if cube < game.cube.value:
        raise IllegalAction("cube_fell", ACTION_WORDS["cube_fell"], now=game.cube.value, cube=cube)
    if event.ended is GameEnd.PASS and event.win is not Win.SINGLE:
        raise IllegalAction("pass_is_single", ACTION_WORDS["pass_is_single"], win=event.win.name.lower())
    if game.is_jacoby and cube == 1 and event.win is not Win.SINGLE:
        raise IllegalAction("jacoby", ACTION_WORDS["jacoby"], win=event.win.name.lower())
    return _over(game, GameOutcome(event.winner, event.win, cube, event.ended))


def _position_set(game: GameState, event: PositionSet) -> GameState:
    _require(refusal(game, event.kind))
    if not event.reason.strip():
        raise InvalidValue("reason", ACTION_WORDS["new_position_reason"])
    cube = event.cube or game.cube
    if cube.value > 1 and game.terms.crawford:
        raise IllegalAction("crawford", ACTION_WORDS["cube_off"], cube=cube.value)
    for counts in (event.position.own, event.position.opponent):
        if counts[OFF] == sum(counts):
            raise IllegalAction("position_over", ACTION_WORDS["position_over"])
    cube_turned = game.cube_turned or cube.owner is not None
    game = evolve(game, position=event.position, cube=cube, cube_turned=cube_turned)
    if event.on_roll is None or event.on_roll is game.on_roll:
        return game
    return evolve(game, on_roll=event.on_roll, phase=Phase.TURN, roll=None)


_HANDLERS: Mapping[type[Any], Callable[[GameState, Any], GameState]] = {
    OpeningRolled: _opening_roll,
    Rolled: _rolled,
    Played: _played,
    Doubled: _doubled,
    Taken: _taken,
    Passed: _passed,
    Beavered: _beavered,
    Raccooned: _raccooned,
    Resigned: _resigned,
    Accepted: _accepted,
    RefusedResignation: _refused,
    NotRolled: _not_rolled,
    GameRecorded: _game_recorded,
    PositionSet: _position_set,
}
