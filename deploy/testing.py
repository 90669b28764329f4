"""``manage.py test``: every test, each kind in the process it needs, and one line that sums them up."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from deploy import attach, processes
from deploy.checkout import ENGINE_VARIABLES, ROOT

CHROMIUM_NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
NOTHING_COLLECTED = 5
SEPARATE = ("browser", "chaos")
# What waits behind a browser test of minutes is taken over by the other process. The chaos tests of one file
# share a running installation: a second process would start it again.
PARALLEL = {
    "main": ("-n", "2"),
    "browser": ("-n", "2", "--dist", "worksteal"),
    "chaos": ("-n", "2", "--dist", "loadfile"),
}
HELP = """usage: manage.py test [--no-browser] [--no-chaos] [pytest arguments]

Runs every test: pure, PostgreSQL and worker tests first, then browser tests, then tests that kill whole
installations. A path or -k selects; all other arguments go to pytest.

  --no-browser   leave the browser tests out and say how many
  --no-chaos     leave the tests that kill installations out and say how many
"""


class NoBrowserError(Exception):
    """No Chromium was found and none could be installed."""


@dataclass
class Totals:
    """What has come out so far, over all processes."""

    passed: int = 0
    failed: int = 0
    skipped: int = 0
    absent: int = 0
    broken: list[str] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)

    def add(self, kind: str, code: int, report: dict[str, int]) -> None:
        for name, number in report.items():
            setattr(self, name, getattr(self, name) + number)
        if code not in {0, NOTHING_COLLECTED} and not report.get("failed"):
            self.broken.append(f"the {kind} tests ended with code {code}")

    @property
    def code(self) -> int:
        if self.failed or self.broken:
            return 1
        return 0 if self.passed or self.skipped or self.absent or self.left_out else NOTHING_COLLECTED

    def lines(self) -> list[str]:
        lines = []
        if self.absent:
            lines.append(
                f"{self.absent} tests left out: the data beside the project (../shared/data) is absent"
            )
        lines += [f"left out: {what}" for what in self.left_out]
        lines += self.broken
        skipped = f", {self.skipped} skipped" if self.skipped else ""
        lines.append(f"{self.passed} passed, {self.failed + len(self.broken)} failed{skipped}")
        return lines


@dataclass(frozen=True)
class Options:
    """The arguments of ``manage.py test``, ours apart from pytest's."""

    arguments: tuple[str, ...]
    without: frozenset[str]
    expression: str

    @classmethod
    def read(cls, words: Sequence[str]) -> "Options":
        without = frozenset(kind for kind in SEPARATE if f"--no-{kind}" in words)
        rest: list[str] = []
        expression = ""
        waiting = [word for word in words if word not in {f"--no-{kind}" for kind in SEPARATE}]
        while waiting:
            word = waiting.pop(0)
            if word == "-m" and waiting:
                expression = waiting.pop(0)
            elif word.startswith("-m") and len(word) > 2:
                expression = word[2:].removeprefix("=")
            else:
                rest.append(word)
        return cls(tuple(rest), without, expression)

    def markers(self, kind: str) -> str:
        own = kind if kind in SEPARATE else " and ".join(f"not {name}" for name in SEPARATE)
        return f"({self.expression}) and ({own})" if self.expression else own

    @property
    def everything(self) -> bool:
        """Whether nothing was selected, so that two processes pay off."""
        return not self.arguments or all(word in {"-q", "-v", "-x"} for word in self.arguments)


def run(words: Sequence[str]) -> int:
    """Run the tests and print the closing lines; returns the exit code."""
    options = Options.read(words)
    totals = Totals()
    with tempfile.TemporaryDirectory(prefix="midpoint-test-") as scratch:
        report = Path(scratch) / "report.json"
        with ExitStack() as stack:
            environment = dict(os.environ) | stack.enter_context(attach.throwaway_engines())
            run_kind("main", options, environment, report, totals)
            waiting = read(Path(f"{report}.waiting"))
            if files := waiting.get("browser"):
                run_browser(files, options, environment, report, totals)
        if files := waiting.get("chaos"):
            run_chaos(files, options, report, totals)
    sys.stdout.write("\n".join(totals.lines()) + "\n")
    return totals.code


