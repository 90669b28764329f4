"""Several web processes on one socket: loaded once, forked, each replaced when it ends.

What was loaded before the fork is shared in memory. The kernel gives a new connection to whichever process
takes it first, so that one which is busy takes none.
"""

import os
import signal
import sys
import time
from collections.abc import Callable, Mapping
from types import FrameType

from deploy import processes

MOST = 4
STEADY = 5.0  # seconds after which the end of a process is no sign that it cannot start


def wanted(*, shared_cache: bool) -> int:
    """How many web processes suit this machine: one a core, up to four.

    Without a cache that they share each would count visitors for itself, and a limit would be several: one.
    """
    return max(1, min(MOST, len(os.sched_getaffinity(0)))) if shared_cache else 1


def serve_in(count: int, serve: Callable[[], None]) -> None:
    """Call ``serve`` in ``count`` forked processes until SIGTERM or SIGINT, which is passed on to each.

    Returns when the last of them has ended. Of one alone no process is forked. Call it from the main thread,
    before any other is started.
    """
    if count == 1:
        serve()
        return
    running: dict[int, float] = {}
    stopping: list[int] = []

    def stop(number: int, _frame: FrameType | None) -> None:
        stopping.append(number)
        for pid in list(running):
            os.kill(pid, signal.SIGTERM)

    before = {number: signal.signal(number, stop) for number in (signal.SIGTERM, signal.SIGINT)}
    while running or not stopping:
        while len(running) < count and not stopping:
            _start(running, serve, before)
        pid, _status = os.wait()
        lived = time.monotonic() - running.pop(pid)
        if lived < STEADY and not stopping:
            time.sleep(1)
    for number, handler in before.items():
        signal.signal(number, handler)


def _start(
    running: dict[int, float], serve: Callable[[], None], handlers: Mapping[signal.Signals, object]
) -> None:
    """Fork one process. Signals wait until it is known, or it would not be told to stop."""
    signal.pthread_sigmask(signal.SIG_BLOCK, handlers)
    pid = os.fork()
    if pid:
        running[pid] = time.monotonic()
        signal.pthread_sigmask(signal.SIG_UNBLOCK, handlers)
        return
    code = 1
    try:
        processes.die_with_parent(signal.SIGKILL)
        for number in handlers:
            signal.signal(number, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, handlers)
        serve()
        code = 0
    except Exception:  # noqa: BLE001 - it is told, and the process ends
        sys.excepthook(*sys.exc_info())
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)
