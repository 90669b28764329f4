"""One migrated database for a run, of which each process of pytest copies its own.

Migrating takes about 4 seconds of processor, copying a tenth of one. ``manage.py test`` names the database if
the engine is the run's own, so that no later run finds it.
"""

import os
from typing import Any

from django.core.management import call_command
from django.db import connection

NAME = os.environ.get("MIDPOINT_TEST_TEMPLATE", "")
LOCK = 5701
"""Number of the advisory lock that the process holds that makes the database."""


def use() -> None:
    """Let Django copy the test database from the migrated one; the first process makes that."""
    if not NAME:
        return
    with connection._nodb_cursor() as cursor:
        cursor.execute("SELECT pg_advisory_lock(%s)", [LOCK])  # until this connection is closed
        cursor.execute("SELECT FROM pg_database WHERE datname = %s", [NAME])
        if cursor.fetchone() is None:
            _make(cursor)
    connection.settings_dict["TEST"]["TEMPLATE"] = NAME


def _make(cursor: Any) -> None:
    """Migrate a database that gets its name when it is whole."""
    unfinished, named = (connection.ops.quote_name(name) for name in (f"{NAME}_unfinished", NAME))
    cursor.execute(f"DROP DATABASE IF EXISTS {unfinished}")
    cursor.execute(f"CREATE DATABASE {unfinished}")
    usual = connection.settings_dict["NAME"]
    connection.close()
    connection.settings_dict["NAME"] = f"{NAME}_unfinished"
    try:
        call_command("migrate", verbosity=0, interactive=False, run_syncdb=True)
    finally:
        connection.close()
        connection.settings_dict["NAME"] = usual
    cursor.execute(f"ALTER DATABASE {unfinished} RENAME TO {named}")