def run_browser(
    files: dict[str, int], options: Options, environment: dict[str, str], report: Path, totals: Totals
) -> None:
    """The browser tests, of which the first process has found so many in each file."""
    number = sum(files.values())
    if "browser" in options.without:
        totals.left_out.append(f"{number} browser tests (--no-browser)")
        return
    try:
        chromium = find_chromium()
    except NoBrowserError as error:
        totals.broken.append(f"{number} browser tests did not run: {error}")
        return
    # Playwright's own event loop runs in the main thread, where the tests also use the database.
    extra = {"MIDPOINT_CHROMIUM": chromium, "DJANGO_ALLOW_ASYNC_UNSAFE": "1"}
    run_kind("browser", options, environment | extra, report, totals, files)


def run_chaos(files: dict[str, int], options: Options, report: Path, totals: Totals) -> None:
    if "chaos" in options.without:
        totals.left_out.append(f"{sum(files.values())} tests that kill installations (--no-chaos)")
        return
    # These start installations with engines of their own.
    bare = {name: value for name, value in os.environ.items() if name not in ENGINE_VARIABLES}
    run_kind("chaos", options, bare, report, totals, files)


def run_kind(
    kind: str,
    options: Options,
    environment: dict[str, str],
    report: Path,
    totals: Totals,
    files: Iterable[str] = (),
) -> None:
    """One kind of test: in one pytest process, or shared by two when nothing is selected.

    Then ``files`` are the only ones that are read: to read all takes ten seconds a process.
    """
    report.unlink(missing_ok=True)
    whole = (*PARALLEL[kind], *sorted(files)) if options.everything else ()
    command = [sys.executable, "-m", "pytest", *whole, *options.arguments, "-m", options.markers(kind)]
    # Without its cache pytest rewrites the assertions of every plugin again, seconds a process.
    environment = {name: value for name, value in environment.items() if name != "PYTHONDONTWRITEBYTECODE"}
    process = subprocess.Popen(
        command,
        cwd=ROOT,
        env=environment | {"MIDPOINT_TEST_REPORT": str(report), "DJANGO_SETTINGS_MODULE": "tests.settings"},
        preexec_fn=processes.dying_with_parent(15),  # noqa: PLW1509 - no threads here
    )
    try:
        code = process.wait()
    except KeyboardInterrupt:
        process.wait(60)
        raise
    totals.add(kind, code, read(report))


def read(path: Path) -> dict[str, Any]:
    try:
        return dict(json.loads(path.read_text()))
    except FileNotFoundError:
        return {}


def find_chromium() -> str:
    """The path of a Chromium; root installs Debian's where there is none.

    Raises:
        NoBrowserError: none is there and none can be installed.
    """
    if found := installed_chromium():
        return found
    if os.geteuid() == 0 and shutil.which("apt-get"):
        attach.say("installing Chromium with apt-get for the browser tests")
        quiet = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
        for words in (["update", "-qq"], ["install", "-y", "-qq", "--no-install-recommends", "chromium"]):
            subprocess.run(["apt-get", *words], env=quiet, stdout=subprocess.DEVNULL, check=False)
        if found := installed_chromium():
            return found
    raise NoBrowserError(
        "no Chromium was found. Install it (Debian: sudo apt install chromium), set MIDPOINT_CHROMIUM to its "
        "path, or leave these tests out with --no-browser"
    )


def installed_chromium() -> str | None:
    names = (os.environ.get("MIDPOINT_CHROMIUM", ""), *CHROMIUM_NAMES)
    return next((path for name in names if name and (path := shutil.which(name))), None)
