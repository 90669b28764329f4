"""Tables dropped, created as of some migrations, filled without foreign keys."""

from collections.abc import Collection, Iterator
from contextlib import contextmanager

from django.db import connection
from django.db.backends.utils import CursorWrapper

from deploy.backup.tables import as_of

_FOREIGN_KEYS = """
    SELECT conrelid::regclass::text, quote_ident(conname), pg_get_constraintdef(oid)
    FROM pg_constraint
    WHERE contype = 'f' AND conparentid = 0 AND conrelid::regclass::text = ANY(%s)
    ORDER BY 1, 2
"""
_FUNCTIONS = """
    SELECT DISTINCT tgfoid::regprocedure::text FROM pg_trigger
    WHERE NOT tgisinternal AND tgrelid::regclass::text = ANY(%s)
"""


def drop(cursor: CursorWrapper, tables: Collection[str]) -> None:
    """Drop tables and their trigger functions."""
    cursor.execute(_FUNCTIONS, [list(tables)])
    functions = [name for (name,) in cursor.fetchall()]
    for name in sorted(tables):
        cursor.execute(f'DROP TABLE IF EXISTS "{name}" CASCADE')
    for name in functions:
        cursor.execute(f"DROP FUNCTION {name}")


def create_as_of(migrations: dict[str, list[str]]) -> None:
    """Create the tables of exactly these migrations in an empty database."""
    executor, targets = as_of(connection, migrations)
    executor.migrate(targets)


@contextmanager
def without_foreign_keys(cursor: CursorWrapper, tables: Collection[str]) -> Iterator[None]:
    """Check foreign keys once, at the end of the block.

    A deferred check per row would cost PostgreSQL memory per row. Raises IntegrityError.
    """
    cursor.execute(_FOREIGN_KEYS, [list(tables)])
    foreign_keys = cursor.fetchall()
    for table, name, _definition in foreign_keys:
        cursor.execute(f"ALTER TABLE {table} DROP CONSTRAINT {name}")
    yield
    cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")  # the triggers of our own
    for table, name, definition in foreign_keys:
        cursor.execute(f"ALTER TABLE {table} ADD CONSTRAINT {name} {definition}")
