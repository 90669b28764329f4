"""``{% load positions %}``: deeper analyses of a decision, and words about a position's verdict."""

from fractions import Fraction
from typing import Any

from django import template
from django.template.context import RequestContext
from django.utils.translation import gettext, pgettext

from clubs.formats.numbers import number, plain
from scoring.engines.asked import Wanted
from scoring.models import Match
from scoring.notation.transcript import Step
from scoring.positions.queries.advice import Count
from scoring.positions.queries.answers import Answer
from scoring.positions.queries.deeper import deeper_at
from scoring.theory.decisions import Decision, DecisionKind

register = template.Library()


@register.inclusion_tag("scoring/positions/_deeper.html", takes_context=True)
def deeper(
    context: RequestContext, match: Match, step: Step, decision: Decision | None, *, may_ask: bool
) -> dict[str, Any]:
    """What is known beyond the stored analysis of the decision at a step, and what can be asked (one query).

    ``decision`` is the one that the page leads with; without one it is the play of the step.
    """
    is_cube = decision.kind is not DecisionKind.CHECKER if decision else step.roll is None
    wanted = Wanted.CUBE if is_cube else Wanted.PLAY
    return {
        "deeper": deeper_at(step, wanted),
        "stored": bool(decision),  # a template gives "" for none
        "match": match,
        "step": step.number,
        "may_ask": may_ask,
        "request": context.get("request"),
        "csrf_token": context.get("csrf_token"),
    }


@register.filter
def answer_words(answer: Answer) -> str:
    """The verdict in a few words: the right cube action, or the best play."""
    if answer.best is None:
        return ""
    if not answer.is_cube:
        return answer.best.action or gettext("cannot move")
    cube = answer.cube
    if cube is None:
        return ""
    if cube.double:
        return gettext("Double, take") if cube.take else gettext("Double, pass")
    return gettext("No double, take") if cube.take else gettext("Too good to double")


@register.filter
def count_words(count: Count) -> str:
    """What a counting method advises, in words."""
    if count.doubles:
        if count.owned:
            return gettext("Redouble, take") if count.advice.take else gettext("Redouble, pass")
        return gettext("Double, take") if count.advice.take else gettext("Double, pass")
    return gettext("No redouble") if count.owned else gettext("No double")


@register.filter
def score_short(action: str) -> str:
    """A cell of the table by score, e.g. "D/T"."""
    return {
        "ND": pgettext("no double", "ND"),
        "DT": pgettext("double, take", "D/T"),
        "DP": pgettext("double, pass", "D/P"),
        "TG": pgettext("too good to double", "TG"),
    }[action]


@register.filter
def score_words(action: str) -> str:
    """The same in words."""
    return {
        "ND": gettext("No double"),
        "DT": gettext("Double, take"),
        "DP": gettext("Double, pass"),
        "TG": gettext("Too good to double"),
    }[action]


@register.filter
def cost(equity: float) -> str:
    """What a wrong action costs, to a hundredth: the table has no room for more."""
    return number(equity, 2)


@register.filter
def pips(count: Fraction) -> str:
    """An adjusted pip count, to a tenth where it is no whole number."""
    return plain(float(count), 1)


@register.filter
def tenths(value: float) -> str:
    """A count in pips or rolls to a tenth."""
    return number(value, 1)
