"""Waiting for what another process or thread does."""

import time
from collections.abc import Callable


def until(condition: Callable[[], object], patience: float = 180) -> None:
    """Return when the condition holds; an AssertionError if it does not within so many seconds."""
    end = time.monotonic() + patience
    while not condition():
        assert time.monotonic() < end, "it did not come about"
        time.sleep(0.05)
