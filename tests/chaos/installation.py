"""A copy of this project somewhere else, and one running ``manage.py up`` of it."""

import json
import os
import pwd
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
import uuid
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import psycopg
import pytest

from deploy import processes
from deploy.bootstrap import DEVELOPMENT, Environment
from deploy.checkout import ROOT, roots_home_of

BASE_PYTHON = getattr(sys, "_base_executable", sys.executable)
# A shell starts its background jobs with SIGINT ignored; a later kill -INT must stop them all the same.
AS_A_SCRIPT = ("sh", "-c", "trap '' INT; exec \"$@\"", "sh")
# Seconds after which what is waited for counts as never coming, also where ten others want the processor.
PATIENCE = 600
SERVICES = ("web", "worker", "analysis")  # the worker has the beat within
ENGINES = ("postgresql", "valkey")
NOT_INHERITED = (
    "DATABASE_URL",
    "BROKER_URL",
    "CACHE_URL",
    "DJANGO_SETTINGS_MODULE",
    "MIDPOINT_VAR",
    "DATABASE_POOL",
)


def bare_environment(**extra: str) -> dict[str, str]:
    """What a person's shell has: nothing of this test run."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if name not in NOT_INHERITED and not name.startswith(("PYTEST_", "MIDPOINT_TEST_", "VIRTUAL_ENV"))
    }
    return kept | extra


def with_environment(checkout: Path) -> Path:
    """Give a copy of the project the ``.venv`` of this run, which is the development lock's.

    What a start does that builds its own is shown in ``test_bootstrap.py``.
    """
    if not Environment(ROOT).holds(DEVELOPMENT) or Path(sys.prefix).resolve() != (ROOT / ".venv").resolve():
        pytest.fail("these tests need an environment that is up to date: python3 manage.py test tests/chaos")
    (checkout / ".venv").symlink_to(sys.prefix)
    return checkout


def engine_home_of(checkout: Path) -> Path:
    """Where the engines' data lies; their sockets are elsewhere where the path of it is a long one."""
    return roots_home_of(checkout / "var") if os.geteuid() == 0 else checkout / "var" / "engines"


