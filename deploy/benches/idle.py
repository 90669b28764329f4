"""The memory of an idle site: every process of a running ``up`` by its proportional share, engines too."""

import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from deploy import checkout
from deploy.benches.up import remove_roots_data, running
from deploy.figures import Figure

SETTLED = 90.0  # seconds after which the first tasks have run and what they loaded is there


def run() -> Iterator[Figure]:
    with tempfile.TemporaryDirectory(prefix="midpoint-bench-") as scratch:
        copy = checkout.copy_project(Path(scratch) / "midpoint")
        try:
            with running(copy) as process:
                time.sleep(SETTLED)
                shares = {pid: proportional_share(pid) for pid in family(process.pid)}
            size = f"{len(shares)} processes, {SETTLED:.0f} s after the start"
            yield Figure("idle_pss_mb", sum(shares.values()) / 1e6, "MB", size=size)
        finally:
            remove_roots_data(copy)


def family(pid: int) -> list[int]:
    """A process and all that descend from it (Linux): the watchdog and the engines, too."""
    found, waiting = [], [pid]
    while waiting:
        one = waiting.pop()
        found.append(one)
        for task in Path(f"/proc/{one}/task").glob("*/children"):
            waiting += [int(child) for child in task.read_text().split()]
    return found


def proportional_share(pid: int) -> int:
    """A process's memory in bytes; what it shares counts for each sharer in equal parts (PSS).

    Raises OSError where the kernel does not tell it, as for another user's process.
    """
    for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
        if line.startswith("Pss:"):
            return 1024 * int(line.split()[1])
    raise OSError(f"/proc/{pid}/smaps_rollup has no Pss")
