"""Bounded retries after concurrent changes."""

from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

from django.db import transaction

MOST_ATTEMPTS = 20

T = TypeVar("T")


class MovedError(Exception):
    """Data read before its lock has changed; raised to retry an attempt."""


class NeverSettledError(Exception):
    """Every attempt met a concurrent change."""


def settled(attempt: Callable[[], T]) -> T:
    """Run the attempt, again while it raises MovedError, at most 20 times.

    Each attempt is a transaction, or a savepoint inside one: an abandoned attempt rolls back its writes and
    releases its locks. Raises NeverSettledError after the last attempt, with nothing written by any of them.
    """
    for _attempt in range(MOST_ATTEMPTS):
        with suppress(MovedError), transaction.atomic():
            return attempt()
    raise NeverSettledError(
        f"gave up after {MOST_ATTEMPTS} attempts, each crossed by another change: try again later"
    )
