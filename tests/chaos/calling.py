"""A member who is called, and no longer called, by workers that are killed while they say so."""

import uuid

from tests.chaos.installation import Up, run
from tests.push_browser import PushBrowser

CALL = """
from django.utils.timezone import now
from clubs.models import Club, Membership, Person, Player, Role, User
from tournaments.models import PairingRow, PushAddress, StageRow
from tournaments.desk.services.calls import call
from tournaments.stages.services.draws import draw_stage
from tournaments.events.services.events import announce_event
from tournaments.entries.services.entries import enter

club = Club.objects.create(slug="{slug}", name="Calls")
event = announce_event(club=club, name="Wednesday", starts_at=now(), format_key="knockout", length=3)
for name in ("Ana", "Ben"):
    player = Player.objects.create()
    Person.objects.create(player=player, name=name)
    Membership.objects.create(club=club, player=player, role=Role.MEMBER)
    enter(flight=event.flights.get(), players=[player])
player.user = User.objects.create_user("{slug}@example.org")
player.save()
PushAddress.objects.create(user=player.user, **{address})
stage = StageRow.objects.get(flight__event=event)
draw_stage(stage=stage, user=None)
found = PairingRow.objects.select_related("stage__flight__event__club", "a", "b").get(stage=stage)
call(pairing=found, user=None)
"""
TAKE_BACK = """
from tournaments.models import DeskEvent, Event
from tournaments.desk.services.undo import undo
event = Event.objects.get(club__slug="{slug}")
undo(event=event, seq=DeskEvent.objects.get(event=event, kind="called").seq, user=None)
"""
RUNNING = "SELECT count(*) FROM tournaments_pushcall WHERE status = 'running'"
# What two minutes of waiting do.
LEASE_RUNS_OUT = "UPDATE tournaments_pushcall SET lease_until = now() WHERE status = 'running'"
ENDED = """
SELECT lapsed, status, attempt FROM tournaments_pushcall JOIN clubs_user AS called ON called.id = user_id
WHERE email = %s ORDER BY called_at
"""


class Calling:
    """A club of which one member is called, and no longer called; the worker that says so is killed."""

    def __init__(self, running: Up, phone: PushBrowser) -> None:
        self.running, self.phone = running, phone
        self.slug = f"calls-{uuid.uuid4().hex[:8]}"
        self.ended: list[tuple[bool, str, int]] = []

    def deliver(self, script: str, title: str, *, lapsed: bool) -> None:
        running, phone = self.running, self.phone
        phone.holds = True
        phone.took.clear()
        running.wait_until(lambda: running.main_pid("worker"), "worker")
        done = run(running.checkout, "shell", "-c", script.format(slug=self.slug, address=phone.address()))
        assert done.returncode == 0, done.stderr
        running.wait_until(phone.took.is_set, "worker that sends anything")
        before = running.kill("worker")
        phone.holds = False
        with running.database() as connection:
            assert connection.execute(RUNNING).fetchone() == (1,)
            connection.execute(LEASE_RUNS_OUT)
        running.await_successor("worker", before)
        # The reconciler on the beat finds the work that nobody holds.
        running.wait_until(lambda: len(phone.got) > len(self.ended), f"delivery of “{title}”")
        assert phone.read()["title"] == title
        self.ended.append((lapsed, "done", 2))
        running.wait_until(lambda: self.written() == self.ended, f"end of the work for “{title}”")
        assert len(phone.got) == len(self.ended)

    def written(self) -> list[tuple[bool, str, int]]:
        with self.running.database() as connection:
            return connection.execute(ENDED, [f"{self.slug}@example.org"]).fetchall()
