"""Match-level transitions: match events and the end of a game.

Source: docs/reference/rules.md, "How a match ends".
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from scoring.rules.endings import Ending
from scoring.rules.errors import IllegalAction, InvalidValue
from scoring.rules.events import (
    LengthSet,
    MatchEnded,
    PenaltyGiven,
    Resumed,
    Ruled,
    ScoreRecorded,
    Suspended,
    Voided,
)
from scoring.rules.evolve import evolve
from scoring.rules.game import GameState, GameTerms
from scoring.rules.match import Crawford, MatchScore
from scoring.rules.match_state import FinishedGame, Flag, MatchOutcome, MatchState, Status
from scoring.rules.options import RuleOptions
from scoring.rules.refusals import WORDS
from scoring.rules.sides import Side


def apply_to_match(state: MatchState, event: Any) -> MatchState:
    """The match after a match-level event that passed the guards.

    Raises :class:`IllegalAction` or :class:`InvalidValue` for what the event says.
    """
    return _HANDLERS[type(event)](state, event)


def terms(options: RuleOptions, score: MatchScore) -> GameTerms:
    """The terms of a game that starts at ``score``."""
    return GameTerms(
        options,
        money=score.is_money,
        crawford=score.crawford is Crawford.NOW,
        holland=options.holland and score.crawford is Crawford.BEHIND,
    )


def in_game(state: MatchState) -> bool:
    """Whether a game has begun and is not over."""
    return state.status is not Status.OVER and not state.game.is_untouched


def next_game(state: MatchState) -> MatchState:
    """The state with a fresh game on its present score."""
    return evolve(state, game=GameState(terms(state.options, state.score), number=len(state.games) + 1))


def game_over(state: MatchState) -> MatchState:
    game = state.game
    outcome = game.outcome
    assert outcome is not None  # noqa: S101 - true in the phase OVER
    score = state.score.after(outcome.winner, outcome.win, outcome.cube)
    finished = FinishedGame(game.number, outcome, game.terms.crawford, score.white, score.black)
    state = evolve(
        state,
        score=score,
        games=(*state.games, finished),
        timeline=(*state.timeline, (score.white, score.black)),
    )
    if score.winner is not None:
        return over(state, Ending.PLAYED, score.winner)
    return next_game(state)


def over(state: MatchState, reason: Ending, winner: Side | None) -> MatchState:
    """The state with the match at its end."""
    return evolve(state, status=Status.OVER, outcome=MatchOutcome(reason, winner))


def _score_recorded(state: MatchState, event: ScoreRecorded) -> MatchState:
    old = state.score
    for side, points in ((Side.WHITE, event.white), (Side.BLACK, event.black)):
        if type(points) is not int or points < old.points(side):
            raise InvalidValue("final_points", WORDS["final_points"], side=side.value, points=points)
        if old.length and points > old.length:
            raise InvalidValue(
                "beyond_length",
                WORDS["beyond_length"],
                side=side.value,
                length=old.length,
                points=points,
            )
    score = replace(old, white=event.white, black=event.black)
    if not old.is_money and score.winner is None:
        raise InvalidValue("no_winner", WORDS["no_winner"], score=str(score), length=old.length)
    state = evolve(state, score=score, timeline=(*state.timeline, (event.white, event.black)))
    return over(state, Ending.AGREED if old.is_money else Ending.PLAYED, score.winner)


def _match_ended(state: MatchState, event: MatchEnded) -> MatchState:
    reason = event.reason
    if reason is Ending.PLAYED:
        raise IllegalAction("score_follows", WORDS["score_follows"])
    if (reason is Ending.AGREED) is not state.score.is_money and reason is not Ending.VOID:
        raise IllegalAction("end_reason", WORDS["end_reason"], reason=reason.value)
    if reason.needs_winner and event.winner is None:
        raise InvalidValue("end_winner", WORDS["end_needs_winner"], reason=reason.value)
    if not reason.needs_winner and event.winner is not None:
        raise InvalidValue("end_winner", WORDS["end_without_winner"], reason=reason.value)
    if reason.unplayed and (state.games or in_game(state)):
        raise IllegalAction("has_begun", WORDS["has_begun"], reason=reason.value)
    return over(state, reason, event.winner)


def _suspended(state: MatchState, event: Suspended) -> MatchState:
    return evolve(state, status=Status.SUSPENDED, clocks=_clocks(event))


def _resumed(state: MatchState, event: Resumed) -> MatchState:
    return evolve(state, status=Status.PLAYING, clocks=_clocks(event))


def _clocks(event: Suspended | Resumed) -> tuple[int | None, int | None]:
    for seconds in (event.white_clock, event.black_clock):
        if seconds is not None and (type(seconds) is not int or seconds < 0):
            raise InvalidValue("clock", "a clock cannot show {seconds!r} seconds", seconds=seconds)
    return event.white_clock, event.black_clock


def _length_set(state: MatchState, event: LengthSet) -> MatchState:
    if type(event.length) is not int or event.length < 1:
        raise InvalidValue("length", WORDS["length"], length=event.length)
    if not event.reason.strip():
        raise InvalidValue("reason", WORDS["new_length_reason"])
    reached = next((scores for scores in state.timeline if max(scores) >= event.length), None)
    if reached is not None:
        return _stop_at(state, event.length, *reached)
    during = in_game(state)
    score = state.score.with_length(event.length, crawford=state.options.crawford, in_game=during)
    state = evolve(state, score=score, outcome=None)
    if state.status is Status.OVER:
        state = evolve(state, status=Status.PLAYING)
    return state if during else next_game(state)


def _stop_at(state: MatchState, length: int, white: int, black: int) -> MatchState:
    """End the match at the score that first reached its true length."""
    score = MatchScore(length, white, black, state.score.crawford)
    return over(evolve(state, score=score), Ending.PLAYED, score.winner)


def _penalty(state: MatchState, event: PenaltyGiven) -> MatchState:
    during = in_game(state)
    score = state.score.penalised(event.to, event.points, in_game=during)
    white, black = state.penalties
    if event.to is Side.WHITE:
        white += event.points
    else:
        black += event.points
    state = evolve(
        state,
        score=score,
        penalties=(white, black),
        timeline=(*state.timeline, (score.white, score.black)),
        flags=(*state.flags, Flag(state.events, "penalty", f"{event.to.value} +{event.points}")),
    )
    majority = state.options.penalty_majority and 2 * max(white, black) > score.length
    if score.winner is not None or majority:
        return over(state, Ending.PENALTY, score.winner or event.to)
    return state if during else next_game(state)


def _noted(state: MatchState, event: Ruled | Voided) -> MatchState:
    return evolve(state, flags=(*state.flags, Flag(state.events, event.kind)))


_HANDLERS: Mapping[type[Any], Callable[[MatchState, Any], MatchState]] = {
    ScoreRecorded: _score_recorded,
    MatchEnded: _match_ended,
    Suspended: _suspended,
    Resumed: _resumed,
    LengthSet: _length_set,
    PenaltyGiven: _penalty,
    Ruled: _noted,
    Voided: _noted,
}
