"""bgsage as a playing partner: what each legal play and each cube action is worth to it, at once.

One network call a position (1-ply, some 25 microseconds), cubeful by bgsage's own Janowski formulas at the
score: enough to play well, far from enough to judge. Import it in a child process only (see `process`).
"""

from collections.abc import Sequence
from typing import Any

import bgsage

from scoring.engines.gammonview.boards import board_of
from scoring.engines.gammonview.worth import CubeWorth, Worth
from scoring.engines.requests import CubeOwner, Situation
from scoring.theory.met import MatchPhase, chance_of, equity_after

_OWNERS = {CubeOwner.CENTRED: "centered", CubeOwner.OWN: "player", CubeOwner.OPPONENT: "opponent"}
_OTHERS = {
    CubeOwner.CENTRED: CubeOwner.CENTRED,
    CubeOwner.OWN: CubeOwner.OPPONENT,
    CubeOwner.OPPONENT: CubeOwner.OWN,
}


class SparringPartner:
    """Evaluates for matches; every number depends on its arguments alone, so games can be played again."""

    def __init__(self) -> None:
        self._engine = bgsage.BgBotAnalyzer(eval_level="1ply", cubeful=True, parallel_threads=1)

    def plays(self, situation: Situation, results: Sequence[str]) -> list[Worth]:
        """What each resulting position (frame of the player who moved) is worth to the mover."""
        return [self._after(situation, result) for result in results]

    def to_roll(self, situation: Situation) -> Worth:
        """What the situation is worth to the player on roll before rolling."""
        answer = self._answer(_turned_situation(situation), _turned_text(situation.position))
        # The opponent's numbers as if they had just moved here.
        return Worth(-answer.cubeful_equity, 1.0 - answer.probs.win, answer.probs.gammon_win)

    def cube(self, situation: Situation) -> CubeWorth:
        """The player on roll's double, in chances to win the match. Not for the Crawford game or money."""
        own, opponent, cube = situation.own_away, situation.opponent_away, situation.cube
        phase = MatchPhase.AFTER_CRAWFORD if 1 in {own, opponent} else MatchPhase.BEFORE_CRAWFORD
        doubled = Situation(situation.position, 2 * cube, CubeOwner.OPPONENT, own, opponent)
        return CubeWorth(
            no_double=chance_of(self.to_roll(situation).equity, own, opponent, cube=cube, phase=phase),
            double_take=chance_of(self.to_roll(doubled).equity, own, opponent, cube=2 * cube, phase=phase),
            double_pass=equity_after(own, opponent, cube, phase=phase),
        )

    def _after(self, situation: Situation, position: str) -> Worth:
        answer = self._answer(situation, position)
        return Worth(answer.cubeful_equity, answer.probs.win, answer.probs.gammon_loss)

    def _answer(self, situation: Situation, position: str) -> Any:
        return self._engine.post_move_analytics(
            board_of(position),
            cube_value=situation.cube,
            cube_owner=_OWNERS[situation.owner],
            away1=situation.own_away,
            away2=situation.opponent_away,
            is_crawford=situation.crawford,
            jacoby=False,
        )


def _turned_situation(situation: Situation) -> Situation:
    return Situation(
        _turned_text(situation.position),
        situation.cube,
        _OTHERS[situation.owner],
        situation.opponent_away,
        situation.own_away,
        situation.crawford,
    )


def _turned_text(position: str) -> str:
    """The same position seen by the other player."""
    return position[::-1].swapcase()
