"""Empties the tables that a test has written to, instead of all of them.

Django truncates every table after each test that commits, and then makes content types and permissions again:
about half a second a test. Here one statement finds the tables that hold rows, and these alone are emptied.
"""

from django.apps import apps
from django.core.management import call_command
from django.db import connection, transaction
from django.test import TransactionTestCase

# Written by `migrate` and by its signal; no test changes them.
KEPT = frozenset({"django_migrations", "django_content_type", "auth_permission"})


def install() -> None:
    """Let tests that commit end this way."""
    setattr(TransactionTestCase, "_fixture_teardown", lambda _self: empty_tables())  # noqa: B010 - not typed


def empty_tables() -> None:
    """Delete every row of every table but those in ``KEPT``.

    Foreign keys and triggers are off meanwhile, which only a superuser may ask for; for anybody else Django's
    own way does the same, slower.
    """
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SELECT rolsuper FROM pg_roles WHERE rolname = current_user")
        if cursor.fetchone() == (True,):
            cursor.execute("SET LOCAL session_replication_role = replica")
            for table in tables_with_rows():
                cursor.execute(f"DELETE FROM {connection.ops.quote_name(table)}")
            return
    call_command("flush", verbosity=0, interactive=False, allow_cascade=False, inhibit_post_migrate=False)


def tables_with_rows() -> list[str]:
    """The names of the tables that are not empty, apart from ``KEPT``."""
    names = {model._meta.db_table for model in apps.get_models(include_auto_created=True)} - KEPT
    found = [f"(SELECT '{name}' FROM {connection.ops.quote_name(name)} LIMIT 1)" for name in sorted(names)]
    with connection.cursor() as cursor:
        cursor.execute(" UNION ALL ".join(found))
        return [name for (name,) in cursor.fetchall()]
