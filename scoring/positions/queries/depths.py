"""The engine that analyses positions, and how deep it can look."""

from scoring.analysis.queries.engines import of_installation
from scoring.engines.registry import ENGINES
from scoring.models import Depth


def engine_in_use() -> str:
    """The name of the site's engine; "" where none is installed."""
    return of_installation().engine


def preset_for(level: Depth, engine: str) -> str | None:
    """The engine's preset for a level; None if it has none, or there is no such engine."""
    preset = of_installation().preset if level is Depth.STANDARD else level.value
    return preset if engine in ENGINES and preset in ENGINES[engine].presets else None


def depths() -> list[Depth]:
    """The levels that the site's engine has, shallowest first."""
    engine = engine_in_use()
    return [level for level in Depth if preset_for(level, engine) is not None]
