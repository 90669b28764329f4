"""Locks in one order: a test fails in which a transaction locks rows of tables against it.

The order is the table of docs/engineers/architecture.md. Watched is what ``SELECT ... FOR [NO KEY] UPDATE``
locks. Some rows never make anybody wait and may come at any time: one that the transaction holds already, one
that it has made, one behind a sheet that it holds, and one that is passed over while somebody else has it
(``SKIP LOCKED``, ``NOWAIT``). What was locked inside a savepoint is free again when that is rolled back.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from django.apps import apps
from django.db import transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.signals import connection_created

WORK = "work rows"
THE_DEMO = "clubs_demoprogress"
"""A step that fills the demo is many acts in one transaction: it locks in any order what comes after this."""
ORDER = (
    THE_DEMO,
    "scoring_helper",
    WORK,
    "clubs_setuptoken",
    "clubs_user",
    "tournaments_calendarkey",
    "tournaments_pushaddress",
    "tournaments_flight",
    "tournaments_entrant",
    "clubs_club",
    "scoring_alias",
    "clubs_player",
    "clubs_merge",
    "clubs_membership",
    "clubs_person",
    "clubs_invitation",
    "scoring_clubprofile",
    "scoring_houserules",
    "tournaments_listcolumns",
    "scoring_sheet",
    "scoring_chouette",
    "scoring_match",
    "scoring_result",
    "scoring_fileanalysis",
    "scoring_seat",
    "tournaments_stage",
    "tournaments_pairing",
    "tournaments_event",
    "scoring_ratinglist",
)
"""The tables of the database from the first to the last that a transaction locks."""

BEHIND = {
    "scoring_chouette": ("sheet_id", "scoring_sheet"),
    "scoring_match": ("sheet_id", "scoring_sheet"),
    "scoring_result": ("match_id", "scoring_match"),
}
"""Rows that nobody else can lock while the transaction holds the row that this column names."""

OURS = ("clubs_", "scoring_", "tournaments_")
_LOCKS = re.compile(
    r"\bFOR (?:NO KEY )?UPDATE\b(?: OF (?P<of>[\w\"]+(?:, ?[\w\"]+)*))?(?P<no_wait> SKIP| NOWAIT)?"
)
_TABLE = re.compile(
    r'\b(?:FROM|JOIN) "?(?P<table>\w+)"?'
    r'(?: (?:AS )?"?(?!(?:INNER|LEFT|RIGHT|CROSS|JOIN|WHERE|ORDER|GROUP|LIMIT|ON|FOR)\b)(?P<alias>\w+)"?)?'
)
_MADE = re.compile(r'INSERT INTO "(?P<table>\w+)".* RETURNING ', re.DOTALL)
_COLUMNS = """
    SELECT pg_class.oid::bigint, attnum, relname, attname
    FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid
    WHERE relkind = 'r' AND relname ~ '^(clubs|scoring|tournaments)_'
        AND attname IN ('id', 'sheet_id', 'match_id')
"""

Row = tuple[str, int | None]
Keys = Mapping[tuple[str, str], Sequence[int]]


class LockOrderError(AssertionError):
    """A transaction locks a table that comes before one of which it holds rows."""


@dataclass
class Locks:
    """What the transaction of a connection holds: rows that it has locked, one after the other, each with
    whether anybody may wait for it alone, and rows that it made.

    ``owner`` is its outermost block; the one that a test is wrapped in does not count.
    """

    owner: object = None
    held: list[tuple[Row, bool]] = field(default_factory=list)
    made: set[Row] = field(default_factory=set)
    marks: dict[str, int] = field(default_factory=dict)
    columns: dict[tuple[int, int], tuple[str, str]] = field(default_factory=dict)
    tables: set[int] = field(default_factory=set)

    def of(self, owner: object) -> "Locks":
        """The same, emptied where this is another transaction."""
        if owner is not self.owner:
            self.owner = owner
            self.held.clear()
            self.made.clear()
            self.marks.clear()
        return self


@contextmanager
def undone() -> Iterator[None]:
    """Roll back what happens in this block of the test's own. Transactions in it count by themselves."""
    block: Any = transaction.atomic()
    block._from_testcase = True
    with block:
        yield
        transaction.set_rollback(True)


def install() -> None:
    """Watch every connection to the database from now on."""
    connection_created.connect(_watch, dispatch_uid="lock order")


def _watch(connection: BaseDatabaseWrapper, **_signal: Any) -> None:
    if _checked not in connection.execute_wrappers:
        connection.execute_wrappers.append(_checked)


