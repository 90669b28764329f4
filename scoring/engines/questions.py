"""From a replayed scoresheet to an engine's questions.

Every play that stood, and every moment at which the player on roll could double with profit, is a question:
also the rolls before which nobody doubled. What the rules let nobody decide is none: the opening roll, the
Crawford game's cube, a dead cube that stayed where it was, a roll that was void, a play that was taken back.
"""

from collections.abc import Iterator, Sequence

from scoring.engines.checks import check_question
from scoring.engines.errors import EngineRefused
from scoring.engines.requests import (
    AnalysisRequest,
    CheckerQuestion,
    CubeOwner,
    CubeQuestion,
    Question,
    Response,
    Situation,
)
from scoring.rules.errors import IllegalAction
from scoring.rules.events import (
    Beavered,
    Doubled,
    DoubleStatus,
    Event,
    MatchStarted,
    NotRolled,
    Passed,
    Played,
    PlayStatus,
    Rolled,
    Ruled,
    Taken,
    Voided,
)
from scoring.rules.game import Phase
from scoring.rules.match_state import MatchState
from scoring.rules.sheet import apply, begin, is_dead_double, why_not
from scoring.rules.transitions import apply_to_game

_RESPONSES: dict[type[Event], Response] = {
    Taken: Response.TAKE,
    Passed: Response.PASS,
    Beavered: Response.BEAVER,
}


def request_for(
    events: Sequence[Event], *, preset: str, refs: Sequence[str] | None = None
) -> AnalysisRequest:
    """All questions of one match, under the money options that it was played by.

    Args:
        events: the scoresheet as it stands, corrections applied, from its MatchStarted on.
        preset: how deep to look, e.g. `fast`.
        refs: one opaque text an event, which comes back with its decisions; by default its number, from 1.

    Plays that no engine can be told (an accepted illegal play that adds checkers) are named in `left_out`.
    Raises what replaying the events raises.
    """
    names = [str(number) for number in range(1, len(events) + 1)] if refs is None else refs
    start = _started(events)
    questions: list[Question] = []
    left_out: list[str] = []
    for question in _faced(start, events, names):
        if isinstance(question, str):
            left_out.append(question)
        else:
            questions.append(question)
    return AnalysisRequest(
        tuple(questions), preset, start.options.jacoby, start.options.beavers, left_out=tuple(left_out)
    )


def _started(events: Sequence[Event]) -> MatchStarted:
    if not events or not isinstance(events[0], MatchStarted):
        raise IllegalAction("not_started", "a scoresheet begins with the start of the match")
    return events[0]


def _faced(start: MatchStarted, events: Sequence[Event], refs: Sequence[str]) -> Iterator[Question | str]:
    """Every question, or the ref of a play that cannot be one."""
    state = begin(start)
    first_of_game = 1
    for index, event in enumerate(events[1:], start=1):
        question = _question(state, event, index, events, refs, ply=index - first_of_game + 1)
        if question is not None:
            yield question if can_be_asked(question) else question.ref
        number = state.game.number
        state = apply(state, event)
        if state.game.number != number:
            first_of_game = index + 1


def _question(
    state: MatchState, event: Event, index: int, events: Sequence[Event], refs: Sequence[str], *, ply: int
) -> Question | None:
    if isinstance(event, Played) and event.status is not PlayStatus.ILLEGAL_CORRECTED:
        return checker_question(state, event, refs[index], ply)
    if isinstance(event, Rolled | NotRolled) and _leaves_the_cube(state, event):
        return CubeQuestion(
            refs[index], state.game.number, ply, state.game.player, situation_of(state), doubled=False
        )
    if isinstance(event, Doubled) and event.status is DoubleStatus.OK:
        return _double_question(state, index, events, refs, ply)
    return None


def checker_question(state: MatchState, event: Played, ref: str, ply: int) -> CheckerQuestion | None:
    """The question of a play; None where nobody is to move."""
    game = state.game
    if game.phase is not Phase.MOVING or game.roll is None:
        return None
    side = game.player
    after = apply_to_game(game, event).seen_by(side)
    return CheckerQuestion(
        ref=ref,
        game=game.number,
        ply=ply,
        side=side,
        situation=situation_of(state),
        dice=(game.roll.high, game.roll.low),
        played=after.key,
        legal=event.status is PlayStatus.LEGAL,
    )


def _leaves_the_cube(state: MatchState, event: Rolled | NotRolled) -> bool:
    """Whether the player rolls although a double was allowed and not dead."""
    if isinstance(event, Rolled) and event.void is not None:
        return False
    return why_not(state, Doubled.kind) is None and not is_dead_double(state)


def _double_question(
    state: MatchState, index: int, events: Sequence[Event], refs: Sequence[str], ply: int
) -> CubeQuestion:
    answered = _answer_to(index, events)
    return CubeQuestion(
        ref=refs[index],
        game=state.game.number,
        ply=ply,
        side=state.game.player,
        situation=situation_of(state),
        doubled=True,
        response=None if answered is None else _RESPONSES[type(events[answered])],
        response_ref="" if answered is None else refs[answered],
        response_ply=0 if answered is None else ply + answered - index,
    )


def _answer_to(index: int, events: Sequence[Event]) -> int | None:
    for number in range(index + 1, len(events)):
        if type(events[number]) in _RESPONSES:
            return number
        if not isinstance(events[number], Ruled | Voided):
            return None
    return None


def situation_of(state: MatchState) -> Situation:
    """What the player on roll is faced with. Raises IllegalAction before the opening roll."""
    game, score = state.game, state.score
    side = game.player
    away = (0, 0) if score.is_money else (score.away(side), score.away(side.other))
    if game.cube.owner is None:
        owner = CubeOwner.CENTRED
    else:
        owner = CubeOwner.OWN if game.cube.owner is side else CubeOwner.OPPONENT
    return Situation(
        position=game.seen_by(side).key,
        cube=game.cube.value,
        owner=owner,
        own_away=away[0],
        opponent_away=away[1],
        # A penalty inside the Crawford game can bring it to double match point, where no cube matters.
        crawford=game.terms.crawford and away != (1, 1),
    )


def can_be_asked(question: Question) -> bool:
    """Whether an engine can be told: an illegal play if it can be said, everything else always.

    An engine that refuses a legal play has found a bug, and must say so.
    """
    if isinstance(question, CubeQuestion) or question.legal:
        return True
    try:
        check_question(question)
    except EngineRefused:
        return False
    return True
