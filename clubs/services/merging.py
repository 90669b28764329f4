"""Two players turn out to be one person: the guest is merged into the player who stays.

Apps above keep rows that name players. They register a handler in ``ready()``; each is called in the merge's
transaction, with both players locked, and may refuse by raising ``MergeRefusedError``.
"""

from collections.abc import Callable

from django.db import transaction
from django.utils.translation import gettext as _

from clubs.models import Membership, Person, Player

Handler = Callable[[Player, Player], None]
_HANDLERS: list[Handler] = []


class MergeRefusedError(Exception):
    """These two cannot be one player; the message says why and is meant for the reader of a page."""


def on_merge(handler: Handler) -> Handler:
    """Register ``handler(guest, into)``; it moves what its app keeps of the guest."""
    if handler not in _HANDLERS:
        _HANDLERS.append(handler)
    return handler


def merge_players(*, guest: Player, into: Player) -> None:
    """Give all that ``guest`` has to ``into``; the guest's row stays and points there.

    The higher role and the higher title of the two are kept in each club; the guest's name is forgotten.
    Raises MergeRefusedError when the guest has a login, when one of them is gone already, or when an app
    cannot move what it keeps.
    """
    with transaction.atomic():
        ids = [guest.pk, into.pk]
        locked = {p.pk: p for p in Player.objects.select_for_update().filter(pk__in=ids).order_by("pk")}
        guest, into = locked[guest.pk], locked[into.pk]
        _refuse_impossible(guest, into)
        for handler in _HANDLERS:
            handler(guest, into)
        _move_memberships(guest, into)
        Person.objects.filter(player=guest).delete()
        guest.merged_into = into
        guest.save(update_fields=["merged_into"])


def _refuse_impossible(guest: Player, into: Player) -> None:
    if guest.pk == into.pk:
        raise MergeRefusedError(_("A player cannot be merged into the same player."))
    if guest.user_id is not None:
        raise MergeRefusedError(_("A player with a login of their own is nobody's guest entry."))
    for player in (guest, into):
        if player.merged_into_id is not None or player.erased_at is not None:
            raise MergeRefusedError(_("One of the two players was merged or erased in the meantime."))


def _move_memberships(guest: Player, into: Player) -> None:
    kept = {m.club_id: m for m in Membership.objects.select_for_update().filter(player=into)}
    for membership in Membership.objects.select_for_update().filter(player=guest):
        mine = kept.get(membership.club_id)
        if mine is None:
            membership.player = into
            membership.save(update_fields=["player"])
            continue
        if membership.role > mine.role:
            mine.role = membership.role
            mine.save(update_fields=["role"])
        if (membership.title or 0) > (mine.title or 0):
            mine.title, mine.title_by = membership.title, membership.title_by
            mine.title_at = membership.title_at
            mine.save(update_fields=["title", "title_by", "title_at"])
        membership.delete()
