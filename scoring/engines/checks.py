"""Refuse impossible questions before an engine sees them.

Engines in C++ trust their input: an impossible position can end in a segmentation fault or, worse, in a
number. Positions come from our own replay, so a refusal here is a bug or a forged request, never a user's
mistake.
"""

from scoring.engines.errors import EngineRefused
from scoring.engines.requests import (
    AnalysisRequest,
    CheckerQuestion,
    CubeOwner,
    CubeQuestion,
    Question,
    Situation,
)
from scoring.theory.met import LONGEST

CHECKERS = 15
_OWN = dict(zip("-ABCDEFGHIJKLMNOabcdefghijklmno", [*range(16), *[0] * 15], strict=True))
_OPPONENT = {letter.swapcase(): count for letter, count in _OWN.items()}
"""Checkers by letter; a letter of the other player is none of this one's."""


def counts(position: str) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Own and opposing checkers by slot 0..25, both in the frame of the player on roll.

    Raises EngineRefused for a text that is not a position.

    >>> own, opponent = counts("-b----E-C---eE---c-e----B-")
    >>> own[24], own[6], opponent[1], sum(own)
    (2, 5, 2, 15)
    """
    if len(position) != 26:
        raise EngineRefused(
            f"a position has 26 characters, {position!r} has {len(position)}", position=position
        )
    if strange := sorted(set(position) - _OWN.keys()):
        raise EngineRefused(f"{strange[0]!r} in {position!r} is not a checker count", position=position)
    return tuple([_OWN[c] for c in position]), tuple([_OPPONENT[c] for c in position])


def check_request(request: AnalysisRequest) -> None:
    """Raise EngineRefused naming the first question that cannot have happened."""
    for question in request.questions:
        try:
            check_question(question)
        except EngineRefused as refusal:
            place = f"game {question.game}, ply {question.ply} ({question.side})"
            raise EngineRefused(
                f"{place}: {refusal}", game=question.game, ply=question.ply, **refusal.parameters
            ) from refusal


def check_question(question: Question) -> None:
    """Raise EngineRefused for a question that cannot have been faced."""
    _check_situation(question.situation)
    if isinstance(question, CheckerQuestion):
        _check_play(question)
    else:
        _check_cube_action(question)


def _check_situation(situation: Situation) -> None:
    own, opponent = counts(situation.position)
    for name, checkers, foreign_bar in (("player on roll", own, 0), ("opponent", opponent, 25)):
        if sum(checkers) > CHECKERS:
            raise EngineRefused(f"the {name} has {sum(checkers)} checkers", position=situation.position)
        if sum(checkers) == 0:
            raise EngineRefused(f"the {name} has borne off: the game is over", position=situation.position)
        if checkers[foreign_bar]:
            raise EngineRefused(
                f"the {name} has a checker on the other player's bar", position=situation.position
            )
    if both_closed_out(own, opponent):
        raise EngineRefused("both players are on the bar against closed boards", position=situation.position)
    _check_cube(situation)


def both_closed_out(own: tuple[int, ...], opponent: tuple[int, ...]) -> bool:
    own_shut = own[25] > 0 and all(opponent[p] >= 2 for p in range(19, 25))
    opponent_shut = opponent[0] > 0 and all(own[p] >= 2 for p in range(1, 7))
    return own_shut and opponent_shut


def _check_cube(situation: Situation) -> None:
    cube, away = situation.cube, (situation.own_away, situation.opponent_away)
    if cube < 1 or cube & (cube - 1):
        raise EngineRefused(f"a cube of {cube} is not a power of two", cube=cube)
    if situation.owner is not CubeOwner.CENTRED and cube < 2:
        raise EngineRefused(f"an owned cube is at 2 or more, not {cube}", cube=cube)
    if min(away) < 0 or (min(away) == 0) != (max(away) == 0):
        raise EngineRefused(f"{away[0]}-away {away[1]}-away is not a score", away=away)
    if max(away) > LONGEST:
        raise EngineRefused(
            f"a player needs {max(away)} points: the match equity table ends at {LONGEST}", away=away
        )
    if situation.crawford and (min(away) != 1 or max(away) == 1 or cube != 1):
        raise EngineRefused(
            f"no Crawford game at {away[0]}-away {away[1]}-away, cube {cube}", away=away, cube=cube
        )


def _check_play(question: CheckerQuestion) -> None:
    if any(type(die) is not int or not 1 <= die <= 6 for die in question.dice):
        raise EngineRefused(f"dice {question.dice} are not two numbers from 1 to 6", dice=question.dice)
    if not question.played:
        return
    own, opponent = counts(question.situation.position)
    own_after, opponent_after = counts(question.played)
    if sum(opponent_after) != sum(opponent):
        raise EngineRefused(
            f"the play changes the opponent's checkers from {sum(opponent)} to {sum(opponent_after)}",
            position=question.situation.position,
            played=question.played,
        )
    if sum(own_after) > sum(own):
        raise EngineRefused(
            f"the play adds checkers: {sum(own)} before, {sum(own_after)} after",
            position=question.situation.position,
            played=question.played,
        )
    if own_after[0] or opponent_after[25]:
        raise EngineRefused("the play leaves a checker on the other player's bar", played=question.played)


def _check_cube_action(question: CubeQuestion) -> None:
    situation = question.situation
    if situation.owner is CubeOwner.OPPONENT:
        raise EngineRefused("the opponent owns the cube: there is nothing to decide", ref=question.ref)
    if situation.crawford:
        raise EngineRefused("there is no cube in the Crawford game", ref=question.ref)
    if question.response is not None and not question.doubled:
        raise EngineRefused(f"{question.response} is not an answer to a double", ref=question.ref)
