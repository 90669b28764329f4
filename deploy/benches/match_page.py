"""The page of an analysed match to 23 points, and a step of it, for each kind of viewer.

The match is made of games of the records beside the project, with their analyses. Each figure of the
processor is this process's, the least of several requests, without the database.
"""

import time
from collections.abc import Iterator

from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from clubs.models import Club, Membership, Role, User
from clubs.people.services.names import register_player
from deploy.checkout import ROOT
from deploy.figures import Figure
from deploy.long_match import write_long_match
from scoring.files.services.imports import read_file
from scoring.matches.queries.judged_log import forget_logs
from scoring.models import Match
from scoring.notation.ready import ReadyRecord

ENGINES = True
LENGTH, TIMES = 23, 15
RECORDS = ROOT.parent / "shared" / "data"
STAGE = {"HX-Request": "true", "HX-Target": "stage"}


def run() -> Iterator[Figure]:
    """Raise RuntimeError if a page fails, or without records."""
    call_command("collectstatic", interactive=False, verbosity=0)  # pages name their files by content
    club = Club.objects.create(slug="bench", name="Bench")
    users = {name: User.objects.create_user(email=f"{name}@example.org") for name in ("player", "director")}
    players = {name: register_player(name=f"The {name}", user=user) for name, user in users.items()}
    Membership.objects.create(club=club, player=players["player"], role=Role.MEMBER)
    Membership.objects.create(club=club, player=players["director"], role=Role.DIRECTOR)
    match = long_match(club, users["player"])
    size = said(match)
    for viewer in ("visitor", *users):
        client = Client(HTTP_HOST="127.0.0.1")
        if viewer in users:
            client.force_login(users[viewer])
        yield from measured(client, f"match_page_{viewer}", match.get_absolute_url(), {}, size)
        middle = reverse("scoring:step", args=[match.ref, match.sheet.head_seq // 4])
        yield from measured(client, f"match_step_{viewer}", middle, STAGE, size)


def long_match(club: Club, user: User) -> Match:
    """A match to 23 points between two members, analysed."""
    paths = sorted((RECORDS / "xg").glob("*.xg"))
    found = [read_file(path.read_bytes()) for path in paths]
    records = [each.record for each in found if isinstance(each, ReadyRecord)]
    if not records:
        raise RuntimeError(
            f"no match records in {RECORDS / 'xg'}: the bench needs the data beside the project"
        )
    white = user.player
    black = register_player(name="The opponent")
    return write_long_match(
        club=club, white=white, black=black, records=records * 3, length=LENGTH, label="xg file analysis"
    )


def said(match: Match) -> str:
    """How large the match is."""
    summary = match.analyses.get().summary or {}
    decisions = match.analyses.get().decisions.count()
    return f"{LENGTH} points, {len(summary['games'])} games, {decisions} decisions"


def measured(client: Client, name: str, address: str, headers: dict[str, str], size: str) -> Iterator[Figure]:
    """Queries, processor and size of one page; *first* is a process that has not opened the match yet."""
    client.get(address, headers=headers)
    forget_logs()
    with CaptureQueriesContext(connection) as first:
        began = time.process_time()
        client.get(address, headers=headers)
        spent_first, queries_first = 1000 * (time.process_time() - began), len(first)
    with CaptureQueriesContext(connection) as captured:
        answer = client.get(address, headers=headers)
        queries = len(captured)
    if answer.status_code != 200:
        raise RuntimeError(f"{address} was answered {answer.status_code}")
    spent = []
    for _n in range(TIMES):
        began = time.process_time()
        client.get(address, headers=headers)
        spent.append(1000 * (time.process_time() - began))
    yield Figure(f"{name}_first_queries", queries_first, "queries", size=size)
    yield Figure(f"{name}_first_cpu_ms", spent_first, "CPU ms", size=size)
    yield Figure(f"{name}_queries", queries, "queries", size=size)
    yield Figure(f"{name}_cpu_ms", min(spent), "CPU ms", size=size)
    yield Figure(f"{name}_bytes", len(answer.content), "bytes", size=size)
