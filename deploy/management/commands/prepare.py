from argparse import ArgumentParser
from multiprocessing import get_context
from typing import Any

from django.core.management import CommandError, call_command, get_commands
from django.core.management.base import BaseCommand
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from deploy.garbage import collect_rarely
from deploy.preparing import WHEN_TOLD, wait_to_be_told


class Command(BaseCommand):
    help = (
        "Bring the database up to date and print the first-start page's path, if one is needed (part of up)."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--static", action="store_true", help="collect the static files meanwhile")
        parser.add_argument(
            WHEN_TOLD, action="store_true", help="touch the database after a line on standard input"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        # Forked: Django is loaded once, and the files are packed by the other processor.
        collecting = get_context("fork").Process(target=collect, daemon=True) if options["static"] else None
        if collecting is not None:
            collecting.start()
        collect_rarely()
        if options["when_told"]:
            wait_to_be_told()
        executor = MigrationExecutor(connection)
        if executor.migration_plan(executor.loader.graph.leaf_nodes()):
            call_command("migrate", interactive=False, verbosity=0)
        if "setup_url" in get_commands():
            call_command("setup_url", stdout=self.stdout)
        if collecting is not None:
            collecting.join()
            if collecting.exitcode:
                raise CommandError(f"the static files were not collected (exit code {collecting.exitcode})")


def collect() -> None:
    call_command("collectstatic", interactive=False, verbosity=0)
