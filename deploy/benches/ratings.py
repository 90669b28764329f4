"""The rating list of a large club: replay of a million matches, corrections.

The replay runs in a process of its own, whose processor and largest memory are measured; what the server's
process spent for it is told beside it. Then results of the newest tenth are turned round, one after the
other, each by the work that a worker would do, and some are previewed as the page of a correction does. At
the end the stored list is held against a fold of all results, to the last bit.
"""

import json
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from django.conf import settings
from django.db import connection, transaction

from clubs.models import Club
from clubs.work import services as work
from deploy.figures import Figure
from deploy.large_club import fill
from scoring.formulas.elo import formula_named
from scoring.formulas.streams import replayed
from scoring.models import Colour, Match, RatingChange, RatingList, RatingUpdate, Result
from scoring.ratings.queries.rating_log import rated_log, streamed
from scoring.ratings.services.ratings import ask_for_update, main_list, shifts_if, update_list
from scoring.rules.endings import Ending

ENGINES = True
PLAYERS = 20_000
MATCHES = 1_000_000
CORRECTED = 40
PREVIEWED = 10

REPLAY = """
import django, json, resource, time
django.setup()
from django.db import connection
from deploy.benches.ratings import processor_of_server
from scoring.models import RatingList
from scoring.ratings.services.ratings import replay_list
rating_list = RatingList.objects.get()
server = processor_of_server()
began, wall = time.process_time(), time.monotonic()
replay_list(rating_list=rating_list)
print(json.dumps({
    "cpu": time.process_time() - began,
    "wall": time.monotonic() - wall,
    "server": processor_of_server() - server,
    "mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
}))
"""


def run() -> Iterator[Figure]:
    """Raise RuntimeError if the stored list differs from a fold of all results."""
    club = Club.objects.create(slug="large", name="Large")
    fill(club=club, players=PLAYERS, matches=MATCHES)
    rating_list = main_list(club)
    size = f"{MATCHES} matches between {PLAYERS} players"
    done = subprocess.run([sys.executable, "-c", REPLAY], capture_output=True, text=True, check=True)
    told = json.loads(done.stdout)
    yield Figure("rerate_1m_cpu_s", told["cpu"], "CPU s", size=size)
    yield Figure("rerate_1m_mb", told["mb"], "MB", size=f"largest, whole process; {size}")
    yield Figure("rerate_1m_postgres_cpu_s", told["server"], "CPU s", size=size)
    yield Figure("rerate_1m_wall_s", told["wall"], "s", size=size)
    with connection.cursor() as cursor:
        cursor.execute("VACUUM (ANALYZE) scoring_ratingchange")  # as autovacuum does in its own time
    yield from corrections(club)
    check(rating_list)


def corrections(club: Club) -> Iterator[Figure]:
    """Time to preview and apply a reversed result in the newest tenth."""
    dice = random.Random(1)  # noqa: S311 - a reproducible sample
    newest = Match.objects.in_club(club).newest_first().values_list("pk", flat=True)[: MATCHES // 10]
    chosen = dice.sample(list(newest), CORRECTED)
    shown = [previewed(pk) for pk in chosen[:PREVIEWED]]
    wall, own, server = zip(*map(corrected, chosen), strict=True)
    size = f"{CORRECTED} results of the newest tenth of {MATCHES} matches"
    yield Figure("correct_1m_ms", statistics.median(wall), "ms", size=f"median of {size}")
    yield Figure("correct_1m_longest_ms", max(wall), "ms", size=f"longest of {size}")
    yield Figure("correct_1m_cpu_ms", statistics.median(own), "CPU ms", size=f"median of {size}")
    yield Figure("correct_1m_longest_cpu_ms", max(own), "CPU ms", size=f"longest of {size}")
    yield Figure("correct_1m_postgres_cpu_ms", statistics.mean(server), "CPU ms", size=f"mean of {size}")
    size = f"{PREVIEWED} results of the newest tenth"
    yield Figure("shifts_1m_ms", statistics.median(shown), "ms", size=f"median of {size}")


def turned(winner: str) -> str:
    return Colour.BLACK if winner == Colour.WHITE else Colour.WHITE


def previewed(pk: int) -> float:
    """Milliseconds to preview what a reversed result would change."""
    match = Match.objects.select_related("result").get(pk=pk)
    began = time.monotonic()
    if not shifts_if(match=match, winner=turned(match.result.winner), ending=Ending.PLAYED):
        raise RuntimeError(f"{match.ref}: turning the result changes no rating")
    return 1000 * (time.monotonic() - began)


def corrected(pk: int) -> tuple[float, float, float]:
    """Wall, our CPU and server CPU milliseconds to apply a reversed result."""
    match = Match.objects.select_related("result", "club").get(pk=pk)
    with transaction.atomic():
        Result.objects.filter(match=match).update(winner=turned(match.result.winner))
        [asked] = ask_for_update(match=match)
    claimed = work.claim(RatingUpdate, ref=asked.ref)
    if claimed is None:
        raise RuntimeError(f"{asked.ref}: another process holds the update")
    server, began, wall = processor_of_server(), time.process_time(), time.monotonic()
    update_list(claimed)
    spent = time.monotonic() - wall, time.process_time() - began, processor_of_server() - server
    return 1000 * spent[0], 1000 * spent[1], 1000 * spent[2]


def check(rating_list: RatingList) -> None:
    """Compare every stored change with a fold of all results, bit by bit."""
    stored = RatingChange.objects.on_list(rating_list).filter(won=True).order_by("played_at", "match_ref")
    columns = stored.values_list("match_id", "player_id", "before", "after", "opponent_before", "number")
    formula = formula_named(rating_list.formula)
    with transaction.atomic():
        folded = replayed(rated_log(rating_list.club), {}, formula=formula)
        for row, moved in zip(streamed(columns), folded, strict=True):
            expected = (
                moved.match,
                moved.winner,
                moved.winner_before,
                moved.winner_after,
                moved.loser_before,
                moved.winner_number,
            )
            if row != expected:
                raise RuntimeError(
                    f"match {moved.match} is stored as {row}, and a full replay has {expected}"
                )


def processor_of_server() -> float:
    """CPU seconds of the server process of our connection; 0.0 if hidden."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        path = Path(f"/proc/{cursor.fetchone()[0]}/stat")
    if settings.DATABASES["default"]["HOST"].startswith("/") and path.exists():
        fields = path.read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / 100
    return 0.0
