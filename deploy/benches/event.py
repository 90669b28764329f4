"""A large event for its visitors: a bracket page, one result, 300 phones.

The draw is a double elimination of 1,024, half played. *Cold* is the first request of a process with empty
caches when another process has drawn this version; *undrawn* when none has; *304* is the same page requested
with its ETag. Times are those of the whole stack below the server: middleware, view, template. Beside each
is the mean CPU time of this process, which depends less on other load; the database's is not included.

The phones are streams of one web process; results are recorded by this process while they listen, and every
changed match that arrives is timed from the commit of its transaction.
"""

import asyncio
import json
import os
import random
import re
import signal
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from django.core.management import call_command
from django.db import connection, connections, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils.timezone import now

from clubs.models import Club, Player, User
from clubs.models.person import Person, sort_key
from deploy import processes
from deploy.benches.scoresheet import start_server
from deploy.figures import Figure
from deploy.garbage import collect_rarely
from scoring.rules.endings import Ending
from scoring.sheets.services.decisions import DirectedResult
from tournaments.desk.services.results import correct_result
from tournaments.events.services.events import announce_event
from tournaments.models import EntrantMember, EntrantRow, Event, Flight, PairingRow, PairingState, StageRow
from tournaments.stages.services.draws import draw_stage
from tournaments.stages.services.stages import forget_folded
from tournaments.stages.views import drawings

ENGINES = True
PLAYERS = 1024
OTHERS = (8, 64, 4096)  # events whose pages make as many queries
RESULTS = 300  # recorded before anything is measured
COLD, WARM, NEWS = 40, 200, 100
PHONES = 300
UPDATES = 12
EVERY = 5.0  # seconds between two results while the phones listen


def run() -> Iterator[Figure]:
    """Raise RuntimeError if a page fails, or needs more queries in a larger event."""
    call_command("collectstatic", interactive=False, verbosity=0)  # pages name their files by content
    club = Club.objects.create(slug="bench", name="Bench")
    director = User.objects.create_user(email="director@example.org")
    counts = {size: queries_of(drawn_event(club, size)) for size in OTHERS}
    stage = drawn_event(club, PLAYERS)
    rng = random.Random(1)  # noqa: S311 - results of a bench
    for _number in range(RESULTS):
        record(stage, director, rng)
    counts[PLAYERS] = queries_of(stage)
    if len(set(counts.values())) > 1:
        raise RuntimeError(f"the number of queries depends on the size: {counts}")
    size = f"double elimination of {PLAYERS}, {RESULTS} results; the same for {OTHERS}"
    yield Figure("bracket_1024_queries", counts[PLAYERS], "queries", size=size)
    collect_rarely()  # as the web process does
    yield from taken("bracket_1024_cold", cold(stage), f"{COLD} pages")
    yield from taken("bracket_1024_undrawn", undrawn(stage), f"{COLD} pages")
    yield from taken("bracket_1024_unchanged", unchanged(stage), f"{WARM} answers 304")
    yield from taken("result_to_fragment", to_fragment(stage, director, rng), f"{NEWS} results")
    yield from phones(stage, director, rng)


@dataclass(frozen=True, slots=True)
class Spent:
    """Wall and CPU milliseconds of this process."""

    wall: float
    cpu: float


class Stopwatch:
    """Starts when created."""

    def __init__(self) -> None:
        self.wall, self.cpu = time.perf_counter(), time.process_time()

    def read(self) -> Spent:
        return Spent(1000 * (time.perf_counter() - self.wall), 1000 * (time.process_time() - self.cpu))


