"""Calls by Web Push: what arrives only the browser reads, gone browsers are forgotten, late calls stay."""

from datetime import timedelta
from pathlib import Path

import pytest
from django.conf import settings
from django.urls import reverse
from django.utils.timezone import now

from clubs.models import Player, Role, WorkStatus
from clubs.work import services as work
from tests.factories import UserFactory, member
from tests.push_browser import PushBrowser
from tests.tournaments.factories import an_event, drawn, open_pairings, other_side, win
from tournaments.desk.services.calls import call, move, start
from tournaments.desk.services.tables import make_tables
from tournaments.desk.services.undo import undo
from tournaments.display.services import push_key
from tournaments.display.services.pushes import drop_browsers, keep_browser, queue_calls, send_call
from tournaments.log.refusals import DeskRefused
from tournaments.log.services import note
from tournaments.models import DeskEvent, PushAddress, PushCall
from tournaments.stages.services.draws import undo_draw
from tournaments.stages.services.rounds import withdraw_round

pytestmark = pytest.mark.django_db

MOZILLA = "https://updates.push.services.mozilla.com/wpush/v2/abc"
P256DH, AUTH = "B" * 87, "A" * 22


@pytest.fixture(autouse=True)
def _own_key(tmp_path, settings):
    settings.VAR = tmp_path
    push_key.push_key.cache_clear()
    yield
    push_key.push_key.cache_clear()


class Browser(PushBrowser):
    """A browser that somebody is called in."""

    def subscribe(self, user) -> PushAddress:
        return PushAddress.objects.create(user=user, **self.address())


@pytest.fixture
def subscribed():
    found = Browser()
    yield found
    found.close()


def a_called_pairing(user):
    stage = drawn(an_event(4))
    row = open_pairings(stage)[0]
    player = row.a.players[0]
    player.user = user
    player.save()
    row.table, row.called_at = 7, now()
    row.save()
    return row


def the_call() -> PushCall:
    call = work.claim(PushCall)
    assert call is not None
    return call


def test_a_call_in_the_log_reaches_the_browser_and_only_it_can_read_it(subscribed):
    user = UserFactory.create()
    row = a_called_pairing(user)
    subscribed.subscribe(user)
    note(event=row.stage.flight.event, kind="called", user=None, pairing=row.ref, table=7)
    call = the_call()
    send_call(call)
    message = subscribed.read()
    assert (message["title"], message["address"]) == (
        "Table 7",
        reverse("tournaments:pairing", args=[row.ref]),
    )
    headers, body = subscribed.got[0]
    assert headers["authorization"].startswith("vapid ")
    assert b"Table" not in body
    call.refresh_from_db()
    assert call.status == WorkStatus.DONE


def test_another_table_reaches_both_sides_like_a_call(subscribed):
    stage = drawn(an_event(4))
    event = stage.flight.event
    director = UserFactory.create()
    make_tables(event=event, last=5, user=None)
    row = open_pairings(stage)[0]
    users = [UserFactory.create(), UserFactory.create()]
    for entrant, user in zip((row.a, other_side(row)), users, strict=True):
        Player.objects.filter(entries__entrant=entrant).update(user=user)
    subscribed.subscribe(users[0])
    PushAddress.objects.create(user=users[1], endpoint=MOZILLA, p256dh=P256DH, auth=AUTH)

    def called() -> set[int]:
        found = set(PushCall.objects.filter(status=WorkStatus.QUEUED).values_list("user", flat=True))
        PushCall.objects.all().delete()
        return found

    both = {user.pk for user in users}
    call(pairing=row, table=1, user=director)
    assert called() == both
    move(pairing=row, table=4, user=director)
    assert PushCall.objects.count() == 2
    send_call(next(each for each in (the_call(), the_call()) if each.user == users[0]))
    assert subscribed.read()["title"] == "Table 4"
    PushCall.objects.all().delete()
    undo(event=event, seq=DeskEvent.objects.get(event=event, kind="moved").seq, user=director)
    assert called() == both
    undo(event=event, seq=DeskEvent.objects.get(event=event, kind="called").seq, user=director)
    assert set(PushCall.objects.values_list("lapsed", flat=True)) == {True}
    send_call(next(each for each in (the_call(), the_call()) if each.user == users[0]))
    message = subscribed.read()
    assert (message["title"], message["body"]) == (
        "Call cancelled",
        "Wednesday: wait for the next call.",
    )
    assert (message["address"], message["tag"]) == (reverse("tournaments:pairing", args=[row.ref]), row.ref)


def test_a_match_called_again_sends_no_cancellation_of_the_first_call(subscribed):
    user = UserFactory.create()
    row = a_called_pairing(user)
    subscribed.subscribe(user)
    queue_calls(pairing=row, at=now(), lapsed=True)
    send_call(the_call())
    assert subscribed.got == []
    assert PushCall.objects.get().status == WorkStatus.CANCELLED


def test_undoing_a_start_keeps_the_call(subscribed):
    row = open_pairings(drawn(an_event(4)))[0]
    event, director, user = row.stage.flight.event, UserFactory.create(), UserFactory.create()
    Player.objects.filter(entries__entrant=row.a).update(user=user)
    subscribed.subscribe(user)
    call(pairing=row, table=None, user=director)
    start(pairing=row, user=director)
    PushCall.objects.all().delete()
    undo(event=event, seq=DeskEvent.objects.get(event=event, kind="started").seq, user=director)
    assert not PushCall.objects.exists()


def test_each_call_is_sent_once_and_only_to_subscribed_players(subscribed):
    user = UserFactory.create()
    row = a_called_pairing(user)
    assert queue_calls(pairing=row, at=row.called_at) == []
    subscribed.subscribe(user)
    assert len(queue_calls(pairing=row, at=row.called_at)) == 1
    assert queue_calls(pairing=row, at=row.called_at) == []


