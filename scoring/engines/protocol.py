"""The one interface of all engines."""

from collections.abc import Callable
from typing import Protocol

from scoring.engines.requests import AnalysisRequest, AnalysisResult

Progress = Callable[[int, int], None]
Cancelled = Callable[[], bool]

DEFAULT_TIME_LIMIT = 540.0
DEFAULT_MEMORY_LIMIT = 2 * 1024**3


class Engine(Protocol):
    """An engine that judges decisions in a process of its own."""

    @property
    def name(self) -> str:
        """Stable name, as in an analysis label."""
        ...

    @property
    def presets(self) -> tuple[str, ...]:
        """Names of the depths it offers, shallowest first."""
        ...

    def analyse(
        self,
        request: AnalysisRequest,
        *,
        time_limit: float = DEFAULT_TIME_LIMIT,
        memory_limit: int = DEFAULT_MEMORY_LIMIT,
        on_progress: Progress | None = None,
        cancelled: Cancelled | None = None,
    ) -> AnalysisResult:
        """Judge every question; see `scoring.engines.registry.analyse` for arguments and errors."""
        ...
