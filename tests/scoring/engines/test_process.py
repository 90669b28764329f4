"""A child is bounded, and certainly gone afterwards."""

import contextlib
import os
import signal
import subprocess
import sys
import time
import tracemalloc
from pathlib import Path

import pytest

from scoring.engines import process
from scoring.engines.errors import EngineCancelled, EngineCrashed, EngineMemory, EngineTimeout
from scoring.engines.process import run_lines
from tests.scoring.engines.stand_in import MODULE

ROOT = Path(__file__).resolve().parents[3]


def run(mode, *, request=None, time_limit=20.0, memory_limit=2 * 1024**3, cancelled=None):
    return run_lines(
        MODULE, [mode], request or {}, time_limit=time_limit, memory_limit=memory_limit, cancelled=cancelled
    )


def is_running(pid):
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


def wait_until_gone(pid, seconds=5.0):
    deadline = time.monotonic() + seconds
    while is_running(pid) and time.monotonic() < deadline:
        time.sleep(0.05)
    return not is_running(pid)


def test_the_request_arrives_whole_however_large():
    request = {"questions": ["x" * 1_000_000]}
    assert list(run("echo", request=request)) == [{"echo": request}]


def consume(lines, act):
    for message in lines:
        act(message)


LIMIT = 4.0
"""Seconds: enough for the child to say its number first, also on a busy machine."""


@pytest.mark.long
@pytest.mark.parametrize("mode", ["deaf", "hang_with_helper"])
def test_a_time_limit_kills_the_whole_group(mode):
    pids: dict[str, int] = {}
    with pytest.raises(EngineTimeout) as caught:
        consume(run(mode, time_limit=LIMIT), pids.update)
    assert caught.value.parameters == {"seconds": LIMIT}
    assert pids
    assert all(wait_until_gone(pid) for pid in pids.values())


def test_a_cancelled_engine_is_killed_with_its_helpers():
    pids: dict[str, int] = {}
    with pytest.raises(EngineCancelled):
        consume(run("hang_with_helper", cancelled=lambda: bool(pids)), pids.update)
    assert len(pids) == 2
    assert all(wait_until_gone(pid) for pid in pids.values())


def test_an_exception_of_the_caller_kills_the_engine():
    def first_pid():
        with contextlib.closing(run("deaf")) as lines:
            for message in lines:
                raise KeyError(message["pid"])

    with pytest.raises(KeyError) as caught:
        first_pid()
    assert wait_until_gone(caught.value.args[0])


def test_a_segmentation_fault_is_named():
    with pytest.raises(EngineCrashed) as caught:
        list(run("segfault"))
    assert caught.value.parameters["signal"] == "SIGSEGV"


def test_a_killed_engine_is_a_crash():
    with pytest.raises(EngineCrashed) as caught:
        consume(run("hang"), lambda message: os.kill(message["pid"], signal.SIGKILL))
    assert caught.value.parameters["signal"] == "SIGKILL"


def test_memory_beyond_the_limit_is_its_own_error():
    with pytest.raises(EngineMemory) as caught:
        list(run("greedy", memory_limit=1024**3))
    assert caught.value.parameters["limit"] == 1024**3


def test_a_bad_exit_tells_what_the_engine_said():
    with pytest.raises(EngineCrashed, match="it went wrong") as caught:
        list(run("status"))
    assert caught.value.parameters["status"] == 3


def test_words_that_are_not_json_are_a_crash():
    with pytest.raises(EngineCrashed, match="this is not JSON"):
        list(run("babble"))


def test_a_line_without_end_is_a_crash():
    with pytest.raises(EngineCrashed, match="bytes"):
        list(run("endless_line"))


@pytest.mark.parametrize("mode", ["nested", "not_a_number"])
def test_json_that_no_engine_means_is_a_crash(mode):
    with pytest.raises(EngineCrashed, match="instead of a JSON object"):
        list(run(mode))


def test_a_flood_of_errors_blocks_nothing_and_its_end_is_kept():
    said: list[dict[str, bool]] = []
    with pytest.raises(EngineCrashed, match="the end") as caught:
        consume(run("errors_and_a_message"), said.append)
    assert said == [{"said": True}] * 2
    assert len(str(caught.value.parameters["detail"])) <= 2000


@pytest.mark.parametrize("mode", ["endless_errors", "endless_messages"])
def test_output_without_end_is_a_crash_and_takes_no_memory(mode, monkeypatch):
    monkeypatch.setattr(process, "_MOST_OUTPUT", 16 * 1024 * 1024)
    tracemalloc.start()
    try:
        with pytest.raises(EngineCrashed, match="the engine wrote more than 16777216 bytes"):
            consume(run(mode), lambda _: None)
        assert tracemalloc.get_traced_memory()[1] < 4 * 1024 * 1024
    finally:
        tracemalloc.stop()


def test_a_file_without_end_is_a_crash():
    with pytest.raises(EngineCrashed, match="File too large"):
        list(run("large_file"))


def test_half_a_line_is_no_message():
    assert list(run("half_line")) == []


@pytest.mark.skipif(sys.platform != "linux", reason="the kernel's parent-death signal is Linux")
def test_an_engine_dies_with_its_killed_parent():
    code = (
        "from scoring.engines.process import run_lines\n"
        f"for message in run_lines({MODULE!r}, ['hang'], {{}}, time_limit=60, memory_limit=2**31):\n"
        "    print(message['pid'], flush=True)\n"
    )
    parent = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, cwd=ROOT)
    assert parent.stdout is not None
    with parent, parent.stdout:
        pid = int(parent.stdout.readline())
        assert is_running(pid)
        parent.kill()
    assert wait_until_gone(pid)
