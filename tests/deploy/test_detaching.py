"""What ``up --detach`` reads of the log of the site that it starts."""

from pathlib import Path

import pytest

from deploy import logs
from deploy.detaching import NewLines, is_up

GREETED = "Midpoint runs at http://127.0.0.1:8000/  (3.1 s; kill 71 stops it)"
LAST = "logs: /srv/var/log"


def test_whole_lines_are_read_once_and_what_stood_there_before_is_not(tmp_path: Path) -> None:
    log = tmp_path / "up.log"
    log.write_text("of yesterday\n")
    new_lines = NewLines(log)
    with log.open("a") as writer:
        writer.write("starting\nhal")
        writer.flush()
        assert new_lines() == ["starting"]
        writer.write("f\n")
        writer.flush()
        assert new_lines() == ["half"]
    assert new_lines() == []


def test_a_log_that_is_set_aside_or_taken_away_is_read_from_its_beginning(tmp_path: Path) -> None:
    """It was waited for without end: the log never grew as long again."""
    log = tmp_path / "up.log"
    log.write_text("a" * 100 + "\n")
    new_lines = NewLines(log)
    assert logs.rotate(log, largest=10)
    log.write_text("starting\n")
    assert new_lines() == ["starting"]
    log.unlink()
    assert new_lines() == []
    log.write_text("again\n")
    assert new_lines() == ["again"]


@pytest.mark.parametrize(
    ("lines", "up"),
    [
        ([GREETED, LAST], True),
        ([GREETED], False),
        ([LAST, GREETED], False),
        ([GREETED.replace("71", "710"), LAST], False),
        ([GREETED.replace("71", "9"), LAST, "Midpoint is already running"], False),
    ],
)
def test_the_words_of_another_site_are_no_start(lines: list[str], up: bool) -> None:
    """Of two at once the second read the first one's last line, and named its own dead process."""
    assert is_up(lines, 71) is up
