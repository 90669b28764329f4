"""Web processes on one socket: as many as asked for, one that ends is replaced, none outlives the stop."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from deploy import forks, processes
from deploy.checkout import ROOT

PATIENCE = 120  # seconds; a busy machine
SERVE = """
import pathlib, signal, sys
from deploy import forks

def serve():
    folder = pathlib.Path(sys.argv[2])
    (folder / str(__import__("os").getpid())).touch()
    signal.pause()

forks.serve_in(int(sys.argv[1]), serve)
"""


def wait_until(true: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < end
        time.sleep(0.05)


@pytest.fixture
def three(tmp_path: Path) -> Iterator["subprocess.Popen[bytes]"]:
    started = subprocess.Popen([sys.executable, "-c", SERVE, "3", str(tmp_path)], cwd=ROOT)
    try:
        wait_until(lambda: len(pids(tmp_path)) == 3)
        yield started
    finally:
        started.kill()
        started.wait()


def pids(folder: Path) -> set[int]:
    return {int(path.name) for path in folder.iterdir()}


def alive(folder: Path) -> set[int]:
    return {pid for pid in pids(folder) if processes.start_time(pid)}


def test_a_process_that_is_killed_is_replaced(three: "subprocess.Popen[bytes]", tmp_path: Path) -> None:
    first = pids(tmp_path)
    os.kill(min(first), signal.SIGKILL)
    wait_until(lambda: len(pids(tmp_path)) == 4)
    assert alive(tmp_path) > first - {min(first)}
    assert len(alive(tmp_path)) == 3
    assert three.poll() is None


def test_told_to_stop_all_of_them_end(three: "subprocess.Popen[bytes]", tmp_path: Path) -> None:
    three.send_signal(signal.SIGTERM)
    assert three.wait(PATIENCE) == 0
    assert alive(tmp_path) == set()


def test_none_outlives_a_killed_first_process(three: "subprocess.Popen[bytes]", tmp_path: Path) -> None:
    three.kill()
    three.wait()
    wait_until(lambda: not alive(tmp_path))


def test_one_alone_is_not_forked() -> None:
    called: list[int] = []
    forks.serve_in(1, lambda: called.append(os.getpid()))
    assert called == [os.getpid()]


def test_there_is_one_a_core_up_to_four_and_one_alone_without_a_shared_cache() -> None:
    cores = len(os.sched_getaffinity(0))
    assert forks.wanted(shared_cache=True) == min(cores, 4)
    assert forks.wanted(shared_cache=False) == 1
