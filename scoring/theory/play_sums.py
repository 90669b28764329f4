"""One player's play in one analysed match as sums that pool by addition.

Losses and luck are those of `scoring.theory.decisions`. With the sum of the squares a pooled figure keeps its
standard error. Source: docs/reference/theory.md, "Sums of play".
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from math import sqrt

from scoring.rules.position import BAR, STARTING_POSITION, Position
from scoring.theory.decisions import Decision, DecisionKind
from scoring.theory.mistakes import MistakeKind, kind_of_mistake
from scoring.theory.performance import DEFAULT_THRESHOLDS, PR_FACTOR
from scoring.theory.phases import GamePhase, phase_of

Z95 = 1.96
FEWEST = 100
"""Counted decisions below which a PR is not told with an interval: most losses are 0, a few are large."""
FEWEST_ROLLS = 30
"""Rolls below which it is not told whether a figure of the dice is within chance."""
DOUBLES, SIXES = 6 / 36, 11 / 36
PIPS, PIPS_VARIANCE = 49 / 6, 665 / 36
"""Mean and variance of the pips of a roll, doubles played four times (docs/reference/theory.md, "Dice")."""


class ScoreKind(StrEnum):
    """What the score is for the player who decides."""

    MONEY = "money"
    EVEN = "even"
    AHEAD = "ahead"
    BEHIND = "behind"
    CRAWFORD = "crawford"
    POST_CRAWFORD = "post_crawford"
    DMP = "dmp"


def score_kind(own_away: int, opponent_away: int, *, crawford: bool) -> ScoreKind:
    """The kind of a score of points needed; both 0 in money play.

    >>> str(score_kind(1, 1, crawford=False)), str(score_kind(3, 5, crawford=False))
    ('dmp', 'ahead')
    """
    if not own_away:
        return ScoreKind.MONEY
    if own_away == opponent_away == 1:
        return ScoreKind.DMP
    if crawford:
        return ScoreKind.CRAWFORD
    if 1 in (own_away, opponent_away):
        return ScoreKind.POST_CRAWFORD
    if own_away == opponent_away:
        return ScoreKind.EVEN
    return ScoreKind.AHEAD if own_away < opponent_away else ScoreKind.BEHIND


@dataclass(frozen=True, slots=True)
class LossTally:
    """Counted decisions: how many, what they lost, the sum of the squares, marked errors and blunders."""

    counted: int = 0
    loss: float = 0.0
    squares: float = 0.0
    errors: int = 0
    blunders: int = 0

    def __add__(self, other: "LossTally") -> "LossTally":
        return LossTally(
            self.counted + other.counted,
            self.loss + other.loss,
            self.squares + other.squares,
            self.errors + other.errors,
            self.blunders + other.blunders,
        )

    @property
    def pr(self) -> float | None:
        """500 x loss / counted; None without a counted decision."""
        return PR_FACTOR * self.loss / self.counted if self.counted else None

    @property
    def is_few(self) -> bool:
        """Whether the decisions are too few for an interval."""
        return self.counted < FEWEST

    @property
    def margin(self) -> float | None:
        """Half of the 95% confidence interval of the PR; None for too few decisions.

        1.96 standard errors of the mean loss (NIST/SEMATECH e-Handbook of Statistical Methods, section
        1.3.5.2, with the normal quantile).

        >>> round(LossTally(counted=200, loss=2.0, squares=0.5).margin, 2)
        3.4
        >>> LossTally(counted=50, loss=2.0, squares=0.5).margin is None
        True
        """
        if self.is_few:
            return None
        variance = max(0.0, self.squares - self.loss**2 / self.counted) / (self.counted - 1)
        return PR_FACTOR * Z95 * sqrt(variance / self.counted)


def tally_of(decision: Decision) -> LossTally:
    """One decision; nothing for one that does not count."""
    if not decision.counted:
        return LossTally()
    error = decision.error or 0.0
    blunder = error >= DEFAULT_THRESHOLDS.blunder
    return LossTally(1, error, error**2, int(not blunder and error >= DEFAULT_THRESHOLDS.error), int(blunder))


@dataclass(frozen=True, slots=True)
class Against:
    """Something that happened, against its expectation: ``n`` chances, what was seen and expected."""

    n: int
    seen: float
    expected: float
    variance: float

    @property
    def deviation(self) -> float:
        """The standard deviation of what was seen."""
        return sqrt(self.variance)

    @property
    def is_few(self) -> bool:
        """Whether the rolls are too few to tell."""
        return self.n < FEWEST_ROLLS

    @property
    def is_chance(self) -> bool:
        """Whether the difference is within 1.96 standard deviations, as 95 of 100 are by chance.

        >>> Against(360, 75, 60, 50).is_chance, Against(360, 61, 60, 50).is_chance
        (False, True)
        """
        return abs(self.seen - self.expected) <= Z95 * self.deviation


@dataclass(frozen=True, slots=True)
class DiceSums:
    """Rolls of one player apart from opening rolls, and the luck of all rolls that have one.

    ``entries`` are rolls with a checker on the bar against a board that is not empty of points;
    ``entries_expected`` is the sum of the chances to enter, ``entries_variance`` of p (1 - p).
    """

    rolls: int = 0
    pips: int = 0
    doubles: int = 0
    sixes: int = 0
    entries: int = 0
    entered: int = 0
    entries_expected: float = 0.0
    entries_variance: float = 0.0
    luck_rolls: int = 0
    luck: float = 0.0
    luck_squares: float = 0.0

    def __add__(self, other: "DiceSums") -> "DiceSums":
        return DiceSums(*(getattr(self, name) + getattr(other, name) for name in DiceSums.__slots__))

    @property
    def told(self) -> dict[str, Against]:
        """Each figure against its expectation, by its name."""
        n = self.rolls
        return {
            "doubles": Against(n, self.doubles, n * DOUBLES, n * DOUBLES * (1 - DOUBLES)),
            "sixes": Against(n, self.sixes, n * SIXES, n * SIXES * (1 - SIXES)),
            "pips": Against(n, self.pips, n * PIPS, n * PIPS_VARIANCE),
            "entries": Against(self.entries, self.entered, self.entries_expected, self.entries_variance),
            "luck": Against(self.luck_rolls, self.luck, 0.0, self.luck_squares),
        }


@dataclass(frozen=True, slots=True)
class FacedDecision:
    """A decision with what its player saw: position, points needed, and for a play the roll.

    ``turn`` is the number of the play in its game, from 1; 0 for a cube action. ``earlier`` is the opening
    roll and its play where this is the reply to it.
    """

    decision: Decision
    position: Position
    own_away: int
    opponent_away: int
    crawford: bool
    dice: tuple[int, int] | None = None
    turn: int = 0
    earlier: str = ""


Cell = tuple[GamePhase, DecisionKind, ScoreKind]


@dataclass(frozen=True, slots=True)
class OpeningPlay:
    """What was played to one of the first two rolls of a game; ``earlier`` is empty for the opening roll."""

    earlier: str
    roll: str
    played: str
    best: str
    error: float


@dataclass(slots=True)
class PlaySums:
    """The sums of one player in one match."""

    cells: dict[Cell, LossTally] = field(default_factory=dict)
    mistakes: dict[tuple[GamePhase, MistakeKind], LossTally] = field(default_factory=dict)
    openings: list[OpeningPlay] = field(default_factory=list)
    dice: DiceSums = field(default_factory=DiceSums)

    @property
    def total(self) -> LossTally:
        return sum(self.cells.values(), LossTally())


def play_sums(faced: Iterable[FacedDecision]) -> PlaySums:
    """The sums over one player's decisions of one analysis."""
    sums = PlaySums()
    for each in faced:
        decision, phase = each.decision, phase_of(each.position)
        tally = tally_of(decision)
        if tally.counted:
            score = score_kind(each.own_away, each.opponent_away, crawford=each.crawford)
            cell = (phase, decision.kind, score)
            sums.cells[cell] = sums.cells.get(cell, LossTally()) + tally
        if kind := kind_of_mistake(decision):
            sums.mistakes[phase, kind] = sums.mistakes.get((phase, kind), LossTally()) + tally
        if each.dice is not None:
            sums.dice += dice_of(each)
            if opening := _opening(each):
                sums.openings.append(opening)
    return sums


