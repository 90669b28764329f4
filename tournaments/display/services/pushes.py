"""Notify players of table calls by Web Push (RFC 8030)."""

import json
from datetime import datetime, timedelta
from email.utils import parseaddr
from importlib import import_module
from urllib.parse import urlsplit

from django.conf import settings
from django.db.models import Q
from django.utils.timezone import now
from django.utils.translation import gettext as _

from clubs.models import User
from clubs.work import services as work
from tournaments.display.services.push_key import push_key
from tournaments.log.refusals import DeskRefused
from tournaments.models import EntrantMember, PairingRow, PairingState, PushAddress, PushCall

# Push services of the known browsers. Any other address would let users make this server send requests
# anywhere.
PUSH_HOSTS = (
    "fcm.googleapis.com",
    "updates.push.services.mozilla.com",
    "web.push.apple.com",
    "notify.windows.com",
    "push.apple.com",
)
MOST_BROWSERS = 10
TTL = 600  # seconds that the push service stores an undelivered call
LATE = timedelta(minutes=15)
GONE = frozenset({404, 410})


def keep_browser(*, user: User, endpoint: str, p256dh: str, auth: str) -> PushAddress:
    """Subscribe a browser of this user; a browser has one user.

    Repeating it changes nothing.

    Raises DeskRefused for an unknown push service, invalid keys, and too many browsers.
    """
    address = urlsplit(endpoint)
    host = address.hostname or ""
    known = any(host == each or host.endswith(f".{each}") for each in PUSH_HOSTS)
    if address.scheme != "https" or not known or len(endpoint) > 500:
        raise DeskRefused(
            _("%(host)s is not a supported push service.") % {"host": host[:80] or "–"},
            code="push_host",
        )
    if not 80 <= len(p256dh) <= 120 or not 16 <= len(auth) <= 40:
        raise DeskRefused(_("The browser’s keys are not valid."), code="push_keys")
    others = PushAddress.objects.filter(user=user).exclude(endpoint=endpoint)
    if others.count() >= MOST_BROWSERS:
        raise DeskRefused(
            _("Notifications are already on in ten browsers. Turn one off first."), code="push_most"
        )
    values = {"user": user, "p256dh": p256dh, "auth": auth}
    return PushAddress.objects.update_or_create(endpoint=endpoint, defaults=values)[0]


def drop_browsers(*, user: User, endpoint: str = "") -> None:
    """Unsubscribe one browser of the user, or all."""
    rows = PushAddress.objects.filter(user=user)
    (rows.filter(endpoint=endpoint) if endpoint else rows).delete()


def push_to(user_id: int, message: dict[str, str]) -> list[str]:
    """Send a message to all browsers of a user; returns errors worth a retry."""
    text = json.dumps(message, ensure_ascii=False)
    sent = [_send(row, text) for row in PushAddress.objects.filter(user=user_id)]
    return [trouble for trouble in sent if trouble]


def queue_calls(*, pairing: PairingRow, at: datetime, lapsed: bool = False) -> list[PushCall]:
    """Queue a notification for each called player with a browser, once.

    Runs in the caller's transaction. With ``lapsed`` it tells them that the call was cancelled.
    """
    members = EntrantMember.objects.filter(
        Q(entrant=pairing.a_id) | Q(entrant=pairing.b_id), player__user__push_addresses__isnull=False
    )
    found = []
    for user in User.objects.filter(player__in=members.values("player"), is_active=True).order_by("pk"):
        call, new = PushCall.objects.get_or_create(
            pairing=pairing, user=user, called_at=at, defaults={"lapsed": lapsed}
        )
        if new:
            found.append(call)
    return found


def send_call(call: PushCall) -> None:
    """Send a claimed call to every browser of its user.

    Expired subscriptions are deleted; temporary errors fail the work, which is retried. Outdated or late
    calls are not sent: cancelled calls, and cancellations of a match that was called again.
    """
    pairing = PairingRow.objects.select_related("stage__flight__event").get(pk=call.pairing_id)
    if not _holds(call, pairing) or now() - call.called_at > LATE:
        work.cancel(call)
        return
    message = _lapsed(pairing) if call.lapsed else _message(pairing)
    text = json.dumps(message, ensure_ascii=False)
    troubles = [
        trouble for row in PushAddress.objects.filter(user=call.user_id) if (trouble := _send(row, text))
    ]
    if troubles:
        work.fail(call, error="; ".join(troubles)[:500])
        return
    with work.finish(call):
        pass  # the call is sent already; the row only records it


def _holds(call: PushCall, pairing: PairingRow) -> bool:
    called = pairing.called_at is not None
    if not call.lapsed:
        return called and pairing.state == PairingState.OPEN
    # Undoing a draw keeps the call times of its pairings, an undo at the desk does not.
    return pairing.state == (PairingState.REPLACED if called else PairingState.OPEN)


def _message(pairing: PairingRow) -> dict[str, str]:
    event = pairing.stage.flight.event
    table = _("Table %(number)s") % {"number": pairing.table} if pairing.table else _("Your match is called")
    return {"title": table, "body": event.name, "address": f"/pairings/{pairing.ref}/", "tag": pairing.ref}


def _lapsed(pairing: PairingRow) -> dict[str, str]:
    """Message that replaces the call in the browser (same ``tag``)."""
    event = pairing.stage.flight.event
    if pairing.state == PairingState.OPEN:
        said, address = _("%(event)s: wait for the next call."), f"/pairings/{pairing.ref}/"
    elif pairing.stage.in_rounds and pairing.round > 1:  # the first round comes with the draw
        said = _("%(event)s: round %(round)s was withdrawn. Wait for the next call.")
        address = event.get_absolute_url()
    else:
        said = _("%(event)s: the draw was undone and will be redrawn.")
        address = event.get_absolute_url()
    body = said % {"event": event.name, "round": pairing.round}
    return {"title": _("Call cancelled"), "body": body, "address": address, "tag": pairing.ref}


def _send(row: PushAddress, text: str) -> str:
    """Send to one browser; returns an error worth a retry, else ""."""
    push = import_module("pywebpush")  # 10 MB with aiohttp, and most processes never send a call
    try:
        push.webpush(
            {"endpoint": row.endpoint, "keys": {"p256dh": row.p256dh, "auth": row.auth}},
            data=text,
            vapid_private_key=push_key(),
            vapid_claims={"sub": f"mailto:{parseaddr(settings.DEFAULT_FROM_EMAIL)[1]}"},
            ttl=TTL,
            timeout=10,
            headers={"Urgency": "high"},
        )
    except push.WebPushException as error:
        status = error.response.status_code if error.response is not None else 0
        if status in GONE:
            row.delete()
            return ""
        return f"{urlsplit(row.endpoint).hostname}: {status or 'unreachable'}"
    except (OSError, ValueError) as error:
        return f"{urlsplit(row.endpoint).hostname}: {type(error).__name__}"
    return ""
