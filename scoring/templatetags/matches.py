"""``{% load matches %}``: parts of a match page that are written once while a process keeps the match."""

from django import template
from django.template.context import RequestContext
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language

from scoring.matches.queries.match_page import MatchPage
from scoring.matches.queries.stops import GameView, Stop

register = template.Library()


@register.simple_tag(takes_context=True)
def list_step(context: RequestContext, stop: Stop) -> SafeString:
    """The link to a step in the list of plays."""
    language = get_language() or ""
    if language not in stop.written:
        inside = render_to_string("scoring/matches/_list_step.html", {"stop": stop})
        stop.written[language] = inside.strip()
    number = stop.step.number
    return format_html(
        '<a href="{}{}"{}{}>{}</a>',
        reverse("scoring:step", args=[context["match"].ref, number]),
        context["query"],
        format_html(' class="{}"', stop.mark) if stop.mark else "",
        mark_safe(' aria-current="step"') if number == context["page"].number else "",
        mark_safe(stop.written[language]),  # noqa: S308 - made by a template of ours
    )


@register.simple_tag(takes_context=True)
def game_sides(context: RequestContext, game: GameView) -> SafeString:
    """The cells of both players' play in one game of the table of games."""
    page: MatchPage = context["page"]
    language = get_language() or ""
    kept = {} if page.match.in_chouette else page.log.written
    if (language, game.number) not in kept:
        kept[language, game.number] = render_to_string("scoring/matches/_game_sides.html", {"game": game})
    return mark_safe(kept[language, game.number])  # noqa: S308 - made by a template of ours
