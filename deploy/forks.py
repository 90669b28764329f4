"""Processes loaded once, then forked, and each restarted when it ends.

Memory loaded before the fork is shared. Web processes share a socket, too: the kernel gives a new connection
to the first that accepts it, so a busy one takes none.
"""

import contextlib
import os
import signal
import sys
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import NoReturn

from deploy import processes
from deploy.preparing import say
from deploy.supervisor import Restarts, end_of

MOST = 4
TICK = 0.1  # seconds between two looks while a process waits for its next start
Handlers = Mapping[signal.Signals, object]


@dataclass(frozen=True, slots=True)
class Part:
    """A forked process. Without a log or marker it keeps its parent's."""

    name: str
    run: Callable[[], None]
    log: Path | None = None
    marker: str = ""


def wanted(*, shared_cache: bool) -> int:
    """The number of web processes for this machine: one per core, up to four.

    Without a shared cache each process would count visitors separately, multiplying limits: then one.
    """
    return max(1, min(MOST, len(os.sched_getaffinity(0)))) if shared_cache else 1


def serve_in(count: int, serve: Callable[[], None]) -> None:
    """Run ``serve`` in ``count`` forked processes; do not fork for a single one."""
    if count == 1:
        serve()
    else:
        keep([Part(f"web process {number}", serve) for number in range(1, count + 1)])


def keep(parts: Iterable[Part]) -> None:
    """Run each part in a forked process until SIGTERM or SIGINT.

    The signal is passed on to each as SIGTERM. Returns when the last has ended. Call it from the main
    thread, before other threads and connections exist.
    """
    _Keeper(parts).keep()


class _Kept(Restarts):
    """A part over its restarts; ``pid`` is 0 while it is not running."""

    def __init__(self, part: Part) -> None:
        super().__init__()
        self.part, self.pid = part, 0
        self.due = self.since


class _Keeper:
    def __init__(self, parts: Iterable[Part]) -> None:
        self._kept = [_Kept(part) for part in parts]
        self._stopping = False

    def keep(self) -> None:
        handlers = {number: signal.signal(number, self._stop) for number in (signal.SIGTERM, signal.SIGINT)}
        while self._running() or not self._stopping:
            for one in self._kept:
                if one.is_due() and not self._stopping:
                    self._start(one, handlers)
            pid, status = self._wait()
            for one in self._kept:
                if one.pid == pid != 0:
                    self._bury(one, os.waitstatus_to_exitcode(status))
        for number, handler in handlers.items():
            signal.signal(number, handler)

    def _running(self) -> list[int]:
        return [one.pid for one in self._kept if one.pid]

    def _stop(self, _number: int, _frame: FrameType | None) -> None:
        self._stopping = True
        for pid in self._running():
            with contextlib.suppress(ProcessLookupError):  # waited for a moment ago, and not yet noted
                os.kill(pid, signal.SIGTERM)

    def _wait(self) -> tuple[int, int]:
        """PID and status of an ended part; PID 0 when a restart may be due first."""
        if self._stopping or all(one.due is None for one in self._kept):
            return os.wait() if self._running() else (0, 0)
        time.sleep(TICK)
        return os.waitpid(-1, os.WNOHANG) if self._running() else (0, 0)

    def _start(self, one: _Kept, handlers: Handlers) -> None:
        """Fork a part, with signals blocked until its PID is known."""
        signal.pthread_sigmask(signal.SIG_BLOCK, handlers)
        if not self._stopping:
            parent = os.getpid()
            sys.stdout.flush()
            one.pid = os.fork() or _become(one.part, handlers, parent)
            one.started()
        signal.pthread_sigmask(signal.SIG_UNBLOCK, handlers)

    def _bury(self, one: _Kept, code: int) -> None:
        """End what it left behind, and schedule its restart."""
        one.pid = 0
        if one.part.marker:
            processes.sweep(one.part.marker)
        if not self._stopping:
            one.ended(one.part.name, code, say)
            if one.failures > 1 and one.part.log:
                say(end_of(one.part.log))


def _become(part: Part, handlers: Handlers, parent: int) -> NoReturn:
    """Run the part in the forked process."""
    code = 1
    try:
        processes.die_with_parent(signal.SIGKILL)
        if part.log:
            processes.write_to(part.log)
        if part.marker:
            processes.carry(part.marker)
        for number in handlers:
            signal.signal(number, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, handlers)
        if os.getppid() == parent:  # or it died before it was the one to die with
            part.run()
        code = 0
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else int(end.code is not None)
    except Exception:  # noqa: BLE001 - it is told, and the process ends
        sys.excepthook(*sys.exc_info())
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)
