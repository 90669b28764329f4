"""``manage.py up --detach``: a site that goes on when its terminal is closed, and how to find it again."""

import signal
import subprocess
import sys
import time
from collections.abc import Sequence

from deploy import checkout, processes

LAST_WORDS = "logs: "
"""How the last line of a start that went well begins."""
SERVICE = "docs/operations.md, “As a service”"


def detach(words: Sequence[str]) -> int:
    """Start ``up`` with these words in a session of its own; returns its exit code where it does not start.

    Its words go to ``var/log/up.log``; those of the start are shown here, too.
    """
    log = checkout.log_file("up")
    log.touch()
    shown = log.stat().st_size
    process = processes.spawn(
        [sys.executable, checkout.ROOT / "manage.py", "up", *words],
        log=log,
        death_signal=0,
        directory=checkout.ROOT,
    )
    try:
        while True:
            ended = process.poll()
            with log.open("rb") as file:
                file.seek(shown)
                whole, newline, _rest = file.read().rpartition(b"\n")
            shown += len(whole + newline)
            lines = whole.decode(errors="replace").splitlines()
            for line in lines:
                stream = sys.stderr if line.startswith("midpoint:") else sys.stdout
                stream.write(f"{line}\n")
                stream.flush()
            if any(line.startswith(LAST_WORDS) for line in lines):
                break
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
    """How to look after it from now on."""
    return (
        f"It goes on without this terminal, as process {process.pid}. Stop it: kill {process.pid}\n"
        f"Its words: {checkout.log_file('up')}\n"
        f"To start it with the machine: {SERVICE}\n"
    )
