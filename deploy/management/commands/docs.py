import shutil
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from deploy import docs_check


class Command(BaseCommand):
    help = "Build the docs as a site, without a network; a warning is an error."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--output", type=Path, metavar="DIR", help="where to (default: var/docs)")

    def handle(self, *args: Any, **options: Any) -> None:
        output: Path = (options["output"] or settings.VAR / "docs").resolve()
        if output.exists():
            if any(output.iterdir()) and not (output / "objects.inv").exists():
                raise CommandError(f"{output} has files but is not a site of the docs; name another folder")
            shutil.rmtree(output)
        if warnings := docs_check.build(output):
            shutil.rmtree(output, ignore_errors=True)
            raise CommandError("\n".join(["the docs have mistakes:", *warnings]))
        self.stdout.write(f"The docs are in {output}: open {output / 'index.html'}")
