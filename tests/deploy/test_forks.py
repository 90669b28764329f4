"""Forked processes: as many as asked for, one that ends is replaced, none outlives the stop."""

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
from deploy.forks import Part

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


def test_told_to_stop_when_one_has_just_ended_it_stops_the_others() -> None:
    """The stop failed with ProcessLookupError, and the others were killed instead of told."""
    keeper = forks._Keeper([Part("gone", signal.pause), Part("there", signal.pause)])
    gone, there = (subprocess.Popen(["sleep", "600"]) for _ in range(2))
    gone.kill()
    gone.wait()
    keeper._kept[0].pid, keeper._kept[1].pid = gone.pid, there.pid
    keeper._stop(signal.SIGTERM, None)
    assert there.wait(PATIENCE) == -signal.SIGTERM


def test_one_alone_is_not_forked() -> None:
    called: list[int] = []
    forks.serve_in(1, lambda: called.append(os.getpid()))
    assert called == [os.getpid()]


def test_there_is_one_a_core_up_to_four_and_one_alone_without_a_shared_cache() -> None:
    cores = len(os.sched_getaffinity(0))
    assert forks.wanted(shared_cache=True) == min(cores, 4)
    assert forks.wanted(shared_cache=False) == 1


KEEP = """
import os, pathlib, subprocess, sys, time
from functools import partial
from deploy import forks, processes
from deploy.forks import Part

folder = pathlib.Path(sys.argv[1])
run = os.environ[processes.MARKER].rpartition("/")[0]

def steady():
    print("steady", os.environ[processes.MARKER], flush=True)
    subprocess.run([sys.executable, "-c", "import time; time.sleep(600)"], start_new_session=True)

def failing():
    print("it tries", flush=True)
    sys.exit(3)

parts = {"steady": steady, "failing": failing}
forks.keep(Part(name, parts[name], folder / f"{name}.log", f"{run}/{name}") for name in sys.argv[2:])
"""


class Kept:
    """A process that keeps parts; its marker begins with ``run``."""

    def __init__(self, folder: Path, *names: str) -> None:
        self.run, self.folder, self.said = f"forks-{os.getpid()}", folder, folder / "said"
        self.process = processes.spawn(
            [sys.executable, "-c", KEEP, str(folder), *names],
            environment=os.environ | {processes.MARKER: f"{self.run}/all-of-them"},
            log=self.said,
            directory=ROOT,
        )

    def pids(self, name: str) -> list[int]:
        return processes.marked(f"{self.run}/{name}")

    def log(self, name: str) -> str:
        return (self.folder / f"{name}.log").read_text() if (self.folder / f"{name}.log").exists() else ""


@pytest.fixture
def keeping(tmp_path: Path) -> Iterator[Callable[..., Kept]]:
    begun: list[Kept] = []

    def keep(*names: str) -> Kept:
        begun.append(Kept(tmp_path, *names))
        return begun[-1]

    yield keep
    for kept in begun:
        processes.stop(kept.process, signal.SIGKILL, 1)
        processes.sweep(kept.run)


def test_each_part_has_its_own_log_and_is_found_by_its_own_marker(keeping: Callable[..., Kept]) -> None:
    kept = keeping("steady")
    wait_until(lambda: len(kept.pids("steady")) == 2)  # it, and what it has started
    assert kept.log("steady") == f"steady {kept.run}/steady\n"
    assert kept.pids("all-of-them") == [kept.process.pid]
    assert kept.said.read_text() == ""


def test_what_a_killed_part_left_behind_is_ended_and_its_end_is_told(keeping: Callable[..., Kept]) -> None:
    kept = keeping("steady")
    wait_until(lambda: len(kept.pids("steady")) == 2)
    before = kept.pids("steady")
    os.kill(min(before), signal.SIGKILL)
    wait_until(lambda: len(set(kept.pids("steady")) - set(before)) == 2)
    assert not set(before) & set(kept.pids("steady"))
    assert kept.said.read_text() == "steady was ended by SIGKILL; restarting it now\n"


@pytest.mark.long
def test_one_that_keeps_failing_is_started_later_and_holds_up_no_other(keeping: Callable[..., Kept]) -> None:
    kept = keeping("failing", "steady")
    wait_until(lambda: kept.log("failing").count("it tries") >= 3)
    assert "failing ended with 3; restarting it now\nfailing ended with 3; restarting it in 1 s" in (
        kept.said.read_text()
    )
    assert f"the end of {kept.folder / 'failing.log'}:\nit tries" in kept.said.read_text()
    before = kept.pids("steady")
    os.kill(min(before), signal.SIGKILL)
    wait_until(lambda: bool(set(kept.pids("steady")) - set(before)))


@pytest.mark.long
def test_told_to_stop_nothing_is_started_that_was_due(keeping: Callable[..., Kept]) -> None:
    kept = keeping("failing")
    wait_until(lambda: "restarting it in 2 s" in kept.said.read_text())
    kept.process.send_signal(signal.SIGTERM)
    assert kept.process.wait(PATIENCE) == 0
    assert processes.marked(kept.run) == []


def test_a_marker_longer_than_the_first_one_is_refused_by_its_length() -> None:
    code = "from deploy import processes; processes.carry('run/analysis')"
    for first, room in (("run/web", 7), ("", 0)):
        variables = {name: value for name, value in os.environ.items() if name != processes.MARKER}
        told = subprocess.run(
            [sys.executable, "-c", code],
            cwd=ROOT,
            env=variables | ({processes.MARKER: first} if first else {}),
            capture_output=True,
            text=True,
            check=False,
        )
        assert f"run/analysis is longer than the {room} bytes of this process's MIDPOINT_RUN" in told.stderr


LOADED = """
import gc, os, sys, threading
from deploy import background

background.load()
sockets = [name for name in os.listdir("/proc/self/fd") if os.path.exists(f"/proc/self/fd/{name}")
           and os.readlink(f"/proc/self/fd/{name}").startswith("socket:")]
print(threading.active_count(), len(os.listdir("/proc/self/task")), sockets, gc.get_freeze_count() > 100_000)
loaded = set(sys.modules)
from deploy.celery_app import app
print("scoring.analyse_match" in app.tasks, set(background.SHARED) <= loaded)
"""


@pytest.mark.long
def test_workers_are_loaded_without_a_thread_or_a_connection() -> None:
    told = subprocess.run(
        [sys.executable, "-c", LOADED],
        cwd=ROOT,
        env=os.environ | {"DJANGO_SETTINGS_MODULE": "deploy.settings", "CELERY_SKIP_CHECKS": "yes"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert told.stdout.splitlines() == ["1 1 [] True", "True True"], told.stderr
