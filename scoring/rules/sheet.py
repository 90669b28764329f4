"""A whole match or money session as a fold of the events on its scoresheet.

Source: docs/reference/rules.md, "The scoresheet" and "The course of a game".

The first event is a :class:`~scoring.rules.events.MatchStarted`; :func:`begin` makes a state of it,
:func:`apply` adds one event, :func:`replay` folds a list.  The three depths mix freely between games: a final
score, the result of a game, or every roll and play.

>>> from scoring.rules.match import Win
>>> from scoring.rules.endings import GameEnd
>>> from scoring.rules.events import GameRecorded, MatchStarted, OpeningRolled
>>> state = replay([MatchStarted(3), GameRecorded(Side.BLACK, Win.GAMMON, 1, GameEnd.BORNE_OFF)])
>>> str(state.score), state.score.crawford.value, state.game.number
('0-2', 'now', 2)
>>> state = apply(state, OpeningRolled(3, 1))
>>> [(action.kind, action.by) for action in legal_actions(state)][:2]
[('play', <Side.WHITE: 'white'>), ('game_result', None)]
>>> str(why_not(state, "double"))
'no double after rolling: the roll is 31'
"""

from collections.abc import Callable, Iterable, Mapping

from scoring.rules.endings import Ending
from scoring.rules.errors import IllegalAction, InvalidValue
from scoring.rules.events import (
    Doubled,
    DoubleStatus,
    Event,
    GameRecorded,
    LengthSet,
    MatchEnded,
    MatchStarted,
    PenaltyGiven,
    Played,
    PlayStatus,
    PositionSet,
    Resigned,
    Resumed,
    Rolled,
    Ruled,
    ScoreRecorded,
    Suspended,
    Voided,
)
from scoring.rules.evolve import evolve
from scoring.rules.game import GameState, Phase
from scoring.rules.guards import GAME_KINDS, refusal, resignation_levels
from scoring.rules.match import MatchScore
from scoring.rules.match_state import Action, Flag, MatchState, Status
from scoring.rules.match_transitions import apply_to_match, game_over, in_game, terms
from scoring.rules.refusals import WORDS
from scoring.rules.sides import Side
from scoring.rules.transitions import apply_to_game


def begin(event: MatchStarted) -> MatchState:
    """The state before the first game.

    Raises :class:`InvalidValue` for a length or handicap that cannot be.
    """
    options = event.options
    score = MatchScore.start(event.length, white=event.white, black=event.black, crawford=options.crawford)
    return MatchState(
        options, score, GameState(terms(options, score)), timeline=((event.white, event.black),)
    )


def apply(state: MatchState, event: Event) -> MatchState:
    """The state after one more event.

    Raises :class:`~scoring.rules.errors.IllegalAction` or :class:`~scoring.rules.errors.IllegalPlay` if it
    may not happen now, and :class:`InvalidValue` for a value that cannot be.  ``state`` itself never changes.
    """
    refused = why_not(state, event.kind)
    # a void double or roll is recorded although it may not happen: its own rules are the game's
    if refused is not None and not (_is_void(event) and state.status is Status.PLAYING):
        raise refused
    number = state.events + 1
    if event.kind not in GAME_KINDS:
        return apply_to_match(evolve(state, events=number), event)
    game = apply_to_game(state.game, event)
    state = evolve(state, events=number, game=game, flags=state.flags + _flags(state, number, event))
    return game_over(state) if game.phase is Phase.OVER else state


def replay(events: Iterable[Event]) -> MatchState:
    """The state after all ``events``, beginning with :class:`~scoring.rules.events.MatchStarted`.

    Raises what :func:`apply` raises.
    """
    remaining = iter(events)
    first = next(remaining, None)
    if not isinstance(first, MatchStarted):
        raise IllegalAction(
            "not_started", "a scoresheet begins with the start of the match, not with {first}", first=first
        )
    state = begin(first)
    for event in remaining:
        state = apply(state, event)
    return state


def why_not(state: MatchState, kind: str) -> IllegalAction | None:
    """Why no event of this kind may happen now; None if one may (its values may still be refused).

    Raises :class:`InvalidValue` for a kind that does not exist.
    """
    if kind == MatchStarted.kind:
        return IllegalAction("started", "the match has started already")
    if kind not in _MATCH_GUARDS and kind not in GAME_KINDS:
        raise InvalidValue("event_kind", "there is no event of the kind {kind!r}", kind=kind)
    guard = _MATCH_GUARDS.get(kind)
    if guard is not None:
        return guard(state)
    refused = _not_playing(state)
    if refused is None:
        refused = refusal(state.game, kind)
    if refused is None and kind == Doubled.kind and state.options.forbid_dead_cube and is_dead_double(state):
        return IllegalAction("dead_cube", WORDS["dead_cube"], score=str(state.score))
    return refused


