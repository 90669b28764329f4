"""Writing scoresheets through the web stack: 32 writers, two or one a board.

The web processes are as many as ``up`` starts on this machine. Each writer has a session and a connection of
their own and enters rolls and plays as the page does: from the view of the last responses. Where both
players of a board write (``scoresheet_``) they collide with every entry, and the later one enters again at
once; a page would ask its user. At a board of their own (``scoresheet_alone_``) nobody is late. Every tenth
entry is sent twice. Afterwards every log is read: no gap, no duplicate, as many events as were acknowledged,
an unbroken chain, and a stored state that replays.

``append_queries`` counts every statement of the request of one append at event 5 and at event 400, those for
session and user among them; the empty statement by which the pool checks a connection comes on top.

``scoresheet_page_kb`` and ``scoresheet_tap_`` are measured in Chromium, on a phone that computes four times
slower, with static files as an installation sends them: what the page weighs over the wire, and how long it
takes from a tap to what it draws, at twenty taps a second. A busy machine misses the target of taps.

``append_cpu_ms`` is the CPU time of the web processes for an append of a lone writer; the database's is not
included.
"""

import contextlib
import http.client
import itertools
import json
import os
import random
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from playwright.sync_api import sync_playwright

from clubs.models import Club, User
from clubs.people.services.names import register_player
from deploy import forks, processes
from deploy.figures import Figure
from scoring.chouettes.services.damage import damage_of
from scoring.models import Match, SheetEvent
from scoring.sheets.services.openings import open_match
from tests.conftest import CHROMIUM_FLAGS, chromium
from tests.e2e.look_table import MOST_BYTES
from tests.e2e.measures import PHONE, SLOWER, Load, Slow
from tests.e2e.quick_taps import share, tap_quickly
from tests.e2e.settled import visit

ENGINES = True
BOARDS = 16
SECONDS = 20.0
POOL = 20  # connections of the web process, as ``up`` has them
TWICE = 10  # every tenth entry is sent twice
LENGTH = 63
WARMING, APPENDS = 50, 300
ALONE = f"{APPENDS} appends of one writer, after {WARMING}"
CSRF = "c" * 32
SOON_DRAWN = 50
"""Milliseconds from a tap to what it draws."""

Sent = dict[str, Any]


@dataclass
class BenchWriter:
    """One player at one board, and the results of their requests."""

    match: Match
    session: str
    dice: random.Random
    written: int = 0
    conflicts: int = 0
    refused: list[str] = field(default_factory=list)
    milliseconds: list[float] = field(default_factory=list)


def run() -> Iterator[Figure]:
    """Raise RuntimeError if a log is damaged or has another length than reported."""
    club = Club.objects.create(slug="bench", name="Bench")
    shared = [new_match(club, number) for number in range(BOARDS)]
    alone = [new_match(club, BOARDS + number) for number in range(2 * BOARDS)]
    match, users = new_match(club, 3 * BOARDS + 2)
    session = session_of(users[0])
    with tempfile.TemporaryDirectory() as folder:
        count = forks.wanted(shared_cache=bool(settings.CACHE_URL))
        address, server = start_server(Path(folder), count)
        try:
            yield from on_a_phone(address, session, f"/matches/{match.ref}/sheet/")
            yield Figure("append_cpu_ms", cpu_of_an_append(club, address, server.pid), "ms", size=ALONE)
            both = [writer_of(match, user) for match, users in shared for user in users]
            yield from written_by(both, "scoresheet", address, server.pid, count)
            each = [writer_of(match, users[0]) for match, users in alone]
            yield from written_by(each, "scoresheet_alone", address, server.pid, count)
        finally:
            processes.stop(server, signal.SIGTERM, 10)
    yield from queries_of_an_append(club)


