"""An event as JSON: its stages by name, and how they fed each other."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from scoring.codec import from_plain, to_plain
from tournaments.core.formats.groups import interleave
from tournaments.core.formats.tables import stage_table
from tournaments.core.play.feeding import Ranked, Rule, feed, ranking_of
from tournaments.core.play.ties import ties_in
from tournaments.core.proof.archive import Archive, as_text, body_of, drawn_stage, from_body
from tournaments.core.stages.entrants import Entrant
from tournaments.core.stages.errors import DrawError, InvalidArchive
from tournaments.core.stages.format import Fault
from tournaments.core.stages.stage import Stage
from tournaments.core.standings.tables import TableOptions, UnknownTieBreak

EDITION = 1

Part = tuple[str, tuple[Entrant, ...]]
"""A source, and the entrants it sends to a stage, best first."""


@dataclass(frozen=True, slots=True)
class Feeding:
    """How finished stages fed others.

    Each source is ranked by its table with these options (``None``: by its final places) and fed by the
    rules; what several sources send to one stage, in this feeding and in those after it, is interleaved, all
    firsts before all seconds. With ``own_lots`` the lot that ends each source's tie-breaks is drawn from that
    source's seed.
    """

    sources: tuple[str, ...]
    rules: tuple[Rule, ...]
    declined: tuple[str, ...] = ()
    table: TableOptions | None = None
    own_lots: bool = False


@dataclass(frozen=True, slots=True)
class EventArchive:
    """Stages by name and the feedings between them."""

    stages: Mapping[str, Archive]
    feedings: tuple[Feeding, ...] = ()


def event_text(event: EventArchive) -> str:
    """The event as JSON text, the same bytes for the same event."""
    return as_text(
        {
            "edition": EDITION,
            "stages": {name: body_of(archive) for name, archive in event.stages.items()},
            "feedings": [to_plain(feeding) for feeding in event.feedings],
        }
    )


def event_from_body(body: Mapping[str, Any]) -> EventArchive:
    """Read an event from plain JSON values.

    Raises:
        InvalidArchive: an unknown key, another edition, no stages, or what ``archive.from_body`` refuses.
        InvalidValue: as there.
    """
    for key in body:
        if key not in ("edition", "stages", "feedings"):
            raise InvalidArchive("unknown_key", f"event: {key!r} does not belong in an archive", key=key)
    if body.get("edition") != EDITION:
        raise InvalidArchive("edition", f"edition {body.get('edition')!r}: this reads edition {EDITION}")
    stages = body.get("stages")
    if not isinstance(stages, dict) or not all(isinstance(stage, dict) for stage in stages.values()):
        raise InvalidArchive("wrong_type", "stages: not an object of archives")
    feedings = from_plain(tuple[Feeding, ...], body.get("feedings", []), "feedings")
    for feeding in feedings:
        for name in feeding.sources:
            if name not in stages:
                raise InvalidArchive("unknown_stage", f"feedings: there is no stage {name!r}", stage=name)
    return EventArchive({name: from_body(stage) for name, stage in stages.items()}, feedings)


def feeding_faults(event: EventArchive) -> Iterator[Fault]:
    """Report stages whose field is not what their feeding rules send, in order."""
    parts: dict[str, list[Part]] = {}
    unknown: set[str] = set()
    for feeding in event.feedings:
        try:
            sent = list(fed(event, feeding))
        except (DrawError, UnknownTieBreak) as error:
            yield Fault("feeding", f"{', '.join(feeding.sources)}: {error}")
            unknown |= {rule.into for rule in feeding.rules}
            continue
        yield from _cut_ties(event, feeding)
        for name, part in sent:
            parts.setdefault(name, []).append(part)
    for name, sending in parts.items():
        target = event.stages.get(name)
        if target is None or name in unknown:
            continue
        refs = [entrant.ref for entrant in interleave([entrants for _source, entrants in sending])]
        if [entrant.ref for entrant in target.field] != refs:
            sources = ", ".join(source for source, _entrants in sending)
            yield Fault("feeding", f"{name}: its field is not the {len(refs)} entrants that {sources} sent")


def _cut_ties(event: EventArchive, feeding: Feeding) -> Iterator[Fault]:
    """Warn of entrants who were level, of whom some went on and others did not."""
    for source in feeding.sources:
        stage, options = _stage(event.stages[source]), _options(event.stages[source], feeding)
        if options is None:
            continue
        for tie in ties_in(stage, options, feeding.rules, declined=feeding.declined):
            into = [
                stake.into for stake in tie.stakes if stake.kind == "qualify" and stake.into in event.stages
            ]
            if into:
                refs = ", ".join(stage.field[n - 1].ref for n in tie.tied)
                message = f"{source}: {refs} were level, and nothing decided who goes on to {', '.join(into)}"
                yield Fault("cut_tie", message, "warning")


def fed(event: EventArchive, feeding: Feeding) -> Iterator[tuple[str, Part]]:
    """The entrants that each source sends to each stage, best first.

    Raises:
        DrawRefused: a source is not finished, or a rule takes nobody.
    """
    for source in feeding.sources:
        ranked = _ranking(event.stages[source], feeding)
        for name, entrants in feed(ranked, feeding.rules, declined=feeding.declined).items():
            yield name, (source, entrants)


def _ranking(archive: Archive, feeding: Feeding) -> tuple[Ranked, ...]:
    stage, options = _stage(archive), _options(archive, feeding)
    if options is None:
        return ranking_of(stage)
    return ranking_of(stage, [row.place.entrant for row in stage_table(stage, options)])


def _stage(archive: Archive) -> Stage:
    return drawn_stage(archive).after(*archive.log)


def _options(archive: Archive, feeding: Feeding) -> TableOptions | None:
    if feeding.table is None:
        return None
    return replace(feeding.table, lot_seed=archive.seed) if feeding.own_lots else feeding.table
