from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from deploy.embedded import EngineError
from deploy.installation import Address, Installation, UpError


class Command(BaseCommand):
    help = "Run this installation: engines where none are named, web, workers and beat, until Ctrl-C."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--port", type=int, default=8000, help="the web's TCP port (8000); 0 takes a free one"
        )
        parser.add_argument(
            "--bind", default="127.0.0.1", help="the address to listen on; 0.0.0.0 is everywhere"
        )
        parser.add_argument("--demo", action="store_true", help="make the demo club first, once")

    def handle(self, *args: Any, **options: Any) -> None:
        if not 0 <= options["port"] < 65536:
            raise CommandError(
                f"--port {options['port']} is not a TCP port: choose one from 1 to 65535, or 0 for any"
            )
        try:
            Installation(Address(options["bind"], options["port"]), demo=options["demo"]).run()
        except (UpError, EngineError) as error:
            raise CommandError(str(error)) from None