class Up:
    """A running ``manage.py up``; leaving the block stops it and asserts that nothing is left."""

    def __init__(
        self,
        checkout: Path,
        *arguments: str,
        python: str = BASE_PYTHON,
        environment: Mapping[str, str] | None = None,
        user: pwd.struct_passwd | None = None,
    ) -> None:
        self.checkout = checkout
        self.output = checkout / "up.out"
        self.output.unlink(missing_ok=True)
        self._process = processes.spawn(
            [*AS_A_SCRIPT, python, checkout / "manage.py", "up", "--port", "0", *arguments],
            environment=environment or bare_environment(),
            log=self.output,
            user=user,
            directory=checkout,
        )
        self.pid = self._process.pid

    @classmethod
    def found(cls, checkout: Path, pid: int) -> "Up":
        """One that runs already as process ``pid`` and was started otherwise; whoever did that stops it."""
        running = cls.__new__(cls)
        running.checkout, running.pid, running.output = checkout, pid, checkout / "up.out"
        running._read_state()
        return running

    def __enter__(self) -> "Up":
        self.wait_until(lambda: "Midpoint runs at" in self.printed, "start")
        self._read_state()
        return self

    def _read_state(self) -> None:
        self.state: dict[str, Any] = json.loads((self.checkout / "var" / "state.json").read_text())
        self.url: str = self.state["address"]

    def __exit__(self, *_: object) -> None:
        if self.alive:
            self.stop()

    @property
    def alive(self) -> bool:
        return self._process.poll() is None

    @property
    def printed(self) -> str:
        return self.output.read_text() if self.output.exists() else ""

    def wait_until(self, condition: Callable[[], object], what: str) -> None:
        end = time.monotonic() + PATIENCE
        while not condition():
            if what == "start" and not self.alive:
                raise AssertionError(f"up ended with {self._process.returncode}:\n{self.printed}")
            if time.monotonic() > end:
                raise AssertionError(f"no {what} within {PATIENCE} s:\n{self.printed}")
            time.sleep(0.05)

    def pids(self, name: str) -> list[int]:
        """The processes of one service or engine."""
        if name in ENGINES:
            pid = int((self.engine_home / f"{name}.pid").read_text().split()[0])
            return [pid] if processes.start_time(pid) else []
        return processes.marked(f"{self.state['marker']}/{name}")

    def main_pid(self, name: str) -> int | None:
        """The process of a service or engine that the supervisor or the workers' parent has started."""
        own = {pid for parent in (self.pid, *self.pids("background")) for pid in children_of(parent)}
        return next((pid for pid in self.pids(name) if pid in own), None)

    def kill(self, name: str) -> list[int]:
        """``kill -9`` what the supervisor has started under that name; returns all that ran under it.

        Whoever asks for the address of a web process that is going may still get its ear: they are gone now.
        """
        self.wait_until(lambda: self.main_pid(name), name)
        before, killed = self.pids(name), self.main_pid(name)
        assert killed is not None
        began = processes.start_time(killed)
        os.kill(killed, signal.SIGKILL)
        self.wait_until(lambda: processes.start_time(killed) != began, f"end of {name}")
        return before

    def await_successor(self, name: str, before: Sequence[int]) -> None:
        """Wait for another process under that name; the pool of a dead one must not live on beside it."""
        self.wait_until(
            lambda: (
                (pid := self.main_pid(name)) and pid not in before and not set(before) & set(self.pids(name))
            ),
            f"successor of {name}",
        )

    def watchdogs(self) -> list[int]:
        named = [(pid, Path(f"/proc/{pid}/cmdline").read_bytes()) for pid in children_of(self.pid)]
        return [pid for pid, words in named if b"deploy.watchdog" in words and processes.start_time(pid)]

    def log(self, name: str) -> str:
        return (self.checkout / "var" / "log" / f"{name}.log").read_text()

    @property
    def engine_home(self) -> Path:
        """Where the engines' data lies; their sockets are elsewhere where the path of it is a long one."""
        roots, own = roots_home_of(self.checkout / "var"), self.checkout / "var" / "engines"
        return roots if roots.exists() else own

    def database(self) -> psycopg.Connection[Any]:
        return psycopg.connect(self.state["variables"]["DATABASE_URL"], autocommit=True)

    def write(self, rows: int) -> str:
        """Commit so many rows, one by one; returns what ``count`` finds them by."""
        name = uuid.uuid4().hex
        with self.database() as connection:
            connection.execute("CREATE TABLE IF NOT EXISTS kept (name text)")
            for _row in range(rows):
                connection.execute("INSERT INTO kept VALUES (%s)", [name])
        return name

    def count(self, name: str) -> int:
        """How many of the rows that ``write`` has committed are there."""
        with self.database() as connection:
            row = connection.execute("SELECT count(*) FROM kept WHERE name = %s", [name]).fetchone()
        return int(row[0]) if row else 0

    def get(self, path: str, patience: float = 30) -> tuple[int, bytes]:
        """Status and body; 0 where nothing answers."""
        try:
            with urllib.request.urlopen(self.url + path, timeout=patience) as answer:
                return answer.status, answer.read()
        except urllib.error.HTTPError as error:
            return error.code, error.read()
        except OSError:
            return 0, b""

    def ready(self) -> bool:
        return self.get("/readyz")[0] == 200

    def kill_supervisor(self) -> None:
        os.kill(self.pid, signal.SIGKILL)
        self._process.wait()

    def stop(self, number: int = signal.SIGINT) -> int:
        """Ask it to stop and return its exit code; whatever is left afterwards is a failure."""
        self._process.send_signal(number)
        try:
            code = self._process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.kill_supervisor()
            raise AssertionError(f"up did not stop within {PATIENCE} s:\n{self.printed}") from None
        left = self.left_behind()
        assert left == [], f"left behind: {left}"
        return code

    def left_behind(self) -> list[int]:
        """Every living process of this installation, however it hides."""
        marked = processes.marked(self.state["marker"]) if hasattr(self, "state") else []
        return sorted({*marked, *processes_naming(self.checkout), *self._engine_processes()} - {self.pid})

    def _engine_processes(self) -> list[int]:
        return processes_naming(self.engine_home) if hasattr(self, "state") else []


def children_of(pid: int) -> list[int]:
    """The children of a process; none of one that is gone."""
    try:
        return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except OSError:
        return []


def processes_naming(path: Path) -> list[int]:
    """The living processes that have ``path`` in their command line, this one and its parents excepted."""
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            words = (entry / "cmdline").read_bytes()
        except OSError:
            continue
        if (
            f"{path}/".encode() in words
            and int(entry.name) != os.getpid()
            and processes.start_time(int(entry.name))
        ):
            found.append(int(entry.name))
    return found


def run(
    checkout: Path, *words: str, python: str = BASE_PYTHON, **extra: Any
) -> subprocess.CompletedProcess[str]:
    """One ``manage.py`` command of a checkout, to its end."""
    options: dict[str, Any] = {"env": bare_environment(), "timeout": PATIENCE} | extra
    command: Sequence[str] = [python, str(checkout / "manage.py"), *words]
    return subprocess.run(command, capture_output=True, text=True, cwd=checkout, **options)
