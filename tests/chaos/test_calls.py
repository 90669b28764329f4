"""A worker that is killed while it tells somebody of a call, or that it lapsed, leaves it to the next one."""

import os
import signal
from collections.abc import Iterator

import pytest

from tests.chaos.installation import Up, run
from tests.push_browser import PushBrowser

pytestmark = pytest.mark.chaos

CALL = """
from django.utils.timezone import now
from clubs.models import Club, Membership, Person, Player, Role, User
from tournaments.models import Pairing, PushAddress, Stage
from tournaments.services.calls import call
from tournaments.services.drawing import draw_stage
from tournaments.services.events import announce_event
from tournaments.services.registration import register

club = Club.objects.create(slug="calls", name="Calls")
event = announce_event(club=club, name="Wednesday", starts_at=now(), format_key="knockout", length=3)
for name in ("Ana", "Ben"):
    player = Player.objects.create()
    Person.objects.create(player=player, name=name)
    Membership.objects.create(club=club, player=player, role=Role.MEMBER)
    register(flight=event.flights.get(), players=[player])
player.user = User.objects.create_user("ben@example.org")
player.save()
PushAddress.objects.create(user=player.user, **{address})
draw_stage(stage=Stage.objects.get(), user=None)
call(pairing=Pairing.objects.select_related("stage__flight__event__club", "a", "b").get(), user=None)
"""
TAKE_BACK = """
from tournaments.models import DeskEvent, Event
from tournaments.services.undoing import undo
undo(event=Event.objects.get(), seq=DeskEvent.objects.get(kind="called").seq, user=None)
"""
RUNNING = "SELECT count(*) FROM tournaments_pushcall WHERE status = 'running'"
# What two minutes of waiting do.
LEASE_RUNS_OUT = "UPDATE tournaments_pushcall SET lease_until = now() WHERE status = 'running'"
ENDED = "SELECT lapsed, status, attempt FROM tournaments_pushcall ORDER BY called_at"


@pytest.fixture
def phone() -> Iterator[PushBrowser]:
    found = PushBrowser()
    yield found
    found.close()


def test_a_call_and_that_it_lapsed_are_delivered_once_each_although_their_workers_are_killed(
    running: Up, phone: PushBrowser
):
    ended: list[tuple[bool, str, int]] = []
    calling = CALL.replace("{address}", repr(phone.address()))
    for lapsed, title, script in [
        (False, "You are called", calling),
        (True, "You are no longer called", TAKE_BACK),
    ]:
        phone.holds = True
        phone.took.clear()
        done = run(running.checkout, "shell", "-c", script)
        assert done.returncode == 0, done.stderr
        assert phone.took.wait(60), "no worker has sent anything"
        kill_the_worker(running)
        phone.holds = False
        with running.database() as connection:
            assert connection.execute(RUNNING).fetchone() == (1,)
            connection.execute(LEASE_RUNS_OUT)
        running.wait_until(lambda: len(phone.got) > len(ended), f"delivery of “{title}”")
        assert phone.read()["title"] == title
        ended.append((lapsed, "done", 2))

        def written(expected: list[tuple[bool, str, int]] = ended[:]) -> bool:
            with running.database() as connection:
                return connection.execute(ENDED).fetchall() == expected

        running.wait_until(written, f"end of the work for “{title}”")
    assert len(phone.got) == 2


def kill_the_worker(running: Up) -> None:
    before = running.pids("worker")
    for pid in before:
        os.kill(pid, signal.SIGKILL)
    running.wait_until(
        lambda: (now := running.pids("worker")) and not set(before) & set(now), "successor of the worker"
    )
