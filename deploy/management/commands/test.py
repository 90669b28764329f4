import sys

from django.core.management.base import BaseCommand

from deploy.testing.run import run


class Command(BaseCommand):
    help = "Run the tests; arguments are passed to pytest."
    requires_system_checks = ()

    def run_from_argv(self, argv: list[str]) -> None:
        """Pass unknown arguments to pytest, so that none is repeated here."""
        sys.exit(run(argv[2:]))
