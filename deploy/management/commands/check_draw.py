"""``manage.py check_draw FILE``: verify every pairing of an archive."""

import json
import sys
from argparse import ArgumentParser
from dataclasses import asdict
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from tournaments.core.play.sections import PlayedSections
from tournaments.core.proof.check import Verdict, check_text


class Command(BaseCommand):
    help = "Verify draws and events from their JSON archives; exit code 1 if one is rejected."
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("files", nargs="+", metavar="FILE", help="an archive, or - for standard input")
        parser.add_argument("--json", action="store_true", help="print one JSON object per file")

    def handle(self, *args: Any, **options: Any) -> None:
        rejected = 0
        for name in options["files"]:
            verdict = check_text(self._read(name))
            rejected += not verdict.accepted
            if options["json"]:
                self.stdout.write(json.dumps(_as_json(name, verdict)))
            else:
                self._print(name, verdict)
        if rejected:
            raise CommandError(f"{rejected} of {len(options['files'])} rejected", returncode=1)

    def _read(self, name: str) -> str:
        try:
            return sys.stdin.read() if name == "-" else Path(name).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise CommandError(f"{name} cannot be read: {error}", returncode=2) from error

    def _print(self, name: str, verdict: Verdict) -> None:
        self.stdout.write(f"{name}: {'accepted' if verdict.accepted else 'rejected'}")
        for stage, found in verdict.sections.items():
            self.stdout.write(
                f"  {stage}{': ' if stage else ''}smallest section {found.smallest} entrants, "
                f"at most {found.most_byes} byes of one entrant, "
                f"{found.prizes_without_a_win:.1%} of prizes without a win"
            )
        for finding in verdict.findings:
            self.stdout.write(f"  {finding.severity} {finding.code}: {finding.message}")


def _as_json(name: str, verdict: Verdict) -> dict[str, object]:
    return {
        "file": name,
        "accepted": verdict.accepted,
        "findings": [
            {"severity": f.severity, "code": f.code, "message": f.message} for f in verdict.findings
        ],
        "stages": {name: _figures(sections) for name, sections in verdict.sections.items()},
    }


def _figures(found: PlayedSections) -> dict[str, object]:
    """The figures of a stage, named as those of ``simulate_event``."""
    return {
        "prizes_without_a_win": found.prizes_without_a_win,
        "smallest_section": found.smallest,
        "most_byes": found.most_byes,
        "not_drawn": list(found.not_drawn),
        "sections": [asdict(each) for each in found.sections],
    }
