"""Match-winning chances from analysed equities and the match equity table.

An engine's equities are normalised to the cube (EMG). What they mean for the match depends on the score; the
table tells it (``scoring.theory.met``). A money session has no match to win: there it is the game.
"""

from dataclasses import dataclass

from scoring.notation.transcript import Step
from scoring.rules.errors import InvalidValue
from scoring.rules.match import Crawford, MatchScore
from scoring.rules.sides import Side
from scoring.theory.cube_window import CubeWindow, window_of
from scoring.theory.decisions import Candidate, Decision
from scoring.theory.met import MatchPhase, chance_of, match_equity

PHASES = {
    Crawford.AHEAD: MatchPhase.BEFORE_CRAWFORD,
    Crawford.NOW: MatchPhase.CRAWFORD,
    Crawford.BEHIND: MatchPhase.AFTER_CRAWFORD,
    Crawford.NONE: MatchPhase.AFTER_CRAWFORD,  # no game to come is a Crawford game
}


@dataclass(frozen=True, slots=True)
class Stakes:
    """The stakes of a game for one side: score and cube."""

    score: MatchScore
    cube: int
    side: Side

    @classmethod
    def of(cls, step: Step, side: Side) -> "Stakes":
        """The stakes of ``side`` at a step, before a cube that is being offered is turned."""
        return cls(step.score, step.before.cube.value, side)

    def match_chance(self, equity: float) -> float | None:
        """The side's chance to win the match, 0..1; None in a money session and beyond the table."""
        if self.score.is_money or self.score.winner is not None:
            return None
        own, opponent = self.score.away(self.side), self.score.away(self.side.other)
        try:
            chance = chance_of(equity, own, opponent, cube=self.cube, phase=PHASES[self.score.crawford])
        except InvalidValue:
            return None
        return min(1.0, max(0.0, chance))

    @property
    def before_game(self) -> float | None:
        """The side's chance to win the match at the score alone; None as in `match_chance`."""
        if self.score.is_money or self.score.winner is not None:
            return None
        own, opponent = self.score.away(self.side), self.score.away(self.side.other)
        played = PHASES[self.score.crawford] is MatchPhase.AFTER_CRAWFORD
        try:
            return match_equity(own, opponent, crawford_played=played)
        except InvalidValue:
            return None

    def window(self, candidate: Candidate, *, doubles: bool) -> CubeWindow | None:
        """The doubling window at the candidate's chances; None in a money session and without a cube."""
        if self.score.is_money or self.score.winner is not None or self.score.crawford is Crawford.NOW:
            return None
        own, opponent = self.score.away(self.side), self.score.away(self.side.other)
        phase = MatchPhase.AFTER_CRAWFORD if 1 in {own, opponent} else MatchPhase.BEFORE_CRAWFORD
        try:
            return window_of(candidate, own, opponent, doubles=doubles, cube=self.cube, phase=phase)
        except InvalidValue:
            return None

    def cost(self, error: float) -> float | None:
        """The match-winning chance lost with this equity; None if unknown."""
        level, lost = self.match_chance(0.0), self.match_chance(-1.0)
        return None if level is None or lost is None else error * (level - lost)

    def chance(self, candidate: Candidate) -> float | None:
        """The side's chance with a candidate: of the match, in a money session of the game."""
        if self.score.is_money:
            return candidate.probabilities[0] if candidate.probabilities else None
        return self.match_chance(candidate.equity)


def white_chance(decision: Decision, step: Step) -> float | None:
    """White's chance after the play made; None if it was not analysed."""
    played = next((each for each in decision.candidates if each.played), None)
    if played is None:
        return None
    own = Stakes.of(step, decision.side).chance(played)
    return own if own is None or decision.side is Side.WHITE else 1.0 - own
