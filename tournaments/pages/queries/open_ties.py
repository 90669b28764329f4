"""The ties of an event for its page, with names."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from tournaments.core.play.ties import Stake
from tournaments.core.stages.stage import Stage
from tournaments.events.queries.event_page import FlightBlock
from tournaments.models import EntrantRow, StageRow
from tournaments.stages.drawing import figure, tie_break_figure
from tournaments.stages.queries.ties import OpenTie, SettledTie, may_have_ties, stage_ties
from tournaments.words.ties import tie_break_name


@dataclass(frozen=True, slots=True)
class TieLine:
    """A tie that nothing has decided yet.

    ``heads`` are the names of its tie-breaks, ``rows`` its entrants with their figures; ``offers`` are keys
    and names of tie-breaks that would separate them; ``stakes`` says what it decides.
    """

    stage: StageRow
    refs: Sequence[str]
    places: str
    stakes: Sequence[str]
    heads: Sequence[str]
    rows: Sequence[tuple[EntrantRow, Sequence[str]]]
    offers: Sequence[tuple[str, str]]
    lot_hash: str
    matters: bool


@dataclass(frozen=True, slots=True)
class DecisionLine:
    """A decision on a tie, with its entrants best first."""

    stage: StageRow
    refs: Sequence[str]
    tie: SettledTie
    name: str
    rows: Sequence[tuple[EntrantRow, str]]
    undoable: bool


@dataclass(frozen=True, slots=True)
class EventTies:
    """The ties of an event; ``cut`` are the stages, by ref, that cannot be drawn before one is settled."""

    open: Sequence[TieLine] = ()
    settled: Sequence[DecisionLine] = ()
    cut: frozenset[str] = frozenset()


def stages_with_ties(blocks: Iterable[FlightBlock]) -> list[StageRow]:
    """The stages that can have a tie to show; none before a table is complete."""
    flights = ([line.stage for line in block.stages] for block in blocks)
    return [stage for stages in flights for stage in stages if _may_show(stage, stages)]


def event_ties(blocks: Iterable[FlightBlock], values: Mapping[int, Stage]) -> EventTies:
    """The ties of an event (no query); ``values`` are the :func:`stages_with_ties` loaded, by key."""
    flights = [([line.stage for line in block.stages], block) for block in blocks]
    found: list[TieLine] = []
    settled: list[DecisionLine] = []
    cut: set[str] = set()
    for stages, block in flights:
        known = {each.ref: each for each in (*block.entered, *block.left)}
        names = {stage.ref: stage.name for stage in stages}
        for stage in stages:
            if not _may_show(stage, stages):
                continue
            targets = _targets(stage, stages)
            ties = stage_ties(stage, values[stage.pk], targets)
            found += [_line(stage, tie, known, names) for tie in ties.open]
            cut |= {target.ref for target in targets if ties.cut_for(target.ref)}
            drawn = any(target.drawn_at is not None for target in targets)
            settled += [_decision(stage, tie, known, drawn=drawn) for tie in ties.settled]
    return EventTies(found, settled, frozenset(cut))


def _may_show(stage: StageRow, stages: Sequence[StageRow]) -> bool:
    """Whether a stage can have an open tie that decides something, or a decision. No query."""
    if stage.drawn_at is not None and getattr(stage, "has_decisions", False):
        return True
    targets = _targets(stage, stages)
    return may_have_ties(stage) and (not targets or any(each.drawn_at is None for each in targets))


def _targets(stage: StageRow, stages: Sequence[StageRow]) -> list[StageRow]:
    """The stages of the division that this one feeds."""
    return [each for each in stages if any(rule.into == each.ref for rule in stage.rules)]


def _line(
    stage: StageRow, tie: OpenTie, known: Mapping[str, EntrantRow], names: Mapping[str, str]
) -> TieLine:
    return TieLine(
        stage,
        tie.refs,
        f"{tie.first}–{tie.last}",
        list(_stakes(tie, names)),
        [_("Score"), *(tie_break_name(key) for key, _values in tie.values)],
        [
            (known[ref], [figure(tie.score), *(tie_break_figure(key, each[n]) for key, each in tie.values)])
            for n, ref in enumerate(tie.refs)
            if ref in known
        ],
        [(key, tie_break_name(key)) for key in tie.offers],
        tie.lot_hash,
        tie.matters,
    )


def _stakes(tie: OpenTie, names: Mapping[str, str]) -> Iterator[str]:
    for stake in tie.stakes:
        match stake.kind:
            case "qualify":
                yield _("decides who goes on to %(stage)s") % {"stage": names[stake.into]}
            case "seeding" if Stake("qualify", stake.into) not in tie.stakes:
                yield _("decides the seeding in %(stage)s") % {"stage": names[stake.into]}
            case "first":
                yield _("decides the winner; prizes are shared")


def _decision(
    stage: StageRow, tie: SettledTie, known: Mapping[str, EntrantRow], *, drawn: bool
) -> DecisionLine:
    values = [tie_break_figure(tie.key, value) for value in tie.values] or [""] * len(tie.refs)
    rows = [(known[ref], value) for ref, value in zip(tie.refs, values, strict=True) if ref in known]
    undoable = not drawn and not (tie.how == "playoff" and tie.over)
    return DecisionLine(stage, tie.refs, tie, tie_break_name(tie.key), rows, undoable)