def dice_of(faced: FacedDecision) -> DiceSums:
    """One roll: what the dice were, and its luck if the engine told it."""
    high, low = faced.dice or (0, 0)
    luck = faced.decision.luck
    known = DiceSums(luck_rolls=int(luck is not None), luck=luck or 0.0, luck_squares=(luck or 0.0) ** 2)
    if faced.turn == 1:  # never a double, and each player has half of the opening rolls
        return known
    double = high == low
    entry = _entry(faced.position, high, low)
    return known + DiceSums(
        rolls=1,
        pips=(high + low) * (2 if double else 1),
        doubles=int(double),
        sixes=int(high == 6 or low == 6),
        entries=entry.n,
        entered=int(entry.seen),
        entries_expected=entry.expected,
        entries_variance=entry.variance,
    )


def _entry(position: Position, high: int, low: int) -> Against:
    """Whether a checker on the bar entered, and the chance of that: 1 - (closed points / 6) squared."""
    closed = {die for die in range(1, 7) if position.opponent[die] >= 2}
    if not position.own[BAR] or not closed:
        return Against(0, 0, 0.0, 0.0)
    chance = 1 - (len(closed) / 6) ** 2
    return Against(1, int(high not in closed or low not in closed), chance, chance * (1 - chance))


def _opening(faced: FacedDecision) -> OpeningPlay | None:
    decision = faced.decision
    if faced.turn not in (1, 2) or decision.error is None or decision.best is None or faced.dice is None:
        return None
    if faced.turn == 1 and faced.position != STARTING_POSITION:
        return None
    if faced.turn == 2 and not faced.earlier:
        return None
    high, low = faced.dice
    return OpeningPlay(faced.earlier, f"{high}{low}", decision.played, decision.best.action, decision.error)
