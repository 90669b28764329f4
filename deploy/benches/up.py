"""How long ``manage.py up`` takes until it prints its address: in a fresh checkout, and then once more."""

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from deploy import checkout, processes
from deploy.figures import Figure

PATIENCE = 300.0
NOT_INHERITED = frozenset({*checkout.ENGINE_VARIABLES, "CACHE_URL", "MIDPOINT_VAR", "DJANGO_SETTINGS_MODULE"})


def run() -> Iterator[Figure]:
    with tempfile.TemporaryDirectory(prefix="midpoint-bench-") as scratch:
        copy = checkout.copy_project(Path(scratch) / "midpoint")
        try:
            cold = started_and_stopped(copy)
            yield Figure("up, cold", cold[0], "s", size="no .venv, no data")
            warm = started_and_stopped(copy)
            yield Figure("up, warm", warm[0], "s", size="second start")
            yield Figure("up, stop", warm[1], "s", size="after Ctrl-C")
        finally:
            remove_roots_data(copy)


def started_and_stopped(copy: Path) -> tuple[float, float]:
    """Seconds from the command to the printed address, and from Ctrl-C to the end."""
    began = time.monotonic()
    with running(copy) as process:
        start = time.monotonic() - began
        began = time.monotonic()
        process.send_signal(signal.SIGINT)
        process.wait(60)
        return start, time.monotonic() - began


@contextlib.contextmanager
def running(copy: Path) -> Iterator[subprocess.Popen[bytes]]:
    """``up`` of a checkout, from its printed address on; stopped at the end of the block."""
    environment = {name: value for name, value in os.environ.items() if name not in NOT_INHERITED}
    log = copy / "bench.log"
    log.unlink(missing_ok=True)
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    base = getattr(sys, "_base_executable", sys.executable)
    began = time.monotonic()
    process = processes.spawn(
        [base, copy / "manage.py", "up", "--port", str(port)],
        environment=environment,
        log=log,
        directory=copy,
    )
    try:
        while "Midpoint runs at" not in log.read_text():
            if process.poll() is not None or time.monotonic() - began > PATIENCE:
                raise RuntimeError(f"up did not start:\n{processes.tail(log)}")
            time.sleep(0.02)
        yield process
    finally:
        processes.stop(process, signal.SIGTERM, 30)


def remove_roots_data(copy: Path) -> None:
    """Root's engines keep their data outside the checkout that is about to be removed."""
    if os.geteuid() == 0:
        shutil.rmtree(checkout.roots_home_of(copy / "var"), ignore_errors=True)
