"""Answers of an engine about a position, for pages."""

from collections.abc import Iterable
from dataclasses import dataclass

from scoring.analysis.queries.judgements import SHOWN_CANDIDATES, CandidateLine
from scoring.codec import from_plain
from scoring.engines.asked import Asked, Wanted, asked_from
from scoring.models import Depth, PositionAnalysis
from scoring.theory.decisions import Candidate, Decision
from scoring.theory.janowski import CubeVerdict, verdict

CUBE_ACTIONS = ("no double", "double/take", "double/pass")


@dataclass(frozen=True, slots=True)
class Answer:
    """An analysis with what the engine said; ``decisions`` is empty until it is done."""

    analysis: PositionAnalysis
    asked: Asked
    decisions: tuple[Decision, ...]

    @property
    def level(self) -> Depth:
        return Depth(self.analysis.level)

    @property
    def is_rollout(self) -> bool:
        return self.level is Depth.ROLLOUT

    @property
    def decision(self) -> Decision | None:
        return self.decisions[0] if self.decisions and self.asked.wanted is not Wanted.SCORES else None

    @property
    def is_cube(self) -> bool:
        return self.asked.wanted is Wanted.CUBE

    @property
    def best(self) -> Candidate | None:
        return self.decision.best if self.decision else None

    @property
    def cube(self) -> CubeVerdict | None:
        """The right action of both players; None for a play."""
        return cube_verdict(self.decision) if self.decision and self.is_cube else None

    @property
    def lines(self) -> list[CandidateLine]:
        """Cube actions in their order, or the best plays and the one that was made."""
        if self.decision is None or self.best is None:
            return []
        best = self.best
        lines = [
            CandidateLine(each, 0.0 if each is best else max(0.0, best.equity - each.equity), each is best)
            for each in self.decision.candidates
        ]
        if self.is_cube:
            worth = self.cube.equity if self.cube else best.equity
            named = {line.candidate.action: line.candidate for line in lines}
            return [
                CandidateLine(named[action], max(0.0, worth - _worth(action, named)), action == self._right)
                for action in CUBE_ACTIONS
                if action in named
            ]
        return [line for place, line in enumerate(lines) if place < SHOWN_CANDIDATES or line.candidate.played]

    @property
    def _right(self) -> str:
        cube = self.cube
        if cube is None or not cube.double:
            return CUBE_ACTIONS[0]
        return CUBE_ACTIONS[1] if cube.take else CUBE_ACTIONS[2]

    @property
    def is_clear(self) -> bool | None:
        """Whether the intervals of the two best do not overlap; None without intervals."""
        lines = sorted(self.lines, key=lambda line: line.loss)[:2]
        if len(lines) < 2 or any(line.candidate.interval is None for line in lines):
            return None
        first, second = (line.candidate for line in lines)
        return abs(first.equity - second.equity) > (first.interval or 0.0) + (second.interval or 0.0)


def answer_of(analysis: PositionAnalysis) -> Answer:
    """The answer in a row, as values."""
    decisions = from_plain(tuple[Decision, ...], analysis.decisions, "decisions")
    return Answer(analysis, asked_from(analysis.question), decisions)


def answers_to(asked: Asked, *, levels: Iterable[Depth], engine: str) -> list[Answer]:
    """The analyses of a question at these levels, deepest first, in whatever state (one query)."""
    rows = PositionAnalysis.objects.filter(digest=asked.digest, level__in=list(levels), engine=engine)
    order = list(Depth)
    found = sorted(rows, key=lambda row: -order.index(Depth(row.level)))
    return [answer_of(row) for row in found]


def cube_verdict(decision: Decision) -> CubeVerdict | None:
    """What three equities say about the cube; None if one is missing."""
    named = {candidate.action: candidate.equity for candidate in decision.candidates}
    if not set(CUBE_ACTIONS) <= named.keys():
        return None
    return verdict(*(named[action] for action in CUBE_ACTIONS))


def _worth(action: str, named: dict[str, Candidate]) -> float:
    """What an action of the doubler is worth; a double, after the better answer."""
    if action == CUBE_ACTIONS[0]:
        return named[action].equity
    return min(named[each].equity for each in CUBE_ACTIONS[1:] if each in named)
