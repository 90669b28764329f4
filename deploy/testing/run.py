"""Runs each kind of test in a separate pytest process, three for all of a kind."""

import contextlib
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from deploy import attach, processes
from deploy.checkout import ENGINE_VARIABLES, ROOT
from deploy.testing.chromium import NoBrowserError, find_chromium
from deploy.testing.options import HELP, Options, UsageError
from deploy.testing.totals import FORGIVEN, Totals

SECONDS = ROOT / "tests" / "seconds.json"
LOAD = 8
"""Load processes of a steady run; with pytest's it has at least ``LOAD + 1``."""
# Another process takes over what waits behind a test of many seconds. The chaos tests share a running
# installation, which a second process would start again; they wait more than they compute and run beside the
# first ones. On two cores three processes are busy all the time: tests of workers and pages wait for those.
PARALLEL: dict[str, tuple[str, ...]] = {
    "main": ("-n", "3", "--dist", "worksteal"),
    "browser": ("-n", "3", "--dist", "worksteal"),
    "chaos": (),
}
TEMPLATE = "migrated"
"""The migrated database that the processes of a run copy, if PostgreSQL is the run's own."""
COLLECTED = 0.2
"""Seconds between two looks whether the first process has read all tests."""


def run(words: Sequence[str]) -> int:
    """Run the requested tests and print the summary; return the exit code."""
    if {"-h", "--help"} & set(words):
        sys.stdout.write(HELP)
        return 0
    try:
        options = Options.read(words)
    except UsageError as error:
        sys.stderr.write(f"midpoint: {error}\n")
        return 2
    with tempfile.TemporaryDirectory(prefix="midpoint-test-") as scratch, ExitStack() as stack:
        if options.rounds:
            stack.enter_context(busy_machine(max(0, LOAD + 1 - options.processes)))
        totals = Run(options, Path(scratch)).all_kinds()
    if options.record:
        totals.record(SECONDS)
    lines = [*(totals.times() if options.times else ()), *totals.lines()]
    sys.stdout.write("\n".join(lines) + "\n")
    return totals.code


@dataclass
class Pytest:
    """A running pytest process; ``output`` is None if it prints to the terminal."""

    process: subprocess.Popen[bytes]
    report: Path
    output: Path | None

    def await_waiting(self) -> dict[str, dict[str, int]]:
        """Wait until it has read all tests; return the number per file of those that run in other processes.

        Nothing if it ends before that.
        """
        waiting = Path(f"{self.report}.waiting")
        while self.process.poll() is None and not waiting.exists():
            time.sleep(COLLECTED)
        return read(waiting)

    def wait(self) -> tuple[int, dict[str, Any]]:
        """Wait for its end and print kept output; return exit code and report."""
        try:
            code = self.process.wait()
        except KeyboardInterrupt:
            self.process.wait(60)
            raise
        finally:
            if self.output:
                sys.stdout.write(self.output.read_text(errors="replace"))
                sys.stdout.flush()
        return code, read(self.report)


