"""Whatever single process is killed comes back, and nothing committed is lost."""

import os
import signal

import pytest

from tests.chaos.installation import Up

pytestmark = [pytest.mark.chaos, pytest.mark.xdist_group("installation")]


@pytest.mark.parametrize(
    "name",
    [
        "beat",
        "postgresql",
        "valkey",
        # The worker's successor is in the short run, too: it delivers a call, in test_calls.py.
        pytest.param("worker", marks=pytest.mark.long),
        pytest.param("analysis", marks=pytest.mark.long),
    ],
)
def test_a_killed_process_is_replaced_and_the_installation_is_ready_again(running: Up, name: str):
    written = running.write(1)
    running.await_successor(name, running.kill(name))
    running.wait_until(running.ready, "readiness")
    assert running.count(written) == 1


def test_a_visitor_waits_while_the_web_process_is_replaced(running: Up):
    before = running.kill("web")
    assert running.get("/readyz", patience=600)[0] == 200
    running.await_successor("web", before)


def test_a_killed_watchdog_is_replaced(running: Up):
    (before,) = running.watchdogs()
    os.kill(before, signal.SIGKILL)
    running.wait_until(lambda: running.watchdogs() not in ([], [before]), "watchdog")
