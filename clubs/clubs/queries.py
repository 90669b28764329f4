"""What pages show about clubs and people."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Generic, TypeVar

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.conf import settings
from django.db.models import Count, Exists, OuterRef, Q, QuerySet, Value
from django.db.models.functions import Coalesce
from django.utils.timezone import now

from clubs.models import (
    ApiToken,
    Backup,
    Club,
    Membership,
    Merge,
    OutgoingMail,
    Player,
    User,
    WorkStatus,
)
from clubs.models.club import ClubQuerySet
from clubs.models.membership import MembershipQuerySet

PAGE = 50

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Page(Generic[T]):
    """A stretch of a long list; ``next`` is the ref after which the following one begins, "" at the end."""

    rows: list[T]
    next: str


def members_page(people: MembershipQuerySet, *, after: str = "", size: int = PAGE) -> Page[Membership]:
    """Memberships with their players, highest role first, then by name; from behind the player ``after``.

    Each says whether it ``has_twin``: somebody of the club whose name looks the same.

    Two queries at most. An ``after`` that is not (any more) in the list begins anew.
    """
    alike = Membership.objects.filter(
        club=OuterRef("club"), player__person__skeleton=OuterRef("player__person__skeleton")
    )
    named = people.with_player().annotate(
        by_name=Coalesce("player__person__sort_key", Value("")),
        has_twin=Exists(alike.exclude(pk=OuterRef("pk"))),
    )
    place = named.filter(player__ref=after).values_list("role", "by_name", "pk").first() if after else None
    if place is not None:
        role, by_name, pk = place
        named = named.filter(
            Q(role__lt=role) | Q(role=role, by_name__gt=by_name) | Q(role=role, by_name=by_name, pk__gt=pk)
        )
    named = named.select_related("title_by__player__person")
    rows = list(named.order_by("-role", "by_name", "pk")[: size + 1])
    return Page(rows[:size], rows[size - 1].player.ref if len(rows) > size else "")


def clubs_page(clubs: ClubQuerySet, *, after: str = "", size: int = PAGE) -> Page[Club]:
    """Clubs by name, with how many ``people`` each has, from behind the club ``after``."""
    place = clubs.filter(ref=after).values_list("name", "pk").first() if after else None
    if place is not None:
        clubs = clubs.filter(Q(name__gt=place[0]) | Q(name=place[0], pk__gt=place[1]))
    rows = list(clubs.annotate(people=Count("memberships")).order_by("name", "pk")[: size + 1])
    return Page(rows[:size], rows[size - 1].ref if len(rows) > size else "")


def outbox_page(*, after: str = "", size: int = PAGE) -> Page[OutgoingMail]:
    """Outgoing mail, the newest first, from behind the message ``after``."""
    mail: QuerySet[OutgoingMail] = OutgoingMail.objects.all()
    last = mail.filter(ref=after).first() if after else None
    if last is not None:
        earlier = Q(queued_at__lt=last.queued_at) | Q(pk__lt=last.pk)
        mail = mail.filter(earlier, queued_at__lte=last.queued_at)
    rows = list(mail.defer("message").order_by("-queued_at", "-pk")[: size + 1])
    return Page(rows[:size], rows[size - 1].ref if len(rows) > size else "")


OVERDUE = timedelta(hours=26)
"""After so long without a backup something is wrong: the nightly one takes its time, and is tried again."""


@dataclass(frozen=True, slots=True)
class BackupState:
    """The last good backup, a later one that failed, and whether it is time to worry."""

    folder: str
    good: Backup | None
    failed: Backup | None
    running: bool
    overdue: bool


def backup_state() -> BackupState:
    """How the installation stands with its backups; one is missed only where a folder is configured."""
    backups = Backup.objects.order_by("-finished_at", "-pk")
    good = backups.filter(status=WorkStatus.DONE).first()
    later = {"finished_at__gt": good.finished_at} if good else {}
    late = good is None or good.finished_at is None or good.finished_at < now() - OVERDUE
    return BackupState(
        folder=settings.BACKUP_FOLDER,
        good=good,
        failed=backups.filter(status=WorkStatus.FAILED, **later).first(),
        running=backups.filter(status=WorkStatus.RUNNING).exists(),
        overdue=bool(settings.BACKUP_FOLDER) and late,
    )


Export = Callable[[Player], Any]
_exports: dict[str, Export] = {}


def register_export(name: str, export: Export) -> None:
    """Add what an app knows about a player to the person's own data; call it in ``AppConfig.ready``.

    ``export`` returns what JSON can hold, under ``name``, e.g. ``"matches"``.
    """
    _exports[name] = export


def personal_data(user: User) -> dict[str, Any]:
    """All that the installation keeps about a user, for the user: what JSON can hold, times in ISO 8601."""
    player = Player.objects.with_person().filter(user=user).first()
    return {
        "user": {
            "email": user.email,
            "joined": user.date_joined.isoformat(),
            "last_sign_in": user.last_login and user.last_login.isoformat(),
            "site_administrator": user.is_superuser,
        },
        "email_addresses": [
            {"email": address.email, "verified": address.verified, "primary": address.primary}
            for address in EmailAddress.objects.filter(user=user).order_by("pk")
        ],
        "sign_in_methods": [
            {"kind": method.type, "added": method.created_at.isoformat()}
            for method in Authenticator.objects.filter(user=user).order_by("pk")
        ],
        "tokens": [
            {"label": token.label, "scopes": token.scopes, "created": token.created_at.isoformat()}
            for token in ApiToken.objects.of_user(user).order_by("pk")
        ],
        "player": player and {"ref": player.ref, "name": player.name},
        "merged_names": [
            {"name": merge.name, "at": merge.at.isoformat()}
            for merge in Merge.objects.filter(into__user=user).order_by("pk")
        ],
        "clubs": [
            {
                "club": membership.club.name,
                "ref": membership.club.ref,
                "role": membership.get_role_display(),
                "title": membership.get_title_display() or "",
                "joined": membership.joined_at.isoformat(),
            }
            for membership in Membership.objects.filter(player__user=user)
            .select_related("club")
            .order_by("pk")
        ],
        **({name: export(player) for name, export in _exports.items()} if player else {}),
    }
