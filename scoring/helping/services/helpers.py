"""Ask for helpers, allow, pause and end them.

A helper is a computer of a member. It gets matches of one club, after a director of the club has allowed it;
a director's own is allowed at once.
"""

import hashlib
import secrets
from datetime import timedelta

from django.conf import settings
from django.db import transaction
from django.utils.timezone import now
from django.utils.translation import gettext as _

from clubs.access import role_of
from clubs.models import Club, Player, Role, User
from scoring.helping.refusals import HelperNotAllowed, HelperRefused
from scoring.helping.services.holding import give_back_leases
from scoring.models import Helper, HelperStatus

MARK = "mph_"
"""The prefix of every helper's token, for scanners of leaked secrets."""
MOST_HELPERS = 10
"""Of one member, in all clubs."""
_PREFIX = 9
_SEEN_EVERY = timedelta(minutes=1)


def ask_for_helper(*, user: User, club: Club, name: str) -> tuple[Helper, str]:
    """Create a helper; return it with its token, which is not stored.

    Raises HelperRefused for guests, with too many helpers, and where the site has none.
    """
    text = MARK + secrets.token_urlsafe(32)
    with transaction.atomic():
        # Two requests at once would both find room.
        User.objects.select_for_update(no_key=True, of=("self",)).get(pk=user.pk)
        role = role_of(user, club)
        require_helpers()
        if role is None or role < Role.MEMBER:
            raise HelperRefused("not_a_member", _("Only members of %(club)s can help it.") % {"club": club})
        if Helper.objects.current().filter(user=user).count() >= MOST_HELPERS:
            raise HelperRefused(
                "too_many_helpers",
                _("You have %(number)s helpers, the maximum. End one first.") % {"number": MOST_HELPERS},
            )
        directs = role >= Role.DIRECTOR
        helper = Helper.objects.create(
            user=user,
            club=club,
            name=" ".join(name.split()),
            prefix=text[:_PREFIX],
            digest=digest(text),
            status=HelperStatus.ALLOWED if directs else HelperStatus.WAITING,
            decided_by=user if directs else None,
        )
    return helper, text


def allow_helper(*, club: Club, ref: str, by: User) -> Helper:
    """Let a helper get matches of the club, or get them again. Raises Helper.DoesNotExist."""
    with transaction.atomic():
        helper = _current(club, ref)
        helper.status, helper.reason, helper.decided_by = HelperStatus.ALLOWED, "", by
        helper.save(update_fields=["status", "reason", "decided_by"])
    return helper


def pause_helper(*, club: Club, ref: str, by: User, reason: str = "") -> Helper:
    """Give a helper no more matches; what it is computing goes to others. Raises Helper.DoesNotExist."""
    with transaction.atomic():
        helper = _current(club, ref)
        helper.status, helper.decided_by = HelperStatus.PAUSED, by
        helper.reason = reason or _("Paused by a director of the club.")
        helper.save(update_fields=["status", "reason", "decided_by"])
    give_back_leases(helper)
    return helper


def end_helper(*, user: User, ref: str) -> Helper:
    """End one of the user's helpers: its token no longer works. Raises Helper.DoesNotExist."""
    with transaction.atomic():
        rows = Helper.objects.select_for_update(no_key=True, of=("self",)).current()
        helper = rows.get(user=user, ref=ref)
        helper.status = HelperStatus.ENDED
        helper.save(update_fields=["status"])
    give_back_leases(helper)
    return helper


def forget_helpers(player: Player) -> None:
    """Erase the helpers of an erased player; what they were computing goes to others when it runs out."""
    Helper.objects.filter(user__player=player).delete()


def helper_in_use(*, text: str) -> Helper | None:
    """The helper of a token with its user and club, or None. Records its visit, to the minute."""
    known = Helper.objects.current().select_related("user", "club").filter(user__is_active=True)
    helper = known.filter(digest=digest(text)).first()
    if helper is not None and (helper.seen_at is None or helper.seen_at < now() - _SEEN_EVERY):
        Helper.objects.filter(pk=helper.pk).update(seen_at=now())
    return helper


def require_helpers() -> None:
    """Raise HelperRefused where the operator has turned helpers off."""
    if not settings.ANALYSIS_HELPERS:
        raise HelperRefused("helpers_off", _("This site does not use members’ computers."))


def require_allowed(helper: Helper) -> None:
    """Raise HelperNotAllowed, or HelperRefused, unless the helper gets matches (one query)."""
    require_helpers()
    if helper.status == HelperStatus.WAITING:
        raise HelperNotAllowed(
            "helper_waiting",
            _("A director of %(club)s must allow this helper first.") % {"club": helper.club.name},
        )
    if helper.status != HelperStatus.ALLOWED:
        raise HelperNotAllowed(
            "helper_paused", _("This helper is paused: %(reason)s") % {"reason": helper.reason}
        )
    role = role_of(helper.user, helper.club)
    if role is None or role < Role.MEMBER:
        raise HelperNotAllowed(
            "not_a_member", _("You are not a member of %(club)s any more.") % {"club": helper.club.name}
        )


def digest(text: str) -> str:
    """SHA-256 of a token's text, hexadecimal; the text is 256 random bits, so a fast one is enough."""
    return hashlib.sha256(text.encode()).hexdigest()


def _current(club: Club, ref: str) -> Helper:
    rows = Helper.objects.select_for_update(no_key=True, of=("self",)).current()
    return rows.select_related("user", "club").get(club=club, ref=ref)
