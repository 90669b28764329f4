"""Cost levels of a round in a lives event.

Source: docs/reference/tournaments.md, "Lives".

No forbidden pair; no second bye until all remaining have had one; fewest pairs to avoid; the bye to the worst
record; closest records meet; fewest meetings. By option fewest meetings come before the records.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from tournaments.core.matching.matching import Edge, Scale
from tournaments.core.matching.round_plan import AVOIDED, FARTHEST, FORBIDDEN, Plan, most_banned
from tournaments.core.stages.bans import Bans, Partners
from tournaments.core.stages.records import Record

WINDOW = 24

BYE_UNEVEN, REMATCH, BYE_RECORD = "second bye", "rematch", "bye by record"
LOSSES, SCORE, PROTECTED, ORDER = "difference in losses", "difference in wins", "protection", "order"
RECORDS_FIRST = (FORBIDDEN, BYE_UNEVEN, AVOIDED, BYE_RECORD, LOSSES, SCORE, REMATCH, PROTECTED, ORDER)
MEETINGS_FIRST = (FORBIDDEN, BYE_UNEVEN, REMATCH, AVOIDED, BYE_RECORD, LOSSES, SCORE, PROTECTED, ORDER)


@dataclass(frozen=True, slots=True)
class LivesPlan(Plan):
    """Records from best to worst; ``lost`` are lives lost by entrant."""

    lost: Mapping[int, int]
    rank: tuple[int, ...]
    """For each node how many different records are worse."""

    def allowed_edges(self, pairs: Iterable[tuple[int, int]]) -> list[Edge]:
        records, lost, apart = self.records, self.lost, self.apart
        rematch, losses, score, protected = map(self.unit, (REMATCH, LOSSES, SCORE, PROTECTED))
        found: list[Edge] = []
        for i, j in pairs:
            one, other = records[i], records[j]
            cost = (lost[one.entrant] - lost[other.entrant]) ** 2 * losses
            cost += (one.score - other.score) ** 2 * score + min(j - i, FARTHEST)
            if other.entrant in one.met:
                cost += one.met[other.entrant] * rematch
            if other.entrant in apart[one.entrant]:
                cost += protected
            found.append((i, j, cost))
        return found

    def bye_edges(self) -> list[Edge]:
        last, fewest = len(self.records), min(record.byes for record in self.records)
        uneven, worst = self.unit(BYE_UNEVEN), self.unit(BYE_RECORD)
        return [
            (i, last, (record.byes - fewest) * uneven + self.rank[i] * worst + min(last - 1 - i, FARTHEST))
            for i, record in enumerate(self.records)
        ]

    def likely_pairs(self) -> Iterator[tuple[int, int]]:
        count = len(self.records)
        return ((i, j) for i in range(count) for j in range(i + 1, min(i + 1 + WINDOW, count)))


def plan_lives(
    standing: Sequence[Record],
    lost: Mapping[int, int],
    apart: Partners,
    bans: Bans,
    *,
    meetings_first: bool,
) -> LivesPlan:
    """Lay out a round for at least two records from best to worst."""
    ranks: list[int] = []
    for record, worse in zip(reversed(standing), [None, *reversed(standing)], strict=False):
        same = worse is not None and (lost[worse.entrant], worse.score) == (
            lost[record.entrant],
            record.score,
        )
        ranks.append(0 if worse is None else ranks[-1] + (not same))
    byes = [record.byes for record in standing]
    losses = [lost[record.entrant] for record in standing]
    scores = [record.score for record in standing]
    largest = most_banned(bans) | {
        BYE_UNEVEN: max(1, max(byes) - min(byes)),
        REMATCH: max((1, *(meetings for record in standing for meetings in record.met.values()))),
        BYE_RECORD: max(1, ranks[-1]),
        LOSSES: max(1, (max(losses) - min(losses)) ** 2),
        SCORE: max(1, (max(scores) - min(scores)) ** 2),
        PROTECTED: 1,
        ORDER: min(len(standing), FARTHEST),
    }
    levels = MEETINGS_FIRST if meetings_first else RECORDS_FIRST
    once = [i for i, level in enumerate(levels) if level in (BYE_UNEVEN, BYE_RECORD)]
    scale = Scale.of([largest[level] for level in levels], (len(standing) + 1) // 2, once=once)
    hard = 3 if meetings_first else 2
    return LivesPlan(tuple(standing), apart, levels, scale, hard, bans, lost, tuple(reversed(ranks)))
