"""Authors of log entries; entries imported with an event have none."""

from typing import Any, TypeVar

from django.db.models import Model, QuerySet
from django.utils.translation import gettext as _

from clubs.models import Player
from tournaments.models import DeskEvent, StageEvent

Logged = TypeVar("Logged", bound=Model)


def with_authors(rows: "QuerySet[Logged]") -> "QuerySet[Logged]":
    """Load the entries with their authors' players."""
    authored: Any = rows.select_related("user__player__person")
    return authored  # type: ignore[no-any-return]


def author_name(row: DeskEvent | StageEvent) -> str:
    """Name of the author, or "". Load ``with_authors`` first: this must not query."""
    if row.user is None:
        return ""
    player = getattr(row.user, "player", None)
    return player.name if player is not None else _("a site administrator")


def author_ref(row: DeskEvent) -> str | None:
    """Ref of the author's player; None without an author or player."""
    player = getattr(row.user, "player", None)
    return None if player is None else str(player.ref)


def author_of(row: DeskEvent) -> Player | None:
    """The author's player (one query)."""
    return None if row.user_id is None else Player.objects.filter(user=row.user_id).first()
