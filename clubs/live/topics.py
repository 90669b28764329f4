"""Live pages: changes are published, and open pages that show them update.

A service calls ``publish(ref, version)`` in its transaction: PostgreSQL delivers the notification when, and
only when, the transaction commits. Each web process keeps one listening connection and passes versions on to
its open streams; nothing but ref and version is sent. A page that receives a newer version fetches its
content under its own access policy.

An app names the refs that it publishes with ``register``: a finder returns the ``Topic`` of a ref or None.
"""

import asyncio
import logging
from collections import defaultdict
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any
from weakref import WeakKeyDictionary

import psycopg
from django.contrib.auth.models import AnonymousUser
from django.contrib.sessions.backends.base import SessionBase
from django.core.exceptions import ObjectDoesNotExist
from django.db import connection
from django.db.models import Model

from clubs.models import User

CHANNEL = "midpoint_live"
# What psycopg's connect() understands of the parameters that Django keeps for its own connections.
_NOT_FOR_CONNECT = {"cursor_factory", "context", "pool", "prepare_threshold"}

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Topic:
    """A published row: its version, and who can follow it, by user or session."""

    version: int
    allows: Callable[[User | AnonymousUser], bool]
    admits: Callable[[SessionBase], bool] = lambda _session: False


Finder = Callable[[str], Topic | None]
_finders: list[Finder] = []


def register(finder: Finder) -> None:
    """Let pages follow the refs known to ``finder``; call it in ``AppConfig.ready``."""
    _finders.append(finder)


def find(ref: str) -> Topic | None:
    """The topic of a ref, or None; asks every registered finder in turn."""
    for finder in _finders:
        if topic := finder(ref):
            return topic
    return None


def publish(ref: str, version: int) -> None:
    """Publish a version of ``ref`` to open pages when the transaction commits."""
    with connection.cursor() as cursor:
        cursor.execute("select pg_notify(%s, %s)", [CHANNEL, f"{ref} {version}"])


def publish_next(model: type[Model], pk: int, unless: str = "", /, **columns: str | int | None) -> int:
    """Raise the version of a row and publish it; return the version.

    ``columns`` are written in the same statement. The row stays locked until the caller's transaction ends.
    Raises the model's DoesNotExist if there is no such row, or if it has a value in the column ``unless``.
    """
    quote = connection.ops.quote_name
    also = "".join(f", {quote(name)} = %s" for name in columns)
    only = f" AND {quote(unless)} IS NULL" if unless else ""
    statement = _NEXT.format(table=quote(model._meta.db_table), also=also, only=only)
    with connection.cursor() as cursor:
        cursor.execute(statement, [*columns.values(), pk, CHANNEL])
        row = cursor.fetchone()
    if row is None:
        missing: type[ObjectDoesNotExist] = model.DoesNotExist  # type: ignore[attr-defined]
        raise missing(f"{model.__name__} {pk} no longer exists")
    return int(row[0])


_NEXT = """
    WITH risen AS (UPDATE {table} SET version = version + 1{also} WHERE id = %s{only} RETURNING ref, version)
    SELECT version, pg_notify(%s, ref || ' ' || version) FROM risen
"""


class Subscription:
    """One stream's queue of one: the newest version, however many were missed."""

    def __init__(self) -> None:
        self._version = 0
        self._news = asyncio.Event()

    def push(self, version: int) -> None:
        self._version = max(self._version, version)
        self._news.set()

    async def news(self) -> int:
        """Wait for a version; 0 means some may have been missed, so read it again."""
        await self._news.wait()
        self._news.clear()
        version, self._version = self._version, 0
        return version


class Hub:
    """The one listening connection of an event loop, and the streams it feeds."""

    def __init__(self) -> None:
        self._subscriptions: dict[str, set[Subscription]] = defaultdict(set)
        self._listener: asyncio.Task[None] | None = None
        self._listening = asyncio.Event()

    @asynccontextmanager
    async def subscribe(self, ref: str) -> AsyncIterator[Subscription]:
        """Follow a ref; entered once notifications arrive.

        Read the current version after entering.
        """
        subscription = Subscription()
        self._subscriptions[ref].add(subscription)
        try:
            if self._listener is None or self._listener.done():
                self._listening.clear()
                self._listener = asyncio.create_task(self._listen(), name="live hub")
            await self._listening.wait()
            yield subscription
        finally:
            self._subscriptions[ref].discard(subscription)
            if not self._subscriptions[ref]:
                del self._subscriptions[ref]
            if not self._subscriptions:
                await self._stop()

    def __len__(self) -> int:
        return sum(map(len, self._subscriptions.values()))

    async def _stop(self) -> None:
        """Close the connection with the last stream: an idle process holds none."""
        listener, self._listener = self._listener, None
        # Repeated: psycopg waits with wait_for, which on 3.11 can swallow a cancellation.
        while listener is not None and not listener.done():
            listener.cancel()
            await asyncio.wait([listener], timeout=1)

    async def _listen(self) -> None:
        while True:
            try:
                async with await psycopg.AsyncConnection.connect(**_connect_parameters()) as listening:
                    await listening.execute(f"listen {CHANNEL}")
                    self._listening.set()
                    self._push_to_all(0)
                    async for notification in listening.notifies():
                        self._deliver(notification.payload)
            except (psycopg.Error, OSError) as error:
                self._listening.clear()
                logger.warning("live hub: database unavailable, retrying: %s", error)
                await asyncio.sleep(1)

    def _deliver(self, payload: str) -> None:
        ref, _, version = payload.partition(" ")
        for subscription in self._subscriptions.get(ref, ()):
            subscription.push(int(version))

    def _push_to_all(self, version: int) -> None:
        for subscriptions in self._subscriptions.values():
            for subscription in subscriptions:
                subscription.push(version)


_hubs: WeakKeyDictionary[asyncio.AbstractEventLoop, Hub] = WeakKeyDictionary()


def hub() -> Hub:
    """The hub of the running event loop: one per web process."""
    return _hubs.setdefault(asyncio.get_running_loop(), Hub())


def _connect_parameters() -> dict[str, Any]:
    parameters = connection.get_connection_params()
    return {
        **{name: value for name, value in parameters.items() if name not in _NOT_FOR_CONNECT},
        "autocommit": True,
        "keepalives_idle": 30,  # seconds: notice a database that vanished silently
        "application_name": "midpoint live hub",
    }
