"""Engines by name, and the call that everybody uses."""

from collections.abc import Mapping
from importlib.util import find_spec

from scoring.engines.adapter import EngineProcess
from scoring.engines.errors import EngineRefused
from scoring.engines.gnubg.program import missing as gnubg_missing
from scoring.engines.presets import GAMMONVIEW, GNUBG, ROLLOUT
from scoring.engines.protocol import DEFAULT_MEMORY_LIMIT, DEFAULT_TIME_LIMIT, Cancelled, Engine, Progress
from scoring.engines.requests import AnalysisRequest, AnalysisResult


def _gammonview_missing() -> str:
    return "" if find_spec("bgsage") else "gammonview is not installed: install gammonview[engine]"


ENGINES: Mapping[str, EngineProcess] = {
    engine.name: engine
    for engine in (
        EngineProcess("gnubg", "scoring.engines.gnubg", GNUBG, gnubg_missing),
        EngineProcess("gammonview", "scoring.engines.gammonview", GAMMONVIEW, _gammonview_missing),
    )
}
"""The engine that is preferred first."""
ROLLOUT_ENGINE = "gammonview"
"""The engine that plays positions out."""


def installed_engines() -> tuple[str, ...]:
    """The names of the engines that can be used on this machine, the preferred one first."""
    return tuple(name for name, engine in ENGINES.items() if not engine.missing())


def default_engine(chosen: str = "") -> str:
    """The engine to use: the chosen one, else the first that is installed.

    Raises EngineRefused for a name that is no engine, and where none is installed.
    """
    if chosen:
        return _known(chosen).name
    installed = installed_engines()
    if not installed:
        raise EngineRefused("no analysis engine is installed", engine="")
    return installed[0]


def analyse(
    request: AnalysisRequest,
    *,
    engine: str = "",
    time_limit: float = DEFAULT_TIME_LIMIT,
    memory_limit: int = DEFAULT_MEMORY_LIMIT,
    on_progress: Progress | None = None,
    cancelled: Cancelled | None = None,
) -> AnalysisResult:
    """Judge every question of the request in the engine's own process.

    Args:
        request: positions that our rules engine has replayed; checked again before the engine sees them.
        engine: a name in `ENGINES`; by default the first one that is installed. For the preset ``rollout``
            the engine that plays positions out, whatever is named.
        time_limit: seconds of wall clock, then EngineTimeout.
        memory_limit: bytes of address space, beyond which EngineMemory.
        on_progress: called with (questions answered, questions) in this thread; an exception in it stops
            the engine and propagates.
        cancelled: asked a few times a second; True stops the engine with EngineCancelled.

    Raises the errors of `scoring.engines.errors`. The engine's process group is gone when this returns.
    Deterministic: the same request and label give the same decisions.
    """
    name = default_engine(engine)
    used: Engine = ENGINES[ROLLOUT_ENGINE if request.preset == ROLLOUT else name]
    return used.analyse(
        request,
        time_limit=time_limit,
        memory_limit=memory_limit,
        on_progress=on_progress,
        cancelled=cancelled,
    )


def _known(name: str) -> EngineProcess:
    if name not in ENGINES:
        raise EngineRefused(f"unknown engine {name!r}; choose from {', '.join(ENGINES)}", engine=name)
    return ENGINES[name]
