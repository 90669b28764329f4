import json
import sys
from argparse import ArgumentParser
from collections.abc import Callable
from dataclasses import asdict
from time import monotonic
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import transaction

from clubs.models import Club
from deploy.demo.clearing import clear_demo
from deploy.demo.club import logins
from deploy.demo.making import DemoBusyError, DemoReport, alone, make_demo
from deploy.demo.plan import Size
from scoring.engines.errors import EngineError

EVERY = 5.0  # seconds between two lines of progress where no terminal overwrites them


class Command(BaseCommand):
    help = "Create a demo club of invented players with a year of matches; --clear removes it."

    def add_arguments(self, parser: ArgumentParser) -> None:
        default = Size()
        parser.add_argument("--seed", type=int, default=1, help="the same seed makes the same matches (1)")
        parser.add_argument("--members", type=int, default=default.members, help="members (%(default)s)")
        parser.add_argument("--matches", type=int, default=default.matches, help="matches (%(default)s)")
        parser.add_argument(
            "--analysed", type=int, default=default.analysed, help="matches analysed at once (%(default)s)"
        )
        parser.add_argument("--clear", action="store_true", help="remove the demo and nothing else")
        parser.add_argument(
            "--wait", action="store_true", help="wait until another process has finished creating it"
        )
        parser.add_argument("--json", action="store_true", help="print one JSON object")
        parser.add_argument(
            "--in-production",
            action="store_true",
            help="allow it on an installation that is served over HTTPS",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        self.quiet = bool(options["json"])
        try:
            if options["clear"]:
                self._clear()
            else:
                self._make(options)
        except (DemoBusyError, EngineError, ValueError) as error:
            raise CommandError(str(error)) from None

    def _make(self, options: dict[str, Any]) -> None:
        if settings.HTTPS and not options["in_production"]:
            raise CommandError(
                "this installation is served over HTTPS, so it is probably a real one: invented matches "
                "would appear beside real ones. To do it anyway: manage.py demo --in-production"
            )
        size = Size(options["members"], options["matches"], options["analysed"])
        report = make_demo(
            seed=options["seed"],
            size=size,
            say=self._say,
            progress=self._progress,
            founded=self._show,
            patient=options["wait"],
        )
        if self.quiet:
            self.stdout.write(json.dumps(as_json(report), ensure_ascii=False))
        else:
            self._tell(report)

    def _clear(self) -> None:
        with alone(), transaction.atomic():
            clubs = [club.name for club in Club.objects.filter(is_demo=True)]
            gone = clear_demo()
        if self.quiet:
            self.stdout.write(json.dumps({"clubs": clubs, "deleted": gone}, ensure_ascii=False))
        elif not clubs:
            self.stdout.write("There is no demo club.")
        else:
            rows = sum(gone.values())
            self.stdout.write(f"Removed {', '.join(clubs)}: {rows} rows. Nothing else was touched.")

    def _show(self, club: Club) -> None:
        """Print where the club is and how to sign in."""
        if self.quiet:
            return
        lines = [f"Demo club: {settings.PUBLIC_URL}{club.get_absolute_url()}"]
        lines.append("Sign in (these passwords exist on this installation only):")
        lines += [f"  as its {login.role:8} {login.email:24} {login.password}" for login in logins()]
        lines.append("Remove it: manage.py demo --clear")
        self._say("\n".join(lines))

    def _tell(self, report: DemoReport) -> None:
        words = f"The demo club is complete: {report.members} members, {report.matches} matches"
        if report.spearman is not None:
            words += f"; ratings follow strength with {report.spearman:.2f} (Spearman)"
        self.stdout.write(f"{words} ({report.seconds:.0f} s)")

    def _say(self, text: str) -> None:
        if not self.quiet:
            self.stdout.write(text)
            self.stdout.flush()

    def _progress(self, words: str) -> Callable[[int, int], None]:
        last = monotonic()

        def progress(done: int, total: int) -> None:
            nonlocal last
            live = sys.stdout.isatty()
            if self.quiet or (not live and done < total and monotonic() - last < EVERY):
                return
            last = monotonic()
            end = "\r" if live and done < total else "\n"
            self.stdout.write(f"  {done} of {total} {words}", ending=end)
            self.stdout.flush()

        return progress


def as_json(report: DemoReport) -> dict[str, Any]:
    """The output of ``--json``."""
    return {
        "club": report.club.slug,
        "url": f"{settings.PUBLIC_URL}{report.club.get_absolute_url()}",
        "made_now": report.made_now,
        "members": report.members,
        "matches": report.matches,
        "analysed": report.analysed,
        "spearman": report.spearman,
        "seconds": round(report.seconds, 1),
        "logins": [asdict(login) for login in logins()],
    }
