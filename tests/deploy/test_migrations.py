"""The squashed migrations make the tables that those make which they replace, in whatever order they came."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

from tests.migrating import migrate_to, migrate_to_newest

SQUASHED = {
    "clubs": "0008_demo_progress",
    "scoring": "0013_list_indexes",
    "tournaments": "0017_came_in_file",
}
CATALOGUE = {
    "columns": """
        SELECT c.relname, row_number() OVER (PARTITION BY c.oid ORDER BY a.attnum), a.attname,
            format_type(a.atttypid, a.atttypmod), a.attnotnull, a.attidentity, a.attgenerated,
            pg_get_expr(d.adbin, d.adrelid), collname, a.attstorage
        FROM pg_class c
        JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
        LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
        LEFT JOIN pg_collation o ON o.oid = a.attcollation
        WHERE c.relkind = 'r' AND c.relnamespace = current_schema()::regnamespace
    """,
    "constraints": """
        SELECT conrelid::regclass::text, conname, contype, pg_get_constraintdef(oid), convalidated
        FROM pg_constraint WHERE connamespace = current_schema()::regnamespace
    """,
    "indexes": """
        SELECT indexname, replace(indexdef, schemaname || '.', '')
        FROM pg_indexes WHERE schemaname = current_schema()
    """,
    "sequences": """
        SELECT sequencename, data_type::text, start_value, min_value, max_value, increment_by, cycle
        FROM pg_sequences WHERE schemaname = current_schema()
    """,
    "triggers": """
        SELECT tgname, replace(pg_get_triggerdef(t.oid), current_schema() || '.', ''), tgenabled
        FROM pg_trigger t JOIN pg_class c ON c.oid = tgrelid
        WHERE NOT tgisinternal AND relnamespace = current_schema()::regnamespace
    """,
    "functions": """
        SELECT proname, replace(pg_get_functiondef(oid), current_schema() || '.', '')
        FROM pg_proc WHERE pronamespace = current_schema()::regnamespace
    """,
    "comments": """
        SELECT objoid::regclass::text, objsubid, description FROM pg_description
        JOIN pg_class c ON c.oid = objoid WHERE relnamespace = current_schema()::regnamespace
    """,
}


@contextmanager
def empty_schema(name: str) -> Iterator[None]:
    """A schema in the place of the tests' own tables, until the test ends."""
    with connection.cursor() as cursor:
        cursor.execute(f"CREATE SCHEMA {name}")
        cursor.execute(f"SET LOCAL search_path = {name}")
        yield
        cursor.execute("SET LOCAL search_path = DEFAULT")


def catalogue() -> dict[str, list[tuple[object, ...]]]:
    with connection.cursor() as cursor:
        found = {}
        for kind, query in CATALOGUE.items():
            cursor.execute(query)
            found[kind] = sorted(cursor.fetchall(), key=repr)
        return found


def applied() -> set[tuple[str, str]]:
    return set(MigrationRecorder(connection).applied_migrations())


@pytest.fixture
def fresh(db) -> dict[str, list[tuple[object, ...]]]:
    """What the migrations make of an empty database."""
    with empty_schema("fresh"):
        migrate_to_newest()
        made = catalogue()
    assert [len(made[kind]) for kind in ("triggers", "functions")] == [1, 1]
    return made


def test_an_installed_database_becomes_the_same_as_a_fresh_one(fresh):
    with empty_schema("installed"):
        migrate_to(*SQUASHED.items())
        executor = MigrationExecutor(connection)
        leaves = executor.loader.graph.leaf_nodes()
        again = [migration.name for migration, _ in executor.migration_plan(leaves) if migration.replaces]
        executor.migrate(leaves)
        installed = catalogue()
        recorded = {app for app, name in applied() if "_squashed_" in name}
    assert again == []
    assert recorded == set(SQUASHED)
    for kind, rows in fresh.items():
        assert installed[kind] == rows, kind


def test_a_database_half_way_through_what_was_squashed_goes_the_rest_of_the_way(fresh):
    with empty_schema("half"):
        migrate_to(("clubs", "0006_trust"), ("scoring", "0010_trust"))
        migrate_to_newest()
        assert catalogue() == fresh


def test_every_migration_that_was_squashed_is_still_here():
    """An installation of any age, and a backup of any age, begins with one of them."""
    loader = MigrationLoader(None)
    for app, last in SQUASHED.items():
        (key,) = [key for key in loader.replacements if key[0] == app]
        old = {name for name in loader.disk_migrations if name[0] == app and name[1] <= last}
        assert set(loader.replacements[key].replaces) == old - {key}
