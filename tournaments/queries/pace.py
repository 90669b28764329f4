"""How long matches take in an event, and when what is left will be over.

Planning begins at 11 minutes a point (field.md, section 1) and turns into what was really played.
"""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from functools import lru_cache
from random import Random

from django.db.models import F, OuterRef, Subquery
from django.db.models.functions import Coalesce

from scoring.models import SheetEvent
from scoring.rules.events import OpeningRolled, Rolled
from tournaments.draws.forecast import minutes_left
from tournaments.draws.simulation import World, play_event
from tournaments.draws.stage import Stage as StageValue
from tournaments.models import Event, Pairing, PairingState, Stage, StageStatus

USUAL = 11.0
PLANNED_POINTS = 21
"""The planning figure weighs as much as so many points that were played: three matches to 7."""
OPEN_ENDED = frozenset({"ladder", "league"})
SHORTEST = timedelta(seconds=30)
Reader = Callable[[Stage], StageValue]


def minutes_a_point(event: Event) -> float:
    """Minutes of play a point of match length, from the matches of the event that are over (one query)."""
    rolls = SheetEvent.objects.filter(
        sheet=OuterRef("boards__match__sheet"), kind__in=[OpeningRolled.kind, Rolled.kind]
    ).order_by("seq")
    last = SheetEvent.objects.filter(
        sheet=OuterRef("boards__match__sheet"), seq=OuterRef("boards__match__sheet__head_seq")
    )
    rows = Pairing.objects.filter(stage__flight__event=event, state=PairingState.DECIDED, boards__number=1)
    timed = rows.annotate(
        begun=Coalesce(F("started_at"), Subquery(rolls.values("at")[:1]), F("called_at")),
        over=Subquery(last.values("at")[:1]),
    )
    minutes, points = USUAL * PLANNED_POINTS, PLANNED_POINTS
    for begun, over, length in timed.exclude(begun=None).values_list("begun", "over", "length"):
        if over is not None and over - begun > length * SHORTEST:
            minutes += (over - begun) / timedelta(minutes=1)
            points += length
    return minutes / points


def over_at(
    stages: Sequence[Stage],
    left: Mapping[int, Mapping[int, float]],
    *,
    read: Reader,
    a_point: float,
    tables: int | None,
    at: datetime,
) -> datetime | None:
    """When the last match of these stages will usually be over; None where none is under way.

    ``left`` are the minutes that matches at the tables still take, by stage (key) and number. What comes is
    played on paper once, the same for the same log, which ``read`` reads. Stages without an end of their own
    are left out.
    """
    running = [
        each for each in stages if each.status == StageStatus.RUNNING and each.format not in OPEN_ENDED
    ]
    if not running:
        return None
    minutes = 0.0
    for stage in running:
        value, ended = _played_out(read, stage.pk, stage.head_hash)
        least = minutes_left(
            value, ended, left.get(stage.pk, {}), a_point=a_point, length=stage.length, tables=tables
        )
        minutes = max(minutes, least)
    return at + timedelta(minutes=minutes)


@lru_cache(maxsize=32)
def _played_out(read: Reader, pk: int, head: str) -> tuple[StageValue, StageValue]:
    """A stage as it is and as it may end (two queries, then none while its log stays the same)."""
    value = read(Stage.objects.get(pk=pk))
    strength = {entrant.ref: entrant.rating or 1500.0 for entrant in value.field}
    rng = Random(f"{value.seed}/{head}")  # noqa: S311 - a simulation, not a secret
    pace = 0.5 if value.format == "ready" else 1.0
    return value, play_event(value, World(strength, rng, pace=pace))
