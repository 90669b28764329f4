"""``manage.py analysis_agreement``: how near an engine comes to the analysis in match files."""

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from scoring.engines.agreement import Agreement, agreement, distance
from scoring.engines.errors import EngineError
from scoring.engines.presets import PRESET_NAMES
from scoring.engines.registry import ENGINES
from scoring.rules.errors import ScoringError


class Command(BaseCommand):
    help = (
        "Analyse the matches of files that bring an analysis (.xg) and print how far the error rates (PR) "
        "are from the file's own, and what that cost. Nothing is stored. "
        "Exit status 1 if a file cannot be compared; the others are."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("files", nargs="+", metavar="FILE", type=Path)
        parser.add_argument("--engine", choices=sorted(ENGINES), default=settings.ANALYSIS_ENGINE)
        parser.add_argument("--preset", choices=PRESET_NAMES, default=settings.ANALYSIS_PRESET)
        parser.add_argument(
            "--json", action="store_true", help="print one JSON object a file, then one in sum, one a line"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        found: list[Agreement] = []
        failed = 0
        for file in options["files"]:
            try:
                one = agreement(file.read_bytes(), engine=options["engine"], preset=options["preset"])
            except (OSError, ScoringError, EngineError) as error:
                failed += 1
                self._say({"file": str(file), "error": str(error)}, as_json=options["json"])
            else:
                found.append(one)
                self._say({"file": str(file), **_plain(one)}, as_json=options["json"])
        total = {"files": len(found), "failed": failed, **_rounded(distance(found))}
        self._say(total, as_json=options["json"])
        if failed:
            raise CommandError(f"{failed} of {failed + len(found)} files could not be compared.")

    def _say(self, told: dict[str, Any], *, as_json: bool) -> None:
        if as_json:
            self.stdout.write(json.dumps(told))
            return
        if "error" in told:
            self.stdout.write(f"{told['file']}: {told['error']}")
            return
        for player in told.get("players", []):
            self.stdout.write(
                f"{told['file']}: {player['player']}: {_shown(player['file'])} in the file, "
                f"{_shown(player['engine'])} here, over {player['counted']} decisions"
            )
        named = told.get("file", f"{told.get('files')} files")
        self.stdout.write(
            f"{named}: distance {_shown(told['distance'])}, bias {_shown(told['bias'])}, "
            f"{_shown(told['cpu_s'])} CPU seconds a match"
        )


def _plain(one: Agreement) -> dict[str, Any]:
    players = [
        {
            "player": rating.player,
            "file": _round(rating.file),
            "engine": _round(rating.engine),
            "own": _round(rating.own),
            "counted": rating.counted,
        }
        for rating in one.ratings
    ]
    return {"label": one.label, "players": players, **_rounded(distance([one]))}


def _rounded(values: Any) -> dict[str, Any]:
    return {name: _round(value) for name, value in values.items()}


def _round(value: Any) -> Any:
    return round(value, 3) if isinstance(value, float) else value


def _shown(value: float | None) -> str:
    return "none" if value is None else f"{value:.2f}"
