"""A typed line on a scoresheet: read by the state of the head, then recorded like any other entries."""

from django.db import transaction

from scoring.models import Match, SheetEvent
from scoring.notation.typed import read_line
from scoring.queries.writers import Author
from scoring.services.entries import ConflictError, Entry, check_key, record
from scoring.services.sheets import lock_match, state_of


def record_text(*, match: Match, author: Author, after: int, key: str, text: str) -> Match:
    """Record what a line says (``scoring.notation.typed``): all of it, or nothing. Returns the match.

    The first event gets ``key``, the others ``key~2`` and so on; a line sent again is not recorded again.
    Raises ConflictError when the head is not at ``after``, and what ``read_line`` and ``record`` raise.
    """
    check_key(f"{key}~99")
    with transaction.atomic():
        sheet, current = lock_match(match)
        if SheetEvent.objects.filter(sheet=sheet, client_key=key).exists():
            return current
        if after != sheet.head_seq:
            raise ConflictError(sheet.head_seq, after)
        events = read_line(state_of(sheet), text)
        entries = [
            Entry(key if number == 1 else f"{key}~{number}", event) for number, event in enumerate(events, 1)
        ]
        return record(match=match, author=author, after=after, entries=entries)
