"""Random sheets of every depth, event by event: legal ones, and now and then one that may not happen."""

from random import Random

from scoring.rules.cube import Cube
from scoring.rules.endings import Ending, GameEnd
from scoring.rules.errors import ScoringError
from scoring.rules.events import (
    Doubled,
    DoubleStatus,
    Event,
    GameRecorded,
    LengthSet,
    MatchEnded,
    MatchStarted,
    OpeningRolled,
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
    VoidRoll,
    event_from_plain,
)
from scoring.rules.match import Win
from scoring.rules.match_state import MatchState
from scoring.rules.options import DieOnChecker, MovesPolicy, PrematureCube, PrematureRoll, RuleOptions
from scoring.rules.plays import legal_sequences, mechanical_result
from scoring.rules.position import Position
from scoring.rules.sheet import apply, begin, legal_actions
from scoring.rules.sides import Side
from scoring.sheets.services.guards import impossible_score
from tests.scoring.rules.positions import random_roll

# How often each kind is tried where it may happen; bare kinds carry nothing.
WEIGHTS = {
    "opening_roll": 20, "roll": 20, "play": 40, "double": 14, "take": 8, "pass": 3, "beaver": 6, "raccoon": 6,
    "no_roll": 20, "resign": 2, "accept": 3, "refuse": 6, "game_result": 2, "final_score": 0.3,
    "set_position": 3, "match_end": 0.3, "suspend": 0.3, "resume": 5, "set_length": 0.5, "penalty": 0.5,
    "ruling": 0.3,
}  # fmt: skip
BARE = ("no_roll", "take", "pass", "beaver", "raccoon", "accept", "refuse")


OVER = Position.from_points({}, {6: 15})
IRREGULAR = Position((0,) * 6 + (14,) + (0,) * 19, (0,) * 6 + (16,) + (0,) * 19, irregular=True)