def _checked(execute: Callable[..., Any], sql: Any, params: Any, many: bool, context: dict[str, Any]) -> Any:
    if not isinstance(sql, str):
        return execute(sql, params, many, context)
    connection = context["connection"]
    locks: Locks = connection.__dict__.setdefault("_lock_order", Locks())
    if " FOR " in sql and (said := _LOCKS.search(sql)):
        found = execute(sql, params, many, context)
        _lock(locks.of(_owner(connection)), connection, sql, said, context["cursor"].cursor.pgresult)
        return found
    if sql.startswith("INSERT INTO ") and (made := _MADE.match(sql)) and _has_place(made["table"]):
        found = execute(sql, params, many, context)
        keys = _keys(locks, connection, context["cursor"].cursor.pgresult)
        rows = keys.get((made["table"], "id"), ())
        locks.of(_owner(connection)).made |= {(made["table"], key) for key in rows}
        return found
    if sql.startswith("SAVEPOINT "):
        locks.of(_owner(connection)).marks[sql.split()[-1]] = len(locks.held)
    elif sql.startswith("ROLLBACK TO SAVEPOINT "):
        del locks.held[locks.marks.get(sql.split()[-1], 0) :]
    elif not connection.in_atomic_block:
        locks.of(None)
    return execute(sql, params, many, context)


def _owner(connection: BaseDatabaseWrapper) -> object:
    """The outermost block of the transaction that is not the test's own."""
    blocks: Sequence[Any] = connection.atomic_blocks
    return next((block for block in blocks if not block._from_testcase), None)


def _lock(locks: Locks, connection: BaseDatabaseWrapper, sql: str, said: re.Match[str], result: Any) -> None:
    """Note what the statement has locked. Raises LockOrderError for what comes too late."""
    if result is None or (result.nfields and not result.ntuples):
        return
    if any(row[0] == THE_DEMO for row, _alone in locks.held):
        return
    keys = _keys(locks, connection, result)
    for table in sorted(_tables(sql, said), key=_rank):
        rows: list[Row] = (
            [(table, key) for key in keys[table, "id"]] if (table, "id") in keys else [(table, None)]
        )
        fresh = [row for row in rows if not _is_free(locks, row, keys)]
        last = max((held[0] for held, alone in locks.held if alone), key=_rank, default=table)
        if fresh and _rank(table) < _rank(last) and not said["no_wait"]:
            raise LockOrderError(
                f"{table} is locked after {last}, and comes before it in docs/engineers/architecture.md:"
                f" {sql}"
            )
        locks.held += [(row, row in fresh) for row in rows]


def _is_free(locks: Locks, row: Row, keys: Keys) -> bool:
    """Whether locking the row cannot make anybody wait: it is the transaction's already."""
    table, key = row
    known = {*(held for held, _alone in locks.held), *locks.made}
    if row in known:
        return True
    if key is None:
        return any(held[0] == table for held in known)
    if table not in BEHIND:
        return False
    column, before = BEHIND[table]
    owners = keys.get((table, column), ())
    return bool(owners) and all((before, owner) in known for owner in owners)


def _tables(sql: str, said: re.Match[str]) -> set[str]:
    """The tables of ours of which the statement locks rows."""
    named = {found["alias"] or found["table"]: found["table"] for found in _TABLE.finditer(sql)}
    if said["of"]:
        tables = {named[each.strip().strip('"')] for each in said["of"].split(",")}
    else:
        tables = set(named.values())
    return {table for table in tables if table.startswith(OURS)}


@cache
def _is_work(table: str) -> bool:
    models = {model._meta.db_table: model for model in apps.get_models()}
    return hasattr(models.get(table), "MAX_ATTEMPTS")  # a subclass of Work, which settings cannot import


def _has_place(table: str) -> bool:
    return table in ORDER or _is_work(table)


def _rank(table: str) -> int:
    """The place of a table in the order. Raises LockOrderError for a table that has none."""
    if _is_work(table):
        return ORDER.index(WORK)
    if table not in ORDER:
        raise LockOrderError(f"{table} has no place in the order of locks: docs/engineers/architecture.md")
    return ORDER.index(table)


def _keys(locks: Locks, connection: BaseDatabaseWrapper, result: Any) -> Keys:
    """The keys in a result by table and column, as far as it has them."""
    places = [(result.ftable(n), result.ftablecol(n)) for n in range(result.nfields)]
    if any(place[0] and place[0] not in locks.tables for place in places):
        with connection.connection.cursor() as cursor:
            cursor.execute(_COLUMNS)
            locks.columns.update({(table, n): (name, column) for table, n, name, column in cursor})
            locks.tables.update(table for table, _number in locks.columns)
    found: dict[tuple[str, str], list[int]] = {}
    for number, place in enumerate(places):
        if (name := locks.columns.get(place)) and name not in found:
            values = (result.get_value(row, number) for row in range(result.ntuples))
            found[name] = [int(value) for value in values if value is not None]
    return found
