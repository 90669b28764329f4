"""The running state of a checkout, and which process uses it.

``var/`` (or ``MIDPOINT_VAR``) holds the logs, the lock and the state file. The process that runs the engines
of a checkout holds ``engines.lock``; the kernel releases it when that process dies.
"""

import contextlib
import fcntl
import hashlib
import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from deploy import logs

ROOT = Path(__file__).resolve().parent.parent
ROOTS_HOME = Path("/var/lib/midpoint")
ENGINE_VARIABLES = ("DATABASE_URL", "BROKER_URL")


class EnginesBusyError(Exception):
    """Another process holds this checkout's engines; ``state`` is its state, if any."""

    def __init__(self, state: "RunState | None") -> None:
        self.state = state
        who = f"process {state.pid} ({state.command})" if state else "another process"
        super().__init__(f"the engines of {ROOT} are in use by {who}")


class VariableDirectoryError(Exception):
    """The directory of logs, lock and state cannot be used."""

    def __init__(self, path: Path, reason: str) -> None:
        super().__init__(
            f"{path} cannot be written: {reason}. Run this as its owner, or name another in MIDPOINT_VAR"
        )


@dataclass(frozen=True, slots=True)
class RunState:
    """What the holder of the engines shares with other commands of the checkout."""

    pid: int
    command: str
    marker: str
    address: str
    variables: dict[str, str]


def variable_directory() -> Path:
    """The directory of logs, lock and state, created if absent, private to its owner.

    Raises:
        VariableDirectoryError: it cannot be made or written.
    """
    path = Path(os.environ.get("MIDPOINT_VAR") or ROOT / "var").absolute()
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise VariableDirectoryError(path, error.strerror or str(error)) from None
    if not os.access(path, os.W_OK | os.X_OK):
        raise VariableDirectoryError(path, "it belongs to another user")
    return path


def log_file(name: str) -> Path:
    """``var/log/<name>.log``, rotated first if too large."""
    path = variable_directory() / "log" / f"{name}.log"
    path.parent.mkdir(exist_ok=True)
    logs.rotate(path)
    return path


def engine_home() -> Path:
    """The directory of the embedded engines' data.

    Beside the logs, or under ``/var/lib/midpoint`` for root: PostgreSQL refuses to run as root, and its
    system user cannot look into root's folders, so root's data is kept apart, one directory per checkout.
    """
    var = variable_directory()
    return roots_home_of(var) if os.geteuid() == 0 else var / "engines"


def roots_home_of(var: Path) -> Path:
    """The directory of root's engines for the variable directory ``var``."""
    return ROOTS_HOME / hashlib.sha256(str(var).encode()).hexdigest()[:12]


def copy_project(target: Path) -> Path:
    """Copy what a fresh clone would hold: files that git tracks or would track."""
    # git refuses another user's checkout, common for root in a container.
    git = ["git", "-c", "safe.directory=*", "-C", str(ROOT)]
    words = [*git, "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(words, capture_output=True, check=True).stdout.decode().split("\0")
    for name in filter(None, names):
        if (ROOT / name).is_file():  # one that was removed but not yet committed is still listed
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, target / name)
    return target


def _state_file() -> Path:
    return variable_directory() / "state.json"


def read_state() -> RunState | None:
    """The last written state, even if its writer is dead."""
    try:
        return RunState(**json.loads(_state_file().read_text()))
    except (OSError, ValueError, TypeError):
        return None


def write_state(state: RunState) -> None:
    temporary = _state_file().with_suffix(".new")
    temporary.write_text(json.dumps(asdict(state), indent=1))
    temporary.chmod(0o600)
    temporary.replace(_state_file())


@contextlib.contextmanager
def engines_held() -> Iterator[None]:
    """Hold this checkout's engines for the block.

    Raises:
        EnginesBusyError: when a living process holds them.
    """
    with (variable_directory() / "engines.lock").open("a") as handle:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise EnginesBusyError(read_state()) from None
        yield


def running_state() -> RunState | None:
    """The state of the living holder of the engines; None without one or at start."""
    with (variable_directory() / "engines.lock").open("a") as handle:
        try:
            fcntl.flock(handle, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            state = read_state()
            return state if state and state.variables else None
    return None
