"""Memory of a running ``up``, engines included: proportional set size.

Idle, and the maximum while the real records beside the project are imported and analysed.
"""

import contextlib
import os
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from deploy import checkout
from deploy.benches.up import NOT_INHERITED, family, remove_roots_data, running
from deploy.figures import Figure

SETTLED = 90.0  # seconds after which the first tasks have run and what they loaded is there
WORKING = 90.0  # seconds in which the workers are watched at work
MATCHES = checkout.ROOT.parent / "shared" / "data" / "matches"
# The reconciler finds what is asked for here, and wakes a worker.
ASK = """
from scoring.models import Match
from scoring.analysis.services.analyses import request_analysis
for match in Match.objects.all(): request_analysis(match=match)
"""


def run() -> Iterator[Figure]:
    with tempfile.TemporaryDirectory(prefix="midpoint-bench-") as scratch:
        copy = checkout.copy_project(Path(scratch) / "midpoint")
        try:
            with running(copy) as process:
                time.sleep(SETTLED)
                size = f"{len(family(process.pid))} processes, {SETTLED:.0f} s after the start"
                yield Figure("idle_pss_mb", megabytes(process.pid), "MB", size=size)
                if records := sorted(MATCHES.glob("*.txt")):
                    give_work(copy, records)
                    end, most = time.monotonic() + WORKING, 0.0
                    while time.monotonic() < end:
                        most = max(most, megabytes(process.pid))
                        time.sleep(0.5)
                    size = f"{len(records)} matches to analyse, the most in {WORKING:.0f} s"
                    yield Figure("working_pss_mb", most, "MB", size=size)
        finally:
            remove_roots_data(copy)


def give_work(copy: Path, records: list[Path]) -> None:
    """Import the records into the running site, and queue an analysis of each."""
    manage = [str(copy / ".venv" / "bin" / "python"), str(copy / "manage.py")]
    environment = {name: value for name, value in os.environ.items() if name not in NOT_INHERITED}
    for words in (["import_match", *map(str, records)], ["shell", "-c", ASK]):
        subprocess.run([*manage, *words], env=environment, stdout=subprocess.DEVNULL, check=True)


def megabytes(pid: int) -> float:
    """The memory of a process and its descendants; one that ends counts nothing."""
    total = 0
    for one in family(pid):
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):
            total += proportional_share(one)
    return total / 1e6


def proportional_share(pid: int) -> int:
    """A process's memory in bytes, with shared pages split equally (PSS).

    Raises OSError where the kernel does not tell it, as for another user's process.
    """
    for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
        if line.startswith("Pss:"):
            return 1024 * int(line.split()[1])
    raise OSError(f"/proc/{pid}/smaps_rollup has no Pss")
