"""Tie-breaks, each with its source. Higher is better unless it says otherwise.

Source: docs/reference/tournaments.md, "Tie-breaks".

Unplayed rounds. With ``adjust`` an opponent who withdrew counts in Buchholz and Sonneborn-Berger as if they
had drawn every round after leaving, and an entrant's own unplayed round counts as one against an opponent
with the entrant's own score. Source: FIDE Handbook C.07 (Play-Off and Tie-Break Regulations), article 16.
Without it, unplayed rounds count as they stand: a bye brings no opponent, a walkover brings the absent one.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

from tournaments.core.standings.games import Results


@dataclass(frozen=True, slots=True)
class TieBreak:
    """A tie-break: ``values`` gives one number for each entrant of a group that is still tied.

    ``lower_is_better`` for ranks.
    """

    key: str
    source: str
    values: Callable[["Context", Sequence[int]], dict[int, float]]
    lower_is_better: bool = False


@dataclass(frozen=True, slots=True)
class Context:
    """The results, how unplayed rounds count, and the seed for lots."""

    results: Results
    adjust: bool
    lot_seed: str

    def opponent_score(self, opponent: int) -> float:
        """An opponent's score as it counts for others."""
        score = self.results.score(opponent)
        left = self.results.left_after.get(opponent)
        if not self.adjust or left is None:
            return score
        return score + max(0, self.results.rounds - left) / 2

    def contributions(self, entrant: int) -> list[tuple[float, float]]:
        """(own score, opponent's score as it counts) for every round of the entrant."""
        own = self.results.score(entrant)
        found = []
        for side in self.results.sides[entrant]:
            if self.adjust and not side.played:
                found.append((side.score, own))
            elif side.opponent is not None:
                found.append((side.score, self.opponent_score(side.opponent)))
        if self.adjust:
            missed = self.results.rounds - len(self.results.sides[entrant])
            found.extend([(0.0, own)] * max(0, missed))
        return found


def _each(value: Callable[[Context, int], float]) -> Callable[[Context, Sequence[int]], dict[int, float]]:
    return lambda context, group: {n: value(context, n) for n in group}


def _buchholz(context: Context, entrant: int, lowest: int, highest: int) -> float:
    scores = sorted(opponent for _, opponent in context.contributions(entrant))
    return sum(scores[lowest : len(scores) - highest])


def _sonneborn_berger(context: Context, entrant: int) -> float:
    return sum(own * opponent for own, opponent in context.contributions(entrant))


def _koya(context: Context, entrant: int) -> float:
    half = context.results.rounds / 2
    return sum(
        side.score
        for side in context.results.sides[entrant]
        if side.opponent is not None and context.results.score(side.opponent) >= half
    )


def _wins(context: Context, entrant: int) -> float:
    return float(sum(side.score == 1 for side in context.results.sides[entrant]))


def _real_wins(context: Context, entrant: int) -> float:
    return float(sum(side.score == 1 and side.played for side in context.results.sides[entrant]))


def _second_side_wins(context: Context, entrant: int) -> float:
    return float(
        sum(side.score == 1 and side.played and side.second for side in context.results.sides[entrant])
    )


def _point_difference(context: Context, entrant: int) -> float:
    return float(sum(side.margin or 0 for side in context.results.sides[entrant] if side.played))


def _points_won(context: Context, entrant: int) -> float:
    return float(sum(side.won_points or 0 for side in context.results.sides[entrant] if side.played))


def _stavrou(context: Context, entrant: int) -> float:
    won = [side for side in context.results.sides[entrant] if side.score == 1]
    return float(sum(100 + ((side.margin or 0) if side.played else 0) for side in won))


def _direct_encounter(context: Context, group: Sequence[int]) -> dict[int, float]:
    """The rank inside the tied group; 0 where the encounters separate no one.

    Where not all have met, a rank is given only to those whom no outcome of the missing games could move.
    """
    if len(group) < 2:
        return dict.fromkeys(group, 0.0)
    inside = set(group)
    least: dict[int, float] = {}
    most: dict[int, float] = {}
    for n in group:
        met = [side for side in context.results.sides[n] if side.opponent in inside and side.played]
        least[n] = sum(side.score for side in met)
        most[n] = least[n] + len(inside - {n} - {side.opponent for side in met})
    ranks: dict[int, float] = {}
    left = sorted(group, key=lambda n: (-least[n], -most[n]))
    while left:
        top = [n for n in left if least[n] == least[left[0]] and most[n] == most[left[0]]]
        rest = [n for n in left if n not in top]
        certain = all(most[n] == least[n] for n in top) or len(top) == 1
        if not certain or any(most[n] >= least[top[0]] for n in rest):
            top = left
        rank = float(len(group) - len(left) + 1)
        ranks.update(dict.fromkeys(top, rank))
        left = [n for n in left if n not in top]
    return ranks if len(set(ranks.values())) > 1 else dict.fromkeys(group, 0.0)


def _lot(context: Context, group: Sequence[int]) -> dict[int, float]:
    return draw_lot(context.lot_seed, group)


def draw_lot(seed: str, group: Sequence[int]) -> dict[int, float]:
    """The rank of each entrant of a group by a lot from this seed.

    >>> draw_lot("a", [3, 1, 2]) == draw_lot("a", [1, 2, 3])
    True
    """
    order = sorted(group)
    Random(f"{seed}/{order}").shuffle(order)  # noqa: S311 - a reproducible lot, not a secret
    return {n: float(index) for index, n in enumerate(order, 1)}


TIE_BREAKS: Final[dict[str, TieBreak]] = {
    tie_break.key: tie_break
    for tie_break in (
        TieBreak(
            "direct_encounter", "FIDE Handbook C.07, article 6", _direct_encounter, lower_is_better=True
        ),
        TieBreak("buchholz", "FIDE Handbook C.07, article 8", _each(lambda c, n: _buchholz(c, n, 0, 0))),
        TieBreak(
            "buchholz_cut1",
            "FIDE Handbook C.07, articles 8 and 14",
            _each(lambda c, n: _buchholz(c, n, 1, 0)),
        ),
        TieBreak(
            "buchholz_median",
            "FIDE Handbook C.07, articles 8 and 14",
            _each(lambda c, n: _buchholz(c, n, 1, 1)),
        ),
        TieBreak("sonneborn_berger", "FIDE Handbook C.07, article 9.1", _each(_sonneborn_berger)),
        TieBreak("koya", "FIDE Handbook C.07, article 9.2", _each(_koya)),
        TieBreak("wins", "FIDE Handbook C.07, article 7: with or without playing", _each(_wins)),
        TieBreak("real_wins", "Vienna: real wins above bye wins", _each(_real_wins)),
        TieBreak(
            "second_side_wins", "FIDE Handbook C.07, article 7: wins with black", _each(_second_side_wins)
        ),
        TieBreak("point_difference", "match points won minus lost", _each(_point_difference)),
        TieBreak("points_won", "match points won", _each(_points_won)),
        TieBreak("stavrou", "Sydney: 100 + margin a win, a bye 100", _each(_stavrou)),
        TieBreak("lot", "draw of lots, last", _lot, lower_is_better=True),
    )
}
