"""``manage.py analysis_worker``: analyse matches here for a site that runs on another machine."""

import os
import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor

from deploy.known_migrations import require_known

NEEDED = ("DATABASE_URL", "BROKER_URL")


class Command(BaseCommand):
    help = (
        "Analyse matches on this machine for a site that runs elsewhere, until Ctrl-C. DATABASE_URL and "
        "BROKER_URL must be those of the site, and this checkout must have its version."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--processes", type=int, default=os.cpu_count() or 1, help="analyses at once (all processors)"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        if unset := [name for name in NEEDED if not os.environ.get(name)]:
            raise CommandError(f"Set {' and '.join(unset)} to the values of the site.")
        if options["processes"] < 1:
            raise CommandError(f"--processes {options['processes']} is too few: choose 1 or more.")
        try:
            _require_same_version()
        except DatabaseError as error:
            raise CommandError(f"The site's database does not answer: {error}") from error
        finally:
            connection.close()
        words = ["-A", "deploy.celery_app", "worker", "-n", "analysis@%h", "-Q", "estimates,analysis"]
        words += ["-c", str(options["processes"]), "-l", os.environ.get("LOG_LEVEL") or "INFO"]
        words += ["--without-gossip", "--without-mingle"]
        environment = os.environ | {"CELERY_SKIP_CHECKS": "yes"}
        os.execve(sys.executable, [sys.executable, "-m", "celery", *words], environment)  # noqa: S606 - no shell


def _require_same_version() -> None:
    """Raise CommandError unless the database has exactly the migrations of this code."""
    executor = MigrationExecutor(connection)
    require_known(executor)
    if executor.migration_plan(executor.loader.graph.leaf_nodes()):
        raise CommandError("This checkout is newer than the site: upgrade the site first.")
