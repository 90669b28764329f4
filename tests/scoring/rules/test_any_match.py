"""Random matches by legal actions never break an invariant.

Source: docs/reference/rules.md, "The course of a game".
"""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from scoring.rules.dice import ALL_ROLLS, Roll
from scoring.rules.endings import Ending, GameEnd
from scoring.rules.errors import IllegalAction, ScoringError
from scoring.rules.events import (
    EVENT_TYPES,
    Accepted,
    Beavered,
    Doubled,
    GameRecorded,
    LengthSet,
    MatchEnded,
    MatchStarted,
    NotRolled,
    OpeningRolled,
    Passed,
    PenaltyGiven,
    Played,
    PlayStatus,
    PositionSet,
    Raccooned,
    RefusedResignation,
    Resigned,
    Resumed,
    Rolled,
    Ruled,
    ScoreRecorded,
    Suspended,
    Taken,
    Voided,
    event_from_plain,
    event_to_plain,
)
from scoring.rules.game import GameOutcome, GameState, Phase
from scoring.rules.match import Win
from scoring.rules.match_state import MatchState, Status, state_bytes, state_from_plain, state_to_plain
from scoring.rules.options import RuleOptions
from scoring.rules.plays import legal_plays
from scoring.rules.position import Position
from scoring.rules.sheet import apply, begin, legal_actions, replay, why_not
from scoring.rules.sides import Side
from tests.tiers import sized

OPTIONS = st.builds(
    RuleOptions,
    cube=st.sampled_from([True, True, True, False]),
    max_cube=st.sampled_from([None, 4, 64]),
    crawford=st.booleans(),
    holland=st.booleans(),
    forbid_dead_cube=st.booleans(),
    jacoby=st.booleans(),
    beavers=st.booleans(),
    raccoons=st.booleans(),
    automatic_doubles=st.integers(0, 3),
    penalty_majority=st.booleans(),
)
SIDES = st.sampled_from(Side)
SIMPLE = {
    event.kind: event()
    for event in (
        Taken,
        Passed,
        Beavered,
        Raccooned,
        Accepted,
        RefusedResignation,
        NotRolled,
        Doubled,
        Suspended,
        Resumed,
        Voided,
    )
}


