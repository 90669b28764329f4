from typing import Any

from django.core.management import call_command, get_commands
from django.core.management.base import BaseCommand
from django.db import connection
from django.db.migrations.executor import MigrationExecutor


class Command(BaseCommand):
    help = (
        "Bring the database up to date and print the first-start page's path, if one is needed (part of up)."
    )
    requires_system_checks = ()

    def handle(self, *args: Any, **options: Any) -> None:
        executor = MigrationExecutor(connection)
        if executor.migration_plan(executor.loader.graph.leaf_nodes()):
            call_command("migrate", interactive=False, verbosity=0)
        if "setup_url" in get_commands():
            call_command("setup_url", stdout=self.stdout)
