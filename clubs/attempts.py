"""Trying again what somebody else came between: the one way, with a bound."""

from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

from django.db import transaction

MOST_ATTEMPTS = 20

T = TypeVar("T")


class MovedError(Exception):
    """What was read before it was locked is another by now: an attempt raises it to be made again."""


class NeverSettledError(Exception):
    """Somebody else came between each time."""


def settled(attempt: Callable[[], T]) -> T:
    """What the attempt returns, made again while it raises MovedError, 20 times in all.

    Each attempt is a transaction of its own, or inside one a savepoint: one that is given up gives back what
    it wrote and locked. Raises NeverSettledError after the last attempt, with nothing written by any of them.
    """
    for _attempt in range(MOST_ATTEMPTS):
        with suppress(MovedError), transaction.atomic():
            return attempt()
    raise NeverSettledError(
        f"gave up after {MOST_ATTEMPTS} attempts, each crossed by another change: try again later"
    )
