"""``{% load positions %}``: deeper analyses of a decision, and words about a position's verdict."""

from typing import Any

from django import template
from django.template.context import RequestContext
from django.utils.translation import gettext

from scoring.engines.asked import Wanted
from scoring.models import Match
from scoring.notation.transcript import Step
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
