"""The event's log as it is read: entries with their authors, texts, and whether they were taken back."""

from django.db.models import Exists, OuterRef, Q, QuerySet

from tournaments.log.queries.authors import with_authors
from tournaments.models import DeskEvent, Event
from tournaments.words.clauses import cited_words


def lines(
    event: Event, *, text: str = "", kinds: frozenset[str] = frozenset(), clause: str = ""
) -> QuerySet[DeskEvent]:
    """The desk's entries, the newest first, with author and note loaded and ``undone`` told (one query).

    ``text`` looks for words in the notes and in the clauses that rulings cite (one more query), ``kinds`` for
    kinds of entry, ``clause`` for the rulings that cite it.
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
    """Those of the entries whose note, or the clause that they cite, has these words in the reader's language
    (a query for the clauses).
    """
    rulings = rows.filter(kind="ruling", body__has_key="clause")
    kept = rulings.order_by().values_list("body__clause", flat=True).distinct()
    clauses = [clause for clause in kept if text.casefold() in cited_words(clause).casefold()]
    return rows.filter(Q(note__text__icontains=text) | Q(body__clause__in=clauses))