def on_a_phone(address: str, session: str, path: str) -> Iterator[Figure]:
    """What the page weighs, and how soon taps are drawn; raise RuntimeError if a tap is lost."""
    # Playwright's loop runs in its thread alone: the ORM is not used beside a loop.
    with ThreadPoolExecutor(1) as thread:
        load, taps = thread.submit(load_and_tap, f"http://{address}", session, path).result()
    if taps["lost"]:
        raise RuntimeError(f"these taps changed nothing: {taps['lost']}")
    size = f"HTML, CSS and JS over the wire, {load.requests} requests"
    yield Figure("scoresheet_page_kb", load.code / 1000, "KB", size=size, target=MOST_BYTES / 1000)
    size = f"{taps['taps']} taps in {taps['seconds']:.1f} s on a phone {SLOWER} times slower"
    for percent in (50, 90, 99):
        name = f"scoresheet_tap_p{percent}"
        yield Figure(name, share(taps["all"], percent), "ms", size=size, target=SOON_DRAWN)


def load_and_tap(address: str, session: str, path: str) -> tuple[Load, dict[str, Any]]:
    """Open the sheet in Chromium as the user of this session, once to weigh it and once to tap on it."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=CHROMIUM_FLAGS)
        options: dict[str, Any] = {
            "base_url": address,
            "viewport": PHONE,
            "is_mobile": True,
            "has_touch": True,
        }
        contexts = [browser.new_context(**options, service_workers="block") for _ in range(2)]
        for context in contexts:
            cookie = {"name": settings.SESSION_COOKIE_NAME, "value": session, "url": address}
            context.add_cookies([cookie])  # type: ignore[list-item]
        load = Slow(contexts[0]).loads(path)
        contexts[0].close()
        page = contexts[1].new_page()
        visit(page, path)
        taps = tap_quickly(contexts[1], page)
        browser.close()
    return load, taps


def written_by(
    writers: list[BenchWriter], name: str, address: str, server: int, count: int
) -> Iterator[Figure]:
    """Let these writers write, check the logs, and report the speed.

    What the web processes and this one took of the processor is told for each answer: this one plays the
    writers, on the same machine.
    """
    web, own = group_cpu_seconds(server), time.process_time()
    seconds = write_all(writers, address)
    web, own = group_cpu_seconds(server) - web, time.process_time() - own
    check(writers)
    written = sum(writer.written for writer in writers)
    boards = len({writer.match.pk for writer in writers})
    size = f"{len(writers)} writers at {boards} boards for {seconds:.0f} s, {written} events"
    size += f", web processes: {count}"
    times = sorted(ms for writer in writers for ms in writer.milliseconds)
    yield Figure(f"{name}_events_per_s", written / seconds, "events/s", size=size, higher_is_better=True)
    yield Figure(f"{name}_answer_median", times[len(times) // 2], "ms", size=size)
    yield Figure(f"{name}_answer_p95", times[len(times) * 95 // 100], "ms", size=size)
    conflicts = sum(writer.conflicts for writer in writers)
    yield Figure(f"{name}_conflicts_answered", conflicts, "answers 409", size=size)
    told = f"{size}, for each of {len(times)} answers"
    yield Figure(f"{name}_web_cpu_ms", 1000 * web / len(times), "ms", size=told)
    yield Figure(f"{name}_writers_cpu_ms", 1000 * own / len(times), "ms", size=told)


def writer_of(match: Match, user: User) -> BenchWriter:
    """A signed-in user who sits at the match."""
    dice = random.Random(f"{match.pk} {user.pk}")  # noqa: S311 - dice of a bench
    return BenchWriter(match, session_of(user), dice)


def new_match(club: Club, number: int) -> tuple[Match, list[User]]:
    """A long match between two players with accounts."""
    users = [User.objects.create_user(email=f"w{number}-{side}@example.org") for side in range(2)]
    players = [register_player(name=f"Writer {user.pk}", user=user) for user in users]
    match = open_match(club=club, white=[players[0]], black=[players[1]], length=LENGTH, user=users[0])
    return match, users


def session_of(user: User) -> str:
    """The key of a session in which the user is signed in."""
    client = Client()
    client.force_login(user, backend=settings.AUTHENTICATION_BACKENDS[0])
    return str(client.session.session_key)


def start_server(folder: Path, count: int = 1) -> tuple[str, Any]:
    """Start the web processes of ``up`` on a free port, with logs and files in the folder; wait for them."""
    log = folder / "web.log"
    environment = dict(os.environ) | {"MIDPOINT_VAR": str(folder), "SECRET_KEY": settings.SECRET_KEY}
    collect = [sys.executable, "manage.py", "collectstatic", "--no-input", "-v0"]
    subprocess.run(collect, env=environment, cwd=settings.BASE_DIR, check=True)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        address = f"127.0.0.1:{listener.getsockname()[1]}"
        server = processes.spawn(
            [sys.executable, "-m", "deploy.web", "--fd", str(listener.fileno()), "--processes", str(count)],
            environment=environment | {"PUBLIC_URL": f"http://{address}", "DATABASE_POOL": str(POOL)},
            log=log,
            file_descriptors=[listener.fileno()],
            directory=settings.BASE_DIR,
        )
    end = time.monotonic() + 120
    while time.monotonic() < end and server.poll() is None:
        try:
            with urllib.request.urlopen(f"http://{address}/healthz", timeout=30):
                return address, server
        except urllib.error.HTTPError:
            break
        except OSError:
            time.sleep(0.05)
    processes.stop(server, signal.SIGTERM, 10)
    raise RuntimeError(f"the web process does not answer:\n{processes.tail(log, 40)}")


def write_all(writers: list[BenchWriter], address: str) -> float:
    """Run all writers at once; return seconds from first entry to last response."""
    began = time.monotonic()
    threads = [threading.Thread(target=write, args=[each, address, began + SECONDS]) for each in writers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return time.monotonic() - began


def write(writer: BenchWriter, address: str, until: float) -> None:
    """Enter one event after another, from the last response."""
    line = http.client.HTTPConnection(address, timeout=120)
    status, view = asked(line, writer, "GET", f"/api/v1/matches/{writer.match.ref}/sheet/")
    if status != 200 or not view["may_write"]:
        writer.refused.append(f"{status}: the writer may not write")
        return
    for number in itertools.count():
        if time.monotonic() > until or view["status"] != "playing":
            break
        body = {
            "after": view["seq"],
            "holds": view["version"],
            "entries": [{"key": f"{writer.session}-{number}", **event(view, writer)}],
        }
        for _time in range(2 if number % TWICE == 0 else 1):
            began = time.monotonic()
            status, answer = asked(line, writer, "POST", f"/api/v1/matches/{writer.match.ref}/events/", body)
            writer.milliseconds.append(1000 * (time.monotonic() - began))
        if status == 200:
            writer.written += 1
            view = shown_after(view, answer)
        elif status == 409:
            writer.conflicts += 1
            view = answer["state"] if "state" in answer else shown_after(view, answer)
        else:
            writer.refused.append(f"{status} {answer}")
            break
    line.close()


def shown_after(view: Sent, answer: Sent) -> Sent:
    """The view after a response, which is whole or a change."""
    if "follows" not in answer:
        return answer
    return {**view, **answer["changes"], "seq": answer["seq"], "version": answer["version"]}


def event(view: Sent, writer: BenchWriter) -> Sent:
    """The next event of this board: a roll, or the first legal play of the roll."""
    if view["plays"]:
        moves = view["plays"]["sequences"]
        return {"kind": "play", "body": {"moves": moves[0] if moves else []}}
    first, second = writer.dice.randint(1, 6), writer.dice.randint(1, 6)
    if view["game"]["phase"] == "opening":
        return {"kind": "opening_roll", "body": {"white": first, "black": second}}
    return {"kind": "roll", "body": {"dice": [first, second]}}


def asked(
    line: http.client.HTTPConnection, writer: BenchWriter, method: str, path: str, body: Sent | None = None
) -> tuple[int, Sent]:
    """One request in the writer's session, on the writer's own connection."""
    headers = {
        "Cookie": f"{settings.SESSION_COOKIE_NAME}={writer.session}; {settings.CSRF_COOKIE_NAME}={CSRF}",
        "X-CSRFToken": CSRF,
        "Content-Type": "application/json",
    }
    line.request(method, path, json.dumps(body) if body else None, headers)
    response = line.getresponse()
    content = response.read()
    try:
        found: Sent = json.loads(content)
    except ValueError:
        found = {"text": content[:500].decode(errors="replace")}
    return response.status, found


def cpu_of_an_append(club: Club, address: str, server: int) -> float:
    """CPU milliseconds of the web processes per append of a lone writer."""
    match, users = new_match(club, 3 * BOARDS + 1)
    writer = BenchWriter(match, session_of(users[0]), random.Random(2))  # noqa: S311 - dice of a bench
    line = http.client.HTTPConnection(address, timeout=120)
    _status, view = asked(line, writer, "GET", f"/api/v1/matches/{match.ref}/sheet/")
    used = 0.0
    for number in range(WARMING + APPENDS):
        if number == WARMING:
            used = group_cpu_seconds(server)
        entry = {"key": f"a{number}", **event(view, writer)}
        body = {"after": view["seq"], "holds": view["version"], "entries": [entry]}
        status, answer = asked(line, writer, "POST", f"/api/v1/matches/{match.ref}/events/", body)
        if status != 200:
            raise RuntimeError(f"an append was answered {status}: {answer}")
        view = shown_after(view, answer)
    line.close()
    return 1000 * (group_cpu_seconds(server) - used) / APPENDS


def group_cpu_seconds(leader: int) -> float:
    """CPU time so far of the process group of the leader (Linux)."""
    ticks = 0
    for entry in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            fields = (entry / "stat").read_text().rpartition(")")[2].split()
            if int(fields[2]) == leader:
                ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def check(writers: list[BenchWriter]) -> None:
    """Compare the logs with what was acknowledged."""
    if refused := [text for writer in writers for text in writer.refused]:
        raise RuntimeError(f"{len(refused)} entries were refused, the first: {refused[0]}")
    for match in {writer.match.pk: writer.match for writer in writers}.values():
        fresh = Match.objects.select_related("sheet").get(pk=match.pk)
        seqs = list(
            SheetEvent.objects.filter(sheet=fresh.sheet).order_by("seq").values_list("seq", flat=True)
        )
        said = sum(writer.written for writer in writers if writer.match.pk == match.pk)
        if seqs != list(range(1, said + 2)):
            raise RuntimeError(f"{said} events were acknowledged; the log of {match.ref} has {len(seqs) - 1}")
        if damage := damage_of(fresh.sheet):
            raise RuntimeError(f"the log of {match.ref} is damaged at {damage.seq}: {damage.what}")


def queries_of_an_append(club: Club) -> Iterator[Figure]:
    """Number of queries of one append, early and late in a match."""
    match, users = new_match(club, 3 * BOARDS)
    client = Client(HTTP_HOST="127.0.0.1")
    client.force_login(users[0], backend=settings.AUTHENTICATION_BACKENDS[0])
    writer = BenchWriter(match, "", random.Random(1))  # noqa: S311
    view = client.get(f"/api/v1/matches/{match.ref}/sheet/").json()
    for number in range(2, 401):
        entry = {"key": f"k{number}", **event(view, writer)}
        with CaptureQueriesContext(connection) as queries:
            answer = client.post(
                f"/api/v1/matches/{match.ref}/events/",
                {"after": number - 1, "entries": [entry], "holds": view["version"]},
                content_type="application/json",
            )
        view = shown_after(view, answer.json())
        if number in {5, 400}:
            yield Figure("append_queries", len(queries), "queries", size=f"event {number}")
