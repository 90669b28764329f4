"""The parent's side of every engine: checks, the child's run, and the answers compared with the questions."""

from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import dataclass
from typing import Any

from scoring.codec import from_plain, to_plain
from scoring.engines.answers import check_label, expect_another, reading_answer
from scoring.engines.checks import check_request
from scoring.engines.comparison import compare
from scoring.engines.errors import EngineCrashed, EngineDisagrees, EngineError, EngineMemory, EngineRefused
from scoring.engines.presets import EnginePreset
from scoring.engines.process import run_lines
from scoring.engines.protocol import DEFAULT_MEMORY_LIMIT, DEFAULT_TIME_LIMIT, Cancelled, Progress
from scoring.engines.requests import AnalysisRequest, AnalysisResult
from scoring.theory.decisions import Decision, EngineLabel

_LONGEST_FAILURE = 500
_FAILURES: dict[str, type[EngineError]] = {
    "refused": EngineRefused,
    "memory": EngineMemory,
    "disagrees": EngineDisagrees,
}


@dataclass(frozen=True, slots=True)
class EngineProcess:
    """An engine whose child is ``python -m <child>``.

    ``missing`` says what to install, empty where the engine can be used.
    """

    name: str
    child: str
    settings: Mapping[str, EnginePreset]
    missing: Callable[[], str]

    @property
    def presets(self) -> tuple[str, ...]:
        """Names of the presets it offers, shallowest first."""
        return tuple(self.settings)

    def analyse(
        self,
        request: AnalysisRequest,
        *,
        time_limit: float = DEFAULT_TIME_LIMIT,
        memory_limit: int = DEFAULT_MEMORY_LIMIT,
        on_progress: Progress | None = None,
        cancelled: Cancelled | None = None,
    ) -> AnalysisResult:
        """See `scoring.engines.registry.analyse`; EngineRefused where the engine is not installed."""
        check_request(request)
        if request.preset not in self.settings:
            raise EngineRefused(
                f"{self.name} has no preset {request.preset!r}; choose from {', '.join(self.settings)}",
                preset=request.preset,
            )
        if missing := self.missing():
            raise EngineRefused(missing, engine=self.name)
        total = len(request.questions)
        if on_progress is not None:
            on_progress(0, total)
        answers: list[list[Decision]] = []
        label: EngineLabel | None = None
        cpu_seconds = 0.0
        lines = run_lines(
            self.child,
            [],
            to_plain(request),
            time_limit=time_limit,
            memory_limit=memory_limit,
            cancelled=cancelled,
        )
        with closing(lines):
            for message in lines:
                with reading_answer():
                    _raise_failure(message, memory_limit)
                    if "answer" in message:
                        expect_another(len(answers), total)
                        answers.append(from_plain(list[Decision], message["answer"], "answer"))
                    elif "done" in message:
                        label = from_plain(EngineLabel, message["done"]["label"], "label")
                        cpu_seconds = message["done"]["cpu_seconds"]
                        check_label(label, cpu_seconds, engine=self.name)
                if "answer" in message and on_progress is not None:
                    on_progress(len(answers), total)
        if label is None:
            raise EngineCrashed(
                "the engine exited before finishing its answer", signal=None, status=0, detail=""
            )
        return AnalysisResult(label, compare(request.questions, answers), cpu_seconds)


def _raise_failure(message: dict[str, Any], memory_limit: int) -> None:
    failure = message.get("failure")
    if failure is None:
        return
    kind, text = _FAILURES.get(str(failure["kind"])), str(failure["text"])[:_LONGEST_FAILURE]
    if kind is None:
        raise EngineCrashed(text, signal=None, status=None, detail=text)
    if kind is EngineMemory:
        raise EngineMemory(f"the engine needs more than {memory_limit} bytes", limit=memory_limit)
    raise kind(text, **failure.get("parameters", {}))
