"""A second process reads the files ahead; what it makes of them is what the caller would have read."""

import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from scoring.engines import reading_ahead
from scoring.engines.conversion import read_bounded
from scoring.engines.reading_ahead import AHEAD, AHEAD_BYTES, read_ahead
from scoring.notation.ready import ReadyRecord, ready
from tests.scoring.records import short_match

ROWS = b"""\
  1)                              31: 8/5 6/5
  2) 42: 8/4 6/4                  65: 24/13
  3)                              Wins 1 point
"""
PIPE = 65536
FILES = [short_match("Ana", f"Player {number}") for number in range(5)]


def read_now(content: bytes) -> ReadyRecord:
    return ready(read_bounded(content))


def test_each_content_comes_with_its_record_but_the_first():
    found = list(read_ahead(FILES))
    assert [content for content, _ in found] == FILES
    assert [record for _, record in found] == [None, *map(read_now, FILES[1:])]


def test_what_cannot_be_read_or_opened_is_the_callers_and_the_others_go_on():
    contents = [FILES[0], b"nonsense", None, FILES[1]]
    found = list(read_ahead(contents))
    assert [content for content, _ in found] == contents
    assert [record for _, record in found] == [None, None, None, read_now(FILES[1])]


def test_one_file_and_none_start_no_process(monkeypatch):
    monkeypatch.setattr(reading_ahead, "_reader", None)
    assert list(read_ahead([])) == []
    assert list(read_ahead([FILES[0]])) == [(FILES[0], None)]


def held(files: list[bytes]) -> list[int]:
    """How many of the files were taken and not given back, each time that one came back."""
    taken: list[int] = []

    def contents() -> Iterator[bytes]:
        for number, content in enumerate(files):
            taken.append(number)
            yield content

    return [len(taken) - done for done, _ in enumerate(read_ahead(contents()), start=1)]


def test_a_few_contents_are_held_however_many_come():
    assert held(FILES * 4) == [AHEAD] * (20 - AHEAD) + list(reversed(range(AHEAD)))


def test_of_large_contents_only_the_next_is_held():
    large = FILES[0] + b" " * AHEAD_BYTES
    assert held([large] * 4) == [1, 1, 1, 0]


@pytest.mark.long
def test_contents_and_records_larger_than_a_pipe_do_not_stop_each_other():
    headed = b"\n Game %d\n Ana : 0                          Ben : %d\n%s"
    games = b"".join(headed % (number, number - 1, ROWS) for number in range(1, 100))
    files = [b" 0 point match\n" + games + b" " * 100_000] * (AHEAD + 2)
    found = [record for _, record in read_ahead(files)]
    assert found == [None, *[read_now(files[0])] * (AHEAD + 1)]
    assert found[1] is not None
    assert len(found[1].log.rows) > PIPE


def test_the_caller_reads_on_where_the_second_process_is_killed():
    records = []
    for number, (content, record) in enumerate(read_ahead(FILES * 4)):
        records.append(record or read_now(content or b""))
        if number == 1:
            os.kill(only_child(), signal.SIGKILL)
    assert records == list(map(read_now, FILES * 4))


def test_the_second_process_goes_when_the_caller_stops_half_way():
    reading = read_ahead(FILES)
    next(reading)
    child = only_child()
    reading.close()
    assert not Path(f"/proc/{child}").exists()


def only_child() -> int:
    """The pid of the one child of this process that reads ahead; a moment after its start it has no name."""
    children = Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children")
    end = time.monotonic() + 60
    found: list[str] = []
    while len(found) != 1 and time.monotonic() < end:
        pids = children.read_text().split()
        found = [pid for pid in pids if b"reading_ahead" in Path(f"/proc/{pid}/cmdline").read_bytes()]
    (pid,) = found
    return int(pid)
