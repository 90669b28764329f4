"""How much of the suite a run is: ``fast``, ``short`` (what must pass to land) or ``long`` (all of it).

A test that only the long run needs is marked ``long``. One that tries less in the short run than in the long
one says so by :func:`sized`. The fast run also leaves out what talks to workers, browsers and whole
installations, what commits, and each function that takes long by ``seconds.json``.
"""

import json
import os
from pathlib import Path
from typing import TypeVar

import pytest

T = TypeVar("T")
TIERS = ("fast", "short", "long")
TIER = os.environ.get("MIDPOINT_TEST_TIER") or "short"
SECONDS = Path(__file__).with_name("seconds.json")
QUICK = 0.5  # seconds that a function may take, over all its cases, to be in the fast run
SLOW_FIXTURES = frozenset({"transactional_db", "worker", "server", "page", "context", "browser"})


def sized(short: T, long: T) -> T:
    """What a test tries in the run as it is: ``long`` in the long run, else ``short``."""
    return long if TIER == "long" else short


def recorded_seconds() -> dict[str, float]:
    """Seconds of each slow test function over all its cases, by ``path::function``, as last recorded."""
    return {str(name): float(value) for name, value in json.loads(SECONDS.read_text()).items()}


def function_of(nodeid: str) -> str:
    """A test's path and name without its case: ``tests/x.py::test_y[1]`` -> ``tests/x.py::test_y``."""
    return nodeid.partition("[")[0]


def belongs(item: pytest.Item, tier: str, seconds: dict[str, float]) -> bool:
    """Whether a run of this tier tries the test."""
    if tier == "long":
        return True
    if item.get_closest_marker("long"):
        return False
    return tier == "short" or is_quick(item, seconds)


def is_quick(item: pytest.Item, seconds: dict[str, float]) -> bool:
    database = item.get_closest_marker("django_db")
    commits = bool(database and (database.kwargs.get("transaction") or True in database.args))
    served = SLOW_FIXTURES & set(getattr(item, "fixturenames", ()))
    slow = commits or served or item.get_closest_marker("chaos")
    return not slow and seconds.get(function_of(item.nodeid), 0) < QUICK


def by_load(items: list[pytest.Item], seconds: dict[str, float], processes: int) -> list[pytest.Item]:
    """The tests in an order of which each process can take one part: parts of equal load, slow files first.

    The tests of a file stay together, since they share fixtures; what one process has not begun when another
    is done is taken over from the end of its part.
    """
    files: dict[str, list[pytest.Item]] = {}
    for item in items:
        files.setdefault(str(item.path), []).append(item)
    load = {path: load_of(tests, seconds) for path, tests in files.items()}
    parts: list[list[pytest.Item]] = [[] for _ in range(processes)]
    sums = [0.0] * processes
    for path in sorted(files, key=load.__getitem__, reverse=True):
        lightest = sums.index(min(sums))
        parts[lightest] += files[path]
        sums[lightest] += load[path]
    return [item for part in parts for item in part]


def load_of(tests: list[pytest.Item], seconds: dict[str, float]) -> float:
    """Recorded seconds of these tests; one that is not recorded counts as a tenth of one."""
    # Sorted: a sum in another order may differ in its last digit, and all processes must sort files alike.
    functions = sorted({function_of(item.nodeid) for item in tests})
    unknown = sum(function_of(item.nodeid) not in seconds for item in tests)
    return sum(seconds.get(name, 0) for name in functions) + 0.02 * unknown
