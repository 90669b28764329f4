"""The child process of every engine: reads a request, runs the cascade, writes decisions.

Standard input: an `AnalysisRequest` as plain data of `scoring.codec`. The answers, one object a line:
`{"answer": [decision, ...]}` for every question in order, then `{"done": {"label", "cpu_seconds"}}`; or
`{"failure": {"kind", "text", "parameters"}}`. `cpu_seconds` are those of this process and the programs that
it has started.
"""

import json
import resource
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, ExitStack
from queue import SimpleQueue
from typing import Any

from scoring.codec import from_plain, to_plain
from scoring.engines.cascade import Evaluator, judged
from scoring.engines.checks import check_request
from scoring.engines.containment import Say
from scoring.engines.errors import EngineError, EngineRefused
from scoring.engines.presets import EnginePreset
from scoring.engines.requests import AnalysisRequest, Question
from scoring.theory.decisions import Decision, EngineLabel

Opening = Callable[[AnalysisRequest], AbstractContextManager[tuple[Evaluator, str]]]
"""Starts an engine for a request; gives its evaluator and its version."""


def run(
    say: Say, *, engine: str, presets: Mapping[str, EnginePreset], opening: Opening, lanes: int = 1
) -> int:
    """Answer one request; 0 if it was answered or the failure reported.

    ``lanes`` evaluators share the questions; more than one only for an engine that waits more than it works.
    """
    try:
        _answer_all(json.load(sys.stdin), say, engine=engine, presets=presets, opening=opening, lanes=lanes)
    except MemoryError:
        say({"failure": {"kind": "memory", "text": "out of memory"}})
    except EngineError as error:
        kind = error.code.removeprefix("engine_")
        say({"failure": {"kind": kind, "text": str(error), "parameters": _plain(error)}})
    return 0


def _answer_all(
    document: dict[str, Any],
    say: Say,
    *,
    engine: str,
    presets: Mapping[str, EnginePreset],
    opening: Opening,
    lanes: int,
) -> None:
    request: AnalysisRequest = from_plain(AnalysisRequest, document, "request")
    check_request(request)
    preset = presets.get(request.preset)
    if preset is None:
        raise EngineRefused(
            f"{engine} has no preset {request.preset!r}; choose from {', '.join(presets)}",
            preset=request.preset,
        )
    with ExitStack() as stack:
        opened = [
            stack.enter_context(opening(request)) for _ in range(max(1, min(lanes, len(request.questions))))
        ]
        for decisions in _in_order(request.questions, [evaluator for evaluator, _ in opened], preset):
            say({"answer": to_plain(decisions)})
    label = EngineLabel(engine, opened[0][1], str(preset))
    say({"done": {"label": to_plain(label), "cpu_seconds": _cpu_seconds()}})


def _in_order(
    questions: Sequence[Question], evaluators: Sequence[Evaluator], preset: EnginePreset
) -> Iterator[list[Decision]]:
    """Each question's decisions, in the order of the questions, by whichever evaluator is free."""
    idle: SimpleQueue[Evaluator] = SimpleQueue()
    for evaluator in evaluators:
        idle.put(evaluator)

    def answer(question: Question) -> list[Decision]:
        evaluator = idle.get()
        try:
            return judged(question, evaluator, preset)
        finally:
            idle.put(evaluator)

    pool = ThreadPoolExecutor(len(evaluators))
    try:
        yield from pool.map(answer, questions)
    finally:
        pool.shutdown(cancel_futures=True)


def _cpu_seconds() -> float:
    used = [resource.getrusage(whose) for whose in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in used)


def _plain(error: EngineError) -> dict[str, Any]:
    """The error's parameters as far as JSON holds them."""
    return {
        name: value if isinstance(value, int | str | None) else repr(value)
        for name, value in error.parameters.items()
    }
