"""The first start of the web processes, which migrate and collect static files."""

import contextlib
import hashlib
import os
import select
import socket
import sys
from typing import Self

from deploy import checkout
from deploy.supervisor import StartError, Supervisor

PREPARE_OVER, WITH_STATIC = "--prepare-over", "--static"
"""Options of a web process that prepares first: its socket, and whether it collects files."""
READY = b"ready\n"
REFUSED = b"refused "
"""Prefix of the line with the reason for not migrating."""
PATIENCE = 3600.0  # seconds for the migrations of a large database


def say(text: str) -> None:
    """Print a line; ignore a closed terminal.

    A terminal that was closed takes none: the site goes on, or ends in order, all the same.
    """
    try:
        sys.stdout.write(f"{text}\n")
        sys.stdout.flush()
    except OSError:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)


class Preparing:
    """The first start of the web processes, over a socket.

    Before they fork, while Django is loaded once, they collect the static files if these have changed, and
    migrate the database once told that it answers. Then they serve.
    """

    def __init__(self, supervisor: Supervisor) -> None:
        self.supervisor = supervisor
        var = checkout.variable_directory()
        self.stamp, self.wanted = var / "static.stamp", static_fingerprint()
        self.collects = not (
            (var / "static" / "staticfiles.json").exists()  # or somebody has emptied the folder since
            and self.stamp.exists()
            and self.stamp.read_text() == self.wanted
        )
        self.ours, self.theirs = socket.socketpair()
        self.words = [PREPARE_OVER, str(self.theirs.fileno()), *([WITH_STATIC] if self.collects else [])]
        self.heard = b""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.ours.close()
        self.theirs.close()

    def done(self) -> str:
        """Report that the engines answer, and wait; return the setup page's path, if any.

        Raises:
            StartError: the web process ended, or is not ready within an hour; with nothing but its sentence
                where it refuses the database.
        """
        say("preparing the database and the static files")
        self.theirs.close()  # the web has its own
        with contextlib.suppress(BrokenPipeError):  # one that has ended is found by the supervisor
            self.ours.sendall(b"go\n")
        self.supervisor.wait_until(self._ready, "the database", PATIENCE)
        if self.supervisor.told_to_stop():
            return ""
        if refused := self._refused():
            raise StartError(refused)
        if self.collects:
            self.stamp.write_text(self.wanted)
        return self.heard.removesuffix(READY).decode().strip()

    def _ready(self) -> bool:
        if select.select([self.ours], [], [], 0)[0]:
            self.heard += self.ours.recv(4096)
        return self.heard.endswith(READY) or bool(self._refused())

    def _refused(self) -> str:
        lines = self.heard.splitlines(keepends=True)
        said = next((line for line in lines if line.startswith(REFUSED) and line.endswith(b"\n")), b"")
        return said.removeprefix(REFUSED).decode().strip()


def static_fingerprint() -> str:
    """A hash of our static files, of what collects them and of the installed packages."""
    digest = hashlib.sha256((checkout.ROOT / "requirements.lock").read_bytes())
    sources = [*checkout.ROOT.glob("*/static"), *checkout.ROOT.glob("static")]
    collecting = [checkout.ROOT / "deploy" / name for name in ("static_files.py", "joined_scripts.py")]
    files = [path for source in sources for path in source.rglob("*") if path.is_file()]
    for path in sorted([*files, *collecting]):
        status = path.stat()
        digest.update(f"{path}\0{status.st_size}\0{status.st_mtime_ns}\n".encode())
    return digest.hexdigest()
