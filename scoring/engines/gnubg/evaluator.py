"""GNU Backgammon as an evaluator: a program of its own, asked line by line."""

import contextlib
import json
import os
import re
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO, Any, NoReturn

from scoring.engines.cascade import CubeValue, Value
from scoring.engines.decisions import CubeValues
from scoring.engines.errors import EngineCrashed, EngineRefused
from scoring.engines.gnubg.program import ANSWERS, INSTALL, gnubg_path
from scoring.engines.requests import AnalysisRequest, CubeOwner, Situation
from scoring.rules.position import Position

_SCRIPT = Path(__file__).with_name("script.py")
_OWNERS = {CubeOwner.CENTRED: -1, CubeOwner.OWN: 0, CubeOwner.OPPONENT: 1}
_NO_ROLLOUT = "gnubg's Python rolls nothing out; the preset rollout is gammonview's"
_LUCK_PLIES = 1
"""The mean over the 21 rolls, each played by the network alone."""


class GnuBackgammon:
    """gnubg's numbers without noise, for positions of the rules of one request."""

    def __init__(self, asks: IO[str], answers: IO[str], *, jacoby: bool, beavers: bool) -> None:
        self._asks, self._answers = asks, answers
        self._jacoby, self._beavers = jacoby, beavers

    def after(self, situation: Situation, results: Sequence[str], depth: int) -> list[Value]:
        boards = [_board(Position.from_key(result)) for result in results]
        rows = self._answer({"boards": boards, "cube": self._cube(situation), "plies": depth})
        return [Value(row[0], row[1:6]) for row in rows]

    def before(self, situation: Situation, depth: int) -> CubeValue:
        row = self._before(situation, depth)
        return CubeValue(CubeValues(*row[:3]), row[3:8])

    def roll_worth(self, situation: Situation) -> float:
        return float(self._before(situation, _LUCK_PLIES)[0])

    def rolled_out(self, *_asked: object) -> NoReturn:
        raise EngineRefused(_NO_ROLLOUT, engine="gnubg")

    def cube_rolled_out(self, *_asked: object) -> NoReturn:
        raise EngineRefused(_NO_ROLLOUT, engine="gnubg")

    def _before(self, situation: Situation, plies: int) -> Any:
        board = _board(Position.from_key(situation.position).flipped())
        return self._answer({"board": board, "cube": self._cube(situation), "plies": plies})

    def _answer(self, question: dict[str, Any]) -> Any:
        try:
            self._asks.write(json.dumps(question, separators=(",", ":")) + "\n")
            self._asks.flush()
        except BrokenPipeError:
            raise _gone() from None
        line = self._answers.readline()
        if not line.endswith("\n"):
            raise _gone()
        return json.loads(line)

    def _cube(self, situation: Situation) -> dict[str, Any]:
        """Cube and score as gnubg wants them: player 0 is the one who is asked about."""
        match_to = max(situation.own_away, situation.opponent_away)
        return {
            "value": situation.cube,
            "owner": _OWNERS[situation.owner],
            "match_to": match_to,
            "score": [match_to - situation.own_away, match_to - situation.opponent_away],
            "crawford": int(situation.crawford),
            "jacoby": int(self._jacoby and not match_to),
            "beavers": int(self._beavers and not match_to),
        }


@contextlib.contextmanager
def opened(request: AnalysisRequest) -> Iterator[tuple[GnuBackgammon, str]]:
    """A running gnubg and its version; it has ended when the block is left."""
    program = gnubg_path()
    if program is None:
        raise EngineRefused(INSTALL, engine="gnubg")
    told = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout
    found = re.search(r"GNU Backgammon (\S+)", told)
    reading, writing = os.pipe()
    process = subprocess.Popen(
        [program, "-t", "-q", "-r", "-p", str(_SCRIPT)],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        env={**os.environ, ANSWERS: str(writing)},
        pass_fds=(writing,),
        text=True,
    )
    os.close(writing)
    with process, os.fdopen(reading) as answers:
        if process.stdin is None:
            raise RuntimeError("gnubg has no pipe")
        engine = GnuBackgammon(process.stdin, answers, jacoby=request.jacoby, beavers=request.beavers)
        try:
            yield engine, found[1] if found else "unknown"
        except BaseException:
            process.kill()
            raise
        process.stdin.close()
        process.wait()


def _gone() -> EngineCrashed:
    text = "gnubg exited before finishing its answer"
    return EngineCrashed(text, signal=None, status=None, detail="")


def _board(position: Position) -> list[list[int]]:
    """gnubg's board with the *opponent* of this position's `own` on roll."""
    return [list(position.own[1:]), list(position.opponent[1:])]
