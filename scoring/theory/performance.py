"""Error rates: PR per player and game, pooling, thresholds, luck, and the list of the biggest errors.

PR (performance rating, after eXtreme Gammon) is 500 times the equity lost per counted decision; lower is
better. Source: docs/reference/theory.md, "Error rates". Losses and decisions are pooled and divided once; PRs
are never averaged, and never pooled over two engine labels, because engines, depths and versions disagree by
more than players do. A player without a counted decision has no PR.

Not the same: GNU Backgammon divides by unforced moves and close or actual cubes (its rate x 1000 is about
twice a PR); Snowie's error rate divides by all moves of both players.
"""

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from enum import StrEnum

from scoring.rules.sides import Side
from scoring.theory.decisions import Decision, EngineLabel

PR_FACTOR = 500.0


class PerformanceError(Exception):
    """Performances that do not belong together; `code` and `parameters` are stable."""

    code = "performance_error"

    def __init__(self, message: str, **parameters: object) -> None:
        super().__init__(message)
        self.parameters = parameters


class MixedLabels(PerformanceError):
    """Two engine labels in one pool."""

    code = "mixed_labels"


@dataclass(frozen=True, slots=True)
class Performance:
    """Sums that pool by addition; losses in normalised equity (see `scoring.theory.decisions`).

    `checker_*` and `cube_*` split the loss and the counted decisions by kind; `luck` is the sum over
    `luck_rolls` rolls.
    """

    checker_loss: float = 0.0
    checker_counted: int = 0
    cube_loss: float = 0.0
    cube_counted: int = 0
    luck: float = 0.0
    luck_rolls: int = 0

    @property
    def loss(self) -> float:
        """Equity lost in counted decisions, >= 0."""
        return self.checker_loss + self.cube_loss

    @property
    def counted(self) -> int:
        """Counted decisions."""
        return self.checker_counted + self.cube_counted

    @property
    def pr(self) -> float | None:
        """500 x loss / counted; None without a counted decision.

        >>> Performance(checker_loss=0.25, checker_counted=20).pr
        6.25
        >>> Performance().pr is None
        True
        """
        return _rate(self.loss, self.counted)

    @property
    def checker_pr(self) -> float | None:
        """The same over checker plays alone."""
        return _rate(self.checker_loss, self.checker_counted)

    @property
    def cube_pr(self) -> float | None:
        """The same over cube decisions alone."""
        return _rate(self.cube_loss, self.cube_counted)

    def __add__(self, other: "Performance") -> "Performance":
        return Performance(
            self.checker_loss + other.checker_loss,
            self.checker_counted + other.checker_counted,
            self.cube_loss + other.cube_loss,
            self.cube_counted + other.cube_counted,
            self.luck + other.luck,
            self.luck_rolls + other.luck_rolls,
        )


def performance(decisions: Iterable[Decision]) -> Performance:
    """The sums of these decisions, which must all be of one player and one analysis."""
    checker_loss = cube_loss = luck = 0.0
    checker_counted = cube_counted = luck_rolls = 0
    for decision in decisions:
        if decision.counted and decision.kind.is_cube:
            cube_loss += decision.error or 0.0
            cube_counted += 1
        elif decision.counted:
            checker_loss += decision.error or 0.0
            checker_counted += 1
        if decision.luck is not None:
            luck += decision.luck
            luck_rolls += 1
    return Performance(checker_loss, checker_counted, cube_loss, cube_counted, luck, luck_rolls)


def by_side(decisions: Iterable[Decision]) -> Mapping[Side, Performance]:
    """Both players' sums over one analysis; both sides are always present."""
    rows = tuple(decisions)
    return {side: performance(d for d in rows if d.side == side) for side in Side}


def by_game(decisions: Iterable[Decision]) -> Mapping[int, Mapping[Side, Performance]]:
    """Both players' sums in every game of one analysis, by game number in ascending order.

    A match's figure is the sum of its games', never their mean.
    """
    rows = tuple(decisions)
    return {game: by_side(d for d in rows if d.game == game) for game in sorted({d.game for d in rows})}


def pool(performances: Iterable[tuple[EngineLabel, Performance]]) -> Performance:
    """One player's sum over several analyses of one label; raises MixedLabels for more than one.

    >>> label = EngineLabel("gammonview", "3.1.0", "fast@2")
    >>> long, short = Performance(checker_loss=1.0, checker_counted=90), Performance(0.5, 10)
    >>> pool([(label, long), (label, short)]).pr  # the mean of the two PRs would be 15.3
    7.5
    """
    rows = tuple(performances)
    labels = sorted({str(label) for label, _ in rows})
    if len(labels) > 1:
        raise MixedLabels(f"PRs of different engines do not pool: {', '.join(labels)}", labels=labels)
    return sum((row for _, row in rows), Performance())


class ErrorMark(StrEnum):
    """How a decision is marked on a page."""

    NONE = ""
    ERROR = "error"
    BLUNDER = "blunder"


@dataclass(frozen=True, slots=True)
class Thresholds:
    """From which loss on a decision is marked, in normalised equity.

    The defaults, 0.02 and 0.08, are what eXtreme Gammon shows out of the box (common knowledge of its
    players, not checked against a manual). They mark a page and never enter a PR.
    """

    error: float = 0.02
    blunder: float = 0.08

    def mark(self, decision: Decision) -> ErrorMark:
        """The mark of a counted decision; what does not count is not marked."""
        if not decision.counted or decision.error is None or decision.error < self.error:
            return ErrorMark.NONE
        return ErrorMark.BLUNDER if decision.error >= self.blunder else ErrorMark.ERROR


DEFAULT_THRESHOLDS = Thresholds()


def biggest_errors(
    decisions: Iterable[Decision], *, limit: int | None = None, at_least: float = DEFAULT_THRESHOLDS.error
) -> tuple[Decision, ...]:
    """Counted decisions that lost at least so much, largest loss first, ties in the order of play."""
    wrong = [d for d in decisions if d.counted and d.error is not None and d.error >= at_least]
    wrong.sort(key=lambda d: -(d.error or 0.0))
    return tuple(wrong[:limit])


def _rate(loss: float, counted: int) -> float | None:
    return PR_FACTOR * loss / counted if counted else None


def sums_of(sides: Mapping[Side, Performance]) -> dict[str, dict[str, float]]:
    """Both sides' sums as a stored summary has them."""
    return {str(side): asdict(performance) for side, performance in sides.items()}
