"""Feeding: rules that send entrants of one stage to others.

Rules take entrants from a ranking, in order, and what is declined passes down.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from tournaments.core.formats.table import format_of
from tournaments.core.stages.entrants import Entrant
from tournaments.core.stages.errors import DrawRefused
from tournaments.core.stages.outcomes import Gone
from tournaments.core.stages.stage import Stage


@dataclass(frozen=True, slots=True)
class Top:
    """The top ``count`` not taken yet."""

    count: int
    into: str


@dataclass(frozen=True, slots=True)
class AtMostLosses:
    """All remaining entrants with at most so many losses, best first."""

    losses: int
    into: str


@dataclass(frozen=True, slots=True)
class TiedForFirst:
    """Entrants tied for first, if at least two: a playoff."""

    into: str


@dataclass(frozen=True, slots=True)
class Rest:
    """All entrants not taken yet: a consolation, or a fresh start."""

    into: str


Rule = Top | AtMostLosses | TiedForFirst | Rest


@dataclass(frozen=True, slots=True)
class Ranked:
    """An entrant with place (possibly shared) and losses, as the rules need."""

    entrant: Entrant
    place: int
    losses: int


def ranking_of(stage: Stage, order: Sequence[int] | None = None) -> tuple[Ranked, ...]:
    """A stage's ranking, best first, without those who left the event.

    ``order`` is the order of a table with tie-breaks (``formats.tables.stage_table``); without it entrants on
    a shared place come in the order of the draw. Met opponents go along, so that the next stage can
    keep opponents apart.

    Raises:
        DrawRefused: ``not_finished``: a stage that is still being played feeds nothing.
    """
    chosen = format_of(stage.format)
    if not chosen.finished(stage):
        raise DrawRefused("not_finished", "this stage is still in progress and cannot feed another")
    losses: dict[int, int] = {}
    met: dict[int, set[str]] = {}
    for number, outcome in stage.outcomes.items():
        if stage.pairings[number].is_playoff:
            continue
        losses[outcome.loser] = losses.get(outcome.loser, 0) + 1
        if outcome.advances is None:
            losses[outcome.winner] = losses.get(outcome.winner, 0) + 1
        for one, other in ((outcome.winner, outcome.loser), (outcome.loser, outcome.winner)):
            met.setdefault(one, set()).add(stage.field[other - 1].ref)
    places = {p.entrant: p.first for p in chosen.places(stage)}
    drawn = {n: index for index, n in enumerate(stage.order)}
    numbers = list(order) if order is not None else sorted(places, key=lambda n: (places[n], drawn.get(n, n)))
    return tuple(
        Ranked(
            replace(stage.field[n - 1], met=frozenset(met.get(n, ())) | stage.field[n - 1].met),
            places[n],
            losses.get(n, 0),
        )
        for n in numbers
        if stage.gone.get(n, Gone.LEFT_DRAW) is Gone.LEFT_DRAW
    )


def feed(
    ranking: Sequence[Ranked], rules: Sequence[Rule], *, declined: Collection[str] = ()
) -> Mapping[str, tuple[Entrant, ...]]:
    """The entrants sent to each target. See ``by_rule``."""
    found: dict[str, list[Entrant]] = {}
    for rule, taken in zip(rules, by_rule(ranking, rules, declined=declined), strict=True):
        found.setdefault(rule.into, []).extend(taken)
    return {into: tuple(entrants) for into, entrants in found.items()}


def by_rule(
    ranking: Sequence[Ranked], rules: Sequence[Rule], *, declined: Collection[str] = ()
) -> tuple[tuple[Entrant, ...], ...]:
    """The entrants that each rule takes from those left by the rules before it.

    Refs in ``declined`` are passed over by every rule, and the next in the ranking moves up.

    Raises:
        DrawRefused: ``rule`` for a rule that takes no one by its own terms (a count below 1, losses below 0).
    """
    left = [r for r in ranking if r.entrant.ref not in declined]
    found: list[tuple[Entrant, ...]] = []
    for rule in rules:
        taken = _taken(rule, left, ranking)
        refs = {r.entrant.ref for r in taken}
        left = [r for r in left if r.entrant.ref not in refs]
        found.append(tuple(r.entrant for r in taken))
    return tuple(found)


def _taken(rule: Rule, left: Sequence[Ranked], ranking: Sequence[Ranked]) -> Sequence[Ranked]:
    match rule:
        case Top(count):
            if count < 1:
                raise DrawRefused("rule", f"the top {count} is empty: at least 1", count=count)
            return left[:count]
        case AtMostLosses(losses):
            if losses < 0:
                raise DrawRefused("rule", f"at most {losses} losses is empty: at least 0", losses=losses)
            return [r for r in left if r.losses <= losses]
        case TiedForFirst():
            best = min((r.place for r in ranking), default=0)
            tied = [r for r in left if r.place == best]
            return tied if len(tied) > 1 else []
        case _:
            return left
