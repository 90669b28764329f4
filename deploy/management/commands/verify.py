import json
import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from deploy import verification


class Command(BaseCommand):
    help = "Run every static check in production mode; one line per check, then the findings."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--json", action="store_true", help="print one JSON object instead of lines")

    def handle(self, *args: Any, **options: Any) -> None:
        outcomes = []
        for outcome in verification.outcomes():
            outcomes.append(outcome)
            if not options["json"]:
                self.stdout.write(outcome.line)
                self.stdout.flush()
        failed = [outcome for outcome in outcomes if not outcome.ok]
        if options["json"]:
            self.stdout.write(as_json(outcomes))
        else:
            for outcome in failed:
                self.stdout.write(
                    "\n".join(["", f"{outcome.name}:", *(f"  {line}" for line in outcome.details)])
                )
            self.stdout.write(f"{len(outcomes) - len(failed)} checks passed, {len(failed)} failed")
        if failed:
            sys.exit(1)


def as_json(outcomes: list[verification.CheckResult]) -> str:
    """``{"ok", "checks": [{"name", "ok", "seconds", "details"}]}``."""
    checks = [
        {"name": one.name, "ok": one.ok, "seconds": round(one.seconds, 2), "details": one.details}
        for one in outcomes
    ]
    return json.dumps({"ok": all(one.ok for one in outcomes), "checks": checks}, indent=1)
