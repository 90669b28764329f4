"""Whether this code knows a database's migrations; unknown ones stop it."""

from collections.abc import Iterable, Mapping
from typing import Any

from django.core.management import CommandError
from django.db import DEFAULT_DB_ALIAS, connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.recorder import MigrationRecorder

OUR_APPS = ("clubs", "scoring", "tournaments")
FIRST_KEPT = (0, 2)
"""The first version whose databases later versions can migrate."""


def unknown_among(executor: MigrationExecutor, applied: Mapping[str, Iterable[str]]) -> tuple[str, ...]:
    """The migrations that this code lacks, as ``app.name``."""
    known = set(executor.loader.disk_migrations)
    return tuple(f"{app}.{name}" for app in applied for name in applied[app] if (app, name) not in known)


def is_from_before(version: str) -> bool:
    """Whether a version is older than the first with kept migrations.

    >>> is_from_before("0.1.0"), is_from_before("0.2.0"), is_from_before("7.1")
    (True, False, False)
    """
    return tuple(int(part) for part in version.split(".")[:2] if part.isdigit()) < FIRST_KEPT


def applied_in(connection: BaseDatabaseWrapper) -> dict[str, list[str]]:
    """The names of a database's applied migrations, in order, by app."""
    applied: dict[str, list[str]] = {}
    for app, name in sorted(MigrationRecorder(connection).applied_migrations()):
        applied.setdefault(app, []).append(name)
    return applied


def refuse_unknown(*, using: str = DEFAULT_DB_ALIAS, **_signal: Any) -> None:
    """Signal receiver of ``require_known`` before any migration."""
    require_known(MigrationExecutor(connections[using]))


def require_known(executor: MigrationExecutor) -> None:
    """Raise CommandError if the database has migrations that this code lacks."""
    applied = applied_in(executor.connection)
    if unknown := unknown_among(executor, {app: applied.get(app, []) for app in OUR_APPS}):
        raise CommandError(
            f"the database has {', '.join(unknown)}, which this Midpoint does not know: it was made by a "
            "newer version, or before 0.2.0. Run the version that made it, or start with an empty database"
        )
