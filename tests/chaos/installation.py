"""A copy of this project somewhere else, and one running ``manage.py up`` of it."""

import json
import os
import pwd
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import psycopg

from deploy import processes
from deploy.checkout import copy_project, roots_home_of

BASE_PYTHON = getattr(sys, "_base_executable", sys.executable)
# A shell starts its background jobs with SIGINT ignored; a later kill -INT must stop them all the same.
AS_A_SCRIPT = ("sh", "-c", "trap '' INT; exec \"$@\"", "sh")
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


def as_started_before(source: Path, target: Path) -> Path:
    """A further checkout as ``source`` is, which was started and stopped: its ``.venv`` shares the files of
    ``source``'s, its database and static files are copies.

    What a first start does is shown by the checkouts that are made without this.
    """
    copy_project(target)
    shutil.copytree(source / ".venv", target / ".venv", symlinks=True, copy_function=os.link)
    (target / "var").mkdir(mode=0o700)
    for part in ("static", "static.stamp"):
        copy_as_it_is(source / "var" / part, target / "var")
    home = engine_home_of(target)
    home.mkdir(mode=0o711, parents=True, exist_ok=True)
    copy_as_it_is(engine_home_of(source) / "postgresql", home)
    return target


def copy_as_it_is(path: Path, into: Path) -> None:
    """With its owners and modes: the engines of root belong to another user."""
    subprocess.run(["cp", "-a", str(path), str(into)], check=True)


def engine_home_of(checkout: Path) -> Path:
    """Where the engines' data lies; their sockets are elsewhere where the path of it is a long one."""
    return roots_home_of(checkout / "var") if os.geteuid() == 0 else checkout / "var" / "engines"


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])


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
        self.checkout, self.port = checkout, free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.output = checkout / "up.out"
        self.output.unlink(missing_ok=True)
        self._process = processes.spawn(
            [*AS_A_SCRIPT, python, checkout / "manage.py", "up", "--port", str(self.port), *arguments],
            environment=environment or bare_environment(),
            log=self.output,
            user=user,
            directory=checkout,
        )
        self.pid = self._process.pid

    def __enter__(self) -> "Up":
        self.wait_until(lambda: "Midpoint runs at" in self.printed, "start", 300)
        self.state: dict[str, Any] = json.loads((self.checkout / "var" / "state.json").read_text())
        return self

    def __exit__(self, *_: object) -> None:
        if self._process.poll() is None:
            self.stop()

    @property
    def printed(self) -> str:
        return self.output.read_text() if self.output.exists() else ""

    def wait_until(self, condition: Any, what: str, patience: float = 150) -> None:
        end = time.monotonic() + patience
        while not condition():
            if what == "start" and self._process.poll() is not None:
                raise AssertionError(f"up ended with {self._process.returncode}:\n{self.printed}")
            if time.monotonic() > end:
                raise AssertionError(f"no {what} within {patience:.0f} s:\n{self.printed}")
            time.sleep(0.1)

    def pids(self, name: str) -> list[int]:
        """The processes of one service or engine; the first is the one that the supervisor started."""
        if name in ENGINES:
            pid = int((self.engine_home / f"{name}.pid").read_text().split()[0])
            return [pid] if processes.start_time(pid) else []
        return sorted(processes.marked(f"{self.state['marker']}/{name}"))

    def watchdogs(self) -> list[int]:
        children = Path(f"/proc/{self.pid}/task/{self.pid}/children").read_text().split()
        named = [(int(pid), Path(f"/proc/{pid}/cmdline").read_bytes()) for pid in children]
        return [pid for pid, words in named if b"deploy.watchdog" in words and processes.start_time(pid)]

    @property
    def engine_home(self) -> Path:
        """Where the engines' data lies; their sockets are elsewhere where the path of it is a long one."""
        roots, own = roots_home_of(self.checkout / "var"), self.checkout / "var" / "engines"
        return roots if roots.exists() else own

    def database(self) -> psycopg.Connection[Any]:
        return psycopg.connect(self.state["variables"]["DATABASE_URL"], autocommit=True)

    def get(self, path: str, patience: float = 10) -> tuple[int, bytes]:
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

    def stop(self, number: int = signal.SIGINT, patience: float = 120) -> int:
        """Ask it to stop and return its exit code; whatever is left afterwards is a failure."""
        self._process.send_signal(number)
        try:
            code = self._process.wait(patience)
        except subprocess.TimeoutExpired:
            self.kill_supervisor()
            raise AssertionError(f"up did not stop within {patience:.0f} s:\n{self.printed}") from None
        left = self.left_behind()
        assert left == [], f"left behind: {left}"
        return code

    def left_behind(self) -> list[int]:
        """Every living process of this installation, however it hides."""
        marked = processes.marked(self.state["marker"]) if hasattr(self, "state") else []
        return sorted({*marked, *processes_naming(self.checkout), *self._engine_processes()} - {self.pid})

    def _engine_processes(self) -> list[int]:
        return processes_naming(self.engine_home) if hasattr(self, "state") else []


def processes_naming(path: Path) -> list[int]:
    """The living processes that have ``path`` in their command line, this one and its parents excepted."""
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            words = (entry / "cmdline").read_bytes()
        except OSError:
            continue
        if (
            str(path).encode() in words
            and int(entry.name) != os.getpid()
            and processes.start_time(int(entry.name))
        ):
            found.append(int(entry.name))
    return found


def run(
    checkout: Path, *words: str, python: str = BASE_PYTHON, **extra: Any
) -> subprocess.CompletedProcess[str]:
    """One ``manage.py`` command of a checkout, to its end."""
    options: dict[str, Any] = {"env": bare_environment(), "timeout": 300} | extra
    command: Sequence[str] = [python, str(checkout / "manage.py"), *words]
    return subprocess.run(command, capture_output=True, text=True, cwd=checkout, **options)
