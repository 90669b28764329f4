"""The chain from file to rating on real files.

Imports per second, and the cost of an analysed match beside the engine called directly. Each file is
analysed twice in a row, by us (the engine in a separate process, every decision stored) and by
``gvanalysis.analyze_file`` in a fresh process with the same preset, one job and one thread. The preset is
the site's (``ANALYSIS_PRESET``); a file that the engine itself cannot read, or a record without a decision,
is left out on both sides and counted in the size.

A thousand files are made from the real ones, with other players and days, and go through one run of
``import_match``, which rates them at its end: it must be as fast at the last file as at the first, and use
indexes on growing tables.
"""

import json
import os
import random
import re
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from io import StringIO
from pathlib import Path

from django.conf import settings
from django.core.management import call_command
from django.db import connection

from clubs.models import Club, WorkStatus
from clubs.work import services as work
from deploy.figures import Figure
from scoring.analysis.services.analyses import request_analysis, run_analysis
from scoring.files.services.imports import import_file
from scoring.models import Analysis, Match

ENGINES = True
ROUNDS = 5
MANY = 1000
AT_EACH_SIDE = 40  # players among whom the files are shared out, for each side

# Run by the peer's process: the engine on one file, as its documentation calls it.
DIRECTLY = """
import sys
from gvanalysis import analyze_file
analyze_file(sys.argv[1], preset=sys.argv[2], jobs=1, threads=1)
"""


def run() -> Iterator[Figure]:
    """Import the fourteen readable records, then analyse each beside the engine."""
    files = match_files()
    yield imports_per_second(files)
    yield from thousand_imports(files)
    ours = [0.0, 0.0]
    direct = [0.0, 0.0]
    analysed = left_out = 0
    for path in files:
        seconds = analysed_by_us(path)
        peer = analysed_directly(path) if seconds else None
        if seconds is None or peer is None:
            left_out += 1
            continue
        analysed += 1
        ours = [a + b for a, b in zip(ours, seconds, strict=True)]
        direct = [a + b for a, b in zip(direct, peer, strict=True)]
    size = f"{analysed} matches at {settings.ANALYSIS_PRESET}, {left_out} left out"
    peer_name = "gvanalysis.analyze_file"
    yield Figure("chain_wall_s", ours[0], "s", size=size, peer=peer_name, peer_value=direct[0])
    yield Figure("chain_cpu_s", ours[1], "CPU s", size=size, peer=peer_name, peer_value=direct[1])


def match_files() -> list[Path]:
    """The real records beside the project, without the format the peer cannot read.

    Raises FileNotFoundError where they are absent: there is nothing else to measure this with.
    """
    folder = settings.BASE_DIR.parent / "shared" / "data" / "matches"
    files = sorted(path for path in folder.glob("*") if path.suffix != ".sgf")
    if not files:
        raise FileNotFoundError(f"{folder} has no match files: this bench measures real records")
    return files


def imports_per_second(files: list[Path]) -> Figure:
    """Files per second, stored with players, log and result; best round."""
    best = 0.0
    contents = [(path.name, path.read_bytes()) for path in files]
    for number in range(ROUNDS):
        club = Club.objects.create(slug=f"bench-{number}", name=f"Bench {number}")
        began = time.perf_counter()
        for name, content in contents:
            _, report = import_file(club=club, filename=name, content=content, final=True)
            if report.error is not None:
                raise RuntimeError(f"{name}: {report.error['message']}")
        best = max(best, len(contents) / (time.perf_counter() - began))
    return Figure("imports_per_s", best, "matches/s", size=f"{len(contents)} files", higher_is_better=True)


