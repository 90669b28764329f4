"""Runs inside gnubg (`gnubg -t -q -r -p script.py`): numbers for positions, a JSON line for a JSON line.

A question on standard input is one of:

`{"xgid": ..., "plies": n}`                     all plays of its roll, as `[text, equity, chances...]`
`{"boards": [...], "cube": {...}, "plies": n}`  positions after a play
`{"board": ..., "cube": {...}, "plies": n}`     one before the roll
`{"worth": ..., "cube": {...}, "plies": n}`     its equity alone, with the better cube action

Each call of gnubg's Python waits about 10 ms, so all plays of a roll are one call. A board is gnubg's: two
lists of 25 counts, points 1-24 and the bar in each player's numbering, the player on roll second. Player 0 of
a cube-info is always the player who is asked about. Needs only Python 3 as gnubg embeds it.
"""

import importlib
import json
import os
import sys
from typing import Any

MOST_PLAYS = 3000
"""More than any roll has."""
SETTINGS = (
    "set player 0 human",
    "set player 1 human",
    "set automatic game off",
    "set automatic roll off",
    "set automatic move off",
    "set automatic bearoff off",
    "set confirm new off",
    "set display off",
    "set evaluation chequerplay evaluation cubeful on",
)
"""So that gnubg only answers, and never plays on from a position."""


class Script:
    """Asks the gnubg module, which exists only inside gnubg's Python."""

    def __init__(self, gnubg: Any) -> None:
        self.gnubg = gnubg
        for command in SETTINGS:
            gnubg.command(command)
        self.plies = -1

    def answer(self, question: Any) -> Any:
        if "xgid" in question:
            return self._plays(question["xgid"], question["plies"])
        context = {"cubeful": 1, "plies": question["plies"], "deterministic": 1, "noise": 0.0, "prune": 1}
        if "boards" in question:
            info = self._info(question["cube"], on_roll=1)
            return [self._after(board, info, context) for board in question["boards"]]
        if "worth" in question:
            info = self._info(question["cube"], on_roll=0)
            return self.gnubg.cfevaluate(_board(question["worth"]), info, context)[0]
        return self._before(question["board"], self._info(question["cube"], on_roll=0), context)

    def _plays(self, xgid: str, plies: int) -> list[list[Any]]:
        if plies != self.plies:
            self.gnubg.command(f"set evaluation chequerplay evaluation plies {plies}")
            self.plies = plies
        self.gnubg.command(f"set xgid XGID={xgid}")
        hints = self.gnubg.hint(MOST_PLAYS)["hint"]
        return [[hint["move"], hint["equity"], *hint["details"]["probs"]] for hint in hints]

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
