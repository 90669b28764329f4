"""Simulated figures for the format chooser."""

from dataclasses import dataclass
from functools import lru_cache

from django.utils.functional import Promise

from tournaments.core.formats.presets import PRESETS, Preset
from tournaments.core.stages.errors import DrawError
from tournaments.core.timetable.forecast import Conditions, Distribution, distribution, forecast
from tournaments.words.formats import FORMAT_NAMES, FORMAT_SENTENCES

SHOWN = (
    *("knockout", "progressive", "last_chance", "double", "swiss_3", "swiss", "swiss_unbeaten", "lives"),
    *("round_robin", "truncated_round_robin", "monrad", "ready"),
)
# Events simulated for one line, fewer in a large field: a page may take a second when it is asked for first.
MOST_MATCHES = 600
MOST_EVENTS = 24
ENOUGH = 12
LONGEST_ROUND_ROBIN = 24


@dataclass(frozen=True, slots=True)
class FormatLine:
    """One format with its forecast. Minutes from the first match to the last; matches each on average."""

    key: str
    name: Promise
    sentence: Promise
    figures: Distribution
    matches_each: float

    @property
    def usually(self) -> int:
        return round(self.figures.minutes[1])

    @property
    def at_worst(self) -> int:
        return round(self.figures.minutes[2])

    @property
    def best_wins(self) -> int | None:
        """How often the strongest wins, in percent; None with too few simulations."""
        return round(100 * self.figures.best_wins) if self.figures.events >= ENOUGH else None


@dataclass(frozen=True, slots=True)
class UnsuitableFormat:
    """A format unsuitable for this field, and why, in English."""

    key: str
    name: Promise
    reason: str


def compared(entrants: int, conditions: Conditions) -> tuple[list[FormatLine], list[UnsuitableFormat]]:
    """Every listed format for this field, fastest first, and the unsuitable ones.

    The same question has the same answer: the simulated events are seeded by their number.
    """
    lines, refused = [], []
    for key in SHOWN:
        chosen = PRESETS[key]
        if key == "round_robin" and entrants > LONGEST_ROUND_ROBIN:
            continue
        try:
            figures = _figures(chosen, entrants, conditions)
        except DrawError as error:
            refused.append(UnsuitableFormat(key, FORMAT_NAMES[key], str(error)))
            continue
        each = 2 * figures.matches[1] / entrants
        lines.append(FormatLine(key, FORMAT_NAMES[key], FORMAT_SENTENCES[key], figures, each))
    return sorted(lines, key=lambda line: line.usually), refused


@lru_cache(maxsize=512)
def _figures(chosen: Preset, entrants: int, conditions: Conditions) -> Distribution:
    first = forecast(chosen, entrants, seed="0", conditions=conditions)
    events = max(1, min(MOST_EVENTS, MOST_MATCHES // max(1, first.matches)))
    rest = [forecast(chosen, entrants, seed=str(n), conditions=conditions) for n in range(1, events)]
    return distribution([first, *rest])
