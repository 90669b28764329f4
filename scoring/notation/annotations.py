"""Annotations of a match file: analysis, comments, event, site and round.

**Perspective**: everything is told for the player who is on roll (of a cube decision the one who may double),
and positions are in that player's numbering, as `Position.key`.

**Units**: equities are points per cube, with the cube as it stood before the decision, and normalised to
money (EMG) as the file has them. Where a file tells a cube's equities as chances of winning the match
(`Unit.CHANCE`, GNU Backgammon in matches), callers that know the score convert them.

**Damage**: a number that cannot be one (NaN, infinite, out of range) takes its decision's analysis along, and
never the match: `damaged` counts the decisions that are left out.
"""

import math
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

Five = tuple[float, float, float, float, float]

MOST_DECISIONS = 20_000
"""Of one file: a match to 25 points has about 1,500."""
MOST_CANDIDATES = 32
"""Of one play, as eXtreme Gammon keeps them."""
MOST_COMMENTS, LONGEST_COMMENT = 2_000, 4_000
LONGEST_FACT = 200
_LARGEST_EQUITY = 1_000.0
_ROUNDING = 0.001
CONFIDENCE = 1.96
"""Standard errors of half a 95% interval."""


class Program(StrEnum):
    """The program that made the analysis; sets how its decisions count."""

    XG = "xg"
    GNUBG = "gnubg"
    STATED = "stated"
    """Any other, or one of ours: the file states the label."""


class Unit(StrEnum):
    """The unit of an equity."""

    EQUITY = "equity"
    CHANCE = "chance"


@dataclass(frozen=True, slots=True)
class Option:
    """One thing that could be done: a play, or ``no double``, ``double/take``, ``double/pass``.

    ``position`` is what a play leads to, in the mover's numbering. ``probabilities`` are win, gammon,
    backgammon, lost gammon and lost backgammon (0..1), each but the first among the ones before it.
    ``level`` is the depth in the program's own words, ``interval`` the half-width of the 95% confidence
    interval of a rollout's equity.
    """

    action: str
    equity: float
    probabilities: Five | None
    level: str
    position: str = ""
    interval: float | None = None


@dataclass(frozen=True, slots=True)
class Annotation:
    """What a file says of one moment: before a roll (``dice`` None, the cube) or of a roll's play.

    ``game`` counts from 1. ``options`` are in the file's order, best first; empty without an analysis.
    ``luck`` is the roll's equity above the average roll. ``answer`` marks a comment on a take or a pass.
    """

    game: int
    position: str
    dice: tuple[int, int] | None
    options: tuple[Option, ...] = ()
    unit: Unit = Unit.EQUITY
    luck: float | None = None
    comment: str = ""
    answer: bool = False


@dataclass(frozen=True, slots=True)
class Annotations:
    """All that one file says. ``facts`` are event, site, round and annotator; ``remarks`` belong to a game.

    ``stated`` is the label that the file gives its analysis, as `scoring.theory.decisions.EngineLabel` writes
    it; empty where the program says it all. A remark is the number of its game (0 for the whole match) and
    its text. ``damaged`` are the decisions whose analysis is left out, ``unread`` is why the comments could
    not be read.
    """

    program: Program
    moments: tuple[Annotation, ...] = ()
    facts: tuple[tuple[str, str], ...] = ()
    remarks: tuple[tuple[int, str], ...] = ()
    damaged: int = 0
    unread: str = ""
    stated: str = ""

    @property
    def is_analysed(self) -> bool:
        """Whether any decision is judged."""
        return any(moment.options for moment in self.moments)


class Damaged(ValueError):
    """An impossible number in an analysis."""


def equity(value: float) -> float:
    """The equity, to four places; raises Damaged."""
    if not math.isfinite(value) or abs(value) > _LARGEST_EQUITY:
        raise Damaged(f"{value} is not an equity")
    return round(value, 4) + 0.0


def chance(value: float) -> float:
    """A chance between 0 and 1, to nine places, for what a rounding has left out of it; raises Damaged."""
    if not -_ROUNDING <= value <= 1 + _ROUNDING:  # false for NaN
        raise Damaged(f"{value} is not a probability")
    return round(min(1.0, max(0.0, value)), 9)


def probabilities(values: Iterable[float]) -> Five:
    """Win, gammon, backgammon, lost gammon and lost backgammon to four places; raises Damaged.

    Networks give somewhat more gammons than wins at times, and are taken at their word.
    """
    win, gammon, backgammon, lost_gammon, lost_backgammon = (round(chance(value), 4) for value in values)
    return win, gammon, backgammon, lost_gammon, lost_backgammon


def interval(value: float) -> float:
    """Half of an interval of an equity, to four places; raises Damaged."""
    if not 0 <= value <= _LARGEST_EQUITY:  # false for NaN
        raise Damaged(f"{value} is not an interval")
    return round(value, 4)


def luck(value: float) -> float | None:
    """The luck of a roll; None for what programs write where they did not look."""
    return round(value, 4) if math.isfinite(value) and abs(value) < _LARGEST_EQUITY else None


def plain(text: str, longest: int) -> str:
    """Text without control marks, direction marks and lone surrogates."""
    lines = text[: 2 * longest].replace("\r\n", "\n").replace("\r", "\n")
    kept = "".join(
        c for c in lines if c in "\n\t" or not unicodedata.category(c).startswith("C") or c == "\u200d"
    )
    return kept.strip()[:longest]


def named_facts(pairs: Iterable[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    """Names and values of facts, without the empty ones, each on one line."""
    cleaned = ((name, " ".join(plain(value, LONGEST_FACT).split())) for name, value in pairs)
    return tuple((name, value) for name, value in cleaned if value)
