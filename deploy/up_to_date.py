"""Migrates and collects static files in forks of a process with Django loaded."""

import signal
import socket
import sys
from collections.abc import Callable
from multiprocessing.context import ForkProcess

from django.core.management import CommandError, call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from deploy import processes
from deploy.garbage import collect_rarely
from deploy.known_migrations import require_known
from deploy.preparing import READY, REFUSED


def prepare(supervisor: socket.socket, *, static: bool) -> None:
    """Collect the static files; migrate once the supervisor's database answers.

    Sends the setup page's path, if any, then ``READY``; or ``REFUSED`` and the reason. Raises SystemExit
    when something fails, and when the supervisor has gone.
    """
    parts = {}
    if static:
        parts["the static files were not collected"] = _forked(collect, supervisor)
    if not supervisor.recv(16):
        sys.exit(0)
    parts["the database was not brought up to date"] = _forked(lambda: migrate(supervisor), supervisor)
    for failure, part in parts.items():
        part.join()
        if part.exitcode:
            sys.exit(f"midpoint: {failure} (exit code {part.exitcode})")
    supervisor.sendall(READY)


def collect() -> None:
    call_command("collectstatic", interactive=False, verbosity=0)


def migrate(supervisor: socket.socket) -> None:
    collect_rarely()
    executor = MigrationExecutor(connection)
    require_known(executor)
    if executor.migration_plan(executor.loader.graph.leaf_nodes()):
        call_command("migrate", interactive=False, verbosity=0)
    with supervisor.makefile("w") as answer:
        call_command("setup_url", stdout=answer)


def _forked(work: Callable[[], None], supervisor: socket.socket) -> ForkProcess:
    def run() -> None:
        processes.die_with_parent(signal.SIGKILL)
        try:
            work()
        except CommandError as refused:  # a message for the operator, not a bug
            supervisor.sendall(REFUSED + " ".join(str(refused).split()).encode() + b"\n")
            sys.exit(f"midpoint: {refused}")

    process = ForkProcess(target=run)
    process.start()
    return process
