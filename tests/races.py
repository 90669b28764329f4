"""Two (or more) at once, each on its own database connection."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier, Event
from time import monotonic, sleep
from typing import Any

from django.db import connection, transaction


def at_once(*actions: Callable[[], Any]) -> list[Any]:
    """Start the actions together; what each returned, or the exception that it raised.

    The test needs ``@pytest.mark.django_db(transaction=True)``.
    """
    barrier = Barrier(len(actions))

    def run(action: Callable[[], Any]) -> Any:
        barrier.wait(10)
        try:
            return action()
        except Exception as error:  # noqa: BLE001 - the outcome of the race is what is tested
            return error
        finally:
            connection.close()

    with ThreadPoolExecutor(len(actions)) as pool:
        return list(pool.map(run, actions))


def in_between(first: Callable[[], Any], second: Callable[[], Any]) -> list[Any]:
    """The second begins when the first has done everything and not yet committed; the first commits once the
    second waits for it, or is over. What each returned, or the exception that it raised.
    """
    done, over = Event(), Event()

    def begin() -> Any:
        try:
            with transaction.atomic():
                found = first()
                done.set()
                until_somebody_waits(over)
                return found
        finally:
            done.set()

    def follow() -> Any:
        done.wait(10)
        try:
            return second()
        finally:
            over.set()

    return at_once(begin, follow)


def until_somebody_waits(over: Event) -> None:
    """Wait until another connection waits for a lock of this one, or is over.

    ``pg_locks`` shows this moment; within a transaction ``pg_stat_activity`` keeps showing the first look.
    """
    ends = monotonic() + 10
    while not over.is_set() and monotonic() < ends:
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT count(*) FROM pg_locks"
                " WHERE NOT granted AND pg_backend_pid() = ANY(pg_blocking_pids(pid))"
            )
            if cursor.fetchone()[0]:
                return
        sleep(0.01)
