"""Two (or more) at once, each on its own database connection."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

from django.db import connection


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
