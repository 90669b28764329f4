"""``manage.py analyse``: the analysis of a match file, or of a match of this site."""

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any, NamedTuple

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from scoring.codec import to_plain
from scoring.engines.errors import EngineError
from scoring.engines.questions import request_for
from scoring.engines.registry import ENGINES, analyse, default_engine
from scoring.engines.requests import AnalysisRequest, AnalysisResult
from scoring.log.queries.sheets import events_of
from scoring.models import Match
from scoring.notation.formats import read_match
from scoring.rules.errors import ScoringError
from scoring.rules.sides import Side
from scoring.theory.performance import Performance, biggest_errors, by_side


class _Asked(NamedTuple):
    """What is analysed, and the names of the players."""

    request: AnalysisRequest
    names: dict[Side, str]


class Command(BaseCommand):
    help = (
        "Analyse a match and print both players' error rates (PR) and luck, then each error of 0.02 or more, "
        "the biggest first. Nothing is stored. A file can be .mat, .txt, .xg, .sgf, .bgf or OGXM."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "match", metavar="FILE|REF", help="a match file, or the ref of a match of this site"
        )
        parser.add_argument(
            "--engine",
            choices=sorted(ENGINES),
            default=settings.ANALYSIS_ENGINE,
            help="default: ANALYSIS_ENGINE; without it gnubg where it is installed, else gammonview",
        )
        parser.add_argument(
            "--preset",
            metavar="PRESET",
            default=settings.ANALYSIS_PRESET,
            help="how deep to look, e.g. fast or deep; default: ANALYSIS_PRESET",
        )
        parser.add_argument(
            "--json", action="store_true", help="print one JSON object with every decision and its candidates"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        named, preset = options["match"], options["preset"]
        try:
            asked = _from_file(Path(named), preset) if Path(named).is_file() else _from_site(named, preset)
            result = analyse(asked.request, engine=default_engine(options["engine"]))
        except (OSError, ScoringError, EngineError) as error:
            raise CommandError(f"{named}: {error}") from error
        if options["json"]:
            self.stdout.write(json.dumps(_plain(named, asked, result), ensure_ascii=False))
            return
        for line in _lines(asked, result):
            self.stdout.write(line)


def _from_file(path: Path, preset: str) -> _Asked:
    record = read_match(path.read_bytes())
    return _Asked(request_for(record.events, preset=preset), dict(zip(Side, record.players, strict=True)))


def _from_site(ref: str, preset: str) -> _Asked:
    match = Match.objects.with_players().select_related("sheet").filter(ref=ref).first()
    if match is None:
        raise CommandError(f"There is no file {ref!r}, and no match with that ref.")
    if match.in_chouette:
        raise CommandError(f"{ref} is a game of a chouette: its analysis is on its page.")
    log = events_of(match.sheet)
    refs = [str(numbered.seq) for numbered in log]
    request = request_for([numbered.event for numbered in log], preset=preset, refs=refs)
    return _Asked(request, {Side.WHITE: match.white.name, Side.BLACK: match.black.name})


def _plain(named: str, asked: _Asked, result: AnalysisResult) -> dict[str, Any]:
    players = [
        {
            "player": asked.names[side],
            "pr": sums.pr,
            "checker_pr": sums.checker_pr,
            "cube_pr": sums.cube_pr,
            "counted": sums.counted,
            "luck": sums.luck,
        }
        for side, sums in _in_order(result)
    ]
    return {
        "match": named,
        "label": str(result.label),
        "cpu_s": result.cpu_seconds,
        "players": players,
        "left_out": list(asked.request.left_out),
        "decisions": [to_plain(decision) for decision in result.decisions],
    }


def _lines(asked: _Asked, result: AnalysisResult) -> list[str]:
    lines = [f"{result.label}, {result.cpu_seconds:.1f} CPU seconds"]
    for side, sums in _in_order(result):
        rate = "no PR" if sums.pr is None else f"PR {sums.pr:.2f}"
        lines.append(f"{asked.names[side]}: {rate} over {sums.counted} decisions, luck {sums.luck:+.3f}")
    for error in biggest_errors(result.decisions):
        best = error.best.action if error.best else ""
        lines.append(
            f"game {error.game}, entry {error.ply}, {asked.names[error.side]}: "
            f"{error.played}, best {best}, loses {error.error or 0.0:.3f}"
        )
    return lines


def _in_order(result: AnalysisResult) -> list[tuple[Side, Performance]]:
    sums = by_side(result.decisions)
    return [(side, sums[side]) for side in Side]
