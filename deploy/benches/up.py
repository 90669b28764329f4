"""Time of ``manage.py up`` to its first page: bare, again, and with the demo.

Bare is a fresh clone: no ``.venv``, no data, and no packages that an installer kept; they come from the index
that the machine uses. Processor seconds stand beside, since a busy machine takes longer for the same work.
"""

import contextlib
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from deploy import checkout, processes
from deploy.demo.club import NAME
from deploy.figures import Figure

PATIENCE = 1800.0
NOT_INHERITED = frozenset({*checkout.ENGINE_VARIABLES, "CACHE_URL", "MIDPOINT_VAR", "DJANGO_SETTINGS_MODULE"})
FIRST_PAGE, DEMO_PAGE = ("/", "Midpoint"), ("/clubs/sete-rios-demo-club/", NAME)
COMPLETE = "The demo club is complete"


def run() -> Iterator[Figure]:
    with tempfile.TemporaryDirectory(prefix="midpoint-bench-") as scratch:
        copy = checkout.copy_project(Path(scratch) / "midpoint")
        own = {name: str(Path(scratch) / name) for name in ("UV_CACHE_DIR", "PIP_CACHE_DIR")}
        try:
            for name, size in (("first", "no .venv, no data"), ("warm", "second start")):
                with started(copy, variables=own) as up:
                    up.wait_for(FIRST_PAGE)
                    yield Figure(f"{name}_page_s", up.seconds(), "s", size=size)
                    yield Figure(f"{name}_page_cpu_s", up.processor_seconds(), "s", size=size)
                    up.wait_for_words("logs: ")
                    began = time.monotonic()
                    up.stop()
                    yield Figure(f"{name}_stop_s", time.monotonic() - began, "s", size="after Ctrl-C")
            with started(copy, "--demo", variables=own) as up:
                up.wait_for(DEMO_PAGE)
                yield Figure("demo_page_s", up.seconds(), "s", size="second start, the club's page")
                up.wait_for_words(COMPLETE)
                yield Figure("demo_complete_s", up.seconds(), "s", size="26 people, 200 matches")
                yield Figure("demo_complete_cpu_s", up.processor_seconds(), "s", size="with all that runs")
        finally:
            remove_roots_data(copy)


@dataclass(frozen=True)
class Started:
    """A started ``up``, with its port and output."""

    process: subprocess.Popen[bytes]
    port: int
    log: Path
    began: float

    def seconds(self) -> float:
        return time.monotonic() - self.began

    def processor_seconds(self) -> float:
        """CPU seconds of the process and all its descendants, ended ones included."""
        return sum(map(spent, family(self.process.pid)))

    def wait_for(self, page: tuple[str, str]) -> None:
        """Wait until the page of the path has these words in its title."""
        while not self._shows(*page):
            self._mind()

    def wait_for_words(self, words: str) -> None:
        """Wait until the output has these words."""
        while words not in self.log.read_text():
            self._mind()

    def stop(self) -> None:
        self.process.send_signal(signal.SIGINT)
        self.process.wait(60)

    def _shows(self, path: str, title: str) -> bool:
        with contextlib.suppress(OSError):
            address = f"http://127.0.0.1:{self.port}{path}"
            with urllib.request.urlopen(address, timeout=60) as answer:
                shown = re.search("<title>(.*?)</title>", answer.read().decode(), re.DOTALL)
                return answer.status == 200 and shown is not None and title in shown[1]
        return False

    def _mind(self) -> None:
        if self.process.poll() is not None or self.seconds() > PATIENCE:
            raise RuntimeError(f"up did not get this far:\n{processes.tail(self.log)}")
        time.sleep(0.05)


@contextlib.contextmanager
def started(copy: Path, *words: str, variables: Mapping[str, str] | None = None) -> Iterator[Started]:
    """Start ``up`` of a checkout on a free port; stop it at the end of the block."""
    environment = {name: value for name, value in os.environ.items() if name not in NOT_INHERITED}
    log = copy / "bench.log"
    log.unlink(missing_ok=True)
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    base = getattr(sys, "_base_executable", sys.executable)
    process = processes.spawn(
        [base, copy / "manage.py", "up", "--port", str(port), *words],
        environment=environment | dict(variables or {}),
        log=log,
        directory=copy,
    )
    try:
        yield Started(process, port, log, time.monotonic())
    finally:
        processes.stop(process, signal.SIGTERM, 30)


@contextlib.contextmanager
def running(copy: Path) -> Iterator[subprocess.Popen[bytes]]:
    """``up`` of a checkout, from its printed address until the end of the block."""
    with started(copy) as up:
        up.wait_for_words("Midpoint runs at")
        yield up.process


def family(pid: int) -> list[int]:
    """A process and all its descendants (Linux), including watchdog and engines."""
    found, waiting = [], [pid]
    while waiting:
        one = waiting.pop()
        found.append(one)
        for task in Path(f"/proc/{one}/task").glob("*/children"):
            with contextlib.suppress(FileNotFoundError, ProcessLookupError):
                waiting += [int(child) for child in task.read_text().split()]
    return found


def spent(pid: int) -> float:
    """CPU seconds of a process and its ended children; 0 if it is gone."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        return 0.0
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")


def remove_roots_data(copy: Path) -> None:
    """Remove the engines' data of root, which is outside the checkout."""
    if os.geteuid() == 0:
        shutil.rmtree(checkout.roots_home_of(copy / "var"), ignore_errors=True)