class AnyMatch(RuleBasedStateMachine):
    """Does something that ``legal_actions`` offers, over and over."""

    @initialize(length=st.integers(0, 7), options=OPTIONS, start=st.integers(0, 6), side=SIDES)
    def begin_match(self, length: int, options: RuleOptions, start: int, side: Side) -> None:
        handicap = {side.value: min(start, max(length - 1, 0))}
        self.events: list[Any] = [MatchStarted(length, options, **handicap)]
        self.states: list[MatchState] = [begin(self.events[0])]
        self.refusals: set[str] = set()

    @property
    def state(self) -> MatchState:
        return self.states[-1]

    def happen(self, event: Any) -> None:
        self.states.append(apply(self.state, event))
        self.events.append(event)

    def offers(self, kind: str) -> bool:
        return hasattr(self, "states") and any(action.kind == kind for action in legal_actions(self.state))

    @precondition(lambda self: self.offers("opening_roll"))
    @rule(white=st.integers(1, 6), black=st.integers(1, 6))
    def opening(self, white: int, black: int) -> None:
        self.happen(OpeningRolled(white, black))

    @precondition(lambda self: self.offers("roll"))
    @rule(roll=st.sampled_from(ALL_ROLLS))
    def roll(self, roll: Roll) -> None:
        self.happen(Rolled(roll))

    @precondition(lambda self: self.offers("play"))
    @rule(choice=st.integers(0, 2**16))
    def play(self, choice: int) -> None:
        game = self.state.game
        assert game.roll is not None
        plays = legal_plays(game.seen_by(game.player), game.roll)
        self.happen(Played(plays[choice % len(plays)].moves if plays else ()))

    @precondition(lambda self: self.offers("play") and self.state.game.number == 1)
    @rule(source=st.integers(1, 24), pips=st.integers(1, 6))
    def misplay(self, source: int, pips: int) -> None:
        moves = ((source, max(source - pips, 0)),)
        for status in (PlayStatus.ILLEGAL_ACCEPTED, PlayStatus.INCOMPLETE_ACCEPTED):
            try:
                self.happen(event_from_plain("play", {"moves": moves, "status": status.value}))
            except ScoringError:
                continue
            return

    @precondition(lambda self: any(self.offers(kind) for kind in SIMPLE))
    @rule(choice=st.integers(0, 2**16))
    def simple(self, choice: int) -> None:
        offered = [kind for kind in SIMPLE if self.offers(kind)]
        self.happen(SIMPLE[offered[choice % len(offered)]])

    @precondition(lambda self: self.offers("resign"))
    @rule(choice=st.integers(0, 2**16))
    def resign(self, choice: int) -> None:
        offers = [action for action in legal_actions(self.state) if action.kind == "resign"]
        action = offers[choice % len(offers)]
        assert action.by is not None
        self.happen(Resigned(action.by, action.levels[choice % len(action.levels)]))

    @precondition(lambda self: self.offers("set_position"))
    @rule(home=st.integers(1, 5), on_roll=SIDES)
    def nearly_over(self, home: int, on_roll: Side) -> None:
        position = Position.from_points({1: home}, {2: home, 13: 1})
        self.happen(PositionSet(position, "to reach the end sooner", on_roll=on_roll))

    @precondition(lambda self: self.offers("game_result"))
    @rule(
        winner=SIDES,
        win=st.sampled_from(Win),
        cube=st.sampled_from([1, 2, 4, 8]),
        ended=st.sampled_from(GameEnd),
    )
    def record_game(self, winner: Side, win: Win, cube: int, ended: GameEnd) -> None:
        try:
            self.happen(GameRecorded(winner, win, cube, ended))
        except IllegalAction as refused:
            self.refusals.add(refused.code)

    @precondition(lambda self: self.offers("penalty"))
    @rule(to=SIDES)
    def penalise(self, to: Side) -> None:
        self.happen(PenaltyGiven(to, 1))

    @precondition(lambda self: self.offers("set_length"))
    @rule(length=st.integers(1, 9))
    def correct_length(self, length: int) -> None:
        self.happen(LengthSet(length, "director", "typing error"))

    @precondition(lambda self: self.offers("final_score") and len(self.events) > 30)
    @rule(winner=SIDES)
    def record_score(self, winner: Side) -> None:
        score = self.state.score
        white, black = score.white, score.black
        if score.length and winner is Side.WHITE:
            white = score.length
        elif score.length:
            black = score.length
        self.happen(ScoreRecorded(white, black))

    @precondition(lambda self: self.offers("match_end") and len(self.events) > 40)
    @rule()
    def void_match(self) -> None:
        self.happen(MatchEnded(Ending.VOID))

    @rule()
    def rule_something(self) -> None:
        self.happen(Ruled("director", "play on"))

    @invariant()
    def what_is_offered_is_what_is_not_refused(self) -> None:
        if hasattr(self, "states"):
            offered = {action.kind for action in legal_actions(self.state)}
            assert offered == {kind for kind in EVENT_TYPES if why_not(self.state, kind) is None}

    @rule(kind=st.sampled_from(sorted(SIMPLE)))
    def what_is_not_offered_is_refused(self, kind: str) -> None:
        if not self.offers(kind):
            with pytest.raises(IllegalAction) as refused:
                apply(self.state, SIMPLE[kind])
            assert refused.value == why_not(self.state, kind)

    @invariant()
    def turns_alternate(self) -> None:
        if hasattr(self, "states") and len(self.states) > 1:
            before, after = self.states[-2].game, self.state.game
            event = self.events[-1]
            if after.number != before.number or before.on_roll is None or after.phase is Phase.OVER:
                return
            passed_on = isinstance(event, Played | NotRolled) or (
                isinstance(event, PositionSet) and event.on_roll is before.on_roll.other
            )
            assert (after.on_roll is before.on_roll.other) == passed_on

    @invariant()
    def the_board_is_possible(self) -> None:
        if hasattr(self, "states"):
            game = self.state.game
            Position(game.position.own, game.position.opponent)  # validates
            assert game.cube.value & (game.cube.value - 1) == 0
            if game.cube.owner is None and not any(isinstance(event, PositionSet) for event in self.events):
                assert game.cube.value == 2**game.automatic_doubles or game.phase is Phase.OVER
            if game.terms.crawford or not game.terms.options.cube:
                assert game.cube.value == 1
            if not game.terms.money:
                assert game.automatic_doubles == 0

    @invariant()
    def one_score_rises_a_game(self) -> None:
        if hasattr(self, "states"):
            for line in self.state.games:
                assert line.outcome.points == line.outcome.cube * line.outcome.win
            assert sum(line.crawford for line in self.state.games) <= 1
            if len(self.states) > 1:
                before, after = self.states[-2], self.state
                rises = after.score.white - before.score.white, after.score.black - before.score.black
                if len(after.games) > len(before.games):
                    assert sorted(rises) == [0, after.games[-1].outcome.points]

    @invariant()
    def an_ended_match_has_an_outcome(self) -> None:
        if hasattr(self, "states"):
            assert (self.state.status is Status.OVER) == (self.state.outcome is not None)
            if self.state.score.winner is not None:
                assert self.state.status is Status.OVER

    def teardown(self) -> None:
        if not hasattr(self, "states"):
            return
        known = {"crawford", "no_cube", "max_cube", "cube_fell", "pass_is_single", "jacoby"}
        assert self.refusals <= known
        again = replay(event_from_plain(*event_to_plain(event)) for event in self.events)
        assert again == self.state
        assert state_bytes(again) == state_bytes(self.state)
        assert state_from_plain(state_to_plain(again)) == again
        assert mirrored_state(replay(map(mirrored, self.events))) == self.state


