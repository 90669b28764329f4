"""A ladder for challengers: the rungs, and who can be challenged."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from tournaments.core.ladders.ladder import Ladder
from tournaments.core.stages.stage import Stage
from tournaments.models import (
    EntrantRow,
    Event,
    EventStatus,
    PairingRow,
    PairingState,
    StageEntrant,
    StageRow,
    StageStatus,
)

LADDER = Ladder()


@dataclass(frozen=True, slots=True)
class Rung:
    """A rung of a ladder.

    ``rung`` counts from the top, ``open`` is the open pairing, ``within_reach`` are the numbers that can be
    challenged, nearest first.
    """

    rung: int
    number: int
    entrant: EntrantRow
    open: PairingRow | None
    within_reach: tuple[int, ...]


def rungs_of(stage: StageRow, value: Stage) -> list[Rung]:
    """The rungs of a drawn ladder from the top, without those who left (four queries).

    The stage comes with its ``value`` loaded.
    """
    numbers = dict(StageEntrant.objects.filter(stage=stage).values_list("number", "entrant_id"))
    entrants = EntrantRow.objects.with_players().in_bulk(list(numbers.values()))
    rows = PairingRow.objects.filter(stage=stage, state=PairingState.OPEN, b__isnull=False)
    playing = {pk: row for row in rows.select_related("a", "b") for pk in (row.a_id, row.b_id)}
    present = [number for number in LADDER.rungs(value) if number not in value.gone]
    return [
        Rung(
            rung=rung,
            number=number,
            entrant=entrants[numbers[number]],
            open=playing.get(numbers[number]),
            within_reach=LADDER.within_reach(value, number),
        )
        for rung, number in enumerate(present, 1)
    ]


def is_climbed(stage: StageRow, event: Event) -> bool:
    """Whether the ladder is in progress on this machine.

    A cancelled event keeps its stages as they were, and one on another machine is played there.
    """
    return stage.status == StageStatus.RUNNING and event.status != EventStatus.CANCELLED and not event.is_away


def to_climb(
    event: Event, stages: Sequence[StageRow], own: Collection[int], *, directs: bool
) -> list[StageRow]:
    """The ladders the viewer can challenge on (no query).

    A director on all in progress, a player on those, by key, in which they have their ``own`` entrant.
    """
    ladders = [stage for stage in stages if stage.format == Ladder.key and is_climbed(stage, event)]
    return [stage for stage in ladders if directs or stage.pk in own]
