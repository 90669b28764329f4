"""Outlives a killed supervisor just long enough to end its children.

Standard library only. The supervisor keeps this process's standard input open and writes a line for each
child: ``+PID SIGNAL`` when it starts one, ``-PID`` when it has ended. At end of file the supervisor is gone:
every child still listed gets its signal, and after a while its whole process group is killed. On Linux the
kernel also signals direct children (``deploy.processes``); this catches their children, and other systems.
"""

import signal
import sys
import time
from collections.abc import Iterable

from deploy import processes

PATIENCE = 20.0


def main() -> None:
    # Ctrl-C and an orderly stop are the supervisor's business; we only wait for the end of file.
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    left = listed(sys.stdin)
    for pid, (_, wish) in left.items():
        processes.signal_group(pid, wish)
    processes.sweep(sys.argv[1])
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end and any(
        processes.start_time(pid) == began for pid, (began, _) in left.items()
    ):
        time.sleep(0.05)
    for pid, (began, _) in left.items():
        if processes.start_time(pid) == began:
            processes.signal_group(pid, signal.SIGKILL)


def listed(lines: Iterable[str]) -> dict[int, tuple[str | None, int]]:
    """Children still running after ``lines``: PID to start time and stop signal."""
    left: dict[int, tuple[str | None, int]] = {}
    for line in lines:
        pid, _, number = line[1:].strip().partition(" ")
        if line.startswith("+"):
            left[int(pid)] = (processes.start_time(int(pid)), int(number))
        else:
            left.pop(int(pid), None)
    return left


if __name__ == "__main__":
    main()
