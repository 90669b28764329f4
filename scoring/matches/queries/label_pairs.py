"""Two labels of one match side by side, where they differ first."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from scoring.analysis.queries.analyses import decision_of, performance_of
from scoring.analysis.queries.standing import Standing, of_each_label, standing_of
from scoring.drawing.board_view import BoardView
from scoring.log.queries.sheets import steps_of
from scoring.matches.queries.stops import Stop, board_of
from scoring.models import Colour, Match
from scoring.notation.transcript import Step
from scoring.theory.decisions import Decision
from scoring.theory.differences import Difference, differences
from scoring.theory.performance import Performance

ROWS = 20
"""Decisions of one page."""


@dataclass(frozen=True, slots=True)
class LabelSide:
    """One of the two labels, with White's and Black's sums over the match."""

    analysis: Standing
    performances: tuple[Performance, Performance]


@dataclass(frozen=True, slots=True)
class DifferenceRow:
    """One decision that the labels judge differently, at its step."""

    difference: Difference
    step: Step
    name: str

    @property
    def both(self) -> tuple[Decision, Decision]:
        return self.difference.first, self.difference.second

    @property
    def thumb(self) -> BoardView:
        """The position of the decision, without arrows."""
        return replace(board_of(Stop(self.step, self.name, ())), arrows=())


@dataclass(frozen=True, slots=True)
class LabelPair:
    """Two labels of a match and a page of their differences, from number ``start`` of ``total``."""

    sides: tuple[LabelSide, LabelSide]
    rows: Sequence[DifferenceRow]
    total: int
    start: int

    @property
    def previous(self) -> int | None:
        return max(0, self.start - ROWS) if self.start else None

    @property
    def next(self) -> int | None:
        after = self.start + len(self.rows)
        return after if after < self.total else None


def labels_of_match(match: Match) -> list[Standing]:
    """The analyses to choose from, one a label, the one that a page shows first (three queries)."""
    return of_each_label(standing_of(match))


def label_pair(
    match: Match, labels: Sequence[Standing], one: str, two: str, *, start: int = 0
) -> LabelPair | None:
    """The labels with these refs side by side; None for fewer than two.

    An unknown ref stands for the first label that is not the other one. Three queries, however long the match
    is.
    """
    if len(labels) < 2:
        return None
    by_ref = {each.ref: each for each in labels}
    first = by_ref.get(one) or next(each for each in labels if each.ref != two)
    second = by_ref.get(two) if two != first.ref else None
    second = second or next(each for each in labels if each is not first)
    found = differences(_decisions(first), _decisions(second))
    start = start if 0 < start < len(found) else 0
    steps = _steps(match)
    names = {"white": match.white.name, "black": match.black.name}
    rows = [
        DifferenceRow(each, steps[int(each.first.ref)], names[each.first.side.value])
        for each in found[start : start + ROWS]
        if int(each.first.ref) in steps
    ]
    return LabelPair((side_of(first), side_of(second)), rows, len(found), start)


def _decisions(analysis: Standing) -> list[Decision]:
    return [decision_of(row) for row in analysis.decisions.order_by("number")]


def side_of(analysis: Standing) -> LabelSide:
    """An analysis with its sums."""
    summary = analysis.summary or {}
    return LabelSide(analysis, (performance_of(summary, Colour.WHITE), performance_of(summary, Colour.BLACK)))


def _steps(match: Match) -> dict[int, Step]:
    """The steps of the match by the event that was decided by (one query)."""
    steps: dict[int, Step] = {}
    for step in steps_of(match.sheet):
        steps[step.seq] = step
        if step.roll_seq:
            steps[step.roll_seq] = step
    return steps