def test_a_browser_that_is_gone_is_forgotten():
    gone = Browser(410)
    user = UserFactory.create()
    row = a_called_pairing(user)
    gone.subscribe(user)
    queue_calls(pairing=row, at=row.called_at)
    send_call(the_call())
    gone.close()
    assert not PushAddress.objects.exists()
    assert PushCall.objects.get().status == WorkStatus.DONE


def test_a_push_service_in_trouble_is_asked_again():
    troubled = Browser(503)
    user = UserFactory.create()
    row = a_called_pairing(user)
    troubled.subscribe(user)
    queue_calls(pairing=row, at=row.called_at)
    send_call(the_call())
    troubled.close()
    call = PushCall.objects.get()
    assert (call.status, "503" in call.error) == (WorkStatus.QUEUED, True)


@pytest.mark.parametrize("change", ["taken back", "late", "decided"])
def test_an_outdated_call_is_not_sent(subscribed, change):
    user = UserFactory.create()
    row = a_called_pairing(user)
    subscribed.subscribe(user)
    queue_calls(pairing=row, at=now() - timedelta(minutes=20 if change == "late" else 0))
    if change == "taken back":
        row.called_at = None
        row.save()
    if change == "decided":
        row.state = "decided"
        row.save()
    send_call(the_call())
    assert subscribed.got == []
    assert PushCall.objects.get().status == WorkStatus.CANCELLED


@pytest.mark.parametrize(
    ("endpoint", "p256dh", "auth"),
    [
        ("https://127.0.0.1/push", P256DH, AUTH),
        ("http://updates.push.services.mozilla.com/x", P256DH, AUTH),
        ("https://fcm.googleapis.com.evil.example/x", P256DH, AUTH),
        ("", P256DH, AUTH),
        (MOZILLA, "short", AUTH),
        (MOZILLA, P256DH, ""),
        (MOZILLA + "x" * 600, P256DH, AUTH),
    ],
)
def test_only_browsers_of_known_push_services_are_kept(endpoint, p256dh, auth):
    with pytest.raises(DeskRefused):
        keep_browser(user=UserFactory.create(), endpoint=endpoint, p256dh=p256dh, auth=auth)


def test_a_browser_belongs_to_its_last_user():
    first, second = UserFactory.create(), UserFactory.create()
    for _twice in range(2):
        keep_browser(user=first, endpoint=MOZILLA, p256dh=P256DH, auth=AUTH)
    keep_browser(user=second, endpoint=MOZILLA, p256dh=P256DH, auth=AUTH)
    assert PushAddress.objects.get().user == second
    drop_browsers(user=first, endpoint=MOZILLA)
    assert PushAddress.objects.count() == 1
    drop_browsers(user=second)
    assert PushAddress.objects.count() == 0


def test_the_key_is_made_once_and_kept_from_others(tmp_path):
    first = push_key.public_key()
    push_key.push_key.cache_clear()
    assert push_key.public_key() == first
    assert (Path(settings.VAR) / push_key.KEY).stat().st_mode & 0o077 == 0


def test_the_page_says_what_is_possible(client):
    user = UserFactory.create()
    client.force_login(user)
    address = reverse("tournaments:calls")
    assert "need HTTPS" in client.get(address).content.decode()
    assert push_key.public_key() in client.get(address, secure=True).content.decode()
    sent = {"endpoint": MOZILLA, "p256dh": P256DH, "auth": AUTH}
    here = reverse("tournaments:call_here")
    assert client.post(here, sent).json() == {"on": True}
    assert client.post(here, sent | {"endpoint": "https://evil.example"}).status_code == 422
    assert client.post(here, sent | {"stop": "1"}).json() == {"on": False}
    assert not PushAddress.objects.exists()


def test_whose_call_lapses_with_its_draw_is_told(subscribed):
    user = UserFactory.create()
    subscribed.subscribe(user)
    row = a_called_pairing(user)
    stage = row.stage
    undo_draw(stage=stage, user=None, reason="somebody was forgotten")
    found = the_call()
    assert (found.lapsed, found.user, found.pairing) == (True, user, row)
    send_call(found)
    message = subscribed.read()
    event = stage.flight.event
    assert message["title"] == "Call cancelled"
    assert message["body"] == "Wednesday: the draw was undone and will be redrawn."
    assert (message["address"], message["tag"]) == (event.get_absolute_url(), row.ref)
    assert PushCall.objects.get().status == WorkStatus.DONE


def test_undoing_a_draw_notifies_only_called_players(subscribed):
    user = UserFactory.create()
    subscribed.subscribe(user)
    row = a_called_pairing(user)
    row.called_at = None
    row.save()
    undo_draw(stage=row.stage, user=None, reason="somebody was forgotten")
    assert not PushCall.objects.exists()


def test_whose_call_lapses_with_its_round_is_told(subscribed):
    user = UserFactory.create()
    subscribed.subscribe(user)
    event = an_event(4, format_key="swiss_3")
    stage, director = drawn(event), member(event.club, Role.DIRECTOR)
    for row in open_pairings(stage):
        win(row, director)
    row = open_pairings(stage)[0]
    Player.objects.filter(pk=row.a.members.get().player_id).update(user=user)
    call(pairing=row, user=director)
    withdraw_round(stage=stage, user=director)
    found = {each.lapsed: each for each in (the_call(), the_call())}
    send_call(found[False])  # outdated: it is not sent
    send_call(found[True])
    message = subscribed.read()
    assert message["body"] == f"{event.name}: round 2 was withdrawn. Wait for the next call."
    assert (message["address"], message["tag"]) == (event.get_absolute_url(), row.ref)
