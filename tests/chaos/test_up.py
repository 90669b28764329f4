"""What ``manage.py up`` promises about starting, stopping and being killed."""

import os
import signal
import socket
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.chaos.installation import SERVICES, Up, as_started_before, bare_environment, run

pytestmark = pytest.mark.chaos
LIVE_HEADERS = "Host: localhost\r\nAccept: text/event-stream"
MAKE_CLUB = "from clubs.models import Club; print(Club.objects.create(slug='live', name='Live').ref)"
READ_KEPT = """
from django.db import connection
cursor = connection.cursor()
cursor.execute("TABLE kept")
print(cursor.fetchone())
"""


@pytest.fixture
def checkout(built: Path, new_checkout: Callable[[str], Path], request: pytest.FixtureRequest) -> Path:
    return as_started_before(built, new_checkout(request.node.name[:60].replace("[", "-").replace("]", "")))


def test_the_production_lock_alone_runs_web_workers_and_beat(built: Path, running: Up):
    python = str(running.checkout / ".venv" / "bin" / "python")
    assert subprocess.run([python, "-c", "import pytest"], capture_output=True).returncode == 1
    assert '"requirements.lock"' in (built / ".venv" / "midpoint.json").read_text()
    assert all(running.pids(name) for name in SERVICES)

    def worked() -> bool:
        return "Task clubs.reconcile" in log("worker") and "succeeded" in log("worker")

    def log(name: str) -> str:
        return (running.checkout / "var" / "log" / f"{name}.log").read_text()

    running.wait_until(worked, "task sent by beat and done by the worker", 240)


def test_a_second_up_says_that_it_is_already_running_and_where(running: Up):
    second = run(running.checkout, "up", "--port", "1")
    assert second.returncode == 1
    assert (
        f"already running from {running.checkout} at {running.url} (process {running.pid})" in second.stderr
    )


def test_a_taken_port_is_named_with_its_holder_and_another_port(checkout: Path):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        refused = run(checkout, "up", "--port", str(port))
    assert refused.returncode == 1
    assert f"port {port} on 127.0.0.1 is taken by" in refused.stderr
    assert f"(process {os.getpid()})" in refused.stderr
    assert "manage.py up --port" in refused.stderr


def test_two_checkouts_run_side_by_side(running: Up, checkout: Path):
    with Up(checkout) as other:
        other.wait_until(other.ready, "readiness")
        assert other.state["variables"]["DATABASE_URL"] != running.state["variables"]["DATABASE_URL"]
    assert running.ready()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_stops_everything_while_a_live_page_is_open(checkout: Path, number: int):
    with Up(checkout) as up:
        ref = run(checkout, "shell", "-c", MAKE_CLUB).stdout.split()[-1]
        with socket.create_connection(("127.0.0.1", up.port)) as page:
            page.settimeout(60)
            page.sendall(f"GET /live/{ref} HTTP/1.1\r\n{LIVE_HEADERS}\r\n\r\n".encode())
            stream = page.makefile("rb")
            assert b"200 OK" in stream.readline()
            assert any(line.startswith(b"event: version") for line in iter(stream.readline, b""))
            assert up.stop(number) == 0
    assert "stopped" in up.printed


def test_other_commands_attach_to_the_running_engines(running: Up):
    shown = run(
        running.checkout, "shell", "-c", "from django.conf import settings; print(settings.DATABASE_URL)"
    )
    assert running.state["variables"]["DATABASE_URL"] in shown.stdout


def test_other_commands_start_and_stop_the_engines_themselves_on_the_same_data(checkout: Path):
    with Up(checkout) as up:
        with up.database() as connection:
            connection.execute("CREATE TABLE kept AS SELECT 7 AS number")
        assert up.stop() == 0
        shown = run(checkout, "shell", "-c", READ_KEPT)
        assert "(7,)" in shown.stdout, shown.stderr
        assert up.left_behind() == []


def test_a_killed_supervisor_leaves_no_process_and_loses_nothing(checkout: Path):
    with Up(checkout) as up:
        up.wait_until(up.ready, "readiness")
        with up.database() as connection:
            connection.execute("CREATE TABLE kept (number int)")
            for number in range(100):
                connection.execute("INSERT INTO kept VALUES (%s)", [number])
        assert len(up.left_behind()) > 6
        up.kill_supervisor()
        up.wait_until(lambda: up.left_behind() == [], "end of everything", 60)
    with Up(checkout) as again, again.database() as connection:
        assert connection.execute("SELECT count(*) FROM kept").fetchone() == (100,)


def test_nothing_is_left_even_when_the_watchdog_is_killed_first(checkout: Path):
    with Up(checkout) as up:
        up.wait_until(up.ready, "readiness")
        os.kill(up.pid, signal.SIGSTOP)  # so that it cannot start another watchdog
        (watchdog,) = up.watchdogs()
        os.kill(watchdog, signal.SIGKILL)
        up.kill_supervisor()
        up.wait_until(lambda: up.left_behind() == [], "end of everything", 60)


def test_a_broken_value_is_named_with_its_variable(checkout: Path):
    refused = run(checkout, "up", env=bare_environment(DATABASE_POOL="many"))
    assert refused.returncode == 1
    assert "DATABASE_POOL" in refused.stderr
    assert "'many'" in refused.stderr
    assert "Traceback" not in refused.stderr
