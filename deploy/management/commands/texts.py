import json
import sys
from argparse import ArgumentParser
from dataclasses import asdict
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand

from deploy.wording import reading
from deploy.wording.rules import findings


class Command(BaseCommand):
    help = "List every text that a reader meets with its place, or with --check what breaks a rule."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "paths", nargs="*", type=Path, help="files or folders; all of Midpoint by default"
        )
        parser.add_argument(
            "--check", action="store_true", help="list what breaks a rule, and fail if anything does"
        )
        parser.add_argument("--json", action="store_true", help="print one JSON object per line")

    def handle(self, *args: Any, **options: Any) -> None:
        texts = reading.texts(tuple(path.resolve() for path in options["paths"]))
        if options["check"]:
            found = sorted(findings(texts))
            rows = [asdict(one) for one in found]
            lines = [*map(str, found), f"{len(texts)} texts, {len(found)} against the rules"]
        else:
            rows = [asdict(text) | {"path": str(text.path)} for text in texts]
            lines = [f"{text.place}\t{text.kind}\t{text.words}" for text in texts]
        for line in map(json.dumps, rows) if options["json"] else lines:
            self.stdout.write(line)
        if options["check"] and rows:
            sys.exit(1)
