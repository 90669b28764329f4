"""Free text in an event's file: with each row its note, whose digest the chain of the log proves."""

from typing import Any

from django.utils.translation import gettext as _

from clubs.models import Note
from clubs.models.note import SALT_BYTES
from scoring.log.services.notes import LONGEST_NOTE
from tournaments.events.services.events import DeskRefused

PARTS = {"ref", "salt", "text"}


def plain_note(note: Note | None) -> dict[str, str] | None:
    """A note as the file has it; None for none, and for a text that was erased."""
    if note is None or note.erased_at is not None:
        return None
    return {"ref": note.ref, "salt": bytes(note.salt).hex(), "text": note.text}


def note_from(plain: Any, digest: str | None) -> Note | None:
    """The note of a row, found or made; a text that was erased here stays so.

    ``digest`` is what the log's chain says of it, None where nothing does. Raises ValueError for what is no
    note or not the one of the chain, DeskRefused for a ref that has another text here.
    """
    if plain is None:
        return None
    if not isinstance(plain, dict) or set(plain) != PARTS:
        raise ValueError(f"{plain!r} is no note")
    text, salt = plain["text"], bytes.fromhex(plain["salt"])
    if not isinstance(text, str) or not 0 < len(text) <= LONGEST_NOTE or len(salt) != SALT_BYTES:
        raise ValueError(f"the note {plain['ref']!r} has no text that a note can have")
    note = Note(ref=plain["ref"], text=text, salt=salt)
    if digest is not None and note.digest != digest:
        raise ValueError(f"the text of the note {note.ref!r} is not the one that was written")
    here = Note.objects.filter(ref=note.ref).first()
    if here is None:
        note.full_clean()
        note.save()
        return note
    if here.erased_at is None and here.digest != note.digest:
        raise DeskRefused(
            _("The note %(ref)s has another text here: nothing is read.") % {"ref": note.ref}, code="note"
        )
    return here
