"""The pages of a 64-player event: queries, CPU time and size, as a visitor, a player and a director.

The event is a knockout with consolation and last chance, half played; beside it a Swiss of as many. Each
page is requested after a result that it has to show, so its drawing is made, and again without one. CPU time
is this process's, the least of several, without the database's. The size is that over the wire, compressed
as for a browser; beside it the size of the whole page.
"""

import random
from collections.abc import Iterator
from gzip import compress

from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from clubs.models import Club, Membership, Player, Role, User
from clubs.people.services.names import register_player
from deploy.benches.event import Stopwatch, drawn_event, record
from deploy.figures import Figure
from deploy.garbage import collect_rarely
from tournaments.models import EntrantMember, StageRow

ENGINES = True
PLAYERS, RESULTS = 64, 40
TIMES = 12


def run() -> Iterator[Figure]:
    """Raise RuntimeError if a page fails."""
    call_command("collectstatic", interactive=False, verbosity=0)  # pages name their files by content
    club = Club.objects.create(slug="bench", name="Bench")
    director = User.objects.create_user(email="director@example.org")
    player = register_player(name="The director", user=director)
    Membership.objects.create(club=club, player=player, role=Role.DIRECTOR)
    collect_rarely()  # as the web process does
    for key in ("last_chance", "swiss"):
        stage = drawn_event(club, PLAYERS, key)
        rng = random.Random(1)  # noqa: S311 - results of a bench
        for _number in range(RESULTS):
            record(stage, director, rng)
        clients = {"visitor": Client(), "player": playing(stage), "director": Client()}
        clients["director"].force_login(director)
        for name, address in pages_of(stage).items():
            for viewer, client in clients.items():
                if name != "desk" or viewer == "director":
                    yield from measured(stage, director, client, f"{key}_{name}_{viewer}", address, rng)


def playing(stage: StageRow) -> Client:
    """A browser of a player of the event."""
    member = EntrantMember.objects.filter(flight=stage.flight_id).order_by("pk")[0]
    user = User.objects.create_user(email=f"{member.player_id}@example.org")
    Player.objects.filter(pk=member.player_id).update(user=user)
    client = Client()
    client.force_login(user)
    return client


def pages_of(stage: StageRow) -> dict[str, str]:
    """The addresses of the pages by name."""
    event = stage.flight.event
    here = event.get_absolute_url()
    return {
        "event": here,
        "draw": stage.get_absolute_url(),
        "standings": f"{here}?tab=standings",
        "players": f"{here}?tab=players",
        "matches": f"{here}?tab=matches",
        "desk": reverse("tournaments:desk", args=[event.ref]),
        "wall": reverse("tournaments:wall", args=[event.ref]),
    }


def measured(
    stage: StageRow, director: User, client: Client, name: str, address: str, rng: random.Random
) -> Iterator[Figure]:
    """Queries, CPU milliseconds and size of one page."""
    client.get(address, headers={"Host": "127.0.0.1"})
    spent, after = [], []
    for _n in range(TIMES):
        watch = Stopwatch()
        answer = client.get(address, headers={"Host": "127.0.0.1"})
        spent.append(watch.read().cpu)
    if answer.status_code != 200:
        raise RuntimeError(f"{address} was answered {answer.status_code}")
    record(stage, director, rng)
    with CaptureQueriesContext(connection) as asked:
        watch = Stopwatch()
        client.get(address, headers={"Host": "127.0.0.1"})
        after.append(watch.read().cpu)
    size = f"{PLAYERS} players, {RESULTS} results and more"
    yield Figure(f"{name}_queries", len(asked), "queries", size=size)
    yield Figure(f"{name}_cpu_ms", min(spent), "CPU ms", size=size)
    yield Figure(f"{name}_after_result_cpu_ms", min(after), "CPU ms", size=size)
    yield Figure(f"{name}_wire_bytes", len(compress(answer.content, 6)), "bytes", size=size)
    yield Figure(f"{name}_bytes", len(answer.content), "bytes", size=size)
