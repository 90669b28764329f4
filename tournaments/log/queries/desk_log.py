"""Read the event's log: entries with authors, notes and undo state."""

from django.db.models import Exists, OuterRef, Q, QuerySet

from tournaments.log.queries.authors import with_authors
from tournaments.models import DeskEvent, Event
from tournaments.words.clauses import cited_words


def lines(
    event: Event, *, text: str = "", kinds: frozenset[str] = frozenset(), clause: str = ""
) -> QuerySet[DeskEvent]:
    """Log entries, newest first, with author, note and ``undone`` (one query).

    Filters: ``text`` in notes and cited clauses (one more query), ``kinds`` of entry, and the ``clause`` that
    a ruling cites.
    """
    later = DeskEvent.objects.filter(event=OuterRef("event"), undoes=OuterRef("seq"))
    rows = with_authors(DeskEvent.objects.filter(event=event)).select_related("note")
    if text:
        rows = saying(rows, text)
    if clause:
        rows = rows.filter(kind="ruling", body__clause__rule=clause)
    if kinds:
        rows = rows.filter(kind__in=kinds)
    return rows.annotate(undone=Exists(later)).order_by("-seq")


def saying(rows: QuerySet[DeskEvent], text: str) -> QuerySet[DeskEvent]:
    """Filter entries by text in the note or the cited clause (one query).

    Clauses are searched in the active language.
    """
    rulings = rows.filter(kind="ruling", body__has_key="clause")
    kept = rulings.order_by().values_list("body__clause", flat=True).distinct()
    clauses = [clause for clause in kept if text.casefold() in cited_words(clause).casefold()]
    return rows.filter(Q(note__text__icontains=text) | Q(body__clause__in=clauses))