class Clocked(StringIO):
    """Output of the command, with time and process size at each line."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[tuple[float, float]] = []

    def write(self, text: str) -> int:
        self.lines.append((time.perf_counter(), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024))
        return super().write(text)


def thousand_imports(files: list[Path]) -> Iterator[Figure]:
    """Files per second overall and in the first and last tenth, and memory growth."""
    club = Club.objects.create(slug="bench-many", name="Bench many")
    printed = Clocked()
    with tempfile.TemporaryDirectory() as folder:
        made = made_files([path for path in files if path.suffix in {".txt", ".mat"}], Path(folder))
        began, cpu, rows = time.perf_counter(), cpu_seconds(), rows_not_looked_up()
        call_command("import_match", *map(str, made), club=club.slug, json=True, stdout=printed)
        ended, cpu, rows = time.perf_counter(), cpu_seconds() - cpu, rows_not_looked_up() - rows
    if (stored := Match.objects.in_club(club).count()) != MANY:
        raise RuntimeError(f"{MANY} files became {stored} matches")
    tenth = MANY // 10
    size = f"{MANY} files, rated at the end"
    times = [began, *(at for at, _mb in printed.lines)]
    first, last = tenth / (times[tenth] - times[0]), tenth / (times[-1] - times[-1 - tenth])
    yield Figure("imports_1000_per_s", MANY / (ended - began), "files/s", size=size, higher_is_better=True)
    yield Figure("imports_1000_per_cpu_s", MANY / cpu, "files/CPU s", size=size, higher_is_better=True)
    yield Figure("imports_first_tenth_per_s", first, "files/s", size=tenth, higher_is_better=True)
    yield Figure("imports_last_tenth_per_s", last, "files/s", size=tenth, higher_is_better=True)
    yield Figure("imports_rows_not_looked_up", rows / MANY, "rows/file", size=size)
    grown = printed.lines[-1][1] - printed.lines[tenth][1]
    yield Figure("imports_grown_mb", grown, "MB", size=f"from file {tenth} to file {MANY}")


def rows_not_looked_up() -> int:
    """Rows read by sequential scans, as PostgreSQL reports them."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT sum(seq_tup_read) FROM pg_stat_user_tables")
        return int(cursor.fetchone()[0])


def made_files(files: list[Path], folder: Path) -> list[Path]:
    """Real records with other players, who meet many others, on shuffled days."""
    dice = random.Random(1)  # noqa: S311 - a reproducible sample
    made = []
    for number in range(MANY):
        text = files[number % len(files)].read_text(errors="surrogateescape")
        pair = number // len(files)
        sides = (pair % AT_EACH_SIDE, AT_EACH_SIDE + (pair + pair // AT_EACH_SIDE) % AT_EACH_SIDE)
        for name, player in zip(names_in(text), sides, strict=True):
            # As long as the real one, so that the columns stay where they are.
            text = re.sub(rf"\b{re.escape(name)}\b", f"x{player:0{len(name) - 1}}", text)
        day = f"{dice.randint(2001, 2025)}.{dice.randint(1, 12):02}.{dice.randint(1, 28):02}"
        text = re.sub(r'EventDate "[\d.]+"', f'EventDate "{day}"', text)
        path = folder / f"{number:04}.txt"
        path.write_text(text, errors="surrogateescape")
        made.append(path)
    return made


def names_in(text: str) -> list[str]:
    """The two names above the columns of the first game."""
    found = re.search(r"^\s*(\S[^:\n]*?) : \d+\s+(\S[^:\n]*?) : \d+\s*$", text, re.MULTILINE)
    if found is None:
        raise ValueError("the record names no players over its columns")
    return [found[1], found[2]]


def analysed_by_us(path: Path) -> tuple[float, float] | None:
    """Wall and CPU seconds of one match through our services, or None."""
    match = Match.objects.filter(sources__filename=path.name).order_by("pk").first()
    analysis = request_analysis(match=match) if match else None
    claimed = work.claim(Analysis, ref=analysis.ref) if analysis else None
    if claimed is None:
        return None
    began, cpu = time.perf_counter(), cpu_seconds()
    done = run_analysis(claimed)
    if done.status != WorkStatus.DONE:
        raise RuntimeError(f"{path.name}: {done.error}")
    return time.perf_counter() - began, cpu_seconds() - cpu


def analysed_directly(path: Path) -> tuple[float, float] | None:
    """Wall and CPU seconds of the engine alone; None if it cannot read the file."""
    began, cpu = time.perf_counter(), cpu_seconds()
    words = [sys.executable, "-c", DIRECTLY, str(path), settings.ANALYSIS_PRESET]
    alone = subprocess.run(words, capture_output=True, text=True, check=False, env=dict(os.environ))
    if alone.returncode:
        sys.stderr.write(json.dumps({"left_out": path.name, "why": alone.stderr[-200:]}) + "\n")
        return None
    return time.perf_counter() - began, cpu_seconds() - cpu


def cpu_seconds() -> float:
    """CPU seconds of this process and its ended children."""
    usages = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)
