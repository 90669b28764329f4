"""``manage.py recount_decisions``: stored analyses are counted again by the present rule."""

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from scoring.analysis.services.recounts import recount_all, waiting
from scoring.models.analysis import current_counting

TOLD_EVERY = 500


class Command(BaseCommand):
    help = (
        "Count the decisions of all analyses, and of those in match files, again by the present rule. "
        "Needs no engine, is safe while Midpoint runs, and continues where it was stopped."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--json", action="store_true", help="print one JSON object per analysis, then the sums"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        counting, total = current_counting(), waiting()
        analyses = decisions = changed = 0
        for done in recount_all():
            analyses += 1
            decisions += done.decisions
            changed += done.changed
            if options["json"]:
                line = {"analysis": done.ref, "decisions": done.decisions, "changed": done.changed}
                self.stdout.write(json.dumps(line))
            elif analyses % TOLD_EVERY == 0:
                self.stdout.write(f"{analyses} of {total} analyses")
        if options["json"]:
            sums = {"analyses": analyses, "decisions": decisions, "changed": changed, "counting": counting}
            self.stdout.write(json.dumps(sums))
        else:
            self.stdout.write(
                f"{analyses} analyses with {decisions} decisions counted by {counting}; {changed} changed."
            )
