"""The pages of a 64-player event: queries, CPU time and size, as a visitor, a player and a director.

The event is a knockout with consolation and last chance, half played; beside it a Swiss of as many. Each
page is requested after a result that it has to show, so its drawing is made, and again without one. CPU time
is this process's, the least of several, without the database's. The size is that over the wire, compressed
as for a browser; beside it the size of the whole page.

Then all pages of an event of 64 in one division, and in five of five formats, in each state: open, running,
prizes waiting, finished. Of each page the figures of the viewer to whom it costs most; its queries are those
of a process that has nothing in its memory or in the cache.
"""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from gzip import compress

from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils.timezone import now

from clubs.models import Club, Membership, Player, Role, User
from clubs.people.services.names import register_player
from deploy.benches.event import Stopwatch, drawn_event, enter_people, forget_everywhere, record
from deploy.figures import Figure
from deploy.garbage import collect_rarely
from tournaments.core.prizes.pools import Fees, SidePool
from tournaments.events.plans import EventPlan, single_flight
from tournaments.events.services.events import announce
from tournaments.models import EntrantMember, PairingRow, PairingState, StageRow
from tournaments.money.services.prizes import approve_prizes
from tournaments.stages.services.draws import draw_stage

ENGINES = True
PLAYERS, RESULTS = 64, 40
TIMES = 12
FIVE = ("last_chance", "swiss", "round_robin", "knockout", "double")
LOOKS = 5
"""Of which the one with the least CPU time counts."""
QUERIES, CPU_MS, WIRE_BYTES = 8, 30, 100_000
"""What a page may take."""
REPORTS = ("report", "report_csv", "report_json")


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
    for formats in (("last_chance",), FIVE):
        yield from in_every_state(club, director, formats)


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


def all_pages_of(stage: StageRow) -> dict[str, str]:
    """The addresses of all pages that show an event with its draws, by name."""
    event = stage.flight.event
    here = event.get_absolute_url()
    tabs = {name: f"{here}?tab={name}" for name in ("prizes", "info")}
    views = {name: f"{stage.get_absolute_url()}&view={name}" for name in ("overview", "list")}
    report = {name: reverse(f"tournaments:{name}", args=[event.ref]) for name in REPORTS}
    return pages_of(stage) | tabs | views | report


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


def in_every_state(club: Club, director: User, formats: Sequence[str]) -> Iterator[Figure]:
    """All pages of an event with a division of each format, from the first entry to the last prize."""
    named = [f"Division {n}" if len(formats) > 1 else "" for n in range(len(formats))]
    flights = tuple(
        replace(single_flight(key, 3, name=name), fees=Fees(entry=1000), pools=(SidePool("jackpot", 500),))
        for key, name in zip(formats, named, strict=True)
    )
    event = announce(club=club, plan=EventPlan("Open", now() + timedelta(days=1), flights))
    for flight in event.flights.all():
        enter_people(flight, PLAYERS // len(formats))
    stages = list(StageRow.objects.filter(flight__event=event).order_by("flight__position"))
    clients = {"visitor": Client(), "player": playing(stages[0]), "director": Client()}
    clients["director"].force_login(director)
    yield from in_state(stages, clients, "open")
    for stage in stages:
        draw_stage(stage=stage, user=director)
    rng = random.Random(1)  # noqa: S311 - results of a bench
    for stage in stages:
        record(stage, director, rng)
    yield from in_state(stages, clients, "running")
    for stage in stages:
        while PairingRow.objects.filter(stage=stage, state=PairingState.OPEN).exists():
            record(stage, director, rng)
    yield from in_state(stages, clients, "prizes_waiting")
    for flight in event.flights.all():
        approve_prizes(flight=flight, user=director)
    yield from in_state(stages, clients, "finished")


def in_state(stages: Sequence[StageRow], clients: Mapping[str, Client], state: str) -> Iterator[Figure]:
    """What each page costs the viewer to whom it costs most."""
    size = f"{PLAYERS} players in {len(stages)} divisions"
    for name, address in all_pages_of(stages[0]).items():
        queries, spent, sent = 0, 0.0, 0
        for viewer, client in clients.items():
            if name == "desk" and viewer != "director":
                continue
            for stage in stages:
                forget_everywhere(stage)
            with CaptureQueriesContext(connection) as asked:
                answer = client.get(address, headers={"Host": "127.0.0.1"})
            if answer.status_code != 200:
                raise RuntimeError(f"{address} was answered {answer.status_code}")
            queries = max(queries, len(asked))
            spent = max(spent, min(looked(client, address) for _look in range(LOOKS)))
            sent = max(sent, len(compress(answer.content, 6)))
        key = f"{state}_{len(stages)}_{name}"
        yield Figure(f"{key}_queries", queries, "queries", size=size, target=QUERIES)
        yield Figure(f"{key}_cpu_ms", spent, "CPU ms", size=size, target=CPU_MS)
        yield Figure(f"{key}_wire_bytes", sent, "bytes", size=size, target=WIRE_BYTES)


def looked(client: Client, address: str) -> float:
    """CPU milliseconds of one look at a page."""
    watch = Stopwatch()
    client.get(address, headers={"Host": "127.0.0.1"})
    return watch.read().cpu
