"""The results of all test processes so far."""

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

NOTHING_COLLECTED = 5
FORGIVEN = 2
"""Maximum of failed tests per run that are retried by themselves."""
SLOWEST = 30
RECORDED = 0.1
"""Minimum seconds of a function, over all its cases, to be recorded."""


@dataclass
class Totals:
    """Numbers of tests, lines about what was left out or broke, and seconds.

    ``seconds`` of each test include its setup; ``own`` do not.
    """

    passed: int = 0
    failed: int = 0
    skipped: int = 0
    absent: int = 0
    broken: list[str] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)
    unsteady: list[str] = field(default_factory=list)
    seconds: Counter[str] = field(default_factory=Counter)
    own: Counter[str] = field(default_factory=Counter)

    def add(self, kind: str, code: int, report: dict[str, Any]) -> None:
        """Add the report of a pytest process that ended with ``code``."""
        for name in ("passed", "failed", "skipped", "absent"):
            setattr(self, name, getattr(self, name) + report.get(name, 0))
        self.seconds.update(report.get("seconds", {}))
        self.own.update(report.get("own", {}))
        if code not in {0, NOTHING_COLLECTED} and not report.get("failed"):
            self.broken.append(f"the {kind} tests ended with code {code}")

    def forgive(self, name: str) -> None:
        """Record that a failed test passed by itself."""
        self.failed -= 1
        self.passed += 1
        self.unsteady.append(name)

    @property
    def code(self) -> int:
        """The exit code of the whole run."""
        if self.failed or self.broken:
            return 1
        return 0 if self.passed or self.skipped or self.absent or self.left_out else NOTHING_COLLECTED

    def lines(self) -> Iterator[str]:
        """The summary; its last line has the numbers."""
        if self.absent:
            yield f"{self.absent} tests left out: the data beside the project (../shared/data) is absent"
        yield from (f"left out: {what}" for what in self.left_out)
        yield from self.broken
        yield from (f"unsteady: {name}" for name in self.unsteady)
        skipped = f", {self.skipped} skipped" if self.skipped else ""
        yield f"{self.passed} passed, {self.failed + len(self.broken)} failed{skipped}"

    def times(self) -> Iterator[str]:
        """The slowest tests and the seconds by folder, with setup and teardown."""
        yield f"the {SLOWEST} slowest tests, in seconds"
        yield from (f"{seconds:8.2f}  {name}" for name, seconds in self.seconds.most_common(SLOWEST))
        folders: Counter[str] = Counter()
        for name, seconds in self.seconds.items():
            folders[str(Path(name.partition("::")[0]).parent)] += seconds
        yield "seconds by folder"
        yield from (f"{seconds:8.1f}  {folder}" for folder, seconds in folders.most_common())

    def record(self, path: Path) -> None:
        """Save the seconds that a case of each slow function takes."""
        functions: dict[str, list[float]] = {}
        for name, seconds in self.own.items():
            functions.setdefault(name.partition("[")[0], []).append(seconds)
        slow = {
            name: round(sum(took) / len(took), 3)
            for name, took in sorted(functions.items())
            if sum(took) >= RECORDED
        }
        path.write_text(json.dumps(slow, indent=0, ensure_ascii=False) + "\n")
