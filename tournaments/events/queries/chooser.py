"""Simulated figures and verdicts for the format chooser."""

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

from django.utils.functional import Promise

from tournaments.core.brackets.elimination import DoubleOptions, KnockoutOptions
from tournaments.core.formats.presets import PRESETS, Preset
from tournaments.core.formats.table import FORMATS
from tournaments.core.stages.format import Season
from tournaments.core.timetable.forecast import (
    Conditions,
    Distribution,
    distribution,
    figures_of,
    forecast,
    simulate_preset,
)
from tournaments.core.timetable.suitability import (
    Concern,
    FormatJudgement,
    Suitability,
    judge_format,
    judge_season,
    too_long_to_simulate,
)
from tournaments.words.formats import FORMAT_NAMES, FORMAT_SENTENCES
from tournaments.words.sections import shape_sentence, shape_summary
from tournaments.words.suitability import verdict

SHOWN = (
    *("knockout", "consolation", "progressive", "last_chance", "double", "double_last_chance"),
    *("swiss_3", "swiss", "swiss_unbeaten", "lives", "monrad", "ready"),
    *("round_robin", "truncated_round_robin"),
)
"""What is compared as one event; the formats of a season are not."""
# Events simulated for one line, fewer in a large field: a page may take a second when it is asked for first.
MOST_MATCHES = 600
MOST_EVENTS = 24
ENOUGH = 12


@dataclass(frozen=True, slots=True)
class FeedingRounds:
    """How many rounds feed consolation and last chance at least; ``None`` for the format's own number."""

    consolation: int | None = None
    last_chance: int | None = None


NO_CHANGE = FeedingRounds()


@dataclass(frozen=True, slots=True)
class FormatLine:
    """One format for a field: the verdict, its drawn shape and its forecast.

    Minutes from the first match to the last; matches each on average. ``figures`` is None where the verdict
    needs no simulation.
    """

    key: str
    name: Promise
    sentence: Promise
    entrants: int
    judgement: FormatJudgement
    figures: Distribution | None

    @property
    def suitability(self) -> Suitability:
        return self.judgement.suitability

    @property
    def sensible(self) -> bool:
        return self.suitability is not Suitability.NOT_SENSIBLE

    @property
    def verdict(self) -> str:
        return verdict(self.judgement, self.entrants)

    @property
    def shape(self) -> str:
        """The sections with their entrants; empty where there is only one."""
        return shape_summary(self.judgement.sections) if len(self.judgement.sections) > 1 else ""

    @property
    def sections(self) -> list[str]:
        return [shape_sentence(each) for each in self.judgement.sections]

    @property
    def usually(self) -> int | None:
        return self._minutes(1)

    @property
    def at_worst(self) -> int | None:
        return self._minutes(2)

    def _minutes(self, quantile: int) -> int | None:
        if self.figures is None or self.figures.minutes is None:
            return None
        return round(self.figures.minutes[quantile])

    @property
    def matches_each(self) -> float | None:
        return None if self.figures is None else 2 * self.figures.matches[1] / self.entrants

    @property
    def best_wins(self) -> int | None:
        """How often the strongest wins, in percent; None with too few simulations."""
        if self.figures is None or self.figures.events < ENOUGH:
            return None
        return round(100 * self.figures.best_wins)


def compared(entrants: int, conditions: Conditions, feeding: FeedingRounds = NO_CHANGE) -> list[FormatLine]:
    """Every listed format for this field: those that suit first, then the fastest.

    The same question has the same answer: the simulated events are seeded by their number.
    """
    lines = []
    for key in SHOWN:
        judgement, figures = _judged(_fed(PRESETS[key], feeding), entrants, conditions)
        lines.append(FormatLine(key, FORMAT_NAMES[key], FORMAT_SENTENCES[key], entrants, judgement, figures))
    order = list(Suitability)
    return sorted(lines, key=lambda line: (order.index(line.suitability), line.usually or 0))


def _fed(chosen: Preset, feeding: FeedingRounds) -> Preset:
    """The preset with other numbers of feeding rounds where it has such sections."""
    options = chosen.options
    if isinstance(options, KnockoutOptions) and options.consolation != "none" and feeding.consolation:
        options = replace(options, feeding=feeding.consolation)
    if isinstance(options, KnockoutOptions | DoubleOptions) and options.last_chance and feeding.last_chance:
        options = replace(options, last_chance=feeding.last_chance)
    return replace(chosen, options=options)


def judged_briefly(key: str, entrants: int, conditions: Conditions) -> FormatJudgement:
    """The verdict on a format that is not compared, from one simulated event or season."""
    return _judged_briefly(PRESETS[key], entrants, conditions)


def judged_stage(
    format_key: str,
    options: Any,
    entrants: int,
    conditions: Conditions,
    feeding: FeedingRounds = NO_CHANGE,
) -> FormatJudgement:
    """The verdict on a stage: as on the format with these options, if it is listed, else a brief one."""
    named = (each for each in PRESETS.values() if (each.format, each.options) == (format_key, options))
    chosen = next(named, Preset(format_key, format_key, options, FORMATS[format_key].minimum))
    fed = _fed(chosen, feeding)
    if chosen.key in SHOWN:
        return _judged(fed, entrants, conditions)[0]
    return _judged_briefly(fed, entrants, conditions)


@lru_cache(maxsize=512)
def _judged_briefly(chosen: Preset, entrants: int, conditions: Conditions) -> FormatJudgement:
    if known := _known(chosen, entrants):
        return known
    if chosen.season is Season.ARRANGED:
        return FormatJudgement(())
    stage, rng = simulate_preset(chosen, entrants, seed="0", conditions=conditions)
    figures = distribution([figures_of(stage, rng, conditions)])
    return judge_season(stage, figures) if chosen.season else judge_format(stage, conditions, figures)


def _known(chosen: Preset, entrants: int) -> FormatJudgement | None:
    """The verdict that needs no simulation; None without one."""
    if entrants < chosen.minimum:
        return FormatJudgement((Concern("too_few_entrants", chosen.minimum, grave=True),))
    return too_long_to_simulate(chosen, entrants)


@lru_cache(maxsize=512)
def _judged(
    chosen: Preset, entrants: int, conditions: Conditions
) -> tuple[FormatJudgement, Distribution | None]:
    if known := _known(chosen, entrants):
        return known, None
    stage, rng = simulate_preset(chosen, entrants, seed="0", conditions=conditions)
    first = figures_of(stage, rng, conditions)
    events = max(1, min(MOST_EVENTS, MOST_MATCHES // max(1, first.matches)))
    rest = [forecast(chosen, entrants, seed=str(n), conditions=conditions) for n in range(1, events)]
    figures = distribution([first, *rest])
    return judge_format(stage, conditions, figures), figures
