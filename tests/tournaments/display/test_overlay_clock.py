"""The overlay's clocks run on, between two answers, to where the server will stop them."""

from datetime import UTC, datetime, timedelta
from random import Random

from scoring.models import ClockState
from scoring.sheets.services.clocks import stop
from tests.node import run_script

COUNTED = """
import { secondsLeft } from "./tournaments/static/tournaments/display/overlay_clock.js";
tell(given.map(({ dataset, now }) => secondsLeft(dataset, now)));
"""


def test_a_running_clock_shows_the_seconds_that_the_server_will_leave():
    rng = Random(3)
    now = datetime(2026, 5, 1, 20, tzinfo=UTC)
    asked, wanted = [], []
    for _ in range(200):
        since = now - timedelta(milliseconds=rng.randrange(90_000))
        delay = rng.choice((0, 8_000))
        row = ClockState(white_ms=rng.randrange(60_000), delay_ms=delay, running="white", since=since)
        dataset = {"ms": str(row.white_ms), "since": since.isoformat(), "delay": str(delay)}
        asked.append({"dataset": dataset, "now": now.timestamp() * 1000})
        stop(row, now)
        wanted.append(max(0, (row.white_ms + 500) // 1000))  # to the nearest second, none after the flag
    assert run_script(COUNTED, asked) == wanted
