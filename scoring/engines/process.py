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
from typing import Any

from scoring.engines.errors import EngineCancelled, EngineCrashed, EngineMemory, EngineTimeout

# How often cancellation and the clock are looked at while the engine is silent, in seconds.
_TICK = 0.2
# How often a child that has said everything is asked whether it has ended, in seconds.
_SOON = 0.01
_DETAIL = 2000
_BLOCK = 65536
_LONGEST_LINE = 4 * 1024 * 1024
_MOST_OUTPUT = 256 * 1024 * 1024
"""Bytes on each of the two pipes: some hundred times what a long match needs."""
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
    with tempfile.TemporaryFile() as stdin:
        stdin.write(json.dumps(request, separators=(",", ":")).encode())
        stdin.seek(0)
        child = subprocess.Popen(
            [*command, *arguments],
            stdin=stdin,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=_ROOT,
            env=_environment(),
            start_new_session=True,
        )
        run = _Run(child, time_limit=time_limit, cancelled=cancelled)
        try:
            for line in run.lines():
                yield run.parsed(line)
            status = run.wait()
            if status != 0:
                raise _death(status, run.detail, memory_limit)
        finally:
            _kill_group(child)
            run.close()


def _environment() -> dict[str, str]:
    # GVAN_* switches change what a preset means; one thread is what the CPU accounting and the label assume.
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GVAN_")}
    return {**kept, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "PYTHONUNBUFFERED": "1"}


class _Run:
    """One child's output, read as it comes: lines of standard output, the end of standard error.

    Both are read at once, so that a child that floods one of them never blocks, and never fills a disk.
    """

    def __init__(
        self, child: "subprocess.Popen[bytes]", *, time_limit: float, cancelled: Callable[[], bool] | None
    ) -> None:
        if child.stdout is None or child.stderr is None:
            raise RuntimeError("the child process has no pipes")
        self._child, self._time_limit, self._cancelled = child, time_limit, cancelled
        self._deadline = time.monotonic() + time_limit
        self._look_at = 0.0
        self._stdout, self._stderr = child.stdout, child.stderr
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._stdout, selectors.EVENT_READ)
        self._selector.register(self._stderr, selectors.EVENT_READ)
        self._errors = b""
        self._read = {self._stdout: 0, self._stderr: 0}

    @property
    def detail(self) -> str:
        """The end of what the child wrote to standard error."""
        return self._errors.decode(errors="replace").strip()

    def lines(self) -> Iterator[bytes]:
        """Whole lines of standard output until it is closed."""
        pending = b""
        while (block := self._next_block()) is not None:
            *complete, pending = (pending + block).split(b"\n")
            yield from complete
            if len(pending) > _LONGEST_LINE:
                raise self._flood(f"a line of over {_LONGEST_LINE} bytes")

    def wait(self) -> int:
        """The exit status, after standard output was closed."""
        while (status := self._child.poll()) is None:
            self._check_limits()
            self._read_what_came(timeout=_SOON)
        self._read_what_came(timeout=0.0)
        return status

    def parsed(self, line: bytes) -> dict[str, Any]:
        """The JSON object in a line. Raises EngineCrashed for anything else."""
        try:
            message = json.loads(line, parse_constant=_refuse_constant)
        except (ValueError, RecursionError):
            message = None
        if not isinstance(message, dict):
            raise EngineCrashed(
                f"the engine wrote {line[:80]!r} instead of a JSON object",
                signal=None,
                status=None,
                detail=self.detail,
            )
        return message

    def close(self) -> None:
        """Close the pipes."""
        self._selector.close()
        self._stdout.close()
        self._stderr.close()

    def _next_block(self) -> bytes | None:
        """What came on standard output; None when it is closed."""
        while True:
            self._check_limits()
            for block in self._read_what_came():
                return block or None

    def _read_what_came(self, timeout: float = _TICK) -> list[bytes]:
        """Keep the end of standard error; give a block of standard output, empty when it is closed."""
        blocks = []
        for key, _events in self._selector.select(timeout=timeout):
            pipe: Any = key.fileobj
            block = os.read(pipe.fileno(), _BLOCK)
            if not block:
                self._selector.unregister(pipe)
            self._read[pipe] += len(block)
            if self._read[pipe] > _MOST_OUTPUT:
                raise self._flood(f"more than {_MOST_OUTPUT} bytes")
            if pipe is self._stdout:
                blocks.append(block)
            else:
                self._errors = (self._errors + block)[-_DETAIL:]
        return blocks

    def _check_limits(self) -> None:
        if time.monotonic() < self._look_at:
            return
        self._look_at = time.monotonic() + _TICK
        if time.monotonic() > self._deadline:
            raise EngineTimeout(
                f"the engine was stopped after {self._time_limit:g} seconds", seconds=self._time_limit
            )
        if self._cancelled is not None and self._cancelled():
            raise EngineCancelled("the analysis was cancelled")

    def _flood(self, what: str) -> EngineCrashed:
        return EngineCrashed(f"the engine wrote {what}", signal=None, status=None, detail=self.detail)


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")


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


def _kill_group(child: "subprocess.Popen[bytes]") -> None:
    # The group outlives its leader if the engine started helpers, so it is killed even after a good end.
    # PermissionError is what macOS says of a group of zombies.
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(child.pid, signal.SIGKILL)
    child.wait()
