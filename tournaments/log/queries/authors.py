"""Who wrote the entries of an event's logs, with or without a login here."""

from typing import Any, TypeVar

from django.db.models import Model, OuterRef, QuerySet, Subquery
from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _

from clubs.models import Player
from tournaments.models import CameInFile, DeskEvent, StageEvent, WrittenElsewhere

Logged = TypeVar("Logged", bound=Model)


def with_authors(rows: "QuerySet[Logged]") -> "QuerySet[Logged]":
    """The entries with their logins' players, ``elsewhere`` (a ref) and ``elsewhere_name`` of authors who
    have no login here, ``came_at`` and ``came_by`` (a name) of what came in with a file: no further query.
    """
    parent = "event" if rows.model is DeskEvent else "stage"
    came = CameInFile.objects.filter(
        table=rows.model._meta.model_name,
        parent=OuterRef(parent),
        first__lte=OuterRef("seq"),
        last__gte=OuterRef("seq"),
    )
    found = WrittenElsewhere.objects.filter(
        table=rows.model._meta.model_name, row=OuterRef("pk"), field="user"
    )
    authored: Any = rows.select_related("user__player__person")
    return authored.annotate(  # type: ignore[no-any-return]
        elsewhere=Subquery(found.values("player__ref")[:1]),
        elsewhere_name=Subquery(found.values("player__person__name")[:1]),
        came_at=Subquery(came.values("at")[:1]),
        came_by=Subquery(came.values("user__player__person__name")[:1]),
    )


def author_name(row: DeskEvent | StageEvent) -> str:
    """The name of who wrote an entry, empty for nobody. Load ``with_authors``: this must not query."""
    if row.user is not None:
        player = getattr(row.user, "player", None)
        return player.name if player is not None else _("a site administrator")
    if getattr(row, "elsewhere", None) is None:
        return ""
    return getattr(row, "elsewhere_name", None) or _("Erased player")


def came_in_words(row: DeskEvent | StageEvent) -> str:
    """That an entry came in with a file, with who read it and when; empty for one that was written here."""
    came_at = getattr(row, "came_at", None)
    if came_at is None:
        return ""
    day = date_format(localtime(came_at), "j M Y, H:i")
    who = getattr(row, "came_by", None)
    if who is None:
        return _("says a file that was read on %(day)s") % {"day": day}
    return _("says a file that %(name)s read on %(day)s") % {"name": who, "day": day}


def author_ref(row: DeskEvent) -> str | None:
    """The ref of the player who wrote an entry, None for nobody and for a login without a player."""
    player = getattr(row.user, "player", None)
    return player.ref if player is not None else getattr(row, "elsewhere", None)


def author_of(row: DeskEvent) -> Player | None:
    """The player who wrote an entry (one query)."""
    if row.user_id is not None:
        return Player.objects.filter(user=row.user_id).first()
    found = WrittenElsewhere.objects.filter(table="deskevent", row=row.pk, field="user")
    return Player.objects.filter(pk__in=found.values("player")).first()
