"""Audit files of stages and events: refs only, no names."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby

from django.utils.translation import gettext as _

from tournaments.core.proof.archive import archive_of, dumps
from tournaments.core.proof.event_archive import EventArchive, Feeding, event_text
from tournaments.core.standings.tables import TableOptions
from tournaments.log.refusals import DeskRefused
from tournaments.models import Event, StageRow
from tournaments.stages.queries.stage_table import tie_breaks_of
from tournaments.stages.services.feeds import WITHOUT_TABLE
from tournaments.stages.services.stages import drawn, drawn_before, load, load_all


def archive_text(stage: StageRow, *, superseded: int = 0) -> str:
    """The stage as JSON text for ``check_draw``.

    ``superseded`` is the number of an undone draw, from 1. Raises DeskRefused before the draw, and for an
    unknown number.
    """
    if superseded:
        row = stage.earlier.filter(number=superseded).first()
        if row is None:
            raise DeskRefused(_("Draw not found."), code="no_draw")
        old = drawn_before(stage, row)
        return dumps(archive_of(old, drawn=old))
    if stage.drawn_at is None:
        raise _planned()
    return dumps(archive_of(load(stage), drawn=drawn(stage)))


def event_archive_text(event: Event) -> str:
    """All draws of an event as one JSON text for ``check_draw``.

    Contains the hash, seed, draw and results of each stage, and how stages fed others. Raises DeskRefused
    before the first draw.
    """
    rows = StageRow.objects.with_feeds().filter(flight__event=event).select_related("flight")
    stages = list(rows.order_by("flight__position", "position"))
    names = _names(stages)
    made = [stage for stage in stages if stage.drawn_at is not None]
    values = load_all(made)
    archives = {names[stage.ref]: archive_of(values[stage.pk], drawn=drawn(stage)) for stage in made}
    if not archives:
        raise _planned()
    return event_text(EventArchive(archives, tuple(_feedings(stages, names))))


def _names(stages: Sequence[StageRow]) -> dict[str, str]:
    """A unique name for each stage of the event, by ref."""
    if len({stage.flight_id for stage in stages}) < 2:
        return {stage.ref: stage.name for stage in stages}
    return {
        stage.ref: f"{stage.flight.position + 1} {stage.flight.name}".strip() + f" / {stage.name}"
        for stage in stages
    }


def _feedings(stages: Sequence[StageRow], names: Mapping[str, str]) -> Iterator[Feeding]:
    """The feedings between drawn stages, in order.

    Parallel stages that send by the same rules form one feeding.
    """
    by_ref = {stage.ref: stage for stage in stages}
    feeding = [
        stage
        for stage in stages
        if stage.drawn_at is not None and any(by_ref[rule.into].drawn_at is not None for rule in stage.rules)
    ]
    for (rules, without_table, tie_breaks), sources in groupby(
        feeding, key=lambda stage: (stage.rules, stage.format in WITHOUT_TABLE, tie_breaks_of(stage))
    ):
        targets = dict.fromkeys(rule.into for rule in rules)
        yield Feeding(
            sources=tuple(names[source.ref] for source in sources),
            rules=tuple(replace(rule, into=names[rule.into]) for rule in rules),
            declined=tuple(ref for target in targets for ref in by_ref[target].declined),
            table=None if without_table else TableOptions(tie_breaks),
            own_lots=not without_table,
        )


def _planned() -> DeskRefused:
    return DeskRefused(_("There is nothing to verify before the draw."), code="planned")