@dataclass
class Run:
    """One run of ``manage.py test``; pytest processes report in ``folder``."""

    options: Options
    folder: Path
    totals: Totals = field(default_factory=Totals)

    def all_kinds(self) -> Totals:
        with ExitStack() as stack:
            engines = dict(os.environ) | stack.enter_context(attach.throwaway_engines())
            if not os.environ.get("DATABASE_URL"):
                engines["MIDPOINT_TEST_TEMPLATE"] = TEMPLATE
            main = self.begin("main", self.words("main", ()), engines)
            waiting = main.await_waiting()
            self.say_what_is_left_out(waiting)
            chaos = self.chaos(waiting.get("chaos", {}))
            self.add("main", main.wait(), engines)
            if files := waiting.get("browser"):
                self.browser(files, engines)
            if chaos:
                self.add("chaos", chaos.wait(), without_engines())
        return self.totals

    def say_what_is_left_out(self, waiting: dict[str, dict[str, int]]) -> None:
        if number := waiting.get("tier", {}).get("tests", 0):
            longer = "the longer runs" if self.options.tier == "fast" else "manage.py test --long"
            self.totals.left_out.append(f"{number} tests of {longer}")

    def browser(self, files: dict[str, int], environment: dict[str, str]) -> None:
        """Start the browser tests, whose number per file the first process found."""
        number = sum(files.values())
        if "browser" in self.options.without:
            self.totals.left_out.append(f"{number} browser tests (--no-browser)")
            return
        try:
            chromium = find_chromium()
        except NoBrowserError as error:
            self.totals.broken.append(f"{number} browser tests did not run: {error}")
            return
        # Playwright's own event loop runs in the main thread, where the tests also use the database.
        extra = {"MIDPOINT_CHROMIUM": chromium, "DJANGO_ALLOW_ASYNC_UNSAFE": "1"}
        self.kind("browser", environment | extra, files)

    def chaos(self, files: dict[str, int]) -> Pytest | None:
        """Start the tests that kill installations, if any; they have their own engines.

        They are heard when the others have ended.
        """
        if files and "chaos" in self.options.without:
            number = sum(files.values())
            self.totals.left_out.append(f"{number} tests that kill installations (--no-chaos)")
        elif files:
            return self.begin("chaos", self.words("chaos", files), without_engines(), quiet=True)
        return None

    def kind(self, kind: str, environment: dict[str, str], files: Iterable[str] = ()) -> None:
        self.add(kind, self.begin(kind, self.words(kind, files), environment).wait(), environment)

    def words(self, kind: str, files: Iterable[str]) -> tuple[str, ...]:
        """pytest's arguments for one kind of test.

        In one process, or shared by three when nothing is selected. With ``files`` only those are read:
        reading all takes seconds per process.
        """
        whole = (*PARALLEL[kind], *sorted(files)) if self.options.everything else ()
        return (*whole, *self.options.arguments, "-m", self.options.markers(kind))

    def add(self, kind: str, ended: tuple[int, dict[str, Any]], environment: dict[str, str]) -> None:
        """Add the result of one kind of test."""
        code, report = ended
        self.totals.add(kind, code, report)
        if kind != "main" and os.environ.get("CI"):
            self.once_more(report.get("failures", []), environment)

    def once_more(self, names: list[str], environment: dict[str, str]) -> None:
        """In CI, retry a failed browser or chaos test by itself; a pass is reported.

        With more failures than allowed none is retried: the run fails anyway.
        """
        if len(self.totals.unsteady) + len(names) > FORGIVEN:
            return
        for name in names:
            code, report = self.begin("again", [name], environment).wait()
            if code == 0 and report.get("passed"):
                self.totals.forgive(name)

    def begin(
        self, name: str, words: Sequence[str], environment: dict[str, str], *, quiet: bool = False
    ) -> Pytest:
        """Start pytest; a quiet one keeps its output until it is waited for."""
        report, output = self.folder / f"{name}.json", self.folder / f"{name}.txt" if quiet else None
        report.unlink(missing_ok=True)
        Path(f"{report}.waiting").unlink(missing_ok=True)
        # Without its cache pytest rewrites the assertions of every plugin again, seconds a process.
        kept = {name: value for name, value in environment.items() if name != "PYTHONDONTWRITEBYTECODE"}
        with output.open("wb") if output else contextlib.nullcontext() as printed:
            process = subprocess.Popen(
                [sys.executable, "-m", "pytest", *words],
                cwd=ROOT,
                env=kept | self.variables(report),
                stdout=printed,
                stderr=subprocess.STDOUT if output else None,
                preexec_fn=processes.dying_with_parent(15),  # noqa: PLW1509 - no threads here
            )
        return Pytest(process, report, output)

    def variables(self, report: Path) -> dict[str, str]:
        """Environment variables for the tests' configuration."""
        return {
            "MIDPOINT_TEST_REPORT": str(report),
            "MIDPOINT_TEST_TIER": self.options.tier,
            "MIDPOINT_TEST_WHOLE": "1" if self.options.everything else "",
            "MIDPOINT_TEST_ROUNDS": str(self.options.rounds),
            "MIDPOINT_LOOK": self.options.look,
            "DJANGO_SETTINGS_MODULE": "tests.settings",
        }


def without_engines() -> dict[str, str]:
    """This process's environment without engine addresses."""
    return {name: value for name, value in os.environ.items() if name not in ENGINE_VARIABLES}


def read(path: Path) -> dict[str, Any]:
    try:
        return dict(json.loads(path.read_text()))
    except FileNotFoundError:
        return {}


@contextlib.contextmanager
def busy_machine(number: int) -> Iterator[None]:
    """Keep the processors busy with this many processes during the block."""
    burners = [processes.spawn([sys.executable, "-c", "while True: pass"]) for _ in range(number)]
    try:
        yield
    finally:
        for burner in burners:
            burner.kill()
            burner.wait()
