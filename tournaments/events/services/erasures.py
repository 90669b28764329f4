"""What events forget of a person, and what they tell the person that they keep."""

from django.db import models
from django.db.models import Q

from clubs.models import Note, Player
from scoring.log.services.notes import erase_note
from scoring.models import Objection, SheetEvent
from tournaments.models import DeskEvent, WrittenElsewhere

WITH_NOTES: tuple[type[models.Model], ...] = (DeskEvent, SheetEvent, Objection)


def forget_desk_notes(player: Player) -> None:
    """Erase what the player wrote at a desk, and what was written about the player; the log's chain holds.

    Also what came with an event's file from where the player wrote it, on sheets and in objections, too.
    """
    about = Q(body__about__contains=[player.ref])
    written = Q(user=player.user_id) if player.user_id is not None else Q(pk=None)
    entries = DeskEvent.objects.filter(about | written, note__isnull=False)
    notes = Q(pk__in=entries.values("note"))
    for model in WITH_NOTES:
        rows = _elsewhere(player, str(model._meta.model_name))
        notes |= Q(pk__in=model._default_manager.filter(pk__in=rows, note__isnull=False).values("note"))
    for note in Note.objects.filter(notes, erased_at=None):
        erase_note(note)


def own_desk_notes(player: Player) -> list[str]:
    """What the player wrote at the desks of events, here or elsewhere."""
    written = Q(user=player.user_id, user__isnull=False) | Q(pk__in=_elsewhere(player, "deskevent"))
    entries = DeskEvent.objects.filter(written, note__isnull=False)
    return list(entries.order_by("pk").values_list("note__text", flat=True))


def _elsewhere(player: Player, table: str) -> list[int]:
    rows = WrittenElsewhere.objects.filter(player=player, table=table)
    return list(rows.values_list("row", flat=True))
