"""Logs stay of a bounded size while their writers run."""

import os
import signal
import sys
import threading
import time
from pathlib import Path

import pytest

from deploy import logs, processes
from deploy.supervisor import Child, Forked, Supervisor


def test_a_log_that_has_grown_is_set_aside_and_its_writer_goes_on(tmp_path: Path):
    log = tmp_path / "web.log"
    with log.open("ab", buffering=0) as writer:
        writer.write(b"a" * 11)
        assert logs.rotate(log, largest=10)
        writer.write(b"b")
        assert (log.read_bytes(), (tmp_path / "web.log.1").read_bytes()) == (b"b", b"a" * 11)
        assert not logs.rotate(log, largest=10)


def test_only_the_newest_are_kept(tmp_path: Path):
    log = tmp_path / "web.log"
    for number in range(5):
        log.write_bytes(b"%d" % number * 20)
        assert logs.rotate(log, largest=10, kept=2)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["web.log", "web.log.1", "web.log.2"]
    assert [(tmp_path / f"web.log.{n}").read_bytes()[:1] for n in (1, 2)] == [b"4", b"3"]


def test_a_log_that_is_not_there_is_no_mistake(tmp_path: Path):
    assert not logs.rotate(tmp_path / "web.log")


@pytest.mark.parametrize("forked", [False, True])
def test_the_supervisor_bounds_the_log_of_a_running_child_and_of_what_it_forks(tmp_path: Path, forked: bool):
    log, code = tmp_path / "talker.log", "import time; print('x' * 11_000_000, flush=True); time.sleep(600)"

    def launch():
        return processes.spawn([sys.executable, "-c", code], log=log)

    def stop_when_rotated() -> None:
        end = time.monotonic() + 60
        while time.monotonic() < end and not log.with_suffix(".log.1").exists():
            time.sleep(0.1)
        os.kill(os.getpid(), signal.SIGTERM)

    supervisor = Supervisor("test-of-logs", lambda _text: None)
    with supervisor.on_duty():
        own, parts = (tmp_path / "own.log", (Forked("", log),)) if forked else (log, ())
        supervisor.start(Child("talker", launch, signal.SIGTERM, 5, own, forked=parts))
        supervisor.wait_until(lambda: log.exists() and log.stat().st_size > logs.LARGEST, "the talk", 60)
        threading.Thread(target=stop_when_rotated).start()
        supervisor.run()
    assert log.with_suffix(".log.1").stat().st_size > logs.LARGEST
    assert log.stat().st_size == 0
