"""Who wrote the entries of an event's logs. What came with an event's file has no author here."""

from typing import Any, TypeVar

from django.db.models import Model, QuerySet
from django.utils.translation import gettext as _

from clubs.models import Player
from tournaments.models import DeskEvent, StageEvent

Logged = TypeVar("Logged", bound=Model)


def with_authors(rows: "QuerySet[Logged]") -> "QuerySet[Logged]":
    """The entries with the players of their logins: no further query."""
    authored: Any = rows.select_related("user__player__person")
    return authored  # type: ignore[no-any-return]


def author_name(row: DeskEvent | StageEvent) -> str:
    """The name of who wrote an entry, empty for nobody. Load ``with_authors``: this must not query."""
    if row.user is None:
        return ""
    player = getattr(row.user, "player", None)
    return player.name if player is not None else _("a site administrator")


def author_ref(row: DeskEvent) -> str | None:
    """The ref of the player who wrote an entry, None for nobody and for a login without a player."""
    player = getattr(row.user, "player", None)
    return None if player is None else str(player.ref)


def author_of(row: DeskEvent) -> Player | None:
    """The player who wrote an entry (one query)."""
    return None if row.user_id is None else Player.objects.filter(user=row.user_id).first()