def mirrored(event: Any) -> Any:
    """The same event with the sides exchanged."""
    changes: dict[str, Any] = {
        name: getattr(event, name).other
        for name in ("by", "winner", "to", "on_roll", "accepted_by")
        if isinstance(getattr(event, name, None), Side)
    }
    if hasattr(event, "white"):
        changes |= {"white": event.black, "black": event.white}
    if isinstance(event, PositionSet):
        changes["position"] = event.position.flipped()
    return replace(event, **changes)


def mirrored_state(state: MatchState) -> MatchState:
    """The same state with the sides exchanged."""
    outcome = state.outcome and replace(state.outcome, winner=other(state.outcome.winner))
    return replace(
        state,
        score=replace(state.score, white=state.score.black, black=state.score.white),
        game=mirrored_game(state.game),
        outcome=outcome,
        games=tuple(
            replace(line, white=line.black, black=line.white, outcome=mirrored_outcome(line.outcome))
            for line in state.games
        ),
        timeline=tuple((black, white) for white, black in state.timeline),
        penalties=state.penalties[::-1],
        flags=tuple(replace(flag, detail=swap_names(flag.detail)) for flag in state.flags),
    )


def mirrored_game(game: GameState) -> GameState:
    resignation = game.resignation and replace(game.resignation, by=game.resignation.by.other)
    return replace(
        game,
        position=game.position.flipped(),
        on_roll=other(game.on_roll),
        cube=replace(game.cube, owner=other(game.cube.owner)),
        white_rolls=game.black_rolls,
        black_rolls=game.white_rolls,
        resignation=resignation,
        outcome=game.outcome and mirrored_outcome(game.outcome),
    )


def mirrored_outcome(outcome: GameOutcome) -> GameOutcome:
    return replace(outcome, winner=outcome.winner.other)


def other(side: Side | None) -> Side | None:
    return side.other if side else None


def swap_names(text: str) -> str:
    if "-" in text and text[0].isdigit():
        return "-".join(reversed(text.split("-")))
    return text.replace("white", "?").replace("black", "white").replace("?", "black")


TestAnyMatch = AnyMatch.TestCase
TestAnyMatch.settings = settings(
    max_examples=sized(20, 60),
    stateful_step_count=60,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
