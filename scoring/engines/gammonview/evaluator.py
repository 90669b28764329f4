"""bgsage, gammonview's networks, as an evaluator. Import it in a child process only (see `process`).

Networks are loaded once: plays and the screen of cubes call the loaded strategies. Only a cube at two or more
plies goes through bgsage's own call, which reads its files again each time (45 ms), so the cascade asks for
few of them.
"""

import contextlib
from collections.abc import Iterator, Sequence
from importlib.metadata import version
from itertools import combinations_with_replacement
from math import inf, sqrt
from typing import Any

import bgbot_cpp
import bgsage
from bgsage.analyzer import resolve_owner

from scoring.engines.cascade import CubeValue, Value, equity_of_win, phase_of
from scoring.engines.decisions import CubeValues
from scoring.engines.gammonview.boards import Board, board_of
from scoring.engines.presets import Rollout
from scoring.engines.requests import AnalysisRequest, CheckerQuestion, CubeOwner, Situation
from scoring.theory.met import chance_of, equity_of

_OWNERS = {CubeOwner.CENTRED: "centered", CubeOwner.OWN: "player", CubeOwner.OPPONENT: "opponent"}
_OTHERS = {"centered": "centered", "player": "opponent", "opponent": "player"}
_ROLLS = [(a, b, 1 if a == b else 2) for a, b in combinations_with_replacement(range(1, 7), 2)]
_CHECKERS = 15
_JUDGED = 2
"""Plies at the end of a truncated trial."""
_CONFIDENCE = 1.96
"""Standard errors of half a 95% interval."""


