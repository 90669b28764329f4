"""Read the event's log: entries with authors, notes and undo state."""

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.db.models.fields.json import KT

from tournaments.log.queries.authors import with_authors
from tournaments.models import DeskEvent, EntrantRow, Event, PairingRow
from tournaments.words.clauses import cited_words


def lines(
    event: Event, *, text: str = "", kinds: frozenset[str] = frozenset(), clause: str = ""
) -> QuerySet[DeskEvent]:
    """Log entries, newest first, with author, note and ``undone`` (one query).

    Filters: ``text`` in notes, cited clauses and names (one more query), ``kinds`` of entry, and the
    ``clause`` that a ruling cites.
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


def ruling_and_appeal(event: Event, seq: int) -> dict[str, DeskEvent]:
    """The ruling with this number, its appeal and the decision, by kind, with author and note (one query)."""
    rows = with_authors(DeskEvent.objects.filter(event=event)).select_related("note")
    ruling = Q(kind="ruling", seq=seq)
    answers = Q(kind__in=["appeal", "appeal_decided"], body__ruling=seq)
    return {row.kind: row for row in rows.filter(ruling | answers).order_by("seq")}


def saying(rows: QuerySet[DeskEvent], text: str) -> QuerySet[DeskEvent]:
    """Filter entries by text in the note, the cited clause or a name (one query more).

    Clauses are searched in the active language. Names are those of entrants: of the entry, or of its match.
    """
    rulings = rows.filter(kind="ruling", body__has_key="clause")
    kept = rulings.order_by().values_list("body__clause", flat=True).distinct()
    clauses = [clause for clause in kept if text.casefold() in cited_words(clause).casefold()]
    named = Q(name__icontains=text) | Q(members__player__person__name__icontains=text)
    here = EntrantRow.objects.filter(named, flight__event__in=rows.order_by().values("event"))
    theirs = PairingRow.objects.filter(Q(a__in=here.values("pk")) | Q(b__in=here.values("pk")))
    rows = rows.alias(entrant_ref=KT("body__entrant"), pairing_ref=KT("body__pairing"))
    return rows.filter(
        Q(note__text__icontains=text)
        | Q(body__clause__in=clauses)
        | Q(entrant_ref__in=here.values("ref"))
        | Q(pairing_ref__in=theirs.values("ref"))
    )
