"""The web process is killed while people write: what was acknowledged stands, the rest goes again, once."""

import http.client
import json
import signal
import threading
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from django.conf import settings
from django.db import connection
from django.test import Client

from clubs.models import User
from deploy import processes
from scoring.chouettes.services.damage import damage_of
from scoring.models import Match, SheetEvent
from tests.children import ServerChild
from tests.scoring.sheets.writing import author, loaded, two_players

pytestmark = pytest.mark.django_db(transaction=True)

KILLS = 3
WRITERS = 4
CSRF = "c" * 32


@dataclass
class Writer:
    """One board's scorer: what it has entered, and the entry whose answer it still waits for."""

    match: Match
    session: str
    seq: int = 1
    number: int = 0
    acknowledged: list[str] = field(default_factory=list)

    def write(self, url: str, stop: threading.Event) -> None:
        """Enter games until the line breaks or it is enough."""
        line = http.client.HTTPConnection(urlsplit(url).netloc, timeout=30)
        headers = {
            "Cookie": f"{settings.SESSION_COOKIE_NAME}={self.session}; {settings.CSRF_COOKIE_NAME}={CSRF}",
            "X-CSRFToken": CSRF,
            "Content-Type": "application/json",
        }
        while not stop.is_set():
            key = f"entry-{self.number}"
            game = {"winner": "white", "win": 1, "cube": 1, "ended": "pass"}
            entry = {"key": key, "kind": "game_result", "body": game}
            body = json.dumps({"after": self.seq, "entries": [entry]})
            try:
                line.request("POST", f"/api/v1/matches/{self.match.ref}/events/", body, headers)
                response = line.getresponse()
                answer = json.loads(response.read())
            except (OSError, http.client.HTTPException, ValueError):
                break  # no answer: the same entry goes again, under the same key, to the next server
            assert response.status == 200, answer
            self.acknowledged.append(key)
            self.seq, self.number = answer["seq"], self.number + 1
        line.close()


def session_of(user: User) -> str:
    client = Client()
    client.force_login(user, backend=settings.AUTHENTICATION_BACKENDS[0])
    return str(client.session.session_key)


@pytest.mark.long
def test_a_killed_server_loses_nothing_and_writes_nothing_twice(tmp_path: Path) -> None:
    writers = []
    for _number in range(WRITERS):
        match = two_players(999)
        user = author(match, "white").user
        assert user is not None
        writers.append(Writer(match, session_of(user)))
    for kill in range(KILLS + 1):
        server = ServerChild(connection.settings_dict, tmp_path / f"web-{kill}.log")
        stop = threading.Event()
        threads = [threading.Thread(target=writer.write, args=[server.url, stop]) for writer in writers]
        for thread in threads:
            thread.start()
        enough = [writer.number + 3 for writer in writers]
        while any(writer.number < wanted for writer, wanted in zip(writers, enough, strict=True)):
            assert all(thread.is_alive() for thread in threads)
            stop.wait(0.02)
        if kill < KILLS:
            processes.signal_group(server.pid, signal.SIGKILL)
        stop.set()
        for thread in threads:
            thread.join()
        server.stop()
    for writer in writers:
        rows = SheetEvent.objects.filter(sheet=writer.match.sheet_id).order_by("seq")
        keys = list(rows.values_list("client_key", flat=True))[1:]
        assert keys == writer.acknowledged
        assert len(keys) > KILLS
        assert damage_of(loaded(writer.match).sheet) is None
