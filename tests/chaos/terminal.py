"""A terminal that can be closed while ``manage.py up`` runs in it."""

import fcntl
import os
import pty
import select
import signal
import subprocess
import termios
from pathlib import Path

from tests.chaos.installation import BASE_PYTHON, PATIENCE, bare_environment


def in_a_terminal() -> None:
    """Take standard input as the terminal, which may hang up: also where the tests run under nohup."""
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


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
            preexec_fn=in_a_terminal,  # noqa: PLW1509 - no threads here
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
