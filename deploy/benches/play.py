"""*My play* of a player of 60,000 analysed matches: queries, processor and time of the page and the API.

The club has as many matches of others. The figures are compared with a plain sum of the stored rows; a
difference is an error. The processor is this process's and the server's, the least of several requests.
"""

import time
from collections.abc import Iterator

from django.core.management import call_command
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from clubs.models import Club, Membership, Player, Role, User, Visibility
from clubs.models.work import WorkStatus
from deploy.benches.ratings import processor_of_server
from deploy.copied_rows import Copied
from deploy.figures import Figure
from deploy.large_club import fill
from scoring.models import Analysis, SidePlay
from scoring.players.queries.play_rows import MOST_MATCHES

ENGINES = True
MATCHES, OTHERS, OTHER_PLAYERS = 60_000, 60_000, 2_000
TIMES = 5
LABELS = ("gnubg 1.07.001 fast@1 Kazaross-XG2", "gnubg 1.08.003 fast@1 Kazaross-XG2")

# Sums that differ from match to match; half of the matches, the older ones, are of an older label.
_SIDES = """
    INSERT INTO scoring_sideplay (analysis_id, match_id, label, player_id, played_at, side_id, colour,
        counted, loss, squares, errors, blunders, worst, rolls, pips, doubles, sixes, entries, entered,
        entries_expected, entries_variance, luck_rolls, luck, luck_squares)
    SELECT analysis.id, analysis.match_id, analysis.label, seat.player_id, played.played_at, side.id,
        side.colour, 60 + side.id %% 40, 0.01 * (side.id %% 97), 0.001 * (side.id %% 89), side.id %% 7,
        side.id %% 3, 0.2, 80, 650, 13, 24, 4, 3, 3.1, 0.7, 80, 0.1, 0.4
    FROM scoring_analysis AS analysis
    JOIN scoring_match AS played ON played.id = analysis.match_id
    JOIN scoring_side AS side ON side.match_id = played.id
    JOIN scoring_seat AS seat ON seat.side_id = side.id
"""
_CELLS = """
    INSERT INTO scoring_playsum (of_id, phase, kind, score, counted, loss, squares, errors, blunders)
    SELECT id, phase, kind, score, 5, 0.01 * (id %% 11), 0.001, 1, 0
    FROM scoring_sideplay
    CROSS JOIN (VALUES ('opening'), ('contact'), ('race'), ('bearoff')) AS phases (phase)
    CROSS JOIN (VALUES ('checker'), ('double')) AS kinds (kind)
    CROSS JOIN (VALUES ('even'), ('ahead')) AS scores (score)
    WHERE player_id = %s
"""
_MISTAKES = """
    INSERT INTO scoring_mistakesum (of_id, phase, kind, counted, loss)
    SELECT id, 'contact', kind, 2, 0.1
    FROM scoring_sideplay CROSS JOIN (VALUES ('missed_double'), ('wrong_take')) AS kinds (kind)
    WHERE player_id = %s
"""
_OPENINGS = """
    INSERT INTO scoring_openingreply (of_id, earlier, roll, played, best, error)
    SELECT id, earlier, (1 + id %% 5)::text || '6', '24/18', '13/7', 0.01
    FROM scoring_sideplay CROSS JOIN (VALUES (''), ('31: 8/5 6/5')) AS replies (earlier)
    WHERE player_id = %s
"""
_TABLES = (
    *("scoring_seat", "scoring_analysis", "scoring_sideplay"),
    *("scoring_playsum", "scoring_mistakesum", "scoring_openingreply"),
)


def run() -> Iterator[Figure]:
    """Raise RuntimeError if a page fails or its figures differ from the plain sum."""
    call_command("collectstatic", interactive=False, verbosity=0)  # pages name their files by content
    user = filled_club()
    size = f"{MATCHES} matches of the player among {MATCHES + OTHERS}"
    check(user.player)
    client = Client(HTTP_HOST="127.0.0.1")
    client.force_login(user)
    for viewer, seen_by in (("own", client), ("visitor", Client(HTTP_HOST="127.0.0.1"))):
        page = reverse("scoring:player_play", args=[user.player.ref])
        yield from measured(seen_by, f"my_play_{viewer}", page, size)
    api = reverse("api:player_play", args=[user.player.ref])
    yield from measured(client, "my_play_api", api, size)


def filled_club() -> User:
    """A public club, and the player who has played half of its matches."""
    club = Club.objects.create(slug="large", name="Large", visibility=Visibility.PUBLIC)
    own = fill(club=club, players=2, matches=MATCHES, seed=1)
    fill(club=club, players=OTHER_PLAYERS, matches=OTHERS, seed=2)
    user = User.objects.create_user(email="player@example.org")
    Player.objects.filter(user=user).delete()
    Player.objects.filter(pk=own[0]).update(user=user)
    Membership.objects.create(club=club, player_id=own[0], role=Role.MEMBER)
    usual = {"head_seq": 0, "head_hash": "", "preset": "fast", "status": WorkStatus.DONE, "summary": {}}
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")  # no check of foreign keys
        cursor.execute("SELECT id FROM scoring_match ORDER BY played_at")
        matches = [pk for (pk,) in cursor.fetchall()]
        half = len(matches) // 2
        Copied(club)(
            Analysis(club=club, match_id=pk, label=LABELS[number >= half], **usual)
            for number, pk in enumerate(matches)
        )
        cursor.execute(_SIDES, [])
        for statement in (_CELLS, _MISTAKES, _OPENINGS):
            cursor.execute(statement, [own[0]])
    with connection.cursor() as cursor:
        cursor.execute(f"VACUUM ANALYZE {', '.join(_TABLES)}")  # as autovacuum does in its own time
    return User.objects.get(pk=user.pk)


def check(player: Player) -> None:
    """Hold the page's figures against a plain sum of the newest rows."""
    rows = SidePlay.objects.filter(side__seats__player=player, label=LABELS[1])
    newest = rows.order_by("-match__played_at", "-match__ref").values_list("counted", "loss")[:MOST_MATCHES]
    counted, loss = (sum(column) for column in zip(*newest, strict=True))
    told = Client(HTTP_HOST="127.0.0.1").get(
        reverse("api:player_play", args=[player.ref]), {"label": LABELS[1]}
    )
    total = told.json()["total"]
    if (total["counted"], round(total["loss"], 6)) != (counted, round(loss, 6)):
        raise RuntimeError(f"the page adds up {total}, the rows {counted} and {loss}")


def measured(client: Client, name: str, address: str, size: str) -> Iterator[Figure]:
    """Queries, processor and time of one address."""
    own, server, wall = [], [], []
    with CaptureQueriesContext(connection) as asked:
        if client.get(address).status_code != 200:
            raise RuntimeError(f"{address} fails")
        queries = len(asked)
    for _number in range(TIMES):
        began, at, spent = time.process_time(), time.monotonic(), processor_of_server()
        client.get(address)
        own.append(time.process_time() - began)
        wall.append(time.monotonic() - at)
        server.append(processor_of_server() - spent)
    yield Figure(f"{name}_queries", queries, "queries", size=size)
    yield Figure(f"{name}_ms", 1000 * min(wall), "ms", size=size)
    yield Figure(f"{name}_cpu_ms", 1000 * min(own), "CPU ms", size=size)
    yield Figure(f"{name}_postgres_cpu_ms", 1000 * min(server), "CPU ms", size=size)
