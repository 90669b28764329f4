"""Calls by Web Push (RFC 8030): browsers that want them, and what is sent to them."""

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

# The push services of the browsers there are. An address anywhere else would let anybody make this server
# send requests to whatever they like.
PUSH_HOSTS = (
    "fcm.googleapis.com",
    "updates.push.services.mozilla.com",
    "web.push.apple.com",
    "notify.windows.com",
    "push.apple.com",
)
MOST_BROWSERS = 10
TTL = 600  # seconds for which the push service keeps a call that it cannot deliver
LATE = timedelta(minutes=15)
GONE = frozenset({404, 410})


def keep_browser(*, user: User, endpoint: str, p256dh: str, auth: str) -> PushAddress:
    """Call this user in this browser, too. Saying it twice changes nothing; a browser has one user.

    Raises DeskRefused for an address of no known push service, keys that are none, and too many.
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
    """Call the user no more: in one browser, or in none at all."""
    rows = PushAddress.objects.filter(user=user)
    (rows.filter(endpoint=endpoint) if endpoint else rows).delete()


def push_to(user_id: int, message: dict[str, str]) -> list[str]:
    """Show a message in all browsers of a user; what went wrong and may go right later."""
    text = json.dumps(message, ensure_ascii=False)
    sent = [_send(row, text) for row in PushAddress.objects.filter(user=user_id)]
    return [trouble for trouble in sent if trouble]


def queue_calls(*, pairing: PairingRow, at: datetime, lapsed: bool = False) -> list[PushCall]:
    """One piece of work for each called player with a browser, in the caller's transaction, each once; where
    the call has ``lapsed``, to say so.
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
    """Send a claimed call to every browser of its user. A browser that is gone is forgotten; an answer that
    may get better makes the work fail and come again. What holds no longer, or is late, is not sent: a call
    that was taken back, and that it was where the match is called anew.
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
        pass  # what was done happened elsewhere: the row only says that it did


def _holds(call: PushCall, pairing: PairingRow) -> bool:
    called = pairing.called_at is not None
    if not call.lapsed:
        return called and pairing.state == PairingState.OPEN
    # A draw that is taken back leaves in its pairings that they were called, an undo at the desk does not.
    return pairing.state == (PairingState.REPLACED if called else PairingState.OPEN)


def _message(pairing: PairingRow) -> dict[str, str]:
    event = pairing.stage.flight.event
    table = _("Table %(number)s") % {"number": pairing.table} if pairing.table else _("Your match is called")
    return {"title": table, "body": event.name, "address": f"/pairings/{pairing.ref}/", "tag": pairing.ref}


def _lapsed(pairing: PairingRow) -> dict[str, str]:
    """In the place of the call itself (the same ``tag``), where the browser still shows that."""
    event = pairing.stage.flight.event
    if pairing.state == PairingState.OPEN:
        said, address = _("%(event)s: wait for the next call."), f"/pairings/{pairing.ref}/"
    else:
        said = _("%(event)s: the draw was undone and will be redrawn.")
        address = event.get_absolute_url()
    body = said % {"event": event.name}
    return {"title": _("Call cancelled"), "body": body, "address": address, "tag": pairing.ref}


def _send(row: PushAddress, text: str) -> str:
    """What went wrong and may go right later; empty when it was sent or the browser is gone."""
    push = import_module("pywebpush")  # with aiohttp 10 MB, and most processes never call anybody
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
