"""Navigation of a match's steps and errors."""

from collections.abc import Sequence
from dataclasses import dataclass

from scoring.analysis.queries.judgements import Judgement
from scoring.matches.queries.stops import Stop
from scoring.rules.sides import Side
from scoring.theory.performance import ErrorMark
from scoring.theory.phases import GamePhase, phase_of


@dataclass(frozen=True, slots=True)
class StepFilter:
    """The error filter: one side, blunders only, a kind, a phase, a game, or any of these together.

    ``cube`` is True for cube decisions, False for checker plays; None leaves all.
    """

    side: Side | None = None
    blunders: bool = False
    cube: bool | None = None
    phase: GamePhase | None = None
    game: int | None = None

    def has(self, stop: Stop) -> bool:
        """Whether an error of this kind was made at the stop."""
        return any(self.includes(judgement, stop) for judgement in stop.judgements)

    def includes(self, judgement: Judgement, stop: Stop) -> bool:
        """Whether the judgement on this stop is an error of this kind."""
        side, kind = judgement.decision.side, judgement.decision.kind
        return (
            (judgement.mark is ErrorMark.BLUNDER or (bool(judgement.mark) and not self.blunders))
            and self.side in {None, side}
            and self.cube in {None, kind.is_cube}
            and self.game in {None, stop.step.game}
            and (self.phase is None or phase_of(stop.step.before.seen_by(side)) is self.phase)
        )


ALL = StepFilter()


@dataclass(frozen=True, slots=True)
class Stepping:
    """The step ``number`` among ``all``, and the numbers of the steps with a wanted error."""

    number: int
    all: int
    errors: Sequence[int]

    @property
    def previous(self) -> int | None:
        return self.number - 1 if self.number > 1 else None

    @property
    def next(self) -> int | None:
        return self.number + 1 if self.number < self.all else None

    @property
    def next_error(self) -> int | None:
        """The next step with an error."""
        return next((step for step in self.errors if step > self.number), None)

    @property
    def previous_error(self) -> int | None:
        return next((step for step in reversed(self.errors) if step < self.number), None)

    @property
    def passed(self) -> int:
        """The number of errors up to the current step."""
        return sum(step <= self.number for step in self.errors)


def first_shown(stops: Sequence[Stop], *, viewer: Side | None, is_over: bool) -> int:
    """The step that a page opens at: the viewer's first error, else the first of anybody.

    Without errors it is the beginning, of a match that is being played the last step.
    """
    if not is_over:
        return len(stops)
    for wanted in (StepFilter(viewer), ALL):
        for stop in stops:
            if wanted.has(stop):
                return stop.step.number
    return 1
