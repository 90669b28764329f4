"""Child processes that cannot outlive us, and how to end them."""

import contextlib
import ctypes
import os
import pwd
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

MARKER = "MIDPOINT_RUN"
_PR_SET_PDEATHSIG = 1
_LINUX = sys.platform == "linux"
_LIBC = ctypes.CDLL(None) if _LINUX else None


def die_with_parent(death_signal: int) -> None:
    """Have the kernel signal this process when its forking thread ends (Linux)."""
    if _LIBC is not None:
        _LIBC.prctl(_PR_SET_PDEATHSIG, death_signal)


def dying_with_parent(death_signal: int) -> Callable[[], None]:
    """A ``preexec_fn``: the kernel signals the child when its thread ends.

    Spawn from the main thread only, or the child dies with a thread that merely finished.
    """
    parent = os.getpid()

    def before_exec() -> None:
        die_with_parent(death_signal)
        if os.getppid() != parent:  # it died between the fork and the call
            os._exit(1)

    return before_exec


def spawn(
    command: Sequence[str | Path],
    *,
    environment: Mapping[str, str] | None = None,
    log: Path | None = None,
    user: pwd.struct_passwd | None = None,
    death_signal: int = signal.SIGKILL,
    file_descriptors: Sequence[int] = (),
    directory: Path | None = None,
) -> subprocess.Popen[bytes]:
    """Start a child in its own session, appending to ``log``, as ``user`` if given."""
    with contextlib.ExitStack() as stack:
        out = stack.enter_context(log.open("ab")) if log else None
        return subprocess.Popen(
            [str(word) for word in command],
            env=None if environment is None else dict(environment),
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=subprocess.STDOUT if out else None,
            start_new_session=True,
            preexec_fn=dying_with_parent(death_signal),  # noqa: PLW1509 - we have no threads when we spawn
            pass_fds=file_descriptors,
            cwd=directory,
            user=user.pw_uid if user else None,
            group=user.pw_gid if user else None,
            extra_groups=[] if user else None,
        )


def start_time(pid: int) -> str | None:
    """When a living process started, in kernel ticks; None if gone or a zombie.

    PIDs are reused; pairs of PID and start time are not.
    """
    if not _LINUX:
        answer = subprocess.run(
            ["ps", "-o", "lstart=", "-p", str(pid)], capture_output=True, text=True, check=False
        )
        return answer.stdout.strip() or None
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return None
    return None if fields[0] in {"Z", "X"} else fields[19]


def marked(marker: str) -> list[int]:
    """The living processes that inherited ``MIDPOINT_RUN=marker`` (Linux)."""
    if not _LINUX:
        return []
    wanted = f"{MARKER}={marker}".encode()
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and int(entry.name) != os.getpid():
            with contextlib.suppress(OSError):
                if any(word.startswith(wanted) for word in (entry / "environ").read_bytes().split(b"\0")):
                    found.append(int(entry.name))
    return [pid for pid in found if start_time(pid)]


def carry(marker: str) -> None:
    """Replace the marker inherited from the forking process (Linux).

    The kernel shows the environment as it was in memory at the start: the marker is overwritten there.

    Raises:
        ValueError: this process has no marker, or one that is shorter than the new one.
    """
    if _LINUX:
        fields = Path("/proc/self/stat").read_text().rpartition(")")[2].split()
        start, end = int(fields[47]), int(fields[48])
        words = (b"\0" + ctypes.string_at(start, end - start)).split(b"\0" + MARKER.encode() + b"=", 1)
        room = len(words[1].partition(b"\0")[0]) if len(words) > 1 else 0
        if len(marker.encode()) > room:
            raise ValueError(f"{marker} is longer than the {room} bytes of this process's {MARKER}")
        place = start + len(words[0]) + len(MARKER) + 1
        ctypes.memmove(place, marker.encode().ljust(room, b"\0"), room)
    os.environ[MARKER] = marker  # for what this process starts


def write_to(log: Path) -> None:
    """Append this process's output to a log from now on."""
    with log.open("ab") as file:
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
            os.dup2(file.fileno(), stream.fileno())


def sweep(marker: str, *, patience: float = 5.0) -> None:
    """Kill every process with the marker, repeatedly until none is left."""
    end = time.monotonic() + patience
    while (pids := marked(marker)) and time.monotonic() < end:
        for pid in pids:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        time.sleep(0.02)


def signal_group(pid: int, number: int) -> None:
    """Signal the process group of a spawned child, if it still exists."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, number)


def stop(process: subprocess.Popen[bytes], number: int, patience: float) -> None:
    """Stop a child; after ``patience`` seconds kill its whole group."""
    if process.poll() is None:
        process.send_signal(number)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(patience)
    signal_group(process.pid, signal.SIGKILL)
    process.wait()


def tail(log: Path, lines: int = 15) -> str:
    """The last lines of a log file, for an error message."""
    try:
        return "\n".join(log.read_text(errors="replace").splitlines()[-lines:])
    except OSError:
        return ""
