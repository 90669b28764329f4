"""A terminal that is closed: everything ends in order, unless ``up --detach`` was asked for."""

import fcntl
import os
import pty
import select
import signal
import subprocess
import termios
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from deploy import processes
from deploy.checkout import copy_project
from tests.chaos.conftest import Shared
from tests.chaos.installation import BASE_PYTHON, PATIENCE, Up, bare_environment, run, with_environment

pytestmark = pytest.mark.chaos


@pytest.fixture
def stopped(shared: Shared) -> Shared:
    """The shared installation, which has run and is stopped: its database is there."""
    shared.running()
    shared.stop()
    return shared


class Terminal:
    """``up`` in a terminal that can be closed."""

    def __init__(self, checkout: Path) -> None:
        self.screen, inside = pty.openpty()
        self.process = subprocess.Popen(
            [BASE_PYTHON, str(checkout / "manage.py"), "up", "--port", "0"],
            stdin=inside,
            stdout=inside,
            stderr=inside,
            cwd=checkout,
            env=bare_environment(),
            start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),  # noqa: PLW1509 - it does no more
        )
        os.close(inside)

    def read_until(self, words: bytes) -> bytes:
        shown = b""
        while words not in shown:
            ready, _, _ = select.select([self.screen], [], [], PATIENCE)
            assert ready, shown
            shown += os.read(self.screen, 4096)
        return shown

    def close(self) -> int:
        """Hang up; returns the exit code of ``up``."""
        os.close(self.screen)
        return self.process.wait(PATIENCE)


def test_a_closed_terminal_ends_everything_in_order(stopped: Shared):
    terminal = Terminal(stopped.checkout)
    assert b"Ctrl-C stops it" in terminal.read_until(b"logs: ")
    found = Up.found(stopped.checkout, terminal.process.pid)
    assert found.left_behind() != []
    assert terminal.close() == 0
    assert found.left_behind() == []
    assert "database system is shut down" in found.log("postgresql").splitlines()[-1]


@pytest.fixture
def detached(stopped: Shared) -> Iterator[tuple[subprocess.CompletedProcess[str], Up]]:
    """What ``up --detach`` has printed, and the site that it has left running."""
    told = run(stopped.checkout, "up", "--detach", "--port", "0")
    assert told.returncode == 0, told.stderr
    (line,) = [line for line in told.stdout.splitlines() if "as process" in line]
    found = Up.found(stopped.checkout, int(line.split("as process ")[1].split(".")[0]))
    yield told, found
    if processes.start_time(found.pid):
        os.kill(found.pid, signal.SIGTERM)
        found.wait_until(lambda: not processes.start_time(found.pid), "end of the detached site")


def test_a_detached_site_goes_on_and_says_how_to_find_stop_and_keep_it(
    detached: tuple[subprocess.CompletedProcess[str], Up],
):
    told, found = detached
    found.wait_until(found.ready, "readiness")
    assert f"Midpoint runs at {found.url}/" in told.stdout
    assert f"kill {found.pid}" in told.stdout
    log = found.checkout / "var" / "log" / "up.log"
    assert f"Its words: {log}" in told.stdout
    assert f"Midpoint runs at {found.url}/" in log.read_text()
    assert "docs/operations.md, “As a service”" in told.stdout
    assert os.getsid(found.pid) == found.pid  # no terminal's hang-up comes to it
    again = run(found.checkout, "up", "--detach", "--port", "0")
    assert again.returncode == 1
    assert f"already running from {found.checkout} at {found.url} (process {found.pid})" in again.stderr
    os.kill(found.pid, signal.SIGTERM)
    found.wait_until(lambda: not processes.start_time(found.pid), "end of the detached site")
    found.wait_until(lambda: found.left_behind() == [], "end of everything")


@pytest.mark.long
def test_a_detached_start_that_fails_says_why(new_checkout: Callable[[str], Path]):
    checkout = with_environment(copy_project(new_checkout("detached-in-vain")))
    told = run(checkout, "up", "--detach", "--bind", "192.0.2.7")
    assert told.returncode == 1
    assert "192.0.2.7 is not an address of this machine" in told.stderr
