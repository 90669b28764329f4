"""Several scorers at one table at once: each event once, ledgers whole, whatever is killed in between."""

from collections.abc import Callable
from functools import partial
from threading import Barrier, Thread
from time import sleep
from typing import Any

import pytest
from django.contrib.sessions.backends.db import SessionStore
from django.db import connection, transaction
from rest_framework.test import APIClient

from clubs.clubs.services.clubs import add_player
from scoring.chouettes.services.chouettes import record
from scoring.chouettes.services.damage import damage_of
from scoring.chouettes.services.rows import write_games
from scoring.chouettes.services.tables import join_as_guest, join_table
from scoring.log.queries.writers import SESSION_KEY
from scoring.models import ChouetteGame, ChouettePlayer, Ledger, SheetEvent
from scoring.rules.chouette.events import ChouetteEvent, GameBegun, GameOver
from scoring.rules.match import Win
from scoring.sheets.services.entries import ConflictRefused, Entry
from tests.scoring.chouettes.tables import Night

pytestmark = pytest.mark.django_db(transaction=True)

DOUBLES = 100
PATIENCE = 300  # seconds that one of two writers waits for the other; far beyond what a busy machine needs


def at_once(*works):
    """Run each in a thread with a connection of its own; what they raised."""
    raised = []

    def run(work):
        try:
            work()
        except Exception as error:  # noqa: BLE001 - told to the test
            raised.append(error)
        finally:
            connection.close()

    threads = [Thread(target=run, args=[work]) for work in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return raised


@pytest.mark.long
def test_double_submissions_of_two_scorers_leave_one_event_each():
    """Two write at the same moment, again and again: the same key, or two keys for one place."""
    night = Night(3)
    start, meet = night.head, Barrier(2)
    outcomes: dict[str, list[str]] = {"Ana": [], "Jon": []}

    def submit(name):
        def work():
            for number in range(DOUBLES):
                same = number % 4 >= 2
                key = f"{number}" if same else f"{number}-{name}"
                event: ChouetteEvent = GameOver(box_won=True, win=Win.SINGLE) if number % 2 else GameBegun()
                meet.wait(PATIENCE)
                try:
                    record(
                        chouette=night.chouette, author=night.author(name), after=start + number,
                        entries=[Entry(key, event)],
                    )  # fmt: skip
                    outcomes[name].append("written")
                except ConflictRefused:
                    outcomes[name].append("conflict")

        return work

    assert at_once(submit("Ana"), submit("Jon")) == []
    pairs = [sorted(pair) for pair in zip(*outcomes.values(), strict=True)]
    expected = [["written", "written"] if n % 4 >= 2 else ["conflict", "written"] for n in range(DOUBLES)]
    assert pairs == expected
    seqs = SheetEvent.objects.filter(sheet=night.loaded.sheet).order_by("seq").values_list("seq", flat=True)
    assert list(seqs) == list(range(1, start + DOUBLES + 1))
    assert ChouetteGame.objects.filter(chouette=night.chouette).count() == DOUBLES // 2
    assert Ledger.objects.filter(game__chouette=night.chouette).count() == 3 * DOUBLES // 2
    assert damage_of(night.loaded.sheet) is None


def test_all_who_sit_down_at_once_have_a_seat_each():
    night = Night(3)
    sessions = [SessionStore() for _each in range(4)]
    works: list[Callable[[], object]] = [
        partial(join_as_guest, chouette=night.chouette, name=f"Guest {number}", session=session)
        for number, session in enumerate(sessions)
    ]
    works += [partial(join_table, chouette=night.chouette, user=night.users["Eva"])] * 2
    assert at_once(*works) == []
    assert len(night.state.seats) == 7
    assert ChouettePlayer.objects.filter(chouette=night.chouette, seated=True).count() == 7
    assert damage_of(night.loaded.sheet) is None


def test_sitting_down_twice_with_one_tap_is_one_guest():
    """Both requests have the phone's session as it was before either of them."""
    night = Night(3)
    first = SessionStore()
    first.create()
    second = SessionStore(first.session_key)
    sit = partial(join_as_guest, chouette=night.chouette, name="Leo", nonce="as the form has it")
    assert at_once(partial(sit, session=first), partial(sit, session=second)) == []
    assert len(night.state.seats) == 4
    assert first[SESSION_KEY] == second[SESSION_KEY]
    join_as_guest(chouette=night.chouette, name="Leo", nonce="another form", session=SessionStore())
    assert len(night.state.seats) == 5


def posted_at_once(night, addresses_and_bodies):
    """The answers to what Ana, Jon, Ana … post to the API at the same moment: (status, body)."""
    answers, meet = [], Barrier(len(addresses_and_bodies))

    def post(name, address, body):
        client = APIClient()
        client.force_authenticate(night.users[name])
        meet.wait(PATIENCE)
        answer = client.post(f"/api/v1/chouettes/{address}/", body, format="json")
        answers.append((answer.status_code, answer.json()))

    names = ("Ana", "Jon") * len(addresses_and_bodies)
    works = [partial(post, name, *each) for name, each in zip(names, addresses_and_bodies, strict=False)]
    assert at_once(*works) == []
    return answers


def test_over_the_api_one_of_many_writers_is_first_and_the_others_are_shown_the_table():
    night = Night(3)
    ref, head = night.chouette.ref, night.head
    bodies = [
        {"after": head, "entries": [{"key": f"k{n}", "kind": "game_start", "body": {}}]} for n in range(6)
    ]
    answers = posted_at_once(night, [(f"{ref}/events", body) for body in bodies])
    assert sorted(status for status, _body in answers) == [200, 409, 409, 409, 409, 409]
    for status, body in answers:
        if status == 409:
            assert (body["code"], body["state"]["seq"], body["state"]["game"]["number"]) == (
                "behind", head + 1, 1,
            )  # fmt: skip
            assert [line["kind"] for line in body["theirs"]] == ["game_start"]
    same = {"after": head + 1, "entries": [{"key": "end", "kind": "chouette_end", "body": {}}]}
    refused = posted_at_once(night, [(f"{ref}/events", same)] * 2)
    assert [status for status, _body in refused] == [422, 422]
    over = {
        "after": head + 1,
        "entries": [{"key": "o", "kind": "game_over", "body": {"box_won": True, "win": 1}}],
    }
    assert [status for status, _body in posted_at_once(night, [(f"{ref}/events", over)] * 4)] == [200] * 4
    undone = posted_at_once(night, [(f"{ref}/undo", {"after": head + 2, "key": f"u{n}"}) for n in range(3)])
    assert sorted(status for status, _body in undone) == [200, 409, 409]
    assert damage_of(night.loaded.sheet) is None


def test_a_name_in_the_log_that_somebody_else_takes_at_the_same_moment_is_a_conflict():
    """Two phones make up the same name for a newcomer at two tables, and neither sees the other's row yet."""
    night, other = Night(3), Night(3)
    body = {"player": "abcdefghjk", "name": "Leo", "stake": 0}
    entries = [{"key": "j", "kind": "join", "body": body}]
    answers: list[tuple[int, Any]] = []

    def post():
        client = APIClient()
        client.force_authenticate(night.users["Ana"])
        sent = {"after": night.head, "entries": entries}
        answer = client.post(f"/api/v1/chouettes/{night.chouette.ref}/events/", sent, format="json")
        answers.append((answer.status_code, answer.json()))

    thread = Thread(target=lambda: at_once(post))
    with transaction.atomic():
        newcomer = add_player(club=other.club, name="Leo").player
        ChouettePlayer.objects.create(chouette=other.chouette, player=newcomer, ref="abcdefghjk")
        thread.start()
        wait_until_somebody_waits()
    thread.join()
    ((status, told),) = answers
    assert (status, told["code"], told["state"]["seq"], told["theirs"]) == (409, "behind", night.head, [])
    assert not ChouettePlayer.objects.filter(chouette=night.chouette, ref="abcdefghjk").exists()


def wait_until_somebody_waits():
    """Until a statement of another connection waits for what this transaction holds."""
    # Not pg_stat_activity: a transaction sees that as it was when it first looked.
    waiting = (
        "SELECT count(*) FROM pg_locks WHERE NOT granted AND pg_backend_pid() = ANY(pg_blocking_pids(pid))"
    )
    for _each in range(600):
        with connection.cursor() as cursor:
            cursor.execute(waiting)
            if cursor.fetchone()[0]:
                return
        sleep(0.05)
    raise AssertionError("nobody waits")


def test_a_writer_that_dies_before_the_end_leaves_nothing(monkeypatch):
    """Whatever a web process was doing when it was killed, its transaction never was."""
    night = Night(3)
    night.write(GameBegun())
    head = night.head

    def killed(*arguments):
        write_games(*arguments)
        raise SystemExit

    monkeypatch.setattr("scoring.chouettes.services.chouettes.write_games", killed)
    with pytest.raises(SystemExit):
        night.write(GameOver(box_won=True, win=Win.SINGLE))
    monkeypatch.undo()
    assert night.head == head
    assert not Ledger.objects.filter(game__chouette=night.chouette).exists()
    night.write(GameOver(box_won=True, win=Win.SINGLE))
    assert damage_of(night.loaded.sheet) is None


def test_half_a_ledger_is_not_committed():
    night = Night(3)
    night.play()
    rows = Ledger.objects.filter(game__chouette=night.chouette)
    before = sorted(rows.values_list("pk", "points", "minor"))
    with pytest.raises(Exception, match="not to zero"), transaction.atomic():
        rows.filter(points__lt=0).first().delete()  # type: ignore[union-attr]
    assert sorted(rows.values_list("pk", "points", "minor")) == before
