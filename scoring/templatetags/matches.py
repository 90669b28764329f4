"""``{% load matches %}``: parts of a match page that are written once while a process keeps the match."""

from collections.abc import Callable
from functools import lru_cache

from django import template
from django.template.context import RequestContext
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language, gettext

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
        _step_url(context["match"].ref, number),
        context["query"],
        format_html(' class="{}"', stop.mark) if stop.mark else "",
        mark_safe(' aria-current="step"') if number == context["page"].number else "",
        mark_safe(stop.written[language]),  # noqa: S308 - made by a template of ours
    )


@register.simple_tag(takes_context=True)
def game_links(context: RequestContext) -> SafeString:
    """The links to the games, each with the score at which it began."""
    page: MatchPage = context["page"]
    here = mark_safe(' aria-current="true"')
    links = (
        (
            _step_url(page.match.ref, game.first),
            context["query"],
            here if game is page.current_game else "",
            gettext("Game"),
            game.number,
            *game.score,
        )
        for game in page.games
    )
    link = '<a href="{}{}"{}><span class="visually-hidden">{} </span>{}<small>{}–{}</small></a>'
    return format_html_join("\n", link, links)


@register.simple_tag(takes_context=True)
def game_cells(context: RequestContext, game: GameView) -> SafeString:
    """The cells of one game in the table of games, after its number."""
    page: MatchPage = context["page"]
    judged = bool(page.performances)

    def cells() -> str:
        return render_to_string("scoring/matches/_game_cells.html", {"game": game, "judged": judged})

    return _once(page, f"game {game.number} {judged}", cells)


@register.simple_tag(takes_context=True)
def biggest_errors(context: RequestContext) -> SafeString:
    """The list of the biggest errors, each with its position."""
    page: MatchPage = context["page"]

    def listed() -> str:
        return render_to_string("scoring/matches/_biggest.html", {"page": page, "match": page.match})

    return _once(page, "errors", listed)


@register.simple_tag
def step_url(ref: str, number: int) -> str:
    """The address of a step; a page has about a hundred."""
    return _step_url(ref, number)


@lru_cache(maxsize=10_000)
def _step_url(ref: str, number: int) -> str:
    return reverse("scoring:step", args=[ref, number])


def _once(page: MatchPage, part: str, write: Callable[[], str]) -> SafeString:
    """A part that follows from the log and the analysis alone, in the reader's language.

    The error of a chouette's side names those who decided, who can change.
    """
    kept = {} if page.match.in_chouette else page.log.written
    key = get_language() or "", part
    if key not in kept:
        kept[key] = write()
    return mark_safe(kept[key])  # noqa: S308 - made by a template of ours
