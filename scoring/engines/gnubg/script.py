"""Runs inside gnubg (`gnubg -t -q -r -p script.py`): numbers for positions, a JSON line for a JSON line.

A question on standard input is `{"boards": [...], "cube": {...}, "plies": n}` for positions after a play, or
`{"board": ..., "cube": {...}, "plies": n}` for one before the roll. A board is gnubg's: two lists of 25
counts, points 1-24 and the bar in each player's numbering, the player on roll second. Player 0 of a cube-info
is always the player who is asked about. Needs only Python 3 as gnubg embeds it.
"""

import importlib
import json
import os
import sys
from typing import Any


class Script:
    """Asks the gnubg module, which exists only inside gnubg's Python."""

    def __init__(self, gnubg: Any) -> None:
        self.gnubg = gnubg

    def answer(self, question: Any) -> Any:
        context = {"cubeful": 1, "plies": question["plies"], "deterministic": 1, "noise": 0.0, "prune": 1}
        if "boards" in question:
            info = self._info(question["cube"], on_roll=1)
            return [self._after(board, info, context) for board in question["boards"]]
        return self._before(question["board"], self._info(question["cube"], on_roll=0), context)

    def _after(self, board: Any, info: Any, context: Any) -> list[float]:
        """Equity and chances of the player who has just played, the opponent being on roll."""
        turned = _board(board)
        equity = -self.gnubg.cfevaluate(turned, info, context)[0]
        win, gammon, backgammon, lost, lost_backgammon = self.gnubg.evaluate(turned, info, context)[:5]
        return [equity, 1 - win, lost, lost_backgammon, gammon, backgammon]

    def _before(self, board: Any, info: Any, context: Any) -> list[float]:
        """Equities without a double, after a take and after a pass, and chances, of the player on roll."""
        turned = _board(board)
        equities = self.gnubg.cfevaluate(turned, info, context)[1:4]
        return [*equities, *self.gnubg.evaluate(turned, info, context)[:5]]

    def _info(self, cube: Any, *, on_roll: int) -> Any:
        score = tuple(cube["score"])
        info = self.gnubg.cubeinfo(
            cube["value"], cube["owner"], on_roll, cube["match_to"], score, cube["crawford"], 0
        )
        info.update(jacoby=cube["jacoby"], beavers=cube["beavers"])
        return self.gnubg.calcgammonprice(info)


def _board(sides: Any) -> Any:
    return tuple(tuple(side) for side in sides)


def main() -> None:
    """Answer each line of standard input on the descriptor that the environment names."""
    answers = int(os.environ["MIDPOINT_GNUBG_ANSWERS"])
    script = Script(importlib.import_module("gnubg"))
    for line in iter(sys.stdin.readline, ""):
        told = json.dumps(script.answer(json.loads(line))).encode() + b"\n"
        while told:
            told = told[os.write(answers, told) :]


if __name__ == "__main__":
    main()