class Sage:
    """bgsage's numbers for positions of the rules of one request."""

    def __init__(self, *, jacoby: bool, beavers: bool) -> None:
        self._jacoby, self._beavers = jacoby, beavers
        self._analyzers: dict[int, Any] = {}
        self._rollouts: dict[tuple[int, int], Any] = {}
        loaded = self._analyzer(2)._analyzer._inner
        self._network, self._bearoff = loaded._strategy_1ply, loaded._bearoff_db
        self._swept: tuple[Situation, CubeValue] | None = None

    def after(self, situation: Situation, results: Sequence[str], depth: int) -> list[Value]:
        board = board_of(situation.position)
        boards = [board_of(result) for result in results]
        if depth == 1:
            values = [self._leaf(situation, after, board) for after in boards]
        else:
            values = [self._searched(situation, after, board, depth) for after in boards]
        return [value._replace(chances=_possible(value.chances)) for value in values]

    def screened(self, question: CheckerQuestion, results: Sequence[str], depth: int) -> list[Value]:
        return self.after(question.situation, results, depth)

    def before(self, situation: Situation, depth: int) -> CubeValue:
        if depth == 1:
            swept = self._sweep(situation)
            return swept._replace(chances=_possible(swept.chances))
        found = self._analyzer(depth).cube_action(
            board_of(situation.position),
            cube_value=situation.cube,
            cube_owner=_OWNERS[situation.owner],
            away1=situation.own_away,
            away2=situation.opponent_away,
            is_crawford=situation.crawford,
            **self._rules(situation),
        )
        values = CubeValues(found.equity_nd, found.equity_dt, found.equity_dp)
        return CubeValue(values, _possible(_chances(found.probs)))

    def roll_worth(self, situation: Situation) -> float:
        return self._sweep(situation).values.no_double

    def rolled_out(self, situation: Situation, results: Sequence[str], rollout: Rollout) -> list[Value]:
        board = board_of(situation.position)
        tallies = [_Tally() for _ in results]
        for number in range(rollout.trials // rollout.round):
            strategy = self._rollout(rollout, number)._analyzer._inner._rollout_strategy
            for tally, result in zip(tallies, results, strict=True):
                found = strategy.cubeful_evaluate_board(
                    board_of(result),
                    board,
                    owner=resolve_owner(_OWNERS[situation.owner]),
                    **self._score(situation),
                    **self._rules(situation),
                )
                tally.add(found["cubeful_equity"], found["std_error"], found["probs"])
            if max(tally.interval for tally in tallies) <= rollout.enough:
                break
        return [Value(tally.equity, _possible(tally.chances), tally.interval) for tally in tallies]

    def cube_rolled_out(self, situation: Situation, rollout: Rollout) -> CubeValue:
        no_double, take = _Tally(), _Tally()
        passed = 1.0
        for number in range(rollout.trials // rollout.round):
            found = self._rollout(rollout, number).cube_action(
                board_of(situation.position),
                cube_owner=_OWNERS[situation.owner],
                **self._score(situation),
                **self._rules(situation),
            )
            chances, passed = _chances(found.probs), found.equity_dp
            no_double.add(found.equity_nd, found.equity_nd_se or 0.0, chances)
            take.add(found.equity_dt, found.equity_dt_se or 0.0, chances)
            if max(no_double.interval, take.interval) <= rollout.enough:
                break
        values = CubeValues(no_double.equity, take.equity, passed)
        interval = max(no_double.interval, take.interval)
        return CubeValue(values, _possible(no_double.chances), interval)

    def _leaf(self, situation: Situation, after: Board, board: Board) -> Value:
        """The network's word on a position after a play, cubeful by Janowski's formulas."""
        if max(after) <= 0:
            return self._won(situation, after)
        probs = list(self._network.evaluate_board(after, board)["probs"])
        return Value(self._cubeful(situation, after, probs), probs)

    def _cubeful(self, situation: Situation, after: Board, probs: list[float]) -> float:
        owner = resolve_owner(_OWNERS[situation.owner])
        mine, theirs = bgbot_cpp.pip_counts(after)
        efficiency = bgbot_cpp.cube_efficiency(probs, bgbot_cpp.is_race(after), mine, theirs)
        if situation.own_away:
            return float(
                bgbot_cpp.cl2cf(
                    probs,
                    situation.cube,
                    owner,
                    efficiency,
                    situation.own_away,
                    situation.opponent_away,
                    situation.crawford,
                    jacoby=False,
                )
            )
        jacoby = self._jacoby and situation.owner is CubeOwner.CENTRED
        return float(bgbot_cpp.cl2cf_money(probs, owner, efficiency, jacoby_active=jacoby))

    def _won(self, situation: Situation, after: Board) -> Value:
        """A game that is over: bgsage gives a won position to the other side."""
        gammon = sum(map(abs, after)) == _CHECKERS
        backgammon = gammon and (after[0] > 0 or min(after[1:7]) < 0)
        chances = (1.0, float(gammon), float(backgammon), 0.0, 0.0)
        if situation.own_away:
            return Value(equity_of_win(situation, 1 + gammon + backgammon), chances)
        jacoby = self._jacoby and situation.owner is CubeOwner.CENTRED
        return Value(1.0 if jacoby else 1.0 + gammon + backgammon, chances)

    def _searched(self, situation: Situation, after: Board, board: Board, depth: int) -> Value:
        if max(after) <= 0:
            return self._won(situation, after)
        found = bgbot_cpp.cubeful_probs_and_equity_nply(
            bgbot_cpp.flip_board(after),
            resolve_owner(_OTHERS[_OWNERS[situation.owner]]),
            self._network,
            depth,
            n_threads=1,
            cube_value=situation.cube,
            away1=situation.opponent_away,
            away2=situation.own_away,
            is_crawford=situation.crawford,
            bearoff_db=self._bearoff,
            root_board=board,
            **self._rules(situation),
        )
        win, gammon, backgammon, lost, lost_backgammon = found["probs"]
        return Value(-found["equity"], (1.0 - win, lost, lost_backgammon, gammon, backgammon))

    def _sweep(self, situation: Situation) -> CubeValue:
        """The cube before the roll: the mean over all rolls, each played as the network would."""
        if self._swept is None or self._swept[0] != situation:
            self._swept = situation, self._swept_anew(situation)
        return self._swept[1]

    def _swept_anew(self, situation: Situation) -> CubeValue:
        board = board_of(situation.position)
        doubled = Situation(
            situation.position,
            2 * situation.cube,
            CubeOwner.OPPONENT,
            situation.own_away,
            situation.opponent_away,
            situation.crawford,
        )
        no_double = take = 0.0
        chances = [0.0] * 5
        for first, second, weight in _ROLLS:
            best, worth = self._best(situation, board, first, second)
            no_double += weight * worth.equity / 36
            take += weight * self._cubeful(doubled, best, list(worth.chances)) / 36
            chances = [sum_ + weight * each / 36 for sum_, each in zip(chances, worth.chances, strict=True)]
        return CubeValue(CubeValues(no_double, _at_this_cube(take, situation), 1.0), chances)

    def _best(self, situation: Situation, board: Board, first: int, second: int) -> tuple[Board, Value]:
        best, worth = board, Value(-inf, ())
        for after in bgbot_cpp.possible_moves(board, first, second) or [board]:
            value = self._leaf(situation, list(after), board)
            if value.equity > worth.equity:
                best, worth = list(after), value
        return best, worth

    def _score(self, situation: Situation) -> dict[str, Any]:
        return {
            "cube_value": situation.cube,
            "away1": situation.own_away,
            "away2": situation.opponent_away,
            "is_crawford": situation.crawford,
        }

    def _rules(self, situation: Situation) -> dict[str, bool]:
        money = not situation.own_away
        return {"jacoby": self._jacoby and money, "beaver": self._beavers and money}

    def _analyzer(self, plies: int) -> Any:
        if plies not in self._analyzers:
            self._analyzers[plies] = bgsage.BgBotAnalyzer(
                eval_level=f"{plies}ply", cubeful=True, parallel_threads=1
            )
        return self._analyzers[plies]

    def _rollout(self, rollout: Rollout, number: int) -> Any:
        """The analyzer of a round: kept, because its strategy goes on reading its bear-off database."""
        settings = (rollout.round, rollout.truncated)
        if settings not in self._rollouts:
            self._rollouts[settings] = bgsage.BgBotAnalyzer(
                eval_level="rollout",
                cubeful=True,
                parallel_threads=1,
                n_trials=rollout.round,
                truncation_depth=rollout.truncated,
                truncation_ply=_JUDGED if rollout.truncated else -1,
            )
        analyzer = self._rollouts[settings]
        analyzer._analyzer._inner.set_seed(rollout.seed + number)
        return analyzer


class _Tally:
    """The mean of rounds of a rollout of one position."""

    def __init__(self) -> None:
        self._rounds: list[tuple[float, float]] = []
        self._chances: list[Sequence[float]] = []

    def add(self, equity: float, standard_error: float, chances: Sequence[float]) -> None:
        self._rounds.append((equity, standard_error))
        self._chances.append(list(chances))

    @property
    def equity(self) -> float:
        return sum(equity for equity, _ in self._rounds) / len(self._rounds)

    @property
    def interval(self) -> float:
        """Half the width of the 95% interval."""
        return _CONFIDENCE * sqrt(sum(error**2 for _, error in self._rounds)) / len(self._rounds)

    @property
    def chances(self) -> list[float]:
        return [sum(each) / len(self._chances) for each in zip(*self._chances, strict=True)]


@contextlib.contextmanager
def opened(request: AnalysisRequest) -> Iterator[tuple[Sage, str]]:
    """bgsage with its networks loaded, and the version of what is used of it."""
    versions = f"{version('gammonview')}+bgsage-{version('bgsage')}"
    yield Sage(jacoby=request.jacoby, beavers=request.beavers), versions


def _chances(probs: Any) -> list[float]:
    return [
        probs.win,
        probs.gammon_win,
        probs.backgammon_win,
        probs.gammon_loss,
        probs.backgammon_loss,
    ]


def _possible(chances: Sequence[float]) -> list[float]:
    """Chances as they can be told: the network judges each by itself, backgammons may exceed gammons."""
    win, gammon, backgammon, lost, lost_backgammon = chances
    gammon, lost = min(gammon, win), min(lost, 1.0 - win)
    return [win, gammon, min(backgammon, gammon), lost, min(lost_backgammon, lost)]


def _at_this_cube(equity: float, situation: Situation) -> float:
    """An equity at twice the cube as equity at this one."""
    if not situation.own_away:
        return 2 * equity
    own, opponent, cube = situation.own_away, situation.opponent_away, situation.cube
    phase = phase_of(situation)
    chance = chance_of(equity, own, opponent, cube=2 * cube, phase=phase)
    return equity_of(chance, own, opponent, cube=cube, phase=phase)
