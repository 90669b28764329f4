from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from deploy import up


class Command(BaseCommand):
    """Lists the command; ``manage.py`` runs ``up`` before loading Django."""

    help = up.HELP
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        up.add_arguments(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        up.serve(bind=options["bind"], port=options["port"], demo=options["demo"], detached=options["detach"])
