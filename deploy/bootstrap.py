"""Builds ``.venv`` from a hash-pinned lock and re-executes inside it; standard library only.

``manage.py`` calls :func:`ensure_environment` with whatever Python it was started with. The environment
carries a stamp naming the lock it was installed from; where the stamp is right, nothing is done. Building is
guarded by a file lock, so that two commands started at once build it once; an interrupted build begins again.
"""

import contextlib
import fcntl
import hashlib
import importlib.util
import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PRODUCTION, DEVELOPMENT = "requirements.lock", "requirements-dev.lock"
DEVELOPMENT_COMMANDS = frozenset({"test", "verify"})


class BootstrapError(Exception):
    """The environment cannot be built; the message says what is missing and what to do."""


def say(text: str) -> None:
    """Progress for the person who waits; on standard error, so that a command's output stays its own."""
    sys.stderr.write(f"midpoint: {text}\n")
    sys.stderr.flush()


def ensure_environment(argv: list[str], root: Path = ROOT) -> None:
    """Return inside ``.venv`` with the right lock installed; otherwise build it and replace this process."""
    environment = Environment(root)
    lock = environment.lock_for(argv[1] if len(argv) > 1 else "")
    try:
        if not environment.holds(lock):
            with environment.building():
                if not environment.holds(lock):
                    environment.build(lock)
    except BootstrapError as error:
        sys.exit(f"midpoint: {error}")
    except KeyboardInterrupt:
        sys.exit(130)
    if Path(sys.prefix).resolve() != environment.path.resolve():
        sys.stdout.flush()
        os.execv(environment.python, [str(environment.python), *argv])  # noqa: S606 - there is no shell


class Environment:
    """The virtual environment of one checkout."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.path = root / ".venv"
        self.python = self.path / "bin" / "python"
        self.stamp = self.path / "midpoint.json"
        self.guard = root / ".venv.lock"

    def lock_for(self, command: str) -> str:
        """The lock a command needs; an environment once made for development stays one."""
        if command in DEVELOPMENT_COMMANDS or self.installed().get("lock") == DEVELOPMENT:
            return DEVELOPMENT
        return PRODUCTION

    def installed(self) -> dict[str, str]:
        """What the stamp says: ``lock``, ``sha256`` and, while packages are installed, ``unfinished``."""
        try:
            stamp = json.loads(self.stamp.read_text())
        except (OSError, ValueError):
            return {}
        return stamp if isinstance(stamp, dict) else {}

    def holds(self, lock: str) -> bool:
        return self.python.exists() and self.installed() == self._stamp_of(lock)

    def _stamp_of(self, lock: str) -> dict[str, str]:
        try:
            return {"lock": lock, "sha256": hashlib.sha256((self.root / lock).read_bytes()).hexdigest()}
        except FileNotFoundError:
            raise BootstrapError(f"{self.root / lock} is missing: this is not a whole checkout") from None

    @contextlib.contextmanager
    def building(self) -> Iterator[None]:
        """One builder at a time; a second one waits and then finds the work done."""
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
            yield

    def build(self, lock: str) -> None:
        """Create the environment if it is missing or was left unfinished, install ``lock``, stamp it."""
        began = time.monotonic()
        wanted = self._stamp_of(lock)
        if not self.python.exists() or "unfinished" in self.installed():
            self._create()
        self.stamp.write_text(json.dumps(wanted | {"unfinished": "yes"}))
        count = sum("==" in line for line in (self.root / lock).read_text().splitlines())
        self._install(lock, count)
        temporary = self.stamp.with_suffix(".new")
        temporary.write_text(json.dumps(wanted))
        temporary.replace(self.stamp)
        say(f".venv is ready ({time.monotonic() - began:.0f} s)")

    def _create(self) -> None:
        # Inside the .venv that is being replaced, sys.executable is about to vanish.
        base = getattr(sys, "_base_executable", "") or sys.executable
        say(f"making .venv with Python {sys.version.split()[0]} ({base})")
        if self.path.is_symlink() or self.path.is_file():
            raise BootstrapError(f"{self.path} is not a folder; remove it")
        shutil.rmtree(self.path, ignore_errors=True)
        if (uv := working_uv()) and run([uv, "venv", "--quiet", "--python", base, str(self.path)]) is None:
            return
        shutil.rmtree(self.path, ignore_errors=True)
        if importlib.util.find_spec("venv") is None or importlib.util.find_spec("ensurepip") is None:
            raise BootstrapError(missing_venv())
        if (failure := run([base, "-m", "venv", str(self.path)])) is not None:
            shutil.rmtree(self.path, ignore_errors=True)
            raise BootstrapError(f"{missing_venv()}\n{failure}")

    def _install(self, lock: str, count: int) -> None:
        arguments = ["install", "--require-hashes", "-r", str(self.root / lock)]
        if uv := working_uv():
            say(f"installing up to {count} locked packages from {lock} with uv")
            # Compiled once here, or each of the processes that start together compiles all of it again.
            flags = ["--quiet", "--compile-bytecode", "--python", str(self.python)]
            failure = run([uv, "pip", *arguments, *flags])
            if failure is None:
                return
            say(f"uv could not do it, going on with pip. uv said:\n{failure}")
        python = str(self.python)
        without_pip = run([python, "-m", "pip", "--version"]) is not None
        if without_pip and (failure := run([python, "-m", "ensurepip"])) is not None:
            raise BootstrapError(f"{missing_venv()}\n{failure}")
        say(f"installing up to {count} locked packages from {lock} with pip (about half a minute)")
        flags = ["--disable-pip-version-check", "--no-input", "--progress-bar", "off", "--prefer-binary"]
        if (
            failure := run([str(self.python), "-m", "pip", *arguments, *flags], PipProgress(count))
        ) is not None:
            raise BootstrapError(
                f"the locked packages could not be installed; mend what pip says and try again\n{failure}"
            )


class PipProgress:
    """Turns pip's lines into a count every ten packages."""

    def __init__(self, count: int) -> None:
        self.count, self.seen = count, 0

    def __call__(self, line: str) -> None:
        if line.startswith(("Collecting ", "Requirement already satisfied")):
            self.seen += 1
            if self.seen % 10 == 0:
                say(f"  {self.seen} of at most {self.count}")
        elif line.startswith("Installing collected"):
            say("  writing them into .venv")


def run(command: list[str], each_line: Callable[[str], None] | None = None) -> str | None:
    """Run a command to its end: None when it succeeded, else its last lines."""
    lines: list[str] = []
    try:
        with subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, text=True
        ) as process:
            for line in process.stdout or ():
                lines.append(line)
                if each_line:
                    each_line(line)
    except OSError as error:
        return f"{command[0]}: {error.strerror}"
    return (
        None if process.returncode == 0 else "".join(lines[-15:]).strip() or f"exit code {process.returncode}"
    )


def working_uv() -> str | None:
    """The path of a uv that answers; version managers leave shims that only print an error."""
    uv = shutil.which("uv")
    return uv if uv and run([uv, "--version"]) is None else None


def missing_venv() -> str:
    return (
        f"this Python ({sys.executable}) cannot make a virtual environment: venv or ensurepip is missing.\n"
        "Debian and Ubuntu: sudo apt install python3-venv. Then run the same command again."
    )
