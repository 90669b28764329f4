"""Reading the log of a match."""

from dataclasses import dataclass

from scoring.models import Sheet
from scoring.rules.events import Event, Played, event_from_plain


@dataclass(frozen=True, slots=True)
class Numbered:
    """An event as it counts, with the ``seq`` of its place in the log."""

    seq: int
    event: Event


def events_of(sheet: Sheet, *, upto: int | None = None) -> list[Numbered]:
    """The events that count, in order (one query), as the log stood at seq ``upto`` (None: as it stands).

    Raises ``scoring.rules.errors.InvalidValue`` for a row that is no event.
    """
    rows = sheet.events.order_by("seq")
    if upto is not None:
        rows = rows.filter(seq__lte=upto)
    counting: dict[int, Event] = {}
    for seq, kind, body, replaces in rows.values_list("seq", "kind", "body", "replaces"):
        counting[seq if replaces is None else replaces] = event_from_plain(kind, body)
    return [Numbered(seq, counting[seq]) for seq in sorted(counting)]


def has_plays(sheet: Sheet) -> bool:
    """Whether any checker play is recorded."""
    return sheet.events.filter(kind=Played.kind).exists()
