import sys

from django.core.management.base import BaseCommand

from deploy import testing


class Command(BaseCommand):
    help = "Run every test; arguments are passed to pytest."
    requires_system_checks = ()

    def run_from_argv(self, argv: list[str]) -> None:
        """All words are pytest's but two, so that no option of it needs to be repeated here."""
        if {"-h", "--help"} & set(argv[2:]):
            self.stdout.write(testing.HELP)
            return
        sys.exit(testing.run(argv[2:]))
