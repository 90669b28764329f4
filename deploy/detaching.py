"""``manage.py up --detach``: a site in the background."""

import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from deploy import checkout, processes

LAST_WORDS = "logs: "
"""Start of the last line of a successful start."""
SERVICE = "docs/operators/service.md"


class NewLines:
    """New lines of a log, even across rotation or before it exists."""

    def __init__(self, log: Path) -> None:
        self.log = log
        self.read = log.stat().st_size if log.exists() else 0

    def __call__(self) -> list[str]:
        """The complete lines since the last call."""
        try:
            with self.log.open("rb") as file:
                if self.log.stat().st_size < self.read:
                    self.read = 0
                file.seek(self.read)
                whole, newline, _rest = file.read().rpartition(b"\n")
        except FileNotFoundError:
            return []
        self.read += len(whole + newline)
        return whole.decode(errors="replace").splitlines()


def is_up(lines: Sequence[str], pid: int) -> bool:
    """Whether the process has printed that its site answers."""
    greeting = next((n for n, line in enumerate(lines) if f"kill {pid} stops it" in line), len(lines))
    return any(line.startswith(LAST_WORDS) for line in lines[greeting:])


def detach(words: Sequence[str]) -> int:
    """Start ``up`` in its own session; return its exit code if it fails.

    Its output goes to ``var/log/up.log``; that of the start is also shown here.
    """
    log = checkout.log_file("up")
    log.touch()
    new_lines, lines = NewLines(log), list[str]()
    process = processes.spawn(
        [sys.executable, checkout.ROOT / "manage.py", "up", *words],
        log=log,
        death_signal=0,
        directory=checkout.ROOT,
    )
    try:
        while not is_up(lines, process.pid):
            ended = process.poll()
            new = new_lines()
            for line in new:
                stream = sys.stderr if line.startswith("midpoint:") else sys.stdout
                stream.write(f"{line}\n")
                stream.flush()
            lines += new
            if ended is not None:
                return ended or 1
            time.sleep(0.1)
    except KeyboardInterrupt:
        process.send_signal(signal.SIGTERM)
        process.wait()
        return 130
    sys.stdout.write(told(process))
    return 0


def told(process: "subprocess.Popen[bytes]") -> str:
    """How to stop it, find its log and start it at boot."""
    return (
        f"Midpoint runs in the background as process {process.pid}. Stop it: kill {process.pid}\n"
        f"Log: {checkout.log_file('up')}\n"
        f"To start it at boot: {SERVICE}\n"
    )
