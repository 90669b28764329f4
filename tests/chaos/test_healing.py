"""Whatever single process is killed comes back, and nothing committed is lost."""

import os
import signal
from pathlib import Path

import pytest

from deploy import processes
from tests.chaos.installation import ENGINES, SERVICES, Up

pytestmark = pytest.mark.chaos


@pytest.mark.parametrize("name", [*SERVICES, *ENGINES])
def test_a_killed_process_is_replaced_and_the_installation_is_ready_again(running: Up, name: str):
    with running.database() as connection:
        connection.execute("CREATE TABLE IF NOT EXISTS kept (name text PRIMARY KEY)")
        connection.execute("INSERT INTO kept VALUES (%s)", [name])
    before = running.pids(name)
    assert before
    began = processes.start_time(before[0])
    os.kill(before[0], signal.SIGKILL)
    running.wait_until(
        lambda: (
            (now := running.pids(name)) and processes.start_time(before[0]) != began and now[0] != before[0]
        ),
        f"successor of {name}",
    )
    running.wait_until(running.ready, "readiness")
    assert not set(before) & set(running.pids(name)), (
        "the pool of a dead worker must not live on beside its successor"
    )
    with running.database() as connection:
        assert connection.execute("SELECT count(*) FROM kept WHERE name = %s", [name]).fetchone() == (1,)


def beats(running: Up) -> list[int]:
    """The beat is a process of the worker's."""
    named = [(pid, Path(f"/proc/{pid}/cmdline").read_bytes()) for pid in running.pids("worker")]
    return [pid for pid, words in named if b"beat" in words.partition(b"]")[0]]


def test_a_killed_beat_comes_back_with_its_worker(running: Up):
    running.wait_until(lambda: beats(running), "beat")
    (before,) = beats(running)
    began = processes.start_time(before)
    os.kill(before, signal.SIGKILL)
    running.wait_until(lambda: beats(running) not in ([], [before]), "successor of the beat")
    assert processes.start_time(before) != began
    running.wait_until(running.ready, "readiness")


def test_a_visitor_waits_while_the_web_process_is_replaced(running: Up):
    os.kill(running.pids("web")[0], signal.SIGKILL)
    assert running.get("/healthz", patience=120)[0] == 200


def test_a_killed_watchdog_is_replaced(running: Up):
    (before,) = running.watchdogs()
    os.kill(before, signal.SIGKILL)
    running.wait_until(lambda: running.watchdogs() not in ([], [before]), "watchdog")
