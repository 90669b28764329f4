"""What a Swiss round minimises, level by level.

No forbidden pair; no second bye while anyone remaining has had fewer; fewest rematches; fewest pairs to
avoid; the bye to the lowest score; score differences squared; distance from the fold inside a score group;
floats not repeated; protected entrants apart; and last, lower-placed entrants float first. Scores are those a
round is paired by: an accelerated round adds a virtual point. Greedy pairing dead-ends into rematches
(docs/reference/tournaments.md, "Swiss pairing"); this cannot, since rematches are part of what is minimised.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from tournaments.core.matching.matching import Edge, Scale
from tournaments.core.matching.round_plan import AVOIDED, FARTHEST, FORBIDDEN, NO_BANS, Plan, most_banned
from tournaments.core.stages.bans import Bans, Partners
from tournaments.core.stages.records import Record

WINDOW = 16
"""How far from its natural partner an entrant looks in fields too large for the complete graph."""

LARGE = 4096
"""Fields beyond this look at a quarter of the usual distance: their sums need the bits."""

LEVELS = (
    FORBIDDEN,
    "second bye",
    "rematch",
    AVOIDED,
    "bye by score",
    "score difference",
    "fold",
    "repeated float",
    "protection",
    "order",
)
_, BYE_UNEVEN, REMATCH, _, BYE_SCORE, SCORE, FOLD, FLOAT, PROTECTED, _ = range(10)


@dataclass(frozen=True, slots=True)
class GroupPlace:
    """Where a record stands in its score group.

    ``score`` is the one that is paired by, with the virtual point of an accelerated round. ``place`` counts
    from 0 in a group of ``size``; the natural opponent is ``half`` places below, give or take the ``slack``
    of floaters that leave the group.
    """

    score: int
    place: int
    size: int
    half: int
    slack: int


@dataclass(frozen=True, slots=True)
class SwissPlan(Plan):
    rows: tuple[GroupPlace, ...]
    farthest: int

    def allowed_edges(self, pairs: Iterable[tuple[int, int]]) -> list[Edge]:
        rows, records, units, apart = self.rows, self.records, self.scale.units, self.apart
        rematch, score, fold, float_, protected = (units[k] for k in (REMATCH, SCORE, FOLD, FLOAT, PROTECTED))
        farthest = self.farthest
        down = [float_ * repeated(record, 1) for record in records]
        up = [float_ * repeated(record, -1) for record in records]
        found: list[Edge] = []
        for i, j in pairs:
            upper, lower, one, other = rows[i], rows[j], records[i], records[j]
            cost = 0
            if upper.score == lower.score:
                gap = lower.place - upper.place - upper.half
                if gap < 0:
                    cost = min(-gap, farthest) ** 2 * fold + min(-gap, farthest)
                elif gap:
                    outside = gap - upper.slack
                    cost = (min(outside, farthest) ** 2 * fold if outside > 0 else 0) + min(gap, farthest)
            else:
                cost = (upper.score - lower.score) ** 2 * score + down[i] + up[j]
                cost += min(upper.size - 1 - upper.place + lower.place, farthest)
            if other.entrant in one.met:
                cost += one.met[other.entrant] * rematch
            if other.entrant in apart[one.entrant]:
                cost += protected
            found.append((i, j, cost))
        return found

    def bye_edges(self) -> list[Edge]:
        units, last = self.scale.units, len(self.records)
        fewest = min(record.byes for record in self.records)
        lowest = min(record.score for record in self.records)
        return [
            (
                i,
                last,
                (record.byes - fewest) * units[BYE_UNEVEN]
                + (record.score - lowest) * units[BYE_SCORE]
                + repeated(record, 1) * units[FLOAT]
                + min(last - 1 - i, self.farthest),
            )
            for i, record in enumerate(self.records)
        ]

    def likely_pairs(self) -> Iterator[tuple[int, int]]:
        count = len(self.rows)
        for i, row in enumerate(self.rows):
            near = min(i + 1 + WINDOW, count)
            yield from ((i, j) for j in range(i + 1, near))
            natural = i + row.half
            group_end = i - row.place + row.size
            first = max(near, natural - WINDOW // 2)
            yield from ((i, j) for j in range(first, min(natural + row.slack + WINDOW // 2, group_end)))


def repeated(record: Record, direction: int) -> int:
    """2 if the entrant floated this way in the last round, 1 if the round before."""
    recent = record.floats[-2:]
    if not recent:
        return 0
    return 2 if recent[-1] == direction else int(len(recent) == 2 and recent[0] == direction)


def plan_swiss(
    standing: Sequence[Record],
    apart: Partners,
    ahead: frozenset[int] = frozenset(),
    bans: Bans = NO_BANS,
) -> SwissPlan:
    """Lay out a round for at least two records in pairing order: by score, then by the order of the draw.

    The score that they are paired by is one higher for the entrants in ``ahead``; byes go by the real one.
    """
    rows: list[GroupPlace] = []
    scores = [record.score + (record.entrant in ahead) for record in standing]
    start, carry = 0, 0
    while start < len(standing):
        score = scores[start]
        end = start
        while end < len(standing) and scores[end] == score:
            end += 1
        size = end - start
        # A floater from above takes one, an odd rest sends one on: the fold is half of those who stay.
        half, odd = divmod(size - carry, 2)
        rows.extend(GroupPlace(score, i - start, size, half, carry + odd) for i in range(start, end))
        start, carry = end, odd
    byes = [record.byes for record in standing]
    spread = max(1, rows[0].score - rows[-1].score)
    banned = most_banned(bans)
    farthest = min(len(standing), FARTHEST if len(standing) <= LARGE else FARTHEST // 4)
    most_meetings = max((1, *(meetings for record in standing for meetings in record.met.values())))
    bye = max(1, max(byes) - min(byes))
    above = (banned[FORBIDDEN], bye, most_meetings, banned[AVOIDED], spread, spread**2)
    scale = None
    while scale is None:
        largest, pairs = (*above, farthest**2, 4, 1, farthest), (len(standing) + 1) // 2
        try:
            scale = Scale.of(largest, pairs, once=(BYE_UNEVEN, BYE_SCORE))
        except OverflowError:  # forbidden pairs of a very large field take bits from its distances
            farthest //= 2
    return SwissPlan(tuple(standing), apart, LEVELS, scale, REMATCH + 1, bans, tuple(rows), farthest)
