"""What ``manage.py up`` promises about starting, stopping and being killed.

These tests share one running installation, and so one process of pytest: ``--dist loadfile``.
"""

import os
import signal
import socket
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from deploy import processes
from deploy.checkout import copy_project
from tests.chaos.calling import CALL, TAKE_BACK, Calling
from tests.chaos.conftest import Shared
from tests.chaos.installation import SERVICES, Up, run, with_environment
from tests.chaos.terminal import Terminal
from tests.push_browser import PushBrowser

pytestmark = pytest.mark.chaos
LIVE_HEADERS = "Host: localhost\r\nAccept: text/event-stream"
MAKE_CLUB = """
from django.conf import settings
from clubs.models import Club
print(settings.DATABASE_URL)
print(Club.objects.create(slug="live-{name}", name="Live").ref)
"""
READ_CLUB = "from clubs.models import Club; print(Club.objects.filter(ref='{ref}').count(), 'club')"


def test_a_fresh_copy_starts_from_nothing(shared: Shared):
    up = shared.running()
    up.wait_until(up.ready, "readiness")
    up.wait_until(lambda: all(up.main_pid(name) for name in SERVICES), "services")
    assert "First start: create the administrator and the club at http://127.0.0.1:" in shared.first_words


def test_a_second_up_says_that_it_is_already_running_and_where(running: Up):
    second = run(running.checkout, "up", "--port", "1")
    assert second.returncode == 1
    assert (
        f"already running from {running.checkout} at {running.url} (process {running.pid})" in second.stderr
    )


@pytest.mark.parametrize("number", [signal.SIGINT, pytest.param(signal.SIGTERM, marks=pytest.mark.long)])
def test_a_signal_stops_everything_while_a_live_page_is_open(running_at_last: Up, number: int):
    running = running_at_last
    made = run(running.checkout, "shell", "-c", MAKE_CLUB.format(name=f"{number:d}-{running.pid}"))
    assert made.returncode == 0, made.stderr
    database, ref = made.stdout.split()[-2:]
    assert database == running.state["variables"]["DATABASE_URL"]  # it uses the engines that run
    with socket.create_connection(("127.0.0.1", urlsplit(running.url).port or 0)) as page:
        page.settimeout(600)
        page.sendall(f"GET /live/{ref} HTTP/1.1\r\n{LIVE_HEADERS}\r\n\r\n".encode())
        stream = page.makefile("rb")
        assert b"200 OK" in stream.readline()
        assert any(line.startswith(b"event: version") for line in iter(stream.readline, b""))
        assert running.stop(number) == 0
    assert "stopped" in running.printed
    # Other commands now start and stop the engines themselves, on the same data.
    shown = run(running.checkout, "shell", "-c", READ_CLUB.format(ref=ref))
    assert "1 club" in shown.stdout, shown.stderr
    assert running.left_behind() == []


def test_a_killed_supervisor_leaves_no_process_and_loses_nothing(running: Up, shared: Shared):
    written = running.write(100)
    running.wait_until(lambda: len(running.left_behind()) > 6, "services and engines")
    running.kill_supervisor()
    running.wait_until(lambda: running.left_behind() == [], "end of everything")
    assert shared.running().count(written) == 100


@pytest.mark.long
def test_nothing_is_left_even_when_the_watchdog_is_killed_first(running: Up):
    os.kill(running.pid, signal.SIGSTOP)  # so that it cannot start another watchdog
    (watchdog,) = running.watchdogs()
    os.kill(watchdog, signal.SIGKILL)
    running.kill_supervisor()
    running.wait_until(lambda: running.left_behind() == [], "end of everything")


@pytest.mark.long
def test_two_checkouts_run_side_by_side(running: Up, new_checkout: Callable[[str], Path]):
    checkout = with_environment(copy_project(new_checkout("beside")))
    with Up(checkout) as other:
        other.wait_until(other.ready, "readiness")
        assert other.state["variables"]["DATABASE_URL"] != running.state["variables"]["DATABASE_URL"]
    assert running.ready()


@pytest.mark.each_case
@pytest.mark.parametrize(
    "name",
    [
        "postgresql",
        "valkey",
        # The worker's successor is in the short run, too: it delivers a call, below.
        pytest.param("worker", marks=pytest.mark.long),
        pytest.param("analysis", marks=pytest.mark.long),
    ],
)
def test_a_killed_process_is_replaced_and_the_installation_is_ready_again(running: Up, name: str):
    written = running.write(1)
    running.await_successor(name, running.kill(name))
    running.wait_until(running.ready, "readiness")
    assert running.count(written) == 1


@pytest.mark.long
def test_a_killed_parent_of_the_workers_comes_back_with_both(running: Up):
    running.wait_until(lambda: all(running.main_pid(name) for name in SERVICES), "services")
    workers = {name: running.pids(name) for name in ("worker", "analysis")}
    before = running.kill("background")
    for name, pids in {"background": before, **workers}.items():
        running.await_successor(name, pids)
    running.wait_until(running.ready, "readiness")
    assert "background was ended by SIGKILL; restarting it now" in running.printed


def beats(running: Up) -> list[int]:
    """The beat is a process of the worker's."""
    named = [(pid, Path(f"/proc/{pid}/cmdline").read_bytes()) for pid in running.pids("worker")]
    return [pid for pid, words in named if b"beat" in words.partition(b"]")[0]]


@pytest.mark.long
def test_a_killed_beat_comes_back_with_its_worker(running: Up):
    running.wait_until(lambda: beats(running), "beat")
    (before,) = beats(running)
    os.kill(before, signal.SIGKILL)
    running.wait_until(lambda: beats(running) not in ([], [before]), "successor of the beat")
    running.wait_until(running.ready, "readiness")


def test_a_visitor_waits_while_the_web_process_is_replaced(running: Up):
    before = running.kill("web")
    assert running.get("/readyz", patience=600)[0] == 200
    running.await_successor("web", before)


def test_a_killed_watchdog_is_replaced(running: Up):
    (before,) = running.watchdogs()
    os.kill(before, signal.SIGKILL)
    running.wait_until(lambda: running.watchdogs() not in ([], [before]), "watchdog")


@pytest.fixture
def phone() -> Iterator[PushBrowser]:
    found = PushBrowser()
    yield found
    found.close()


def test_a_call_is_delivered_once_although_its_worker_was_killed(running: Up, phone: PushBrowser):
    Calling(running, phone).deliver(CALL, "Your match is called", lapsed=False)


@pytest.mark.long
def test_that_a_call_lapsed_is_delivered_once_although_its_worker_was_killed(running: Up, phone: PushBrowser):
    calling = Calling(running, phone)
    calling.deliver(CALL, "Your match is called", lapsed=False)
    calling.deliver(TAKE_BACK, "Call cancelled", lapsed=True)


@pytest.fixture
def stopped(shared: Shared) -> Shared:
    """The shared installation, which has run and is stopped: its database is there."""
    shared.running()
    shared.stop()
    return shared


@pytest.mark.long
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


@pytest.mark.long
def test_a_detached_site_goes_on_and_says_how_to_find_stop_and_keep_it(
    detached: tuple[subprocess.CompletedProcess[str], Up],
):
    told, found = detached
    found.wait_until(found.ready, "readiness")
    assert f"Midpoint runs at {found.url}/" in told.stdout
    assert f"kill {found.pid}" in told.stdout
    log = found.checkout / "var" / "log" / "up.log"
    assert f"Log: {log}" in told.stdout
    assert f"Midpoint runs at {found.url}/" in log.read_text()
    assert "docs/operators/service.md" in told.stdout
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