def taken(name: str, spent: list[Spent], size: str) -> Iterator[Figure]:
    """Median and 95th percentile of wall time, and mean CPU time."""
    by_clock = sorted(each.wall for each in spent)
    yield Figure(f"{name}_median", by_clock[len(spent) // 2], "ms", size=size)
    yield Figure(f"{name}_p95", by_clock[len(spent) * 95 // 100], "ms", size=size)
    yield Figure(f"{name}_cpu", sum(each.cpu for each in spent) / len(spent), "ms", size=f"{size}, mean")


def drawn_event(club: Club, players: int, format_key: str = "double") -> StageRow:
    """A drawn event of new players."""
    event = announce_event(club=club, name="Open", starts_at=now(), format_key=format_key, length=7)
    flight = event.flights.get()
    enter_people(flight, players)
    return draw_stage(stage=StageRow.objects.get(flight=flight), user=None)


def enter_people(flight: Flight, players: int) -> None:
    """Enter so many new players."""
    people = Player.objects.bulk_create(Player() for _n in range(players))
    names = [f"Player {n} of {players}" for n in range(players)]
    Person.objects.bulk_create(
        Person(player=player, name=name, sort_key=sort_key(name))
        for player, name in zip(people, names, strict=True)
    )
    entrants = EntrantRow.objects.bulk_create(
        EntrantRow(flight=flight, rating=1500.0 + n % 400) for n in range(players)
    )
    EntrantMember.objects.bulk_create(
        EntrantMember(entrant=entrant, flight=flight, player=player)
        for entrant, player in zip(entrants, people, strict=True)
    )


def next_open(stage: StageRow) -> PairingRow:
    """The first open pairing, as a page with the desk's form has it."""
    open_ones = PairingRow.objects.filter(stage=stage, state=PairingState.OPEN).order_by("round", "number")
    return open_ones.select_related("stage__flight__event__club", "a", "b")[0]


def record(
    stage: StageRow, director: User, rng: random.Random, pairing: PairingRow | None = None
) -> PairingRow:
    """Record the desk's result of this pairing, or of the first open one."""
    pairing = pairing or next_open(stage)
    seen = pairing.stage.head_seq
    lost = rng.randrange(pairing.length)
    points = (pairing.length, lost) if rng.random() < 0.5 else (lost, pairing.length)
    winner = "white" if points[0] > points[1] else "black"
    decision = DirectedResult(winner, points, Ending.PLAYED)
    correct_result(pairing=pairing, decision=decision, seen=seen, user=director, reason="")
    return pairing


def forget() -> None:
    drawings.forget()
    forget_folded()


def forget_everywhere(stage: StageRow) -> None:
    """Empty the caches of this process and of all."""
    forget()
    drawings.forget_drawing(StageRow.objects.select_related("flight__event").get(pk=stage.pk))


def page(client: Client, stage: StageRow, etag: str = "") -> tuple[Spent, str]:
    """The time of one page, and its ETag."""
    headers = {"If-None-Match": etag} if etag else {}
    watch = Stopwatch()
    answer = client.get(stage.get_absolute_url(), headers=headers)
    spent = watch.read()
    if answer.status_code != (304 if etag else 200):
        raise RuntimeError(f"the page answered {answer.status_code}")
    return spent, str(answer.headers["ETag"])


def queries_of(stage: StageRow) -> int:
    """Number of queries of an undrawn page for a visitor."""
    forget_everywhere(stage)
    with CaptureQueriesContext(connection) as queries:
        page(Client(HTTP_HOST="127.0.0.1"), stage)
    return len(queries)


def cold(stage: StageRow) -> list[Spent]:
    client = Client(HTTP_HOST="127.0.0.1")
    times = []
    for _number in range(COLD):
        page(client, stage)  # draws it for the others, where a minute has passed
        forget()
        times.append(page(client, stage)[0])
    return times


def undrawn(stage: StageRow) -> list[Spent]:
    client = Client(HTTP_HOST="127.0.0.1")
    times = []
    for _number in range(COLD):
        forget_everywhere(stage)
        times.append(page(client, stage)[0])
    return times


def unchanged(stage: StageRow) -> list[Spent]:
    client = Client(HTTP_HOST="127.0.0.1")
    page(client, stage)  # brings the cookie that the page depends on
    _spent, etag = page(client, stage)
    return [page(client, stage, etag)[0] for _number in range(WARM)]


def to_fragment(stage: StageRow, director: User, rng: random.Random) -> list[Spent]:
    """Time from the director's result to the changed cells, in one process."""
    client = Client(HTTP_HOST="127.0.0.1")
    times = []
    for _number in range(NEWS):
        seen = Event.objects.values_list("version", flat=True).get(flights__stages=stage)
        address = f"{reverse('tournaments:changes', args=[stage.ref])}?since={seen}"
        client.get(address)
        pairing = next_open(stage)
        watch = Stopwatch()
        record(stage, director, rng, pairing)
        news = client.get(address).json()
        times.append(watch.read())
        if f"m{pairing.number}" not in news["parts"]:
            raise RuntimeError(f"match {pairing.number} is not among what changed: {news}")
    return times


@dataclass
class Phone:
    """A stream, and when each match arrived on it (monotonic seconds)."""

    arrived: dict[int, float] = field(default_factory=dict)


def phones(stage: StageRow, director: User, rng: random.Random) -> Iterator[Figure]:
    """300 streams of one web process while results are recorded."""
    forget()
    with tempfile.TemporaryDirectory() as folder:
        address, server = start_server(Path(folder) / "web.log")
        try:
            followers, sent, share = asyncio.run(follow(address, server.pid, stage, director, rng))
        finally:
            processes.stop(server, signal.SIGTERM, 10)
    late = sorted(
        1000 * (phone.arrived[match] - at)
        for phone in followers
        for match, at in sent
        if phone.arrived.get(match, 0.0) > at - 1
    )
    expected = len(followers) * len(sent)
    size = f"{len(followers)} phones, {len(sent)} results, one every {EVERY:.0f} s"
    yield Figure("live_delivered", 100 * len(late) / expected, "%", size=size, higher_is_better=True)
    told = f"{size}, from the commit to the phone"
    yield Figure("live_median", late[len(late) // 2], "ms", size=told)
    yield Figure("live_p99", late[len(late) * 99 // 100], "ms", size=told)
    yield Figure("live_web_process", 100 * share, "% of a core", size=size)


async def follow(
    address: str, pid: int, stage: StageRow, director: User, rng: random.Random
) -> tuple[list[Phone], list[tuple[int, float]], float]:
    followers = [Phone() for _number in range(PHONES)]
    version = await asyncio.to_thread(_version, stage)
    path = f"{reverse('tournaments:changes', args=[stage.ref])}?since={version}"
    streams = [
        asyncio.create_task(listen(phone, address, path, f"127.0.0.{2 + number % 100}"))
        for number, phone in enumerate(followers)
    ]
    await asyncio.sleep(8)  # until everybody is connected
    await asyncio.to_thread(record, stage, director, rng)  # the first drawing of this process
    await asyncio.sleep(3)
    sent: list[tuple[int, float]] = []
    used, began = cpu_seconds(pid), time.monotonic()
    for _number in range(UPDATES):
        pairing, at = await asyncio.to_thread(_record_now, stage, director, rng)
        sent.append((pairing.number, at))
        await asyncio.sleep(EVERY)
    share = (cpu_seconds(pid) - used) / (time.monotonic() - began)
    for stream in streams:
        stream.cancel()
    await asyncio.gather(*streams, return_exceptions=True)
    await asyncio.to_thread(connections.close_all)
    return followers, sent, share


def _version(stage: StageRow) -> int:
    return int(Event.objects.values_list("version", flat=True).get(flights__stages=stage))


def _record_now(stage: StageRow, director: User, rng: random.Random) -> tuple[PairingRow, float]:
    """Record a result; return the pairing and the moment of its commit."""
    moments: list[float] = []
    with transaction.atomic():
        pairing = record(stage, director, rng)
        transaction.on_commit(lambda: moments.append(time.monotonic()))
    return pairing, moments[0]


async def listen(phone: Phone, address: str, path: str, own: str) -> None:
    """Read one stream until the bench ends, each from its own address."""
    target = urlsplit(f"http://{address}")
    reader, writer = await asyncio.open_connection(
        target.hostname, target.port, limit=2**22, local_addr=(own, 0)
    )
    try:
        ask = f"GET {path} HTTP/1.1\r\nHost: {address}\r\nAccept: text/event-stream\r\n\r\n"
        writer.write(ask.encode())
        while line := await reader.readline():
            if not line.startswith(b"data: "):
                continue
            for match in re.findall(r'"m(\d+)"', line.decode()):
                phone.arrived[int(match)] = time.monotonic()
            json.loads(line[6:])
    finally:
        writer.close()


def cpu_seconds(pid: int) -> float:
    """CPU time of a process so far (Linux). Raises RuntimeError elsewhere."""
    if sys.platform != "linux":
        raise RuntimeError("the event bench reads /proc: run it on Linux")
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
