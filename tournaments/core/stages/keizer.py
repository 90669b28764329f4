"""Keizer points: a win is worth the value of the opponent, and values follow from the ranking.

Source: docs/reference/tournaments.md, "Keizer".

Points are counted in sixths of a point, so that they are exact.
"""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from tournaments.core.stages.stage import Stage

OWN, WIN, BYE, ABSENCE = 6, 6, 3, 2
"""Sixths of a value: of one's own to begin with, of the opponent's for a win, of one's own for a bye and for
an absence."""
MOST_ABSENCES = 5
"""Missed rounds that count; later ones are worth nothing."""


@dataclass(frozen=True, slots=True)
class KeizerStanding:
    """Entrants in ``order``, best first.

    ``values`` are those of the ranking before the round that was published last; ``sixths`` of a point are
    what all rounds are worth by them.
    """

    order: tuple[int, ...]
    values: Mapping[int, int]
    sixths: Mapping[int, int]


def value_at(rank: int, entrants: int) -> int:
    """The value of a rank (from 1): one less each, the first about three times the last.

    >>> [value_at(1, 35), value_at(35, 35)], [value_at(rank, 4) for rank in (1, 2, 3, 4)]
    ([50, 16], [4, 3, 2, 1])
    """
    return max(1, entrants // 2 - 1) + entrants - rank


def keizer_standing(stage: Stage) -> KeizerStanding:
    """The ranking by all results.

    The order of the draw is the first ranking. That before a round gives the values, by which this round and
    all before it are counted; that makes the next one, in which equals keep their order.
    """
    playing: dict[int, set[int]] = defaultdict(set)
    byes: dict[int, list[int]] = defaultdict(list)
    wins: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for pairing in stage.pairings.values():
        if pairing.is_playoff:
            continue
        playing[pairing.round].add(pairing.a)
        if pairing.is_bye:
            byes[pairing.round].append(pairing.a)
            continue
        playing[pairing.round].add(pairing.b)
        outcome = stage.outcomes.get(pairing.number)
        if outcome is not None and outcome.advances is not None:
            wins[pairing.round].append((outcome.winner, outcome.loser))
    order, beaten = tuple(stage.order), []
    rested, missed = dict.fromkeys(order, 0), dict.fromkeys(order, 0)
    values = _values(order)
    sixths = {n: OWN * values[n] for n in order}
    for round_number in range(1, stage.rounds + 1):
        values = _values(order)
        beaten += wins[round_number]
        for n in byes[round_number]:
            rested[n] += 1
        for n in order:
            missed[n] += n not in playing[round_number]
        sixths = {
            n: values[n] * (OWN + BYE * rested[n] + ABSENCE * min(missed[n], MOST_ABSENCES)) for n in order
        }
        for winner, loser in beaten:
            sixths[winner] += WIN * values[loser]
        order = tuple(sorted(order, key=lambda n: -sixths[n]))
    return KeizerStanding(order, values, sixths)


def _values(order: tuple[int, ...]) -> dict[int, int]:
    return {number: value_at(rank, len(order)) for rank, number in enumerate(order, 1)}
