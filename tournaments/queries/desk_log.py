"""The event's log as it is read: entries with their authors, texts, and whether they were taken back."""

from django.db.models import Exists, OuterRef, QuerySet

from tournaments.models import DeskEvent, Event
from tournaments.queries.authors import with_authors


def lines(event: Event, *, text: str = "", kinds: frozenset[str] = frozenset()) -> QuerySet[DeskEvent]:
    """The desk's entries, the newest first, with author and note loaded and ``undone`` told (one query).

    ``text`` looks for words in the notes (a ruling's has the cited rule), ``kinds`` for kinds of entry.
    """
    later = DeskEvent.objects.filter(event=OuterRef("event"), undoes=OuterRef("seq"))
    rows = with_authors(DeskEvent.objects.filter(event=event)).select_related("note")
    if text:
        rows = rows.filter(note__text__icontains=text)
    if kinds:
        rows = rows.filter(kind__in=kinds)
    return rows.annotate(undone=Exists(later)).order_by("-seq")
