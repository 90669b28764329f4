"""Engines by name, and the call that everybody uses."""

from collections.abc import Mapping
from importlib.util import find_spec

from scoring.engines.errors import EngineRefused
from scoring.engines.gammonview.adapter import GammonView
from scoring.engines.gnubg.adapter import GnuBackgammon
from scoring.engines.gnubg.program import gnubg_path
from scoring.engines.protocol import DEFAULT_MEMORY_LIMIT, DEFAULT_TIME_LIMIT, Cancelled, Engine, Progress
from scoring.engines.requests import AnalysisRequest, AnalysisResult

DEFAULT_ENGINE = "gammonview"
ENGINES: Mapping[str, Engine] = {engine.name: engine for engine in (GammonView(), GnuBackgammon())}


def installed_engines() -> tuple[str, ...]:
    """The names of the engines that can be used on this machine, the preferred one first."""
    here = {"gammonview": find_spec("bgsage") is not None, "gnubg": gnubg_path() is not None}
    return tuple(name for name in ENGINES if here[name])


def default_engine(chosen: str = "") -> str:
    """The engine to use: the chosen one, else the first that is installed.

    Raises EngineRefused where none is installed.
    """
    if not chosen and not installed_engines():
        raise EngineRefused("no analysis engine is installed", engine="")
    return chosen or installed_engines()[0]


def analyse(
    request: AnalysisRequest,
    *,
    engine: str = DEFAULT_ENGINE,
    time_limit: float = DEFAULT_TIME_LIMIT,
    memory_limit: int = DEFAULT_MEMORY_LIMIT,
    on_progress: Progress | None = None,
    cancelled: Cancelled | None = None,
) -> AnalysisResult:
    """Judge every question of the request in the engine's own process.

    Args:
        request: positions that our rules engine has replayed; checked again before the engine sees them.
        engine: a name in `ENGINES`.
        time_limit: seconds of wall clock, then EngineTimeout.
        memory_limit: bytes of address space, beyond which EngineMemory.
        on_progress: called with (questions answered, questions) in this thread; an exception in it stops
            the engine and propagates.
        cancelled: asked a few times a second; True stops the engine with EngineCancelled.

    Raises the errors of `scoring.engines.errors`. The engine's process group is gone when this returns.
    Deterministic: the same request and label give the same decisions.
    """
    if engine not in ENGINES:
        raise EngineRefused(f"unknown engine {engine!r}; choose from {', '.join(ENGINES)}", engine=engine)
    return ENGINES[engine].analyse(
        request,
        time_limit=time_limit,
        memory_limit=memory_limit,
        on_progress=on_progress,
        cancelled=cancelled,
    )
