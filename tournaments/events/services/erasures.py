"""Erasure and export of desk notes."""

from django.db.models import Q

from clubs.models import Note, Player
from scoring.log.services.notes import erase_note
from tournaments.models import DeskEvent


def forget_desk_notes(player: Player) -> None:
    """Erase notes by or about the player; the log's hash chain stays valid."""
    about = Q(body__about__contains=[player.ref])
    written = Q(user=player.user_id) if player.user_id is not None else Q(pk=None)
    entries = DeskEvent.objects.filter(about | written, note__isnull=False)
    for note in Note.objects.filter(pk__in=entries.values("note"), erased_at=None):
        erase_note(note)


def own_desk_notes(player: Player) -> list[str]:
    """Export the notes that the player wrote at event desks."""
    entries = DeskEvent.objects.filter(user=player.user_id, user__isnull=False, note__isnull=False)
    return list(entries.order_by("pk").values_list("note__text", flat=True))
