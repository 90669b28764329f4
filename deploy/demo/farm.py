"""Plays matches in parallel, each in one of a few engine processes.

The process does not affect a match: every match has dice of its own. Unwritten matches of an interrupted
process are played again.
"""

import os
import threading
from collections.abc import Callable, Generator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing
from dataclasses import asdict
from functools import partial

from deploy.demo.playing import MatchPlan
from scoring.engines.errors import EngineCancelled
from scoring.engines.process import run_lines
from scoring.engines.protocol import DEFAULT_MEMORY_LIMIT
from scoring.rules.events import Event, event_from_plain

TIME_LIMIT = 1800.0
MOST_PROCESSES = 4

Progress = Callable[[int, int], None]


def play(
    plans: Mapping[int, MatchPlan], *, processes: int | None = None, on_progress: Progress | None = None
) -> Generator[tuple[int, list[Event]], None, None]:
    """Yield each match's number and events, in order of number.

    The result does not depend on the number of processes. ``on_progress(done, total)`` is called from
    several threads, one at a time. Raises what ``scoring.engines.process.run_lines`` raises. Closing it ends
    the processes.
    """
    if not plans:
        return
    count = min(processes or os.cpu_count() or 1, MOST_PROCESSES, max(len(plans), 1))
    played: dict[int, list[Event]] = {}
    stop, news = threading.Event(), threading.Condition()
    finished = 0

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
                with news:
                    nonlocal finished
                    played[line["number"]] = events
                    finished += 1
                    if on_progress is not None:
                        on_progress(finished, len(plans))
                    news.notify()

    def there(number: int) -> bool:
        return number in played or _over(tasks)

    def ended(_task: Future[None]) -> None:
        with news:
            news.notify()

    numbers = sorted(plans)
    complete = False
    with ThreadPoolExecutor(count) as threads:
        tasks = [threads.submit(work, numbers[n::count]) for n in range(count)]
        try:
            for task in tasks:
                task.add_done_callback(ended)
            for number in numbers:
                with news:
                    news.wait_for(partial(there, number))
                    if number not in played:
                        break
                    events = played.pop(number)
                yield number, events
            else:
                # The processes end by themselves, a busy machine's later than their last match.
                complete = True
        finally:
            # Reached by Ctrl-C and by closing: stop the processes.
            if not complete:
                stop.set()
    for task in sorted(tasks, key=lambda task: isinstance(task.exception(), EngineCancelled)):
        task.result()  # raises why one stopped, before what that did to the others


def _over(tasks: Sequence[Future[None]]) -> bool:
    """Whether no more matches come: one has failed, or all are done."""
    return all(task.done() for task in tasks) or any(task.done() and task.exception() for task in tasks)
