"""Read the event's log: entries with authors, notes and undo state."""

from django.db.models import Exists, OuterRef, Q, QuerySet

from tournaments.log.queries.authors import with_authors
from tournaments.models import DeskEvent, EntrantRow, Event, PairingRow
from tournaments.words.clauses import cited_words


def lines(
    event: Event, *, text: str = "", kinds: frozenset[str] = frozenset(), clause: str = ""
) -> QuerySet[DeskEvent]:
    """Log entries, newest first, with author, note and ``undone`` (one query).

    Filters: ``text`` in notes, cited clauses and names (two or three more queries), ``kinds`` of entry, and
    the ``clause`` that a ruling cites.
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
    """Filter entries by text in the note, the cited clause or a name (two queries, three with a name).

    Clauses are searched in the active language. Names are those of entrants: of the entry, or of its match.
    """
    rulings = rows.filter(kind="ruling", body__has_key="clause")
    kept = rulings.order_by().values_list("body__clause", flat=True).distinct()
    clauses = [clause for clause in kept if text.casefold() in cited_words(clause).casefold()]
    named = Q(name__icontains=text) | Q(members__player__person__name__icontains=text)
    here = EntrantRow.objects.filter(named, flight__event__in=rows.order_by().values("event"))
    entrants = dict(here.values_list("pk", "ref"))
    sides = Q(a__in=entrants) | Q(b__in=entrants)
    pairings = list(PairingRow.objects.filter(sides).values_list("ref", flat=True)) if entrants else []
    return rows.filter(
        Q(note__text__icontains=text)
        | Q(body__clause__in=clauses)
        | Q(body__entrant__in=list(entrants.values()))
        | Q(body__pairing__in=pairings)
    )
