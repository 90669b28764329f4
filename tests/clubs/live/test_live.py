"""Live pages, on a real web process: who hears what, when, and what it costs the database."""

import http.client
import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit

import pytest
from django.db import connection, transaction
from django.test import Client
from django.urls import reverse

from clubs.clubs.services.clubs import add_player
from clubs.live.topics import publish
from clubs.models import Club, Role, Visibility
from tests.factories import ClubFactory, UserFactory, member


class Stream:
    """An open ``EventSource``: reads events one by one."""

    def __init__(self, server: str, path: str, headers: dict[str, str]) -> None:
        self._connection = http.client.HTTPConnection(urlsplit(server).netloc, timeout=15)
        self._connection.request("GET", path, headers={"Accept": "text/event-stream"} | headers)
        self.response = self._connection.getresponse()

    def event(self) -> dict[str, str]:
        """The next event's fields, comments and the retry line left out."""
        fields: dict[str, str] = {}
        while line := self.response.readline().decode():
            name, _, value = line.rstrip("\n").partition(": ")
            if name in {"id", "event", "data"}:
                fields[name] = value
            elif not name and fields:
                return fields
        raise EOFError

    def close(self) -> None:
        self.response.close()
        self._connection.close()


@contextmanager
def listening(server: str, ref: str, query: str = "", **headers: str) -> Iterator[Stream]:
    stream = Stream(server, f"/live/{ref}{query}", headers)
    try:
        yield stream
    finally:
        stream.close()


def cookie(user) -> dict[str, str]:
    client = Client()
    client.force_login(user)
    return {"Cookie": f"sessionid={client.cookies['sessionid'].value}"}


def connections_of_hub() -> list[int]:
    sql = "select pid from pg_stat_activity where application_name = 'midpoint live hub' and datname = %s"
    with connection.cursor() as cursor:
        cursor.execute(sql, [connection.settings_dict["NAME"]])
        return [pid for (pid,) in cursor.fetchall()]


def eventually(question, expected, patience=10.0):
    end = time.monotonic() + patience
    while (answer := question()) != expected and time.monotonic() < end:
        time.sleep(0.05)
    assert answer == expected


def test_a_stream_begins_with_the_version_and_hears_every_change(server):
    club = ClubFactory.create()
    with listening(server, club.ref) as stream:
        assert stream.response.status == 200
        assert stream.response.headers["Content-Type"] == "text/event-stream"
        assert stream.event() == {"id": "1", "event": "version", "data": "1"}
        add_player(club=club, name="Iker")
        assert stream.event()["data"] == "2"


@pytest.mark.parametrize("how", ["header", "query"])
def test_a_page_that_knows_the_version_hears_the_next_one_only(server, how):
    club = ClubFactory.create(version=7)
    known = {"Last-Event-ID": "7"} if how == "header" else {}
    with listening(server, club.ref, "" if known else "?since=7", **known) as stream:
        eventually(lambda: len(connections_of_hub()), 1)
        add_player(club=club, name="Iker")
        assert stream.event()["id"] == "8"


def test_a_change_between_page_and_stream_is_not_missed(server):
    club = ClubFactory.create()
    add_player(club=club, name="Iker")
    with listening(server, club.ref, "?since=1") as stream:
        assert stream.event()["id"] == "2"


def test_what_is_rolled_back_is_not_told(server):
    club = ClubFactory.create()
    with listening(server, club.ref) as stream:
        stream.event()
        with transaction.atomic():
            publish(club.ref, 99)
            transaction.set_rollback(True)
        publish(club.ref, 3)
        assert stream.event()["id"] == "3"


def test_only_pages_of_the_ref_hear_it(server):
    club, other = ClubFactory.create(), ClubFactory.create()
    with listening(server, club.ref) as stream:
        stream.event()
        publish(other.ref, 50)
        publish(club.ref, 2)
        assert stream.event()["id"] == "2"


def test_many_streams_share_one_connection_and_leave_none_behind(server):
    clubs = [ClubFactory.create() for _ in range(3)]
    streams = [Stream(server, f"/live/{club.ref}", {}) for club in clubs for _ in range(4)]
    try:
        assert [stream.event()["id"] for stream in streams] == ["1"] * 12
        assert len(connections_of_hub()) == 1
        for club in clubs:
            publish(club.ref, 2)
        assert [stream.event()["id"] for stream in streams] == ["2"] * 12
    finally:
        for stream in streams:
            stream.close()
    # The web process notices a reader that went away when it writes to it, at the latest at the heartbeat.
    for club in clubs:
        publish(club.ref, 3)
    eventually(connections_of_hub, [], patience=60)


def test_an_open_stream_keeps_no_other_connection(server):
    club = ClubFactory.create(visibility=Visibility.MEMBERS)
    who = cookie(member(club))
    streams = [Stream(server, f"/live/{club.ref}", who) for _ in range(8)]
    try:
        assert [stream.event()["id"] for stream in streams] == ["1"] * 8
        sql = "select count(*) from pg_stat_activity where datname = %s and pid <> pg_backend_pid()"

        def others() -> int:
            with connection.cursor() as cursor:
                cursor.execute(sql, [connection.settings_dict["NAME"]])
                return int(cursor.fetchone()[0])

        # Besides the hub's there may be what the web process keeps for its next requests, never one a stream.
        assert others() <= 1 + 4
    finally:
        for stream in streams:
            stream.close()


@pytest.mark.long
def test_a_lost_database_connection_is_replaced_and_nothing_is_missed(server):
    club = ClubFactory.create()
    with listening(server, club.ref) as stream:
        stream.event()
        [pid] = connections_of_hub()
        with connection.cursor() as cursor:
            cursor.execute("select pg_terminate_backend(%s)", [pid])
        # No notification of this one is heard: the hub reads the version again when it is back.
        Club.objects.filter(pk=club.pk).update(version=5)
        assert stream.event()["id"] == "5"
        publish(club.ref, 6)
        assert stream.event()["id"] == "6"


def test_what_must_not_be_known_is_not_told(server):
    hidden = ClubFactory.create(visibility=Visibility.MEMBERS)
    for ref, headers, status in (
        (hidden.ref, {}, 404),
        (hidden.ref, cookie(UserFactory.create()), 404),
        ("23456789ab", {}, 404),
        (hidden.ref, cookie(member(hidden, Role.GUEST)), 200),
    ):
        with listening(server, ref, **headers) as stream:
            assert stream.response.status == status


@pytest.mark.django_db(transaction=True)
def test_a_page_that_polls_gets_304_until_something_changes(client):
    club = ClubFactory.create(version=4)
    address = reverse("clubs:live", args=[club.ref])
    first = client.get(address)
    assert json.loads(first.content) == {"ref": club.ref, "version": 4}
    assert client.get(address, headers={"If-None-Match": first["ETag"]}).status_code == 304
    add_player(club=club, name="Iker")
    again = client.get(address, headers={"If-None-Match": first["ETag"]})
    assert (again.status_code, json.loads(again.content)["version"]) == (200, 5)
    assert client.get("/live/23456789ab").status_code == 404
    assert client.post(address).status_code == 405