class RandomSheet:
    """A sheet that goes on by random events, the same for one seed."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.start = self.any_start()
        self.state: MatchState = begin(self.start)
        self.refused: ScoringError | None = None
        """The last refusal."""

    def any_start(self) -> MatchStarted:
        rng = self.random
        length = rng.choice((0, 0, 1, 3, 5, 5, 7))
        options = RuleOptions(
            cube=rng.random() < 0.9,
            max_cube=rng.choice((None, None, 4, 64)),
            crawford=rng.random() < 0.8,
            penalty_majority=rng.random() < 0.5,
            holland=rng.random() < 0.4,
            forbid_dead_cube=rng.random() < 0.4,
            jacoby=rng.random() < 0.6,
            beavers=rng.random() < 0.7,
            raccoons=rng.random() < 0.7,
            automatic_doubles=rng.randrange(3),
            moves_policy=rng.choice((MovesPolicy.RESPONSIBLE, MovesPolicy.LEGAL)),
            premature_roll=rng.choice(list(PrematureRoll)),
            premature_cube=rng.choice(list(PrematureCube)),
            die_on_checker=rng.choice(list(DieOnChecker)),
        )
        most = max(length - 1, 0)
        return MatchStarted(length, options, rng.choice((0, 0, most)), rng.choice((0, 0, 0, most)))

    def attempt(self) -> tuple[Event, bool] | None:
        """Try what may happen or, once in eight times, anything: the event, and whether it stood."""
        rng = self.random
        legal = {action.kind for action in legal_actions(self.state)} & set(WEIGHTS)
        kinds = sorted(WEIGHTS if rng.random() < 1 / 8 else legal)
        if not kinds:
            return None
        [kind] = rng.choices(kinds, [WEIGHTS[each] + 0.01 for each in kinds])
        event = self.proposal(kind)
        if event is None:
            return None
        try:
            if (impossible := impossible_score(self.state, event)) is not None:
                raise impossible
            self.state = apply(self.state, event)
        except ScoringError as error:
            self.refused = error
            return event, False
        return event, True

    def proposal(self, kind: str) -> Event | None:
        if kind in BARE:
            return event_from_plain(kind, {})
        made: Event | None = getattr(self, kind)()
        return made

    def opening_roll(self) -> Event:
        return OpeningRolled(self.random.randint(1, 6), self.random.randint(1, 6))

    def roll(self) -> Event:
        void = self.random.choice(list(VoidRoll)) if self.random.random() < 0.1 else None
        return Rolled(random_roll(self.random), void)

    def play(self) -> Event | None:
        game = self.state.game
        if game.roll is None or game.on_roll is None:
            return Played()
        before = game.seen_by(game.on_roll)
        sequences = legal_sequences(before, game.roll)
        if self.random.random() < 0.05:
            return self.misplay(before)
        return Played(self.random.choice(sequences) if sequences else ())

    def misplay(self, before: Position) -> Event | None:
        sources = [slot for slot in range(1, 26) if before.own[slot]]
        move = (source := self.random.choice(sources), self.random.randrange(source))
        status = self.random.choice(list(PlayStatus))
        try:
            stood = mechanical_result(before, [move])
        except ScoringError:
            return None
        moves = [list(move)]
        result = {"own": list(stood.own), "opponent": list(stood.opponent), "irregular": stood.irregular}
        if status is PlayStatus.LEGAL:
            return event_from_plain("play", {"moves": moves})
        accepted = self.random.choice(({}, {}, {"accepted_by": self.random.choice(list(Side)).value}))
        played = {"moves": moves, "status": status.value, "result": result}
        return event_from_plain("play", played | accepted)

    def double(self) -> Event:
        void = self.random.random() < 0.2
        return Doubled(self.random.choice(list(DoubleStatus)) if void else DoubleStatus.OK)

    def resign(self) -> Event:
        return Resigned(self.random.choice(list(Side)), self.random.choice(list(Win)))

    def game_result(self) -> Event:
        ended = self.random.choice(list(GameEnd))
        win = self.random.choice(list(Win))
        if ended is GameEnd.PASS and self.random.random() < 0.8:
            win = Win.SINGLE
        return GameRecorded(self.random.choice(list(Side)), win, self.random.choice((1, 1, 2, 4)), ended)

    def final_score(self) -> Event:
        most = self.state.score.length or self.random.choice((9, 9, 9, 2**31))
        if self.random.random() < 0.3:
            return ScoreRecorded(self.random.randrange(most + 3), self.random.randrange(most + 3))
        return ScoreRecorded(*self.random.sample((most, self.random.randrange(most)), 2))

    def set_position(self) -> Event:
        """Mostly a race near its end, so that games are played to it; a closed-out side now and then."""
        rng = self.random
        if rng.random() < 0.3:
            closed = Position.from_points({6: 2, 5: 2, 4: 2, 3: 2, 2: 2, 1: 2, 8: 3}, {25: 1, 6: 14})
            position = rng.choice((closed, closed.flipped()))
        else:
            theirs = rng.choice(({1: 2}, {6: 15}, {6: 14, 22: 1}, {6: 14, 25: 1}))
            position = Position.from_points({1: rng.randint(1, 3)}, theirs)
            position = rng.choice((position, position.flipped()))
            if rng.random() < 0.1:
                position = rng.choice((OVER, IRREGULAR))
        cube = rng.choice((None, None, Cube(2), Cube(2, Side.WHITE), Cube(1)))
        reason = "test" if rng.random() < 0.9 else " "
        return PositionSet(position, reason, rng.choice((None, *Side)), cube)

    def match_end(self) -> Event:
        """Mostly what the rules refuse: most outcomes need a match that has not begun, or a session."""
        return MatchEnded(self.random.choice(list(Ending)), self.random.choice((None, *Side)))

    def suspend(self) -> Event:
        return Suspended()

    def resume(self) -> Event:
        return Resumed()

    def set_length(self) -> Event:
        length = self.random.choice((1, 2, 3, 5, 5, 9, 0, 40_000))
        return LengthSet(length, "director", "test" if self.random.random() < 0.9 else " ")

    def penalty(self) -> Event:
        return PenaltyGiven(
            self.random.choice(list(Side)), self.random.choice((1, 1, 1, 2, 0, 2**31)), "test"
        )

    def ruling(self) -> Event:
        return Ruled("director", "test")
