"""Notes hold a sheet's free text; the log keeps only a ref and salted digest.

Erasing a note's text (its author is forgotten) breaks neither the hash chain nor the replay.
"""

from dataclasses import replace
from typing import Any

from django.utils.timezone import now

from clubs.models import Note
from scoring.rules.errors import InvalidValue
from scoring.rules.events import Event, LengthSet, PenaltyGiven, PositionSet, Ruled

LONGEST_NOTE = 2000

_TEXT_FIELDS = {
    Ruled.kind: "text",
    LengthSet.kind: "reason",
    PenaltyGiven.kind: "reason",
    PositionSet.kind: "reason",
}


def text_in(event: Event) -> str:
    """The free text of an event, stripped."""
    name = _TEXT_FIELDS.get(event.kind)
    return str(getattr(event, name)).strip() if name else ""


def put_away(event: Event, reason: str = "") -> tuple[Event, Note | None]:
    """The event with a note's ref in the place of its text, and the note with it and with ``reason``.

    Raises InvalidValue for a text of more than 2000 characters. Call it in the transaction that appends.
    """
    own = text_in(event)
    text = "\n".join(filter(None, (own, reason.strip())))
    note = note_of(text)
    if note is not None and own:
        changes: dict[str, Any] = {_TEXT_FIELDS[event.kind]: f"note {note.ref}"}
        event = replace(event, **changes)
    return event, note


def note_of(text: str) -> Note | None:
    """A new note, None for no text. Raises InvalidValue for more than 2000 characters."""
    text = text.strip()
    if len(text) > LONGEST_NOTE:
        raise InvalidValue("note_length", "a note has at most {most} characters", most=LONGEST_NOTE)
    return Note.objects.create(text=text) if text else None


def is_same(kind: str, body: dict[str, Any], plain: tuple[str, dict[str, Any]]) -> bool:
    """Whether a stored event is the one that was sent, the text in its note left aside."""
    field = _TEXT_FIELDS.get(kind)
    stored, sent = ({k: v for k, v in each.items() if k != field} for each in (body, plain[1]))
    return kind == plain[0] and stored == sent


def erase_note(note: Note) -> None:
    """Forget the text; ref and digest stay in the log."""
    note.text, note.salt, note.erased_at = "", b"", now()
    note.save(update_fields=["text", "salt", "erased_at"])