def legal_actions(state: MatchState) -> tuple[Action, ...]:
    """Everything that may happen next, moves of the game first.

    For each kind that is missing :func:`why_not` says why.
    """
    actions = []
    for kind in _KINDS_IN_ORDER:
        if why_not(state, kind) is not None:
            continue
        if kind == Resigned.kind:
            levels = resignation_levels(state.game)
            actions += [Action(kind, side, levels) for side in Side]
        else:
            actions.append(Action(kind, state.game.to_act if kind in _BY_ONE_SIDE else None))
    return tuple(actions)


def is_dead_double(state: MatchState) -> bool:
    """Whether a double by the side on roll gains nothing: a single at the present cube wins the match."""
    side = state.game.on_roll
    return (
        side is not None and not state.score.is_money and state.game.cube.value >= state.score.away(side) > 0
    )


def _is_void(event: Event) -> bool:
    if isinstance(event, Doubled):
        return event.status is not DoubleStatus.OK
    return isinstance(event, Rolled) and event.void is not None


def _flags(state: MatchState, number: int, event: Event) -> tuple[Flag, ...]:
    """What a reader should see about ``event``, the one of this ``number``, in the state before it."""
    if isinstance(event, Played) and event.status is not PlayStatus.LEGAL:
        moves = " ".join(f"{source}/{target}" for source, target in event.moves)
        return (Flag(number, event.status.value, moves),)
    if isinstance(event, Rolled) and event.void is not None:
        return (Flag(number, f"void_roll_{event.void.value}", str(event.dice)),)
    if isinstance(event, Doubled) and event.status is not DoubleStatus.OK:
        return (Flag(number, event.status.value),)
    if isinstance(event, Doubled) and is_dead_double(state):
        return (Flag(number, "dead_cube", str(state.score)),)
    if isinstance(event, PositionSet):
        return (Flag(number, "set_position", event.reason),)
    if isinstance(event, GameRecorded) and not state.game.is_untouched:
        return (Flag(number, "rest_not_recorded"),)
    return ()


def _not_playing(state: MatchState) -> IllegalAction | None:
    if state.status is Status.PLAYING:
        return None
    return IllegalAction(f"match_{state.status.value}", WORDS["not_playing"], status=state.status.value)


def _may_end(state: MatchState) -> IllegalAction | None:
    return _not_playing(state) if state.status is Status.OVER else None


def _may_resume(state: MatchState) -> IllegalAction | None:
    if state.status is Status.SUSPENDED:
        return None
    return IllegalAction("not_suspended", WORDS["not_suspended"])


def _may_record_score(state: MatchState) -> IllegalAction | None:
    refused = _not_playing(state)
    if refused is None and in_game(state):
        return IllegalAction("in_game", WORDS["in_game"])
    return refused


def _may_set_length(state: MatchState) -> IllegalAction | None:
    if state.score.is_money:
        return IllegalAction("money", WORDS["money_length"])
    if state.outcome is not None and state.outcome.reason is not Ending.PLAYED:
        return IllegalAction("ended_otherwise", WORDS["ended_otherwise"], reason=state.outcome.reason.value)
    return None


def _may_penalise(state: MatchState) -> IllegalAction | None:
    if state.score.is_money:
        return IllegalAction("money", WORDS["money_penalty"])
    return _may_end(state)


_MATCH_GUARDS: Mapping[str, Callable[[MatchState], IllegalAction | None]] = {
    ScoreRecorded.kind: _may_record_score,
    MatchEnded.kind: _may_end,
    Suspended.kind: _not_playing,
    Resumed.kind: _may_resume,
    LengthSet.kind: _may_set_length,
    PenaltyGiven.kind: _may_penalise,
    Ruled.kind: lambda _: None,
    Voided.kind: lambda _: None,
}


_KINDS_IN_ORDER = (
    "opening_roll", "roll", "no_roll", "double", "play", "take", "pass", "beaver", "raccoon", "accept",
    "refuse", "game_result", "final_score", "set_position", "resign", "match_end", "suspend", "resume",
    "set_length", "penalty", "ruling", "voided",
)  # fmt: skip

_BY_ONE_SIDE = frozenset(
    {"roll", "no_roll", "double", "play", "take", "pass", "beaver", "raccoon", "accept", "refuse"}
)
