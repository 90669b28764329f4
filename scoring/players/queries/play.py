"""How a player plays: PR over time, by phase, kind, score, length and opponent; mistakes, openings, dice.

Every figure is of one label and comes with its decisions; none is an average of averages.
"""

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db.models import Count, Sum

from scoring.models import MistakeSum, OpeningReply, PlaySum
from scoring.players.queries.play_rows import TALLY, PlayedMatch
from scoring.theory.decisions import DecisionKind
from scoring.theory.mistakes import MistakeKind
from scoring.theory.phases import GamePhase
from scoring.theory.play_sums import Against, DiceSums, LossTally, ScoreKind

WINDOWS = (10, 50, 200)
MONTHS = 24
MISTAKES, REPLIES, OPENINGS = 12, 15, 60
LENGTHS = ((1, 3), (4, 6), (7, 10), (11, 16), (17, 0))
"""Match lengths that are pooled; 0 is no upper limit."""
RATINGS = (1400, 1500, 1600, 1700)
"""Ratings of opponents at which one group ends and the next begins."""


Cell = tuple[tuple[str, str, str], LossTally]
"""Phase, kind and score of some decisions, and what they came to."""


@dataclass(frozen=True, slots=True)
class TallyLine:
    """What one group of decisions came to; ``key`` names the group, ``matches`` is None where unknown."""

    key: Any
    tally: LossTally
    matches: int | None = None


@dataclass(frozen=True, slots=True)
class MistakeLine:
    """Mistakes of one kind in one phase, and what they lost together."""

    kind: MistakeKind
    phase: GamePhase
    counted: int
    loss: float

    @property
    def mean(self) -> float:
        return self.loss / self.counted


@dataclass(frozen=True, slots=True)
class OpeningLine:
    """A play to one of the first two rolls: how often, what it cost together, and the best play.

    ``earlier`` is the opening roll and its play before a reply.
    """

    earlier: str
    roll: str
    played: str
    best: str
    games: int
    loss: float

    @property
    def mean(self) -> float:
        return self.loss / self.games


@dataclass(slots=True)
class PlayFigures:
    """All that the page shows."""

    matches: int
    total: LossTally
    windows: list[TallyLine] = field(default_factory=list)
    months: list[TallyLine] = field(default_factory=list)
    phases: list[TallyLine] = field(default_factory=list)
    kinds: list[TallyLine] = field(default_factory=list)
    scores: list[TallyLine] = field(default_factory=list)
    lengths: list[TallyLine] = field(default_factory=list)
    opponents: list[TallyLine] = field(default_factory=list)
    mistakes: list[MistakeLine] = field(default_factory=list)
    openings: list[OpeningLine] = field(default_factory=list)
    replies: list[OpeningLine] = field(default_factory=list)
    dice: dict[str, Against] = field(default_factory=dict)


def play_in(played: Sequence[PlayedMatch]) -> PlayFigures:
    """A player's play in these matches, newest first (four queries, however many)."""
    play = PlayFigures(len(played), _sum(played))
    if not played:
        return play
    play.windows = [TallyLine(size, _sum(played[:size]), size) for size in WINDOWS if size < len(played)] + [
        TallyLine(0, play.total, len(played))
    ]
    play.months = _grouped(played, lambda each: each.played_at.date().replace(day=1))[:MONTHS]
    play.lengths = _in_order(_grouped(played, _length_of), [(0, 0), *LENGTHS])
    play.opponents = _in_order(_grouped(played, _rating_of), [*range(len(RATINGS) + 1), None])
    play.dice = sum((each.dice for each in played), DiceSums()).told
    keys = [each.key for each in played]
    cells = _cells(keys)
    play.phases = _by(cells, 0, GamePhase)
    play.kinds = _by(cells, 1, DecisionKind)
    play.scores = _by(cells, 2, ScoreKind)
    play.mistakes = _mistakes(keys)
    play.openings = _openings(keys, first=True)
    play.replies = _openings(keys, first=False)
    return play


def _sum(played: Iterable[PlayedMatch]) -> LossTally:
    return sum((each.tally for each in played), LossTally())


def _grouped(played: Iterable[PlayedMatch], key: Callable[[PlayedMatch], Hashable]) -> list[TallyLine]:
    """The sums of each group, in the order in which the groups come."""
    groups: dict[Hashable, list[PlayedMatch]] = {}
    for each in played:
        groups.setdefault(key(each), []).append(each)
    return [TallyLine(name, _sum(rows), len(rows)) for name, rows in groups.items()]


def _in_order(lines: Iterable[TallyLine], order: Iterable[Hashable]) -> list[TallyLine]:
    found = {line.key: line for line in lines}
    return [found[key] for key in order if key in found]


def _length_of(played: PlayedMatch) -> tuple[int, int]:
    fits = (
        each for each in LENGTHS if each[0] <= played.length and (played.length <= each[1] or not each[1])
    )
    return next(fits, (0, 0))


def _rating_of(played: PlayedMatch) -> int | None:
    rating = played.opponent_rating
    return None if rating is None else sum(rating >= limit for limit in RATINGS)


def _cells(keys: Sequence[int]) -> list[Cell]:
    rows: Any = (
        PlaySum.objects.filter(of__in=keys)
        .values("phase", "kind", "score")
        .annotate(**{f"all_{name}": Sum(name) for name in TALLY})
    )
    return [
        ((row["phase"], row["kind"], row["score"]), LossTally(*(row[f"all_{name}"] for name in TALLY)))
        for row in rows
    ]


def _by(cells: list[Cell], place: int, order: Iterable[str]) -> list[TallyLine]:
    lines = [
        TallyLine(key, sum((tally for cell, tally in cells if cell[place] == key), LossTally()))
        for key in order
    ]
    return [line for line in lines if line.tally.counted]


def _mistakes(keys: Sequence[int]) -> list[MistakeLine]:
    rows = (
        MistakeSum.objects.filter(of__in=keys)
        .values("kind", "phase")
        .annotate(number=Sum("counted"), cost=Sum("loss"))
        .order_by("-cost", "kind", "phase")[:MISTAKES]
    )
    return [
        MistakeLine(MistakeKind(row["kind"]), GamePhase(row["phase"]), row["number"], row["cost"])
        for row in rows
    ]


def _openings(keys: Sequence[int], *, first: bool) -> list[OpeningLine]:
    """Opening rolls by roll, most played first; replies by what they cost."""
    replies = OpeningReply.objects.filter(of__in=keys)
    replies = replies.filter(earlier="") if first else replies.exclude(earlier="").filter(error__gt=0)
    order = ("roll", "-games", "played", "best") if first else ("-cost", "earlier", "roll", "played", "best")
    rows = (
        replies.values("earlier", "roll", "played", "best")
        .annotate(games=Count("pk"), cost=Sum("error"))
        .order_by(*order)[: OPENINGS if first else REPLIES]
    )
    return [
        OpeningLine(row["earlier"], row["roll"], row["played"], row["best"], row["games"], row["cost"])
        for row in rows
    ]
