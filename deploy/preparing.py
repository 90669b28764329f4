"""What a start does before the first page: migrations and static files, beside the engines and the web."""

import contextlib
import hashlib
import os
import signal
import subprocess
import sys
import tempfile
from typing import Self

from deploy import checkout, processes
from deploy.address import UpError
from deploy.supervisor import Supervisor

WHEN_TOLD = "--when-told"
"""The option of a process that loads its modules, then waits for a line on its standard input."""
PATIENCE = 3600.0  # seconds for the migrations of a large database


def say(text: str) -> None:
    """A line for whoever started this. A terminal that was closed takes none: the site goes on, or ends in
    order, all the same.
    """
    try:
        sys.stdout.write(f"{text}\n")
        sys.stdout.flush()
    except OSError:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)


def tell(process: subprocess.Popen[bytes]) -> None:
    """Let a process go on that was started with ``WHEN_TOLD``; one that has ended is found later."""
    if process.stdin is not None:
        with contextlib.suppress(BrokenPipeError):
            process.stdin.write(b"go\n")
            process.stdin.close()


def wait_to_be_told() -> None:
    """Wait for the line; leave when whoever should write it has gone."""
    if not sys.stdin.readline():
        sys.exit(0)


class Preparing:
    """``manage.py prepare`` while it runs; it collects static files at once if there are other ones than last
    time, and migrates when it is told that the database answers.
    """

    def __init__(self, supervisor: Supervisor, environment: dict[str, str]) -> None:
        self.supervisor = supervisor
        self.stamp, self.wanted = checkout.variable_directory() / "static.stamp", static_fingerprint()
        self.collects = not self.stamp.exists() or self.stamp.read_text() != self.wanted
        self.output = tempfile.TemporaryFile()  # noqa: SIM115 - closed at the end of the block
        words = ["prepare", WHEN_TOLD, *(["--static"] if self.collects else [])]
        self.process = subprocess.Popen(
            [sys.executable, str(checkout.ROOT / "manage.py"), *words],
            env=environment,
            stdin=subprocess.PIPE,
            stdout=self.output,
            stderr=subprocess.STDOUT,
            start_new_session=True,  # Ctrl-C is the supervisor's; it ends this one
            preexec_fn=processes.dying_with_parent(signal.SIGKILL),  # noqa: PLW1509 - no threads here
        )

    def __enter__(self) -> Self:
        return self

    def done(self) -> str:
        """Go on now that the engines answer, to the end; what it prints, the path of the first-start page.

        Raises:
            UpError: it failed.
        """
        say("preparing the database and the static files")
        tell(self.process)
        self.supervisor.wait_until(lambda: self.process.poll() is not None, "the database", PATIENCE)
        if self.supervisor.told_to_stop():
            return ""
        output = self._printed()
        if self.process.returncode:
            raise UpError(f"manage.py prepare failed:\n{output[-3000:]}")
        if self.collects:
            self.stamp.write_text(self.wanted)
        # Whatever a library has to say beside it is no path.
        return next((line for line in reversed(output.splitlines()) if line.startswith("/")), "")

    def _printed(self) -> str:
        self.output.seek(0)
        return self.output.read().decode(errors="replace").strip()

    def __exit__(self, *_: object) -> None:
        processes.stop(self.process, signal.SIGTERM, 5)
        self.output.close()


def static_fingerprint() -> str:
    """Changes whenever a static file of ours or the set of installed packages does."""
    digest = hashlib.sha256((checkout.ROOT / "requirements.lock").read_bytes())
    sources = [*checkout.ROOT.glob("*/static"), *checkout.ROOT.glob("static")]
    for path in sorted(path for source in sources for path in source.rglob("*") if path.is_file()):
        status = path.stat()
        digest.update(f"{path}\0{status.st_size}\0{status.st_mtime_ns}\n".encode())
    return digest.hexdigest()
