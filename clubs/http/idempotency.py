"""Repeated requests get the response of the first one.

The client identifies its request by a key. Work and response are stored in one transaction: either both are
there or, after a crash, neither, and the repeated request does the work.
"""

import hashlib
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from datetime import timedelta
from typing import TypeVar

from django.db import connection, transaction
from django.utils.timezone import now

from clubs.models import IdempotencyKey, User

KEPT = timedelta(hours=24)


class KeyReusedError(Exception):
    """The key was used for another request."""


class KeyInUseError(Exception):
    """A request with the same key is still in progress."""


@dataclass(frozen=True, slots=True)
class KeptAnswer:
    """A stored response: status, body text and the headers worth repeating."""

    status: int
    body: str
    headers: dict[str, str] = field(default_factory=dict)


class DoNotKeepError(Exception):
    """Raised inside ``work`` for a response that must not be stored, such as a 500."""

    def __init__(self, answer: KeptAnswer) -> None:
        super().__init__(answer.status)
        self.answer = answer


A = TypeVar("A", KeptAnswer, KeptAnswer | None)


def answer_once(
    *, user: User, key: str, fingerprint: str, work: Callable[[], A]
) -> tuple[A | KeptAnswer, bool]:
    """Return the response to a request and whether it is a repetition.

    For a repetition ``work`` is not called. Where ``work`` returns None its effects stay, and the next
    request is worked on again. ``fingerprint`` is the SHA-256 of everything that identifies the request, 64
    hexadecimal digits.

    Raises KeyReusedError, KeyInUseError, and anything ``work`` raises (then nothing is stored).
    """
    with transaction.atomic():
        if not _only_one(user, key):
            raise KeyInUseError
        kept = IdempotencyKey.objects.filter(user=user, key=key).first()
        if kept is not None and kept.created_at <= now() - KEPT:
            kept.delete()
            kept = None
        if kept is not None:
            if kept.body_sha != fingerprint:
                raise KeyReusedError
            return KeptAnswer(**(kept.response or {})), True
        answer = work()
        if answer is not None:
            IdempotencyKey.objects.create(
                user=user, key=key, body_sha=fingerprint, status_code=answer.status, response=asdict(answer)
            )
    return answer, False


def forget_old_keys() -> int:
    """Delete expired keys; return how many."""
    return IdempotencyKey.objects.filter(created_at__lte=now() - KEPT).delete()[0]


def _only_one(user: User, key: str) -> bool:
    """Lock the key until the transaction ends; False if another transaction holds it.

    An advisory lock instead of the unique row: the second request is told at once and holds no connection.
    """
    name = hashlib.sha256(f"idempotency {user.pk} {key}".encode()).digest()
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_xact_lock(%s)", [int.from_bytes(name[:8], "big", signed=True)])
        taken: bool = cursor.fetchone()[0]
    return taken
