"""Penalty points that directors gave at the desk."""

from collections import defaultdict
from collections.abc import Collection, Mapping

from django.db.models import Exists, OuterRef

from tournaments.models import DeskEvent, Event


def penalties_in(event: Event, pairings: Collection[str]) -> Mapping[str, tuple[int, int]]:
    """Points given to White and Black in these pairings (by ref), without undone ones (one query)."""
    later = DeskEvent.objects.filter(event=OuterRef("event"), undoes=OuterRef("seq"))
    rows = DeskEvent.objects.filter(event=event, kind="penalty", body__pairing__in=list(pairings))
    found: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    for body in rows.filter(~Exists(later)).values_list("body", flat=True):
        found[body["pairing"]][body["to"] == "black"] += body["points"]
    return {ref: (white, black) for ref, (white, black) in found.items()}
