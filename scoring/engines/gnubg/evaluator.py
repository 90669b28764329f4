"""GNU Backgammon as an evaluator: a program of its own, asked line by line."""

import contextlib
import json
import os
import re
import subprocess
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import IO, Any, NoReturn

from scoring.engines.cascade import CubeValue, Value
from scoring.engines.decisions import CubeValues
from scoring.engines.errors import EngineCrashed, EngineDisagrees, EngineRefused
from scoring.engines.gnubg.program import ANSWERS, INSTALL, gnubg_path
from scoring.engines.requests import AnalysisRequest, CheckerQuestion, CubeOwner, Situation
from scoring.notation.plays import parse_moves
from scoring.notation.xgid import Xgid, encode_xgid
from scoring.rules.cube import Cube
from scoring.rules.dice import Roll
from scoring.rules.plays import Move
from scoring.rules.position import BAR, OFF, Position, trusted_position
from scoring.rules.sides import Side

_SCRIPT = Path(__file__).with_name("script.py")
_OWNERS = {CubeOwner.CENTRED: -1, CubeOwner.OWN: 0, CubeOwner.OPPONENT: 1}
_NO_ROLLOUT = "gnubg's Python rolls nothing out; the preset rollout is gammonview's"
_LARGEST_CUBE = 64
"""gnubg stops at larger ones in a match. No score and no equity per cube can tell 64 from them."""
_LUCK_PLIES = 1
"""The mean over the 21 rolls, each played by the network alone."""


class GnuBackgammon:
    """gnubg's numbers without noise, for positions of the rules of one request."""

    def __init__(self, asks: IO[str], answers: IO[str], *, jacoby: bool, beavers: bool) -> None:
        self._asks, self._answers = asks, answers
        self._jacoby, self._beavers = jacoby, beavers

    def after(self, situation: Situation, results: Sequence[str], depth: int) -> list[Value]:
        if not results:
            return []
        boards = [_board(Position.from_key(result)) for result in results]
        rows = self._answer({"boards": boards, "cube": self._cube(situation), "plies": depth})
        return [Value(row[0], row[1:6]) for row in rows]

    def screened(self, question: CheckerQuestion, results: Sequence[str], depth: int) -> list[Value]:
        """gnubg lists the plays of a roll in one call; single positions cost it ten times as much."""
        if len(results) == 1:
            return self.after(question.situation, results, depth)
        position = Position.from_key(question.situation.position)
        rows = self._answer({"xgid": self._xgid(question), "plies": depth})
        found = {_landed(position, parse_moves(row[0])): Value(row[1], row[2:7]) for row in rows}
        if strange := found.keys() - set(results):
            raise EngineDisagrees(f"gnubg plays {question.dice} to {min(strange)}", ref=question.ref)
        missing = [result for result in results if result not in found]  # an illegal one that was accepted
        found.update(zip(missing, self.after(question.situation, missing, depth), strict=True))
        return [found[result] for result in results]

    def before(self, situation: Situation, depth: int) -> CubeValue:
        board = _board(Position.from_key(situation.position).flipped())
        row = self._answer({"board": board, "cube": self._cube(situation), "plies": depth})
        return CubeValue(CubeValues(*row[:3]), row[3:8])

    def roll_worth(self, situation: Situation) -> float:
        board = _board(Position.from_key(situation.position).flipped())
        return float(self._answer({"worth": board, "cube": self._cube(situation), "plies": _LUCK_PLIES}))

    def rolled_out(self, *_asked: object) -> NoReturn:
        raise EngineRefused(_NO_ROLLOUT, engine="gnubg")

    def cube_rolled_out(self, *_asked: object) -> NoReturn:
        raise EngineRefused(_NO_ROLLOUT, engine="gnubg")

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

    def _xgid(self, question: CheckerQuestion) -> str:
        """The question with its player at the bottom."""
        situation, cube = question.situation, self._cube(question.situation)
        owner = {CubeOwner.OWN: Side.WHITE, CubeOwner.OPPONENT: Side.BLACK}.get(situation.owner)
        return encode_xgid(
            Xgid(
                Position.from_key(situation.position),
                Cube(cube["value"], owner),
                roll=Roll(*question.dice),
                white=cube["score"][0],
                black=cube["score"][1],
                crawford=bool(cube["crawford"]),
                jacoby=bool(cube["jacoby"]),
                beavers=bool(cube["beavers"]),
                length=cube["match_to"],
            )
        )

    def _cube(self, situation: Situation) -> dict[str, Any]:
        """Cube and score as gnubg wants them: player 0 is the one who is asked about."""
        match_to = max(situation.own_away, situation.opponent_away)
        return {
            "value": min(situation.cube, _LARGEST_CUBE),
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
    version = _version(program)
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
            yield engine, version
        except BaseException:
            process.kill()
            with contextlib.suppress(BrokenPipeError):
                process.stdin.close()  # else what it was not told any more hides why
            raise
        process.stdin.close()
        process.wait()


@cache
def _version(program: str) -> str:
    told = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout
    found = re.search(r"GNU Backgammon (\S+)", told)
    return found[1] if found else "unknown"


def _gone() -> EngineCrashed:
    text = "gnubg exited before finishing its answer"
    return EngineCrashed(text, signal=None, status=None, detail="")


def _landed(before: Position, moves: Sequence[Move]) -> str:
    """The position after moves that gnubg wrote; it names each point where a checker is hit."""
    own, opponent = list(before.own), list(before.opponent)
    for source, target in moves:
        own[source] -= 1
        own[target] += 1
        if target != OFF and opponent[BAR - target] == 1:
            opponent[BAR - target] = 0
            opponent[BAR] += 1
    return trusted_position(tuple(own), tuple(opponent), irregular=False).key


def _board(position: Position) -> list[list[int]]:
    """gnubg's board with the *opponent* of this position's `own` on roll."""
    return [list(position.own[1:]), list(position.opponent[1:])]
