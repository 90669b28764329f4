"""Builds ``.venv`` from a hash-pinned lock and re-executes inside it.

Standard library only. ``manage.py`` calls :func:`ensure_environment` with the Python it was started with. A
stamp in the environment names the lock it was installed from; if it matches, nothing is done. A file lock
guards building, so that two commands started at once build it once; an interrupted build starts again. uv,
which pip installs from a separate lock, installs the packages; without uv, pip does.
"""

import contextlib
import fcntl
import hashlib
import importlib.util
import json
import os
import shutil
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from deploy.installers import (
    HERE_ALONE,
    QUIET,
    PipProgress,
    Runner,
    bring_uv,
    for_uv,
    pips_settings,
    pips_variables,
    say,
    working_uv,
)
from deploy.node_tools import NodeTools, NodeToolsError

ROOT = Path(__file__).resolve().parent.parent
PRODUCTION, DEVELOPMENT = "requirements.lock", "requirements-dev.lock"
INSTALLER = "requirements-uv.lock"
DEVELOPMENT_COMMANDS = frozenset({"test", "verify", "docs"})
WITH_NODE = frozenset({"test", "verify"})


class BootstrapError(Exception):
    """The environment cannot be built; the message says what to do."""


def ensure_environment(argv: list[str], root: Path = ROOT) -> None:
    """Return inside ``.venv`` with the right lock, else build it and re-execute.

    The commands that check scripts also get the tools for them, which need the Node of the lock.
    """
    environment = Environment(root)
    command = argv[1] if len(argv) > 1 else ""
    lock = environment.lock_for(command)
    tools = tools_for(command, root)
    try:
        if not environment.holds(lock) or (tools and not tools.holds()):
            with environment.building():
                if not environment.holds(lock):
                    environment.build(lock)
                if tools and not tools.holds():
                    tools.build(environment.runner)
    except (BootstrapError, NodeToolsError) as error:
        sys.exit(f"midpoint: {error}")
    except KeyboardInterrupt:
        sys.exit(130)
    if Path(sys.prefix).resolve() != environment.path.resolve():
        sys.stdout.flush()
        os.execv(environment.python, [str(environment.python), *argv])  # noqa: S606 - there is no shell


def tools_for(command: str, root: Path) -> NodeTools | None:
    """Install the tools for scripts, if the command checks them."""
    return NodeTools(root) if command in WITH_NODE else None


