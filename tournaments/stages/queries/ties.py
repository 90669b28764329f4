"""The ties of a stage for its page and the API: who is level on what, and what was decided."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from tournaments.core.formats.tables import stage_table
from tournaments.core.play.feeding import Rule
from tournaments.core.play.ties import SETTLED, Stake, Tied, separating, ties_in
from tournaments.core.stages.results import decisions_of, playoff_wins, stage_results
from tournaments.core.stages.stage import Stage, seed_hash
from tournaments.core.standings.tables import TableRow
from tournaments.models import StageRow, StageStatus
from tournaments.stages.queries.stage_table import table_options


@dataclass(frozen=True, slots=True)
class OpenTie:
    """Entrants, by ref, who are level on the ranks ``first`` to ``last`` of those still in.

    ``score`` and ``values`` (by tie-break, one for each entrant) are equal or were not enough. ``offers`` are
    the tie-breaks that would separate them; ``lot_hash`` is that of an announced lot.
    """

    numbers: Tied
    refs: tuple[str, ...]
    first: int
    last: int
    score: float
    stakes: tuple[Stake, ...]
    values: tuple[tuple[str, tuple[float | None, ...]], ...]
    offers: tuple[str, ...]
    lot_hash: str = ""

    @property
    def matters(self) -> bool:
        return any(stake.kind == "qualify" for stake in self.stakes)


@dataclass(frozen=True, slots=True)
class SettledTie:
    """A decision on a tie: ``refs`` best first, with their ``values``.

    ``how`` is "tie_break" (with its ``key``), "lot" (with ``seed`` and ``hash``) or "playoff" (``over`` once
    its matches are). ``holds`` is false when a correction has changed who is level.
    """

    numbers: Tied
    refs: tuple[str, ...]
    how: str
    key: str
    values: tuple[float, ...] = ()
    seed: str = ""
    hash: str = ""
    over: bool = True
    holds: bool = True


@dataclass(frozen=True, slots=True)
class StageTies:
    """The ties of a stage that decide something, and the decisions made so far."""

    open: tuple[OpenTie, ...] = ()
    settled: tuple[SettledTie, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.open or self.settled)

    def cut_for(self, target: str) -> list[OpenTie]:
        """The ties that decide who goes on to the stage with this ref."""
        return [tie for tie in self.open if Stake("qualify", target) in tie.stakes]


NO_TIES = StageTies()


def may_have_ties(stage: StageRow) -> bool:
    """Whether a stage can have a tie to settle: a drawn one, ranked by a table, after its last match."""
    return stage.drawn_at is not None and stage.format in SETTLED and stage.status == StageStatus.FINISHED


def stage_ties(stage: StageRow, value: Stage, targets: Sequence[StageRow]) -> StageTies:
    """The ties of a drawn stage (no query); ``targets`` are the stages that it feeds."""
    if stage.format not in SETTLED:
        return NO_TIES
    options = table_options(stage)
    rows = {row.place.entrant: row for row in stage_table(value, options)}
    found = ties_in(
        value,
        options,
        _open_rules(stage.rules, targets),
        declined={ref for target in targets for ref in target.declined},
        seeded={target.ref for target in targets if target.options.get("seeding") == "hand"},
    )
    if stage.rules:
        found = tuple(tie for tie in found if any(stake.into for stake in tie.stakes))
    sealed = {lot.tied: lot.seed_hash for lot in value.sealed}
    return StageTies(
        tuple(
            OpenTie(
                tie.tied,
                _refs(value, tie.tied),
                tie.first,
                tie.last,
                rows[tie.tied[0]].score,
                tuple(stake for stake in tie.stakes if not stake.into or _is_undrawn(stake.into, targets)),
                _values(tie.tied, rows),
                tuple(separating(value, options, tie.tied)),
                sealed.get(tie.tied, ""),
            )
            for tie in found
            if any(not stake.into or _is_undrawn(stake.into, targets) for stake in tie.stakes)
        ),
        tuple(_settled(stage, value, rows)),
    )


def _open_rules(rules: Sequence[Rule], targets: Sequence[StageRow]) -> Sequence[Rule]:
    known = {target.ref for target in targets}
    return [rule for rule in rules if rule.into in known]


def _is_undrawn(ref: str, targets: Sequence[StageRow]) -> bool:
    return any(target.ref == ref and target.drawn_at is None for target in targets)


def _refs(value: Stage, numbers: Collection[int]) -> tuple[str, ...]:
    return tuple(value.field[n - 1].ref for n in numbers)


def _values(tied: Tied, rows: Mapping[int, TableRow]) -> tuple[tuple[str, tuple[float | None, ...]], ...]:
    keys = dict.fromkeys(key for n in tied for key, _value in rows[n].values)
    return tuple((key, tuple(dict(rows[n].values).get(key) for n in tied)) for key in keys)


def _settled(stage: StageRow, value: Stage, rows: Mapping[int, TableRow]) -> list[SettledTie]:
    options = table_options(stage)
    counting = {
        (decision.key, frozenset(decision.values)): decision
        for decision in decisions_of(value, stage_results(value), options)
    }
    place = {n: at for at, n in enumerate(rows)}
    found = []
    for each in value.settled:
        key = each.key if each.how == "tie_break" else each.how
        decision = counting.get((key, frozenset(each.tied)))
        order = sorted(each.tied, key=lambda n: place[n])
        over = each.how != "playoff" or playoff_wins(value, each) is not None
        holds = decision is None or all(
            dict(rows[n].values).get(key) == decision.values[n] for n in each.tied
        )
        found.append(
            SettledTie(
                each.tied,
                _refs(value, order),
                each.how,
                key,
                tuple(decision.values[n] for n in order) if decision else (),
                each.seed,
                seed_hash(each.seed) if each.seed else "",
                over,
                holds,
            )
        )
    return found
