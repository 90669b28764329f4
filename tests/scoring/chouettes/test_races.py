"""Several scorers at one table at once: each event once, ledgers whole, whatever is killed in between."""

from collections.abc import Callable
from functools import partial
from threading import Barrier, Thread

import pytest
from django.contrib.sessions.backends.db import SessionStore
from django.db import connection, transaction

from scoring.models import ChouetteGame, ChouettePlayer, Ledger, SheetEvent
from scoring.queries.writers import SESSION_KEY
from scoring.rules.chouette_events import ChouetteEvent, GameBegun, GameOver
from scoring.rules.match import Win
from scoring.services.chouette_rows import write_games
from scoring.services.chouette_tables import join_as_guest, join_table
from scoring.services.chouettes import record
from scoring.services.entries import ConflictError, Entry
from scoring.services.sheets import damage_of
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
                except ConflictError:
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


def test_a_writer_that_dies_before_the_end_leaves_nothing(monkeypatch):
    """Whatever a web process was doing when it was killed, its transaction never was."""
    night = Night(3)
    night.write(GameBegun())
    head = night.head

    def killed(*arguments):
        write_games(*arguments)
        raise SystemExit

    monkeypatch.setattr("scoring.services.chouettes.write_games", killed)
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
