"""Real child processes on the test database: a Celery worker and a web server."""

import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

import redis
from django.conf import settings
from django.db import connection

from deploy import processes
from deploy.celery_app import app

QUEUES = ("default", "estimates", "analysis")


def database_url(database: dict[str, Any]) -> str:
    """A connection's settings as a ``DATABASE_URL``, for a child that must use the same test database."""
    account = quote(database["USER"], safe="")
    if database["PASSWORD"]:
        account += ":" + quote(database["PASSWORD"], safe="")
    host = quote(database["HOST"], safe="") + (f":{database['PORT']}" if database["PORT"] else "")
    return f"postgres://{account}@{host}/{database['NAME']}"


def child_environment(database: dict[str, Any]) -> dict[str, str]:
    return os.environ | {
        "DATABASE_URL": database_url(database),
        "DJANGO_SETTINGS_MODULE": "tests.settings",
        # Django's checks load every view, which is half of a worker's start; they are tested by themselves.
        "CELERY_SKIP_CHECKS": "yes",
    }


class WorkerChild:
    """A Celery worker process consuming both queues of this test process's broker database."""

    def __init__(self, database: dict[str, Any], log: Path) -> None:
        self._environment, self.log = child_environment(database), log
        address = urlsplit(settings.BROKER_URL)
        if address.scheme == "redis+socket":
            number = int(address.query.partition("virtual_host=")[2] or 0)
            self._broker = redis.Redis(unix_socket_path=address.path, db=number)
        else:
            self._broker = redis.Redis.from_url(settings.BROKER_URL)
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    def start(self) -> None:
        """Start the process unless it runs, and wait until it answers and takes messages."""
        if self._process is not None and self._process.poll() is None:
            self._told(app.control.add_consumer)
            return
        words = ["-A", "deploy.celery_app", "worker", "-Q", ",".join(QUEUES), "-c", "2", "-l", "INFO"]
        quick = ["--without-gossip", "--without-mingle", "--without-heartbeat"]
        self._process = processes.spawn(
            [sys.executable, "-m", "celery", *words, *quick],
            environment=self._environment,
            log=self.log,
            directory=settings.BASE_DIR,
        )
        end = time.monotonic() + 120
        while not app.control.ping(timeout=0.3):
            if self._process.poll() is not None or time.monotonic() > end:
                processes.stop(self._process, signal.SIGKILL, 1)
                raise RuntimeError(f"the worker does not answer:\n{processes.tail(self.log, 40)}")

    def drain(self, patience: float = 60, *, resting: bool = False) -> None:
        """Wait until every message is consumed and acknowledged, which is after its task's last commit.

        A resting worker only finishes what it has begun.
        """
        end = time.monotonic() + patience
        while waiting := self._waiting(resting) or self._in_flight(resting):
            if self._process is None or self._process.poll() is not None:
                raise RuntimeError(
                    f"the worker is gone, {waiting} messages left:\n{processes.tail(self.log, 40)}"
                )
            if time.monotonic() > end:
                raise RuntimeError(
                    f"{waiting} messages left after {patience} s:\n{processes.tail(self.log, 40)}"
                )
            time.sleep(0.02)

    def _waiting(self, resting: bool) -> int:
        queued = 0 if resting else sum(int(str(self._broker.llen(queue))) for queue in QUEUES)
        return queued + int(str(self._broker.hlen("unacked")))

    def _in_flight(self, resting: bool) -> int:
        """How many messages the worker had taken from their queue without noting them as unacknowledged.

        It notes a message in the turn of its event loop that reads it. The answer to a first ping may leave
        in that same turn; the answer to a second one leaves in a later turn.
        """
        if self._process is None or self._process.poll() is not None:
            return 0
        for _ in range(2):
            app.control.ping(timeout=5, limit=1)
        return self._waiting(resting)

    def rest(self) -> None:
        """Leave every message where it is until ``start``: the tests in between own their tables alone.

        A message whose reading had begun goes back to its queue, since nobody here consumes it any more.
        """
        if self._process is not None and self._process.poll() is None:
            self._told(app.control.cancel_consumer)
            self.drain(resting=True)

    def _told(self, command: Callable[..., list[dict[str, Any]]]) -> None:
        """Give the worker a command for both queues; it must answer for each."""
        for queue in QUEUES:
            answers = command(queue, reply=True, timeout=30, limit=1)
            if not any("ok" in answer for reply in answers for answer in reply.values()):
                raise RuntimeError(
                    f"the worker answers {answers} for {queue!r}:\n{processes.tail(self.log, 40)}"
                )

    def kill(self) -> None:
        """``kill -9`` the worker and its pool, as a crash would; ``start`` begins another one."""
        if self._process is not None:
            processes.signal_group(self._process.pid, signal.SIGKILL)
            self._process.wait()

    def forget(self) -> None:
        """Throw away every message: what a lost broker does.

        The bindings stay: each process declares its own once, and would wait for answers that go nowhere.
        """
        if names := [name for name in self._broker.scan_iter() if not name.startswith(b"_kombu.binding.")]:
            self._broker.delete(*names)

    def stop(self) -> None:
        if self._process is not None:
            processes.stop(self._process, signal.SIGTERM, 10)
        self._broker.close()


class ServerChild:
    """The web process on the test database, on a free port of this machine."""

    def __init__(self, database: dict[str, Any], log: Path, **variables: str) -> None:
        self.log = log
        with socket.create_server(("127.0.0.1", 0)) as listener:
            self.url = f"http://127.0.0.1:{listener.getsockname()[1]}"
            self._process = processes.spawn(
                [sys.executable, "-m", "deploy.web", "--fd", str(listener.fileno())],
                environment=child_environment(database)
                | {"PUBLIC_URL": self.url, "TMPDIR": str(log.parent)}
                | variables,
                log=log,
                file_descriptors=[listener.fileno()],
                directory=settings.BASE_DIR,
            )
        self._await()

    @property
    def pid(self) -> int:
        return self._process.pid

    def await_rest(self, patience: float = 30) -> None:
        """Wait until the process asks nothing of the database: twice in a row, a request may just begin."""
        busy = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND state <> 'idle'"
        end, quiet = time.monotonic() + patience, 0
        while quiet < 2 and time.monotonic() < end:
            with connection.cursor() as cursor:
                cursor.execute(f"{busy} AND pid <> pg_backend_pid()")
                quiet = quiet + 1 if cursor.fetchone() == (0,) else 0
            time.sleep(0.03)

    def _await(self) -> None:
        end = time.monotonic() + 60
        while time.monotonic() < end and self._process.poll() is None:
            try:
                with urllib.request.urlopen(self.url + "/healthz", timeout=30):
                    return
            except urllib.error.HTTPError as error:
                raise RuntimeError(
                    f"/healthz answers {error.code}:\n{processes.tail(self.log, 40)}"
                ) from error
            except OSError:
                time.sleep(0.05)
        raise RuntimeError(f"the server does not answer:\n{processes.tail(self.log, 40)}")

    def stop(self) -> None:
        processes.stop(self._process, signal.SIGTERM, 10)
