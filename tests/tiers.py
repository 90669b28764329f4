"""How much of the suite a run is: ``fast``, ``short`` (what must pass to land) or ``long`` (all of it).

A test that only the long run needs is marked ``long``. One that tries less in the short run than in the long
one says so by :func:`sized`. A whole short run also tries only as many cases of a function as fit into
``SHARE`` by ``seconds.json``, unless it is marked ``each_case``. The fast run leaves out what talks to
workers, browsers and whole installations, what commits, and each function that takes long.
"""

import json
import os
from pathlib import Path
from typing import TypeVar

import pytest

T = TypeVar("T")
TIERS = ("fast", "short", "long")
TIER = os.environ.get("MIDPOINT_TEST_TIER") or "short"
WHOLE = os.environ.get("MIDPOINT_TEST_WHOLE") == "1"
"""Whether the run was asked for all tests, not for some of them by name."""
SECONDS = Path(__file__).with_name("seconds.json")
QUICK = 0.2  # seconds that a function may take, over all its cases, to be in the fast run
SHARE = 0.75  # seconds that the cases of a function may take in a whole short run; one case is always tried
SLOW_FIXTURES = frozenset({"transactional_db", "worker", "server", "page", "context", "browser"})


def sized(short: T, long: T) -> T:
    """What a test tries in the run as it is: ``long`` in the long run, else ``short``."""
    return long if TIER == "long" else short


def recorded_seconds() -> dict[str, float]:
    """Seconds that a case of each slow test function takes, by ``path::function``, as last recorded."""
    return {str(name): float(value) for name, value in json.loads(SECONDS.read_text()).items()}


def function_of(nodeid: str) -> str:
    """A test's path and name without its case: ``tests/x.py::test_y[1]`` -> ``tests/x.py::test_y``."""
    return nodeid.partition("[")[0]


def of_the_run(items: list[pytest.Item], seconds: dict[str, float]) -> list[pytest.Item]:
    """The tests that this run tries, in their order."""
    functions: dict[str, list[pytest.Item]] = {}
    for item in items:
        functions.setdefault(function_of(item.nodeid), []).append(item)
    taken: set[str] = set()
    for name, cases in functions.items():
        kept = [case for case in cases if belongs(case, TIER, seconds.get(name, 0) * len(cases))]
        if TIER == "short" and WHOLE:
            kept = thinned(kept, seconds.get(name, 0))
        taken |= {case.nodeid for case in kept}
    return [item for item in items if item.nodeid in taken]


def belongs(item: pytest.Item, tier: str, seconds: float) -> bool:
    """Whether a run of this tier tries the test, whose function takes so many seconds over all its cases."""
    if tier == "long":
        return True
    if item.get_closest_marker("long"):
        return False
    return tier == "short" or is_quick(item, seconds)


def is_quick(item: pytest.Item, seconds: float) -> bool:
    database = item.get_closest_marker("django_db")
    commits = bool(database and (database.kwargs.get("transaction") or True in database.args))
    served = SLOW_FIXTURES & set(getattr(item, "fixturenames", ()))
    slow = commits or served or item.get_closest_marker("chaos")
    return not slow and seconds < QUICK


def thinned(cases: list[pytest.Item], seconds: float) -> list[pytest.Item]:
    """As many cases of a function as fit into ``SHARE`` at so many seconds a case: always the same, spread
    evenly from the first to the last.
    """
    number = max(1, int(SHARE / seconds)) if seconds else len(cases)
    if number >= len(cases) or cases[0].get_closest_marker("each_case"):
        return cases
    ordered = sorted(cases, key=lambda case: case.nodeid)
    last = len(ordered) - 1
    return [ordered[round(place * last / max(1, number - 1))] for place in range(number)]


def read_from(folder: Path, number: int, processes: int) -> list[str]:
    """All test files of a folder, where each process begins with another part.

    In a fresh copy pytest compiles each file when it is first read, and keeps that for who reads it next.
    """
    files = sorted(map(str, folder.rglob("test_*.py")))
    first = len(files) * number // processes
    return files[first:] + files[:first]


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
    for path in sorted(files, key=lambda path: (-load[path], path)):
        lightest = sums.index(min(sums))
        parts[lightest] += files[path]
        sums[lightest] += load[path]
    return [item for part in parts for item in part]


def load_of(tests: list[pytest.Item], seconds: dict[str, float]) -> float:
    """Recorded seconds of these tests; one that is not recorded counts as 0.02."""
    # Sorted: a sum in another order may differ in its last digit, and all processes must sort files alike.
    return sum(seconds.get(name, 0.02) for name in sorted(function_of(item.nodeid) for item in tests))
