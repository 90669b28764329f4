"""Ties: who is level after a stage, what their places decide, and how a director settles it.

The decisions are entries of the stage's log (``tournaments.core.stages.stage``): a further tie-break, a lot
whose seed was sealed before, or a playoff. Each counts while exactly these entrants are level.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Literal

from tournaments.core.formats.table import format_of
from tournaments.core.formats.tables import stage_table
from tournaments.core.play.feeding import Rule, Top, by_rule, ranking_of
from tournaments.core.rounds.round_robin import RoundRobinOptions, berger
from tournaments.core.stages.errors import DrawRefused
from tournaments.core.stages.pairings import TIE_PLAYOFF, Pairing, Reason
from tournaments.core.stages.results import stage_results
from tournaments.core.stages.stage import LotSealed, Stage, TieReopened, TieSettled, seed_hash
from tournaments.core.standings.choices import offered
from tournaments.core.standings.tables import TableOptions, TableRow, known_tie_break, parts_of
from tournaments.core.standings.tie_breaks import Context

SETTLED = frozenset({"round_robin", "swiss", "monrad", "ready"})
"""The formats whose ties a director settles: those ranked by a table."""

Tied = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Stake:
    """What the order of a tie decides.

    ``qualify``: who goes on to ``into``; ``seeding``: only in which order they are seeded there; ``first``:
    who is the winner.
    """

    kind: Literal["qualify", "seeding", "first"]
    into: str = ""


@dataclass(frozen=True, slots=True)
class Tie:
    """Entrants, by number, whom nothing separates: on the ranks ``first`` to ``last`` of those still in."""

    tied: Tied
    first: int
    last: int
    stakes: tuple[Stake, ...]

    @property
    def matters(self) -> bool:
        """Whether it decides who goes on: the stages that it feeds cannot be drawn."""
        return any(stake.kind == "qualify" for stake in self.stakes)


def is_complete_round_robin(format_key: str, options: object, entrants: int) -> bool:
    """Whether everyone meets everyone equally often, so that all have the same opponents."""
    if format_key != "round_robin" or not isinstance(options, RoundRobinOptions):
        return False
    return options.rounds is None or options.rounds % max(1, len(berger(max(2, entrants)))) == 0


def tied_groups(stage: Stage, rows: Sequence[TableRow]) -> list[tuple[int, Tied]]:
    """The groups of entrants still in who share a place, with the first of their ranks."""
    groups: dict[int, list[int]] = {}
    for row in rows:
        if row.place.entrant not in stage.gone:
            groups.setdefault(row.place.first, []).append(row.place.entrant)
    found, rank = [], 1
    for first in sorted(groups):
        if len(groups[first]) > 1:
            found.append((rank, tuple(sorted(groups[first]))))
        rank += len(groups[first])
    return found


def ties_in(
    stage: Stage,
    options: TableOptions,
    rules: Sequence[Rule],
    *,
    declined: Collection[str] = (),
    seeded: Collection[str] = (),
) -> tuple[Tie, ...]:
    """The ties of a finished stage that decide something; empty while it is in progress.

    ``rules`` are those by which it feeds others, ``seeded`` the targets that keep the order of their field.
    Without rules the tie for first place decides the winner.
    """
    if stage.format not in SETTLED or not stage.outcomes or not format_of(stage.format).finished(stage):
        return ()
    rows = stage_table(stage, options)
    ranked = ranking_of(stage, [row.place.entrant for row in rows])
    parts = by_rule(ranked, rules, declined=declined)
    left = {each.entrant.ref for each in ranked if each.entrant.ref not in declined}
    stakes: dict[Tied, list[Stake]] = {tied: [] for _rank, tied in tied_groups(stage, rows)}
    for rule, part in zip(rules, parts, strict=True):
        taken = {entrant.ref for entrant in part}
        left -= taken
        for tied, found in stakes.items():
            refs = {stage.field[n - 1].ref for n in tied}
            if isinstance(rule, Top) and refs & taken and refs & left:
                found.append(Stake("qualify", rule.into))
            if len(refs & taken) > 1 and rule.into in seeded:
                found.append(Stake("seeding", rule.into))
    ties = []
    for rank, tied in tied_groups(stage, rows):
        won = [Stake("first")] if rank == 1 and not rules else []
        if decides := (*stakes[tied], *won):
            ties.append(Tie(tied, rank, rank + len(tied) - 1, decides))
    return tuple(ties)


def separating(stage: Stage, options: TableOptions, tied: Tied) -> list[str]:
    """The tie-breaks not used yet that would separate these entrants, in the order they are offered."""
    complete = is_complete_round_robin(stage.format, stage.options, len(stage.field))
    keys = [key for key in offered(complete_round_robin=complete) if key not in (*options.tie_breaks, "lot")]
    return [key for key in keys if _separates(stage, options, tied, key)]


def _separates(stage: Stage, options: TableOptions, tied: Tied, key: str) -> bool:
    context = Context(stage_results(stage), options.adjust_unplayed, options.lot_seed)
    by = known_tie_break(key)
    return len(list(parts_of(tied, by.values(context, tied), lower_is_better=by.lower_is_better))) > 1


def settle_by_tie_break(stage: Stage, options: TableOptions, tied: Tied, key: str) -> Stage:
    """Apply a further tie-break to a tie.

    Raises:
        DrawRefused: ``tie_in_play``, ``not_tied``, ``tie_break`` for one that is not offered or
            ``no_difference`` for one that separates none of them.
    """
    require_tie(stage, options, tied)
    complete = is_complete_round_robin(stage.format, stage.options, len(stage.field))
    if key not in offered(complete_round_robin=complete) or key == "lot":
        raise DrawRefused("tie_break", f"{key!r} is not a tie-break for this tie", key=key)
    if not _separates(stage, options, tied, key):
        raise DrawRefused("no_difference", f"{key} separates none of {list(tied)}", key=key)
    return stage.after(TieSettled(tied, "tie_break", key=key))


def seal_lot(stage: Stage, options: TableOptions, tied: Tied, hash_of_seed: str) -> Stage:
    """Announce a lot: the hash of its seed is public from now on.

    Raises:
        DrawRefused: ``tie_in_play``, ``not_tied`` or ``lot_sealed``.
    """
    require_tie(stage, options, tied)
    if sealed_for(stage, tied) is not None:
        raise DrawRefused("lot_sealed", f"a lot among {list(tied)} is announced already", tied=tied)
    return stage.after(LotSealed(tied, hash_of_seed))


def draw_sealed_lot(stage: Stage, options: TableOptions, tied: Tied, seed: str) -> Stage:
    """Draw an announced lot from its seed.

    Raises:
        DrawRefused: ``tie_in_play``, ``not_tied`` or ``lot_not_sealed`` without the hash of this seed.
    """
    require_tie(stage, options, tied)
    sealed = sealed_for(stage, tied)
    if sealed is None or sealed.seed_hash != seed_hash(seed):
        raise DrawRefused("lot_not_sealed", f"no lot among {list(tied)} was announced", tied=tied)
    return stage.after(TieSettled(tied, "lot", seed=seed))


def make_playoff(stage: Stage, options: TableOptions, tied: Tied, length: int) -> Stage:
    """Publish a playoff: one match of two entrants, else everyone in it meets everyone.

    Raises:
        DrawRefused: ``tie_in_play`` or ``not_tied``.
    """
    require_tie(stage, options, tied)
    return stage.after(TieSettled(tied, "playoff", pairings=playoff_pairings(stage, tied, length)))


def playoff_pairings(stage: Stage, tied: Tied, length: int | None) -> tuple[Pairing, ...]:
    """The matches of a playoff, in the order of the Berger table; behind the last round."""
    number, reason = stage.next_number, (Reason(TIE_PLAYOFF),)
    pairs = [(tied[a - 1], tied[b - 1]) for round_ in berger(len(tied)) for a, b in round_ if b]
    return tuple(
        Pairing(number + n, stage.rounds + 1, a, b, reason, length) for n, (a, b) in enumerate(pairs)
    )


def reopen_tie(stage: Stage, tied: Tied, *, begun: Collection[int] = ()) -> Stage:
    """Undo the last decision on a tie, or the lot announced for it.

    ``begun`` are open pairings in play.

    Raises:
        DrawRefused: ``not_settled``, or ``playoff_begun`` once a match of the playoff was begun.
    """
    last = next((each for each in reversed(stage.settled) if each.tied == tied), None)
    if last is not None and sealed_for(stage, tied) is None:
        started = [p.number for p in last.pairings if p.number in stage.outcomes or p.number in begun]
        if started:
            message = f"pairing {started[0]} of the playoff has begun"
            raise DrawRefused("playoff_begun", message, match=started[0])
    return stage.after(TieReopened(tied))


def sealed_for(stage: Stage, tied: Tied) -> LotSealed | None:
    """The lot announced for these entrants, if any."""
    return next((lot for lot in stage.sealed if lot.tied == tied), None)


def require_tie(stage: Stage, options: TableOptions, tied: Tied) -> None:
    """Refuse to settle what is not a tie, or not yet.

    Raises:
        DrawRefused: ``tie_in_play`` while matches are open, ``not_tied``.
    """
    if stage.format not in SETTLED:
        raise DrawRefused("not_tied", f"{stage.format} has no ties to settle")
    if not format_of(stage.format).finished(stage):
        raise DrawRefused("tie_in_play", "this stage is still in progress")
    if tied not in [group for _rank, group in tied_groups(stage, stage_table(stage, options))]:
        raise DrawRefused("not_tied", f"{list(tied)} are not level", tied=tied)
