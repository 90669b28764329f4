"""Plays many matches at once, each in one of a few processes of the engine.

Who plays a match never changes it: every match has dice of its own. A process that is interrupted takes its
unwritten matches with it, and they are played again.
"""

import os
import threading
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import closing
from dataclasses import asdict

from deploy.demo.playing import MatchPlan
from scoring.engines.errors import EngineCancelled
from scoring.engines.process import run_lines
from scoring.engines.protocol import DEFAULT_MEMORY_LIMIT
from scoring.rules.events import Event, event_from_plain

TIME_LIMIT = 1800.0
MOST_PROCESSES = 4

Progress = Callable[[int, int], None]


def play_all(
    plans: Mapping[int, MatchPlan], *, processes: int | None = None, on_progress: Progress | None = None
) -> dict[int, list[Event]]:
    """The events of each match by its number; the same ones for any number of processes.

    ``on_progress(done, total)`` is called from several threads, one at a time. Raises what
    ``scoring.engines.process.run_lines`` raises.
    """
    count = min(processes or os.cpu_count() or 1, MOST_PROCESSES, max(len(plans), 1))
    played: dict[int, list[Event]] = {}
    stop, lock = threading.Event(), threading.Lock()

    def work(numbers: list[int]) -> None:
        request = {"matches": [{"number": n, "plan": asdict(plans[n])} for n in numbers]}
        lines = run_lines(
            "deploy.demo",
            [],
            request,
            time_limit=TIME_LIMIT,
            memory_limit=DEFAULT_MEMORY_LIMIT,
            cancelled=stop.is_set,
        )
        with closing(lines):
            for line in lines:
                events = [event_from_plain(kind, body) for kind, body in line["events"]]
                with lock:
                    played[line["number"]] = events
                    if on_progress is not None:
                        on_progress(len(played), len(plans))

    numbers = sorted(plans)
    with ThreadPoolExecutor(count) as threads:
        tasks = [threads.submit(work, numbers[n::count]) for n in range(count)]
        try:
            wait(tasks, return_when="FIRST_EXCEPTION")
        finally:
            # Ctrl-C arrives here, in the main thread: the processes must not play on.
            if not all(task.done() and task.exception() is None for task in tasks):
                stop.set()
    for task in sorted(tasks, key=lambda task: isinstance(task.exception(), EngineCancelled)):
        task.result()  # raises why one stopped, before what that did to the others
    return played
