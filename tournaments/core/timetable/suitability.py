"""Whether a format suits a number of entrants, and why not: judged from one simulated event.

The limits are practice: a day of play is about ten hours, and few players want more than eight long matches
in it. They are not rules (docs/reference/tournaments.md, "Time").
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from tournaments.core.brackets.bracket import LOSERS, MAIN, THIRD
from tournaments.core.brackets.formats import Elimination
from tournaments.core.brackets.shape import SectionShape, shape_of
from tournaments.core.formats.presets import Preset
from tournaments.core.formats.table import format_of
from tournaments.core.play.sections import PlayedSections, played_sections
from tournaments.core.rounds.round_robin import RoundRobinOptions
from tournaments.core.stages.stage import Stage
from tournaments.core.timetable.forecast import Conditions, Distribution

DAY = 600
"""Minutes of play in a day."""

MANY_MATCHES, TOO_MANY_MATCHES = 8, 12
FEW_ENTRANTS = 4
FEW_UNBEATEN, MANY_UNBEATEN = 2, 4
SOME_REMATCHES, MANY_REMATCHES = 10, 30
FEW_TO_REST = 8
CROWDED = 3


class Suitability(StrEnum):
    """What a director should know before choosing a format."""

    SUITS = "suits"
    POSSIBLE = "possible"
    NOT_SENSIBLE = "not_sensible"


@dataclass(frozen=True, slots=True)
class Concern:
    """One reason against a format for a field: a code, what its sentence names, and whether it decides.

    ``count`` and ``of`` are numbers of the sentence, ``section`` the key of a section of the draw.
    """

    code: str
    count: int
    of: int = 0
    section: str = ""
    grave: bool = False


@dataclass(frozen=True, slots=True)
class FormatJudgement:
    """The verdict on a format for a field; ``sections`` is its drawn shape, empty without a bracket."""

    concerns: tuple[Concern, ...]
    sections: tuple[SectionShape, ...] = ()
    not_drawn: tuple[str, ...] = ()

    @property
    def suitability(self) -> Suitability:
        if any(each.grave for each in self.concerns):
            return Suitability.NOT_SENSIBLE
        return Suitability.POSSIBLE if self.concerns else Suitability.SUITS

    @property
    def reasons(self) -> tuple[Concern, ...]:
        """The concerns that made the verdict."""
        grave = tuple(each for each in self.concerns if each.grave)
        return grave or self.concerns


def too_long_to_simulate(preset: Preset, entrants: int) -> FormatJudgement | None:
    """The verdict where everyone plays everyone and that alone is too much; else ``None``."""
    options = preset.options
    if not isinstance(options, RoundRobinOptions) or options.rounds is not None:
        return None
    each = (entrants - 1) * options.cycles
    return (
        FormatJudgement((Concern("matches_each", each, grave=True),)) if each > 2 * TOO_MANY_MATCHES else None
    )


def judge_format(stage: Stage, conditions: Conditions, figures: Distribution) -> FormatJudgement:
    """Judge a format for a field from a simulated event and the figures of several."""
    entrants = len(stage.field)
    played = played_sections(stage)
    chosen = format_of(stage.format)
    shape = shape_of(chosen.bracket(stage)) if isinstance(chosen, Elimination) else ()
    figured = (*_of_figures(figures, entrants), *_of_rematches(stage, figures))
    found = [*_of_sections(played), *figured, *_of_tables(stage, conditions)]
    found += _of_bracket(shape, entrants) if shape else _of_rounds(stage, entrants)
    return FormatJudgement(tuple(found), shape, played.not_drawn)


def judge_stages(
    judged: Sequence[tuple[FormatJudgement, bool]],
    *,
    matches_each: float,
    minutes: float | None,
    at_once: int,
    tables: int | None,
) -> FormatJudgement:
    """Judge an event of several stages, or of teams: each stage, and the length of the whole.

    ``judged`` are the verdicts on its stages, and whether a stage feeds another one: then being unbeaten in
    it decides nothing. ``minutes`` are those of the median, ``at_once`` the matches that could be played at
    once.
    """
    whole = {"matches_each", "hours", "tables"}
    found = [
        concern
        for verdict, feeds in judged
        for concern in verdict.concerns
        if concern.code not in whole and not (feeds and concern.code == "unbeaten")
    ]
    found += [*_of_length(matches_each, minutes), *_of_crowd(at_once, tables)]
    return FormatJudgement(tuple(dict.fromkeys(found)))


def judge_season(stage: Stage, figures: Distribution) -> FormatJudgement:
    """Judge a format whose rounds are evenings from a simulated season.

    The limits of a day do not apply, and over a season players meet again.
    """
    entrants = len(stage.field)
    again = (each for each in _of_rematches(stage, figures) if each.grave)
    rests = (each for each in _of_rounds(stage, entrants) if each.code == "rests")
    return FormatJudgement((*again, *rests))


def _of_sections(played: PlayedSections) -> Iterator[Concern]:
    for name in played.not_drawn:
        yield Concern("not_drawn", 0, section=name, grave=True)
    for each in played.sections:
        if each.section not in {MAIN, LOSERS, THIRD} and each.entrants < FEW_ENTRANTS:
            yield Concern("small_section", each.entrants, section=each.section)


def _of_figures(figures: Distribution, entrants: int) -> Iterator[Concern]:
    minutes = None if figures.minutes is None else figures.minutes[1]
    yield from _of_length(2 * figures.matches[1] / entrants, minutes)


def _of_rematches(stage: Stage, figures: Distribution) -> Iterator[Concern]:
    if stage.format == "round_robin":
        return  # who plays everyone twice is to meet everyone again
    rematches = round(100 * figures.rematches[1] / max(1, figures.matches[1]))
    if rematches > SOME_REMATCHES:
        yield Concern("rematches", rematches, grave=rematches > MANY_REMATCHES)


def _of_length(matches_each: float, minutes: float | None) -> Iterator[Concern]:
    each = round(matches_each)
    if each > MANY_MATCHES:
        yield Concern("matches_each", each, grave=each > TOO_MANY_MATCHES)
    if minutes is not None and minutes > DAY:
        yield Concern("hours", round(minutes / 60), grave=minutes > 2 * DAY)


def _of_tables(stage: Stage, conditions: Conditions) -> Iterator[Concern]:
    at_once = max(Counter(p.round for p in stage.pairings.values() if not p.is_bye).values(), default=0)
    yield from _of_crowd(at_once, conditions.tables)


def _of_crowd(at_once: int, tables: int | None) -> Iterator[Concern]:
    if tables is not None and at_once > tables:
        yield Concern("tables", at_once, of=tables, grave=at_once > CROWDED * tables)


def _of_bracket(shape: tuple[SectionShape, ...], entrants: int) -> Iterator[Concern]:
    if 2 * shape[0].byes[0] > entrants:
        yield Concern("first_byes", shape[0].byes[0], of=entrants)


def _of_rounds(stage: Stage, entrants: int) -> Iterator[Concern]:
    byes = sum(p.is_bye for p in stage.pairings.values())
    if byes and entrants < FEW_TO_REST and entrants % 2:
        yield Concern("rests", 1, of=entrants)
    lost = {o.loser for o in stage.outcomes.values()}
    unbeaten = entrants - len(lost)
    if stage.format != "lives" and unbeaten > FEW_UNBEATEN:
        yield Concern("unbeaten", unbeaten, grave=unbeaten > MANY_UNBEATEN)
