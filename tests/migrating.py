"""The test database, taken to migrations that were squashed since and back to the newest ones."""

from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from deploy.backup.tables import as_of


def migrate_to(*targets: tuple[str, str]) -> MigrationExecutor:
    """Migrate by the migrations that a squashed one replaces; the executor, which knows them."""
    executor, _ = as_of(connection, {})
    executor.migrate(list(targets))
    return executor


def migrate_to_newest() -> None:
    executor = MigrationExecutor(connection)
    executor.migrate(executor.loader.graph.leaf_nodes())
