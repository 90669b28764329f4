"""Run an engine as a child process bounded in time and memory.

The child is a fresh process in a session of its own (never a fork: engines with threads hang in forked
children). It reads its request on standard input and writes one JSON object a line on standard output.
Whatever happens in the parent - a time limit, a cancellation, an exception in `on_progress`, the signal that
stops a worker - the child's whole process group is killed before the call returns. If the parent itself is
killed, the child asks the kernel for the same.
"""

import contextlib
import json
import os
import selectors
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from pathlib import Path
from typing import IO, Any

from scoring.engines.errors import EngineCancelled, EngineCrashed, EngineMemory, EngineTimeout

# How often cancellation and the clock are looked at while the engine is silent, in seconds.
_TICK = 0.2
_DETAIL = 2000
_LONGEST_LINE = 4 * 1024 * 1024
_OUT_OF_MEMORY = (
    "bad_alloc",
    "MemoryError",
    "Cannot allocate memory",
    "failed to map segment",
    "start new thread",
)
_ROOT = Path(__file__).resolve().parents[2]


def run_lines(
    module: str,
    arguments: Sequence[str],
    request: dict[str, Any],
    *,
    time_limit: float,
    memory_limit: int,
    cancelled: Callable[[], bool] | None = None,
) -> Generator[dict[str, Any], None, None]:
    """Start `python -m module` and yield the objects it writes, until it ends well.

    Args:
        module: an engine's child, which must call `contain` first.
        arguments: further words for its command line.
        request: goes to its standard input as JSON.
        time_limit: seconds of wall clock for the whole run.
        memory_limit: bytes of address space.
        cancelled: asked a few times a second.

    Raises EngineTimeout, EngineCancelled, EngineMemory and EngineCrashed. Closing the iterator kills the
    engine, so use it in a `for` loop or under `contextlib.closing`.
    """
    command = [sys.executable, "-m", module, "--parent", str(os.getpid()), "--memory", str(memory_limit)]
    deadline = time.monotonic() + time_limit
    with tempfile.TemporaryFile() as stdin, tempfile.TemporaryFile() as stderr:
        stdin.write(json.dumps(request, separators=(",", ":")).encode())
        stdin.seek(0)
        child = subprocess.Popen(
            [*command, *arguments],
            stdin=stdin,
            stdout=subprocess.PIPE,
            stderr=stderr,
            cwd=_ROOT,
            env=_environment(),
            start_new_session=True,
        )
        try:
            for line in _lines(child, deadline=deadline, time_limit=time_limit, cancelled=cancelled):
                yield _parsed(line, stderr)
            status = _wait(child, deadline=deadline, time_limit=time_limit, cancelled=cancelled)
            if status != 0:
                raise _death(status, _tail(stderr), memory_limit)
        finally:
            _kill_group(child)


def _environment() -> dict[str, str]:
    # GVAN_* switches change what a preset means; one thread is what the CPU accounting and the label assume.
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GVAN_")}
    return {**kept, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "PYTHONUNBUFFERED": "1"}


def _lines(
    child: "subprocess.Popen[bytes]",
    *,
    deadline: float,
    time_limit: float,
    cancelled: Callable[[], bool] | None,
) -> Iterator[bytes]:
    if child.stdout is None:
        raise RuntimeError("the child process has no pipe")
    pending = b""
    with child.stdout, selectors.DefaultSelector() as selector:
        selector.register(child.stdout, selectors.EVENT_READ)
        while True:
            _check_limits(deadline=deadline, time_limit=time_limit, cancelled=cancelled)
            if not selector.select(timeout=_TICK):
                continue
            block = os.read(child.stdout.fileno(), 65536)
            if not block:
                break
            *complete, pending = (pending + block).split(b"\n")
            yield from complete
            if len(pending) > _LONGEST_LINE:
                raise EngineCrashed(
                    f"the engine wrote a line of over {_LONGEST_LINE} bytes",
                    signal=None,
                    status=None,
                    detail="",
                )


def _wait(
    child: "subprocess.Popen[bytes]",
    *,
    deadline: float,
    time_limit: float,
    cancelled: Callable[[], bool] | None,
) -> int:
    while True:
        try:
            return child.wait(timeout=_TICK)
        except subprocess.TimeoutExpired:
            _check_limits(deadline=deadline, time_limit=time_limit, cancelled=cancelled)


def _check_limits(*, deadline: float, time_limit: float, cancelled: Callable[[], bool] | None) -> None:
    if time.monotonic() > deadline:
        raise EngineTimeout(f"the engine was stopped after {time_limit:g} seconds", seconds=time_limit)
    if cancelled is not None and cancelled():
        raise EngineCancelled("the analysis was cancelled")


def _parsed(line: bytes, stderr: IO[bytes]) -> dict[str, Any]:
    try:
        message = json.loads(line)
    except ValueError:
        message = None
    if not isinstance(message, dict):
        raise EngineCrashed(
            f"the engine wrote {line[:80]!r} instead of a JSON object",
            signal=None,
            status=None,
            detail=_tail(stderr),
        )
    return message


def _death(status: int, detail: str, memory_limit: int) -> EngineCrashed | EngineMemory:
    if any(sign in detail for sign in _OUT_OF_MEMORY):
        return EngineMemory(
            f"the engine needs more than {memory_limit} bytes", limit=memory_limit, detail=detail
        )
    name = signal.Signals(-status).name if status < 0 else None
    how = f"was killed by {name}" if name else f"exited with status {status}"
    return EngineCrashed(
        f"the engine {how}: {detail or 'no output'}",
        signal=name,
        status=status if status >= 0 else None,
        detail=detail,
    )


def _tail(stream: IO[bytes]) -> str:
    size = stream.seek(0, os.SEEK_END)
    stream.seek(max(0, size - _DETAIL))
    return stream.read().decode(errors="replace").strip()


def _kill_group(child: "subprocess.Popen[bytes]") -> None:
    # The group outlives its leader if the engine started helpers, so it is killed even after a good end.
    # PermissionError is what macOS says of a group of zombies.
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(child.pid, signal.SIGKILL)
    child.wait()
