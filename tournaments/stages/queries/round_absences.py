"""Who is absent from the next round, and who may say so."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from clubs.access import Viewer
from clubs.models import User
from tournaments.core.formats.table import format_of
from tournaments.core.rounds.format import RoundsFormat
from tournaments.core.stages.stage import Stage
from tournaments.models import (
    EntrantMember,
    EntrantRow,
    Event,
    EventStatus,
    StageEntrant,
    StageRow,
    StageStatus,
)


@dataclass(frozen=True, slots=True)
class RoundAbsence:
    """An entrant who has not left, and whether they are absent from the next round."""

    entrant: EntrantRow
    absent: bool


def has_absences(stage: StageRow) -> bool:
    """Whether the format of a stage has absences."""
    chosen = format_of(stage.format)
    return isinstance(chosen, RoundsFormat) and chosen.absences


def rounds_left(value: Stage) -> bool:
    """Whether another round of a stage whose format has absences follows."""
    chosen = format_of(value.format)
    return isinstance(chosen, RoundsFormat) and value.rounds < chosen.rounds_planned(value)


def round_absences(stage: StageRow, value: Stage) -> list[RoundAbsence]:
    """Every entrant who has not left, by name (four queries)."""
    numbers = dict(StageEntrant.objects.filter(stage=stage).values_list("number", "entrant_id"))
    entrants = EntrantRow.objects.with_players().in_bulk([numbers[n] for n in value.present])
    rows = [RoundAbsence(entrants[numbers[n]], n in value.absent) for n in value.present]
    return sorted(rows, key=lambda row: row.entrant.title.casefold())


def own_entrants_of(stage: StageRow, viewer: Viewer) -> set[int]:
    """The primary keys of the viewer's entrants in a drawn stage (one query)."""
    if not isinstance(viewer, User):
        return set()
    members = EntrantMember.objects.filter(player__user=viewer, active=True)
    drawn = StageEntrant.objects.filter(stage=stage, entrant__in=members.values("entrant"))
    return set(drawn.values_list("entrant_id", flat=True))


def to_report(event: Event, stages: Sequence[StageRow], own: Collection[int]) -> list[StageRow]:
    """The draws in progress, of those by key with an ``own`` entrant of the viewer, that can be missed."""
    on = event.status != EventStatus.CANCELLED and not event.is_away
    going = [each for each in stages if on and each.status == StageStatus.RUNNING and each.pk in own]
    return [each for each in going if has_absences(each)]