class Environment:
    """The virtual environment of one checkout."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.path = root / ".venv"
        self.python = self.path / "bin" / "python"
        self.stamp = self.path / "midpoint.json"
        self.guard = root / ".venv.lock"
        self.runner = Runner()

    def lock_for(self, command: str) -> str:
        """The lock a command needs; an environment for development stays one."""
        if command in DEVELOPMENT_COMMANDS or self.installed().get("lock") == DEVELOPMENT:
            return DEVELOPMENT
        return PRODUCTION

    def installed(self) -> dict[str, str]:
        """The stamp: ``lock``, ``sha256``, and ``unfinished`` while installing."""
        try:
            stamp = json.loads(self.stamp.read_text())
        except (OSError, ValueError):
            return {}
        return stamp if isinstance(stamp, dict) else {}

    def holds(self, lock: str) -> bool:
        return self.python.exists() and self.installed() == self._stamp_of(lock)

    def _stamp_of(self, lock: str) -> dict[str, str]:
        return {"lock": lock, "sha256": digest(self.root / lock)}

    @contextlib.contextmanager
    def building(self) -> Iterator[None]:
        """Lock building; a second builder waits and finds the work done."""
        try:
            handle = self.guard.open("w")
        except OSError as error:
            raise BootstrapError(
                f"cannot write {self.guard} ({error.strerror}); .venv is built there"
            ) from None
        with handle:
            try:
                fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                say("another command is building .venv; waiting for it")
                fcntl.flock(handle, fcntl.LOCK_EX)
            self.runner = Runner(handle.fileno())
            try:
                yield
            finally:
                self.runner = Runner()

    def build(self, lock: str) -> None:
        """Create the environment if missing or unfinished, install ``lock``, stamp it."""
        began = time.monotonic()
        wanted = self._stamp_of(lock)
        if not self.python.exists() or "unfinished" in self.installed():
            self._create()
        self._write_stamp(wanted | {"unfinished": "yes"})
        self._install(lock)
        self._write_stamp(wanted)
        say(f".venv is ready ({time.monotonic() - began:.0f} s)")

    def _write_stamp(self, stamp: dict[str, str]) -> None:
        temporary = self.stamp.with_suffix(".new")
        temporary.write_text(json.dumps(stamp))
        temporary.replace(self.stamp)  # readers see the complete file

    def _base(self) -> str:
        # Inside the .venv that is being replaced, sys.executable is about to vanish.
        return getattr(sys, "_base_executable", "") or sys.executable

    def _create(self) -> None:
        base = self._base()
        say(f"making .venv with Python {sys.version.split()[0]} ({base})")
        if self.path.is_symlink() or self.path.is_file():
            raise BootstrapError(f"{self.path} is not a folder; remove it")
        shutil.rmtree(self.path, ignore_errors=True)
        if importlib.util.find_spec("venv") is None:
            raise BootstrapError(missing_venv())
        self.path.mkdir()
        self._write_stamp({"unfinished": "yes"})  # a venv that is half made is never gone on with
        if (failure := self.runner.run([base, "-m", "venv", "--without-pip", self.path])) is not None:
            shutil.rmtree(self.path, ignore_errors=True)
            raise BootstrapError(f"{missing_venv()}\n{failure}")

    def _install(self, lock: str) -> None:
        count = sum("==" in line for line in (self.root / lock).read_text().splitlines())
        pip = [self._base(), "-m", "pip"]
        listed = self.runner.output([*pip, "config", "list"])
        uv = working_uv(self.runner) or self._own_uv(pip if listed is not None else self._pip())
        if isinstance(uv, str):
            say(f"uv is not available, using pip instead: {last_line(uv)}")
        else:
            say(f"installing up to {count} locked packages from {lock} with uv")
            # The lock is whole. Compiled once here, or each of the processes that start together does it all.
            words = ["pip", "install", "--quiet", "--no-deps", "--compile-bytecode"]
            words += ["--python", str(self.python), "--require-hashes", "-r", str(self.root / lock)]
            settings = pips_variables(os.environ) if listed is None else pips_settings(listed)
            if (failure := self.runner.run([uv, *words], variables=for_uv(settings, os.environ))) is None:
                return
            say(f"uv failed, using pip instead. uv said:\n{failure}")
        self._install_with_pip(self._pip(), lock, count)

    def _own_uv(self, pip: Sequence[str]) -> Path | str:
        lock = self.root / INSTALLER
        return bring_uv(self.runner, pip, self.path / f"uv-{digest(lock)[:12]}", lock)

    def _pip(self) -> list[str]:
        """The pip of ``.venv``, installed if absent."""
        pip = [str(self.python), "-m", "pip"]
        if self.runner.run([*pip, "--version"]) is not None:
            if importlib.util.find_spec("ensurepip") is None:
                raise BootstrapError(missing_venv())
            if (failure := self.runner.run([self.python, "-m", "ensurepip"])) is not None:
                raise BootstrapError(f"{missing_venv()}\n{failure}")
        return pip

    def _install_with_pip(self, pip: Sequence[str], lock: str, count: int) -> None:
        say(f"installing up to {count} locked packages from {lock} with pip (about a minute)")
        words = ["install", *QUIET, "--prefer-binary", "--no-deps", "--require-hashes", "-r"]
        words.append(str(self.root / lock))
        if (failure := self.runner.run([*pip, *words], PipProgress(count), HERE_ALONE)) is not None:
            raise BootstrapError(
                f"cannot install the locked packages; fix what pip reports and try again\n{failure}"
            )


def digest(path: Path) -> str:
    """The SHA-256 of a file of the checkout."""
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except FileNotFoundError:
        raise BootstrapError(f"{path} is missing: this checkout is not complete") from None


def last_line(text: str) -> str:
    """The line of an installer's output that matters: the last error, or last line."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return next((line for line in reversed(lines) if line.startswith("ERROR")), lines[-1])


def missing_venv() -> str:
    return (
        f"this Python ({sys.executable}) cannot create a virtual environment: venv or ensurepip is missing.\n"
        "Debian and Ubuntu: sudo apt install python3-venv. Then run the same command again."
    )
