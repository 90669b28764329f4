"""``manage.py import_match``: import, validate and rate match files."""

import json
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from itertools import islice
from pathlib import Path
from typing import Any, TypeVar

from django.core.management.base import BaseCommand, CommandError

from clubs.models import Club
from clubs.work import services as work
from scoring.analysis.queries.analyses import performance_of
from scoring.analysis.services.analyses import request_analysis, run_analysis
from scoring.engines.reading_ahead import read_ahead
from scoring.files.services.imports import ImportReport, ReadFile, club_for_imports, import_files, read_file
from scoring.models import Analysis, Match, RatingUpdate
from scoring.ratings.services.ratings import update_list

TOGETHER = 10
"""Files per transaction, which waits for the disk once."""

Found = TypeVar("Found")


class Command(BaseCommand):
    help = (
        "Import match files (.mat, .txt, .xg, .sgf, .bgf, OGXM). Each file is stored whole or not at all. A "
        "file that cannot be read is reported and skipped. Exit status 1 if any file failed."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
        parser.add_argument(
            "--club", default="", metavar="SLUG", help="default: the only club, else “imports”"
        )
        parser.add_argument(
            "--analyse", action="store_true", help="analyse each match and wait for the results"
        )
        parser.add_argument(
            "--json", action="store_true", help="print one JSON object per file, each on a line"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            club = club_for_imports(options["club"])
        except Club.DoesNotExist:
            raise CommandError(
                f"There is no club {options['club']!r}; --club takes the slug of one."
            ) from None
        failed = 0
        # A match must be stored before it is analysed.
        for group in in_groups(read_files(options["files"]), 1 if options["analyse"] else TOGETHER):
            for match, report in import_group(club, group):
                failed += report.error is not None
                line = asdict(report)
                if match is not None and options["analyse"]:
                    line["analysis"] = analyse_now(match)
                self.stdout.write(json.dumps(line, ensure_ascii=False) if options["json"] else in_words(line))
        rate_waiting()
        if failed:
            raise CommandError(f"{failed} of {len(options['files'])} files could not be imported.")


def read_files(paths: Sequence[Path]) -> Iterator[ReadFile | ImportReport]:
    """Each file with its record, or a report if it cannot be opened."""
    contents = read_ahead(map(content_of, paths))
    for path, (ahead, record) in zip(paths, contents, strict=True):
        # A file name that is not UTF-8 can be opened, but neither printed nor stored.
        name = str(path).encode(errors="replace").decode()
        try:
            content = path.read_bytes() if ahead is None else ahead
        except OSError as error:
            problem = {"code": "unreadable", "message": f"{name}: {error.strerror}", "line": None}
            yield ImportReport(file=name, error=problem)
        else:
            yield ReadFile(name, content, record or read_file(content))


def in_groups(files: Iterator[Found], most: int) -> Iterator[list[Found]]:
    """The files in groups of at most ``most``, in order."""
    while group := list(islice(files, most)):
        yield group


def import_group(
    club: Club, group: Sequence[ReadFile | ImportReport]
) -> Iterator[tuple[Match | None, ImportReport]]:
    """Store the readable files in one transaction; yields each result in order."""
    opened = [file for file in group if isinstance(file, ReadFile)]
    stored = iter(import_files(club=club, files=opened, final=True))
    for file in group:
        yield next(stored) if isinstance(file, ReadFile) else (None, file)


def content_of(path: Path) -> bytes | None:
    """The file's content; None if it cannot be opened, which the import reports."""
    try:
        return path.read_bytes()
    except OSError:
        return None


def rate_waiting() -> None:
    """Update the ratings once for all files, as a worker would."""
    while update := work.claim(RatingUpdate):
        update_list(update)


def analyse_now(match: Match) -> dict[str, Any] | None:
    """Analyse a match in a child process; None for a match without plays."""
    analysis = request_analysis(match=match)
    if analysis is None:
        return None
    if claimed := work.claim(Analysis, ref=analysis.ref):
        analysis = run_analysis(claimed)
    if analysis.summary is None:
        return {"status": analysis.status, "error": analysis.error}
    pr = [performance_of(analysis.summary, colour).pr for colour in ("white", "black")]
    return {"status": analysis.status, "label": analysis.label, "pr": pr}


def in_words(line: dict[str, Any]) -> str:
    """A report in words."""
    if line["error"]:
        return f"{line['file']}: {line['error']['message']}"
    white, black = line["players"]
    state = f"won by {line['winner']}" if line["winner"] else "finished" if line["finished"] else "unfinished"
    score = "-".join(map(str, line["score"]))
    state += ", already here" if line["known"] else ""
    words = f"{line['file']}: {white} – {black}, {line['length']} points, {score}, {state} ({line['match']})"
    flags = "".join(f"\n  {flag}" for flag in line["flags"])
    analysis = line.get("analysis")
    return words + flags + (f"\n  {analysis}" if analysis else "")
