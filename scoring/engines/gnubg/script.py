"""Runs inside gnubg (`gnubg -t -q -r -p script.py`): numbers for positions, one JSON line a question.

Standard input: `{"plies": n, "questions": [...]}` as the adapter writes it. A board is gnubg's: two lists of
25 counts, points 1-24 and the bar in each player's numbering, the player on roll second. Player 0 of a
cube-info is always the player who is asked about.
"""

import importlib
import json
import os
import sys
import time
from typing import Any

# gnubg's own "normal" move filter for deeper looks: at most so many plays within so much of the best.
MOST_DEEP, WITHIN = 8, 0.16


class Script:
    """Asks the gnubg module, which exists only inside gnubg's Python."""

    def __init__(self, gnubg: Any, plies: int) -> None:
        self.gnubg = gnubg
        self.plies = plies

    def plays(self, question: Any) -> list[dict[str, Any]]:
        """Every play at 0 plies, the best ones and the one that was made at full depth; deepest first."""
        rows = [self._row(question, number, 0) for number in range(len(question["afters"]))]
        rows.sort(key=lambda row: -row["equity"])
        if self.plies and len(rows) > 1:
            best = rows[0]["equity"]
            near = [row["index"] for row in rows if best - row["equity"] <= WITHIN][:MOST_DEEP]
            deep = {*near, question["played"]}
            rows = [
                self._row(question, row["index"], self.plies) if row["index"] in deep else row for row in rows
            ]
        return sorted(rows, key=lambda row: (-row["plies"], -row["equity"]))

    def cube(self, question: Any) -> dict[str, Any]:
        """The doubler's equities and chances before the roll."""
        board, info = question["board"], self._info(question["cube"], on_roll=0)
        _, no_double, take, passed = self._cubeful(board, info, self.plies)[:4]
        chances = self._chances(board, info, self.plies)
        return {"no_double": no_double, "take": take, "pass": passed, "probabilities": chances}

    def _row(self, question: Any, number: int, plies: int) -> dict[str, Any]:
        """Equity and chances of the player who has just played, the opponent being on roll."""
        board, info = question["afters"][number], self._info(question["cube"], on_roll=1)
        win, gammon, backgammon, lost_gammon, lost_backgammon = self._chances(board, info, plies)
        return {
            "index": number,
            "equity": -self._cubeful(board, info, plies)[0],
            "probabilities": [1 - win, lost_gammon, lost_backgammon, gammon, backgammon],
            "plies": plies,
        }

    def _info(self, cube: Any, *, on_roll: int) -> Any:
        score = tuple(cube["score"])
        info = self.gnubg.cubeinfo(
            cube["value"], cube["owner"], on_roll, cube["match_to"], score, cube["crawford"], 0
        )
        info.update(jacoby=cube["jacoby"], beavers=cube["beavers"])
        return self.gnubg.calcgammonprice(info)

    def _cubeful(self, board: Any, info: Any, plies: int) -> Any:
        return self.gnubg.cfevaluate(_board(board), info, _context(plies))

    def _chances(self, board: Any, info: Any, plies: int) -> list[float]:
        return list(self.gnubg.evaluate(_board(board), info, _context(plies))[:5])


def _board(sides: Any) -> Any:
    return tuple(tuple(side) for side in sides)


def _context(plies: int) -> dict[str, Any]:
    return {"cubeful": 1, "plies": plies, "deterministic": 1, "noise": 0.0, "prune": 1}


def main() -> None:
    """Answer the request on standard input, on the descriptor that the environment names."""
    request = json.load(sys.stdin)
    answers = int(os.environ["MIDPOINT_GNUBG_ANSWERS"])
    script = Script(importlib.import_module("gnubg"), request["plies"])

    def say(message: Any) -> None:
        os.write(answers, json.dumps(message).encode() + b"\n")

    for question in request["questions"]:
        say({"answer": script.plays(question) if "afters" in question else script.cube(question)})
    say({"done": {"version": os.environ["MIDPOINT_GNUBG_VERSION"], "cpu_seconds": time.process_time()}})


if __name__ == "__main__":
    main()
