"""``manage.py sum_up_play``: the sums of play of matches that were analysed before there were any."""

from typing import Any

from django.core.management.base import BaseCommand

from scoring.analysis.services.play_sums import files_without_sums, sum_up_all, without_sums

TOLD_EVERY = 500


class Command(BaseCommand):
    help = (
        "Add up the decisions of analysed matches for the Play pages. Needs no engine, is safe while "
        "Midpoint runs, and continues where it was stopped."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        total, done = without_sums().count() + files_without_sums().count(), 0
        for done, _ref in enumerate(sum_up_all(), start=1):
            if done % TOLD_EVERY == 0:
                self.stdout.write(f"{done} of {total} analyses")
        self.stdout.write(f"{done} analyses added up.")
