"""Positions that users keep for themselves."""

from typing import Any

from django.db import transaction
from django.utils.timezone import now
from django.utils.translation import gettext as _

from clubs.models import Player, User
from clubs.refusals import Refused
from scoring.models import PositionRequest, SavedPosition

MOST = 5000


class SavingRefused(Refused):
    """A position that is not saved."""


@transaction.atomic
def save_position(*, user: User, xgid: str, name: str, note: str = "") -> SavedPosition:
    """Save a position, or change name and note of the one that is saved already.

    ``xgid`` is without the prefix. Raises SavingRefused beyond the limit of one user.
    """
    User.objects.select_for_update(no_key=True).get(pk=user.pk)
    own = SavedPosition.objects.filter(user=user)
    if not own.filter(xgid=xgid).exists() and own.count() >= MOST:
        raise SavingRefused(
            _("You have %(number)s saved positions, which is the limit. Delete one first.") % {"number": MOST}
        )
    SavedPosition.objects.bulk_create(
        [SavedPosition(user=user, xgid=xgid, name=name, note=note, saved_at=now())],
        update_conflicts=True,
        unique_fields=["user", "xgid"],
        update_fields=["name", "note", "saved_at"],
    )
    return own.get(xgid=xgid)


def delete_saved(*, user: User, ref: str) -> bool:
    """Delete a saved position of the user; False if they have none of this ref."""
    return bool(SavedPosition.objects.filter(user=user, ref=ref).delete()[0])


def own_positions(player: Player) -> list[dict[str, Any]]:
    """The player's saved positions, for their data export."""
    if player.user_id is None:
        return []
    rows = SavedPosition.objects.filter(user=player.user_id).order_by("saved_at", "pk")
    return [
        {"xgid": row.xgid, "name": row.name, "note": row.note, "saved_at": row.saved_at.isoformat()}
        for row in rows
    ]


def forget_positions(player: Player) -> None:
    """Erase the player's saved positions, and which positions they asked about."""
    if player.user_id is not None:
        SavedPosition.objects.filter(user=player.user_id).delete()
        PositionRequest.objects.filter(user=player.user_id).delete()
