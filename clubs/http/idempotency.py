"""Answering a repeated request with the answer that it got the first time.

The client names its request by a key of its own. Work and answer are stored in one transaction: either both
are there or, after a crash, neither, and the repetition does the work.
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
    """A request with the same key is being answered right now."""


@dataclass(frozen=True, slots=True)
class KeptAnswer:
    """What is given to the client: status, the body's text and the headers worth repeating."""

    status: int
    body: str
    headers: dict[str, str] = field(default_factory=dict)


class DoNotKeepError(Exception):
    """Raised inside ``work`` for an answer that is no lasting one (a fault of ours): nothing is kept."""

    def __init__(self, answer: KeptAnswer) -> None:
        super().__init__(answer.status)
        self.answer = answer


A = TypeVar("A", KeptAnswer, KeptAnswer | None)


def answer_once(
    *, user: User, key: str, fingerprint: str, work: Callable[[], A]
) -> tuple[A | KeptAnswer, bool]:
    """The answer to a request, and whether it is a repetition: then ``work`` was not called.

    Where ``work`` answers None its effects stay, and the next request is worked on again.
    ``fingerprint`` is the SHA-256 of all that makes the request, 64 hexadecimal digits.
    Raises KeyReusedError, KeyInUseError, and whatever ``work`` raises (then nothing is kept).
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
    """Delete the keys that have had their time; how many."""
    return IdempotencyKey.objects.filter(created_at__lte=now() - KEPT).delete()[0]


def _only_one(user: User, key: str) -> bool:
    """Take the key until the transaction ends; False when another transaction has it.

    An advisory lock, not the unique row: whoever comes second is told at once and holds no connection.
    """
    name = hashlib.sha256(f"idempotency {user.pk} {key}".encode()).digest()
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_xact_lock(%s)", [int.from_bytes(name[:8], "big", signed=True)])
        taken: bool = cursor.fetchone()[0]
    return taken
