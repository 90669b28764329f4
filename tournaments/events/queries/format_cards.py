"""The formats that the wizard offers for a field, each as a card with its forecast."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from django.utils.functional import Promise

from tournaments.core.formats.presets import PRESETS
from tournaments.core.timetable.forecast import Conditions
from tournaments.events.event_templates import TEMPLATES
from tournaments.events.queries.chooser import NO_CHANGE, FeedingRounds, compared, judged_briefly
from tournaments.events.queries.plan_forecast import template_forecast
from tournaments.events.queries.template_verdicts import in_one_draw, judged_templates
from tournaments.words.formats import FORMAT_NAMES, FORMAT_SENTENCES
from tournaments.words.suitability import verdict

FIRST = 4
"""Cards that are not folded, beside the chosen one."""


@dataclass(frozen=True, slots=True)
class FormatCard:
    """A format or template for a field.

    Minutes from the first match to the last, usually and for 90% of the runs; None where it was not simulated
    or cannot be drawn, as on folded cards. A season has only the minutes of an ``evening``, if its rounds are
    evenings.
    """

    key: str
    name: str | Promise
    sentence: str | Promise
    suitability: str
    verdict: str
    usually: int | None = None
    at_worst: int | None = None
    evening: int | None = None
    matches_each: float | None = None


@dataclass(frozen=True, slots=True)
class FormatCards:
    """The cards of a field: the best ones, those that are folded, and the templates."""

    first: Sequence[FormatCard]
    more: Sequence[FormatCard]
    templates: Sequence[FormatCard]


def format_cards(
    entrants: int, conditions: Conditions, *, chosen: str = "", feeding: FeedingRounds = NO_CHANGE
) -> FormatCards:
    """Every format and template for this field; the ``chosen`` one is not folded.

    The same question has the same answer.
    """
    lines = [
        FormatCard(line.key, line.name, line.sentence, line.suitability, line.verdict)
        for line in compared(entrants, conditions, feeding)
    ]
    judged = {each.key for each in lines}
    others = [_judged_card(key, entrants, conditions) for key in PRESETS if key not in judged]
    first = [each for n, each in enumerate(lines) if n < FIRST or each.key == chosen]
    shown = {each.key for each in first}
    more = [each for each in (*lines, *others) if each.key not in shown]
    first += [each for each in more if each.key == chosen]
    more = [each for each in more if each.key != chosen]
    templates = [
        _forecast(
            FormatCard(line.key, line.name, TEMPLATES[line.key].sentence, line.suitability, line.verdict),
            entrants=in_one_draw(TEMPLATES[line.key].flight(conditions.length), entrants),
            conditions=conditions,
        )
        for line in judged_templates(entrants, conditions, feeding)
    ]
    forecast = partial(_forecast, entrants=entrants, conditions=conditions)
    return FormatCards([*map(forecast, first)], more, templates)


def _judged_card(key: str, entrants: int, conditions: Conditions) -> FormatCard:
    judgement = judged_briefly(key, entrants, conditions)
    words = verdict(judgement, entrants)
    return FormatCard(key, FORMAT_NAMES[key], FORMAT_SENTENCES[key], judgement.suitability, words)


def _forecast(card: FormatCard, *, entrants: int, conditions: Conditions) -> FormatCard:
    """The card with the figures of the wizard's own forecast."""
    figures = template_forecast(
        card.key, entrants, conditions.tables, conditions.length, clocks=conditions.clocks
    )
    if figures is None:
        return card
    return replace(
        card,
        usually=figures.usually,
        at_worst=figures.at_worst,
        evening=figures.evening,
        matches_each=figures.matches_each,
    )
