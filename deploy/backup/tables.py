"""Tables as rows of text, read and written by COPY, alike in every PostgreSQL.

The rows of a table come in the order of its primary key, their columns by name, values in one notation on
every server. Two tables with the same digest are therefore the same, wherever they are.
"""

import re
from collections.abc import Collection, Generator, Iterable
from dataclasses import dataclass
from typing import Any

from django.apps import apps
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.utils import CursorWrapper
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.recorder import MigrationRecorder

from deploy.backup.archive import PIECE
from deploy.known_migrations import applied_in, unknown_among

_NAME = re.compile(r"[a-z_][a-z0-9_]{0,62}")
_NOTATION = (
    "SET LOCAL timezone = 'UTC'",
    "SET LOCAL datestyle = 'ISO, YMD'",
    "SET LOCAL intervalstyle = 'postgres'",
    "SET LOCAL bytea_output = 'hex'",
    "SET LOCAL extra_float_digits = 1",
    # A server's limits are for pages.
    "SET LOCAL statement_timeout = 0",
    "SET LOCAL idle_in_transaction_session_timeout = 0",
)
_COLUMNS = """
    SELECT c.relname, a.attname, coalesce(a.attnum = ANY(i.indkey), false), t.typcategory = 'S'
    FROM pg_class c
    JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
    JOIN pg_type t ON t.oid = a.atttypid
    LEFT JOIN pg_index i ON i.indrelid = c.oid AND i.indisprimary
    WHERE c.relkind = 'r' AND c.relnamespace = current_schema()::regnamespace
    ORDER BY c.relname, a.attname
"""
_SEQUENCES = """
    SELECT c.relname, a.attname, s.oid::regclass::text
    FROM pg_class c
    JOIN pg_depend d ON d.refobjid = c.oid AND d.refclassid = 'pg_class'::regclass AND d.deptype IN ('a', 'i')
        AND d.classid = 'pg_class'::regclass
    JOIN pg_class s ON s.oid = d.objid AND s.relkind = 'S'
    JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = d.refobjsubid
    WHERE c.relnamespace = current_schema()::regnamespace
    ORDER BY c.relname, a.attname
"""


@dataclass(frozen=True, slots=True)
class SavedTable:
    """A table with its columns by name, and the order of its rows as SQL."""

    name: str
    columns: tuple[str, ...]
    order: str

    @property
    def quoted_columns(self) -> str:
        return ", ".join(f'"{column}"' for column in self.columns)


@dataclass(frozen=True, slots=True)
class State:
    """The migrations applied to a database, and those that this code lacks."""

    applied: dict[str, list[str]]
    unknown: tuple[str, ...]
    missing: tuple[str, ...]
    executor: MigrationExecutor


def state_of(connection: BaseDatabaseWrapper) -> State:
    executor = MigrationExecutor(connection)
    applied = applied_in(connection)
    plan = executor.migration_plan(executor.loader.graph.leaf_nodes())
    missing = tuple(f"{migration.app_label}.{migration.name}" for migration, _backwards in plan)
    return State(applied, unknown_among(executor, applied), missing, executor)


def as_of(
    connection: BaseDatabaseWrapper, applied: dict[str, list[str]]
) -> tuple[MigrationExecutor, list[tuple[str, str]]]:
    """An executor, and the targets that lead to exactly these migrations."""
    executor = MigrationExecutor(connection)
    graph = executor.loader.graph
    nodes = {(app, name) for app in applied for name in applied[app]} & set(graph.nodes)
    return executor, sorted(
        node
        for node in nodes
        if not {child.key for child in graph.node_map[node].children if child.key[0] == node[0]} & nodes
    )


def our_tables(state: State) -> set[str]:
    """The names of the tables created by the applied migrations."""
    registry = apps if not state.missing else _as_migrated(state)
    models = registry.get_models(include_auto_created=True)
    return {model._meta.db_table for model in models if model._meta.managed} | {
        MigrationRecorder.Migration._meta.db_table
    }


def _as_migrated(state: State) -> Any:
    executor, targets = as_of(state.executor.connection, state.applied)
    return executor.loader.project_state(targets).apps


def one_notation(cursor: CursorWrapper) -> None:
    """Set one notation of values until the transaction ends."""
    for statement in _NOTATION:
        cursor.execute(statement)


def tables_in(cursor: CursorWrapper) -> dict[str, SavedTable]:
    """All tables of the schema."""
    cursor.execute(_COLUMNS)
    columns: dict[str, list[str]] = {}
    keys: dict[str, list[str]] = {}
    for table, column, is_key, is_text in cursor.fetchall():
        columns.setdefault(table, []).append(column)
        if is_key:
            collate = ' COLLATE "C"' if is_text else ""
            keys.setdefault(table, []).append(f'"{column}"{collate}')
    return {
        name: SavedTable(name, tuple(names), ", ".join(keys.get(name) or [f'"{column}"' for column in names]))
        for name, names in columns.items()
    }


def rows_of(cursor: CursorWrapper, table: SavedTable) -> Generator[bytes]:
    """Yield the rows in pieces of about ``PIECE`` bytes."""
    query = f'SELECT {table.quoted_columns} FROM "{table.name}" ORDER BY {table.order}'  # noqa: S608 - names
    waiting = bytearray()
    with cursor.copy(f"COPY ({query}) TO STDOUT") as copy:
        for row in copy:
            waiting += row
            if len(waiting) >= PIECE:
                yield bytes(waiting)
                waiting.clear()
    yield bytes(waiting)


def write_rows(cursor: CursorWrapper, table: SavedTable, pieces: Iterable[bytes]) -> int:
    """Append rows; how many there were."""
    with cursor.copy(f'COPY "{table.name}" ({table.quoted_columns}) FROM STDIN') as copy:
        for piece in pieces:
            copy.write(piece)
    return int(cursor.rowcount)


def sequences_in(cursor: CursorWrapper, names: Collection[str]) -> dict[str, tuple[int, bool]]:
    """How far the numbering of each column of these tables is, by ``table.column``."""
    cursor.execute(_SEQUENCES)
    found = [row for row in cursor.fetchall() if row[0] in names]
    numbers = {}
    for table, column, sequence in found:
        cursor.execute(f"SELECT last_value, is_called FROM {sequence}")  # noqa: S608 - the catalogue's name
        numbers[f"{table}.{column}"] = cursor.fetchone()
    return numbers


def number_on(cursor: CursorWrapper, sequences: dict[str, tuple[int, bool]]) -> None:
    """Let the numbering of each column go on from where it was."""
    for column, (value, is_called) in sequences.items():
        table, _, name = column.partition(".")
        cursor.execute(
            "SELECT setval(pg_get_serial_sequence(%s, %s), %s, %s)", [f'"{table}"', name, value, is_called]
        )


def is_a_name(text: object) -> bool:
    """Whether a manifest may call a table or a column so."""
    return isinstance(text, str) and _NAME.fullmatch(text) is not None
