"""The matches of an event, to choose one."""

from tournaments.events.queries.entrant_rows import entrants_with_players
from tournaments.models import Event, PairingRow


def matches_of(event: Event) -> list[PairingRow]:
    """All matches of an event with the names of both sides, the last called first (two queries)."""
    rows = PairingRow.objects.filter(stage__flight__event=event).current().exclude(b=None)
    found = list(rows.select_related("stage").order_by("-called_at", "-round", "number"))
    entrants = entrants_with_players({pk for row in found for pk in (row.a_id, row.b_id) if pk is not None})
    for row in found:
        row.a = entrants[row.a_id]
        row.b = entrants[row.b_id] if row.b_id is not None else None
    return found
