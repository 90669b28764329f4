import os
import pkgutil
import subprocess
import sys
from argparse import ArgumentParser
from importlib import import_module
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from deploy import attach, benches


class Command(BaseCommand):
    help = (
        "Run the benchmarks and print one JSON object per figure: name, value, unit, peer, peer_value, "
        "ratio, target, whether it holds, size."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name", nargs="?", help="the bench to run; default: all")
        parser.add_argument("--list", action="store_true", help="list the benches and exit")
        parser.add_argument(
            "--in-this-process", action="store_true", help="measure on the configured engines"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        known = sorted(module.name for module in pkgutil.iter_modules(benches.__path__))
        if options["list"]:
            self.stdout.write("\n".join(known))
            return
        name = options["name"]
        if name is not None and name not in known:
            raise CommandError(f"there is no bench {name!r}; choose one of {', '.join(known)}")
        if options["in_this_process"]:
            for figure in import_module(f"deploy.benches.{name}").run():
                self.stdout.write(figure.as_json())
                self.stdout.flush()
            return
        failed = [one for one in ([name] if name else known) if not measured(one)]
        if failed:
            raise CommandError(f"these benches failed: {', '.join(failed)}")


def measured(name: str) -> bool:
    """Run one bench in its own process, on fresh engines if it needs them."""
    module = import_module(f"deploy.benches.{name}")
    manage = [sys.executable, "manage.py"]
    if not getattr(module, "ENGINES", False):
        return subprocess.run([*manage, "bench", name, "--in-this-process"], check=False).returncode == 0
    with attach.throwaway_engines() as variables:
        environment = os.environ | variables
        subprocess.run([*manage, "migrate", "--no-input", "-v0"], env=environment, check=True)
        words = [*manage, "bench", name, "--in-this-process"]
        return subprocess.run(words, env=environment, check=False).returncode == 0
