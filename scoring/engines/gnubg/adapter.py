"""GNU Backgammon's numbers, judged and counted by GNU Backgammon's own definitions.

Counted (docs/reference/theory.md, "Error rates"): every play with a choice, every cube that was turned or
answered, and every cube that was close: optimal - min(take, pass) < 0.16. A PR from these counts is 500 times
the loss per such decision and does not pool with another engine's, as its label says.

Not judged: luck and resignations.
"""

from contextlib import closing
from typing import Any

from scoring.engines.checks import check_request
from scoring.engines.comparison import compare
from scoring.engines.cube_decisions import cube_decisions, gnubg_counts
from scoring.engines.decisions import CubeValues, Judged, five, play_decision
from scoring.engines.errors import EngineCrashed, EngineDisagrees, EngineRefused
from scoring.engines.gnubg.program import gnubg_path
from scoring.engines.process import run_lines
from scoring.engines.protocol import DEFAULT_MEMORY_LIMIT, DEFAULT_TIME_LIMIT, Cancelled, Progress
from scoring.engines.requests import (
    AnalysisRequest,
    AnalysisResult,
    CheckerQuestion,
    CubeOwner,
    CubeQuestion,
    Question,
    Situation,
)
from scoring.notation.plays import format_moves, format_play
from scoring.rules.dice import Roll
from scoring.rules.plays import Move, Play, legal_plays
from scoring.rules.position import Position
from scoring.theory.decisions import Candidate, Decision, EngineLabel

CHILD = "scoring.engines.gnubg"
_SHOWN = 10
_OWNERS = {CubeOwner.CENTRED: -1, CubeOwner.OWN: 0, CubeOwner.OPPONENT: 1}


class GnuBackgammon:
    """gnubg at a fixed depth, without noise."""

    name = "gnubg"
    presets = ("0ply", "1ply", "2ply")

    def analyse(
        self,
        request: AnalysisRequest,
        *,
        time_limit: float = DEFAULT_TIME_LIMIT,
        memory_limit: int = DEFAULT_MEMORY_LIMIT,
        on_progress: Progress | None = None,
        cancelled: Cancelled | None = None,
    ) -> AnalysisResult:
        """See `scoring.engines.registry.analyse`; EngineRefused where gnubg is not installed."""
        check_request(request)
        if request.preset not in self.presets:
            raise EngineRefused(
                f"gnubg has no preset {request.preset!r}; choose from {', '.join(self.presets)}",
                preset=request.preset,
            )
        if gnubg_path() is None:
            raise EngineRefused(
                "GNU Backgammon is not installed: install the package gnubg", engine=self.name
            )
        total = len(request.questions)
        if on_progress is not None:
            on_progress(0, total)
        answers: list[list[Decision]] = []
        done: dict[str, Any] | None = None
        lines = run_lines(
            CHILD,
            [],
            _document(request),
            time_limit=time_limit,
            memory_limit=memory_limit,
            cancelled=cancelled,
        )
        with closing(lines):
            for message in lines:
                if "answer" in message and len(answers) < total:
                    answers.append(judged(request.questions[len(answers)], message["answer"]))
                    if on_progress is not None:
                        on_progress(len(answers), total)
                done = message.get("done", done)
        if done is None:
            # gnubg ends with status 0 whatever happened to its script.
            raise EngineCrashed("gnubg exited before finishing its answer", signal=None, status=0, detail="")
        label = EngineLabel(self.name, done["version"], request.preset)
        return AnalysisResult(label, compare(request.questions, answers), done["cpu_seconds"])


def judged(question: Question, answer: Any) -> list[Decision]:
    """The decisions that gnubg's numbers for a question amount to."""
    if isinstance(question, CheckerQuestion):
        return [_checker(question, answer)]
    return _cube(question, answer)


def plays_of(question: CheckerQuestion) -> list[Play]:
    """The legal plays, and the one that was made if it was not legal."""
    position = Position.from_key(question.situation.position)
    plays = list(legal_plays(position, Roll(*question.dice)))
    if not plays:
        plays = [Play((), position)]
    if question.played not in {play.result.key for play in plays}:
        plays.append(Play((), Position.from_key(question.played)))
    return plays


def _checker(question: CheckerQuestion, rows: list[dict[str, Any]]) -> Decision:
    plays = plays_of(question)
    position = Position.from_key(question.situation.position)
    legal_count = len(legal_plays(position, Roll(*question.dice)))
    candidates = []
    for place, row in enumerate(rows):
        play = plays[row["index"]]
        played = play.result.key == question.played
        illegal = played and row["index"] >= max(1, legal_count)
        if place < _SHOWN or played:
            candidates.append(
                Candidate(
                    action=_moved(position, play.result) if illegal else format_play(position, play),
                    equity=round(row["equity"], 4),
                    probabilities=five(row["probabilities"]),
                    level=f"{row['plies']}-ply",
                    position=play.result.key,
                    played=played,
                )
            )
    legal = question.played in {play.result.key for play in plays[: max(1, legal_count)]}
    made = next((row for row in rows if plays[row["index"]].result.key == question.played), None)
    if made is None:
        raise EngineDisagrees(f"gnubg did not judge the play of {question.ref}", ref=question.ref)
    best = next(row for row in rows if row["index"] < max(1, legal_count))
    choice = legal_count > 1
    error = max(0.0, best["equity"] - made["equity"]) if choice or not legal else None
    return play_decision(question, candidates, Judged(error, choice and legal), legal=legal)


def _moved(before: Position, after: Position) -> str:
    """The moves that an illegal play amounts to, from the rearmost checker on."""
    slots = range(len(before.own) - 1, -1, -1)
    sources = [slot for slot in slots for _ in range(before.own[slot] - after.own[slot])]
    targets = [slot for slot in slots for _ in range(after.own[slot] - before.own[slot])]
    return format_moves(before, tuple(map(Move, sources, targets)))


def _cube(question: CubeQuestion, answer: dict[str, Any]) -> list[Decision]:
    values = CubeValues(answer["no_double"], answer["take"], answer["pass"])
    return cube_decisions(question, values, five(answer["probabilities"]), "cube", counts=gnubg_counts)


def _document(request: AnalysisRequest) -> dict[str, Any]:
    return {
        "plies": int(request.preset.removesuffix("ply")),
        "questions": [_question(question, request) for question in request.questions],
    }


def _question(question: Question, request: AnalysisRequest) -> dict[str, Any]:
    cube = _cube_info(question.situation, request)
    position = Position.from_key(question.situation.position)
    if isinstance(question, CubeQuestion):
        return {"board": _board(position.flipped()), "cube": cube}
    plays = plays_of(question)
    return {
        "afters": [_board(play.result) for play in plays],
        "played": next(n for n, play in enumerate(plays) if play.result.key == question.played),
        "cube": cube,
    }


def _board(position: Position) -> list[list[int]]:
    """gnubg's board with the *opponent* of this position's `own` on roll."""
    return [list(position.own[1:]), list(position.opponent[1:])]


def _cube_info(situation: Situation, request: AnalysisRequest) -> dict[str, Any]:
    """Cube and score as gnubg wants them: player 0 is the one who is asked about."""
    match_to = max(situation.own_away, situation.opponent_away)
    return {
        "value": situation.cube,
        "owner": _OWNERS[situation.owner],
        "match_to": match_to,
        "score": [match_to - situation.own_away, match_to - situation.opponent_away],
        "crawford": int(situation.crawford),
        "jacoby": int(request.jacoby and not match_to),
        "beavers": int(request.beavers and not match_to),
    }
