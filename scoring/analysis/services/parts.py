"""A match in parts: how many questions a part has, and the parts that are stored.

A part takes about ``PART_SECONDS``: a killed worker loses no more than that, and between two parts a worker
looks again whose turn it is. A part that is not done within ``PART_LIMIT`` is tried again with fewer
questions.
"""

from collections.abc import Sequence
from dataclasses import replace

from scoring.codec import from_plain, to_plain
from scoring.engines.comparison import refs_of
from scoring.engines.requests import AnalysisRequest, AnalysisResult
from scoring.models import Analysis, AnalysisPart, Level
from scoring.theory.decisions import Decision

PART_SECONDS = 60.0
PART_LIMIT = 240.0
"""Seconds of wall clock, after which the engine is stopped."""
FIRST_SIZE = {Level.ESTIMATE: 4000, Level.STANDARD: 400, Level.DEEP: 60}
"""Questions in the first part, whose speed is not known; a match of seven points has about 330."""
GROWTH, SHRINKAGE = 4, 4


def size_of_next(analysis: Analysis) -> int:
    """How many questions the next part has at most."""
    return analysis.part_size or FIRST_SIZE[Level(analysis.level)]


def size_after(questions: int, seconds: float) -> int:
    """The size of a part after one of so many questions took so long."""
    fits = int(questions * PART_SECONDS / max(seconds, 0.001))
    return max(1, min(fits, questions * GROWTH))


def size_after_timeout(questions: int) -> int:
    """The size of a part after one of so many questions was stopped; 0 if it cannot be smaller."""
    return 0 if questions <= 1 else max(1, questions // SHRINKAGE)


def part_of(request: AnalysisRequest, *, first: int, size: int) -> AnalysisRequest:
    """So many questions of a request, from the one with this number on."""
    return replace(request, questions=request.questions[first : first + size])


def stored_parts(analysis: Analysis) -> list[AnalysisPart]:
    """The parts that are done, in order (one query)."""
    return list(analysis.parts.order_by("first"))


def done_in(parts: Sequence[AnalysisPart]) -> int:
    """The number of questions that are answered."""
    return sum(part.questions for part in parts)


def store_part(analysis: Analysis, result: AnalysisResult, *, first: int, questions: int) -> None:
    """Keep the decisions of some questions until the rest are there."""
    AnalysisPart.objects.create(
        analysis=analysis,
        first=first,
        questions=questions,
        label=to_plain(result.label),
        decisions=to_plain(result.decisions),
        cpu_seconds=result.cpu_seconds,
    )


def whole(parts: Sequence[AnalysisPart], last: AnalysisResult) -> AnalysisResult:
    """The parts and the last one, which was not stored, as one result."""
    decisions: list[Decision] = []
    for part in parts:
        decisions += from_plain(list[Decision], part.decisions, "decisions")
    decisions += last.decisions
    cpu_seconds = last.cpu_seconds + sum(part.cpu_seconds for part in parts)
    return AnalysisResult(last.label, tuple(decisions), cpu_seconds)


def is_one(parts: Sequence[AnalysisPart], result: AnalysisResult, request: AnalysisRequest) -> bool:
    """Whether one engine label made the parts of this result, and they answer these questions.

    Not so if Midpoint or its engine was upgraded in between.
    """
    label = to_plain(result.label)
    answered = [decision.ref for decision in result.decisions]
    return all(part.label == label for part in parts) and answered == refs_of(request.questions)
