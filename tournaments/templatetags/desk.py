"""``{% load desk %}``: what a director can do with each match of the desk."""

from collections import OrderedDict
from threading import Lock
from typing import Any

from django import template
from django.template import Context
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from clubs.formats.dates import time_of_day
from tournaments.desk.queries.desk_lines import DeskLine, DeskPage, FreeTables

register = template.Library()

STANDIN = "csrf-token-of-the-request"
"""Stands in kept forms for the token, which is another one for each request."""
KEPT = 4096
_kept: OrderedDict[tuple[Any, ...], str] = OrderedDict()
_lock = Lock()


@register.simple_tag(takes_context=True)
def match_actions(context: Context, line: DeskLine) -> SafeString:
    """The forms and links under *More*: two thirds of a row, the same until something is done with the match.

    Team matches are written each time.
    """
    key = _key(context["desk"], line, context["free_tables"])
    with _lock:
        html = "" if line.boards else _kept.get(key, "")
    if not html:
        engine = context.template.engine  # type: ignore[union-attr] # bound while it is rendered
        names = {"a_name": line.a.title, "b_name": line.b.title}
        with context.push(line=line, row=line.pairing, csrf_token=STANDIN, **names):
            html = engine.get_template("tournaments/desk/_match_actions.html").render(context)
        with _lock:
            _kept[key] = html
            while len(_kept) > KEPT:
                _kept.popitem(last=False)
    return mark_safe(html.replace(STANDIN, str(context["csrf_token"])))  # noqa: S308 - the template has escaped it


@register.simple_tag
def match_about(line: DeskLine) -> str:
    """What stands below the names: its number, its length, when it ends and whom it holds up."""
    row = line.pairing
    said = [_("match %(number)s, to %(length)s") % {"number": row.number, "length": row.length}]
    if line.ends_at:
        said.append(_("ends around %(time)s") % {"time": time_of_day(line.ends_at)})
    if line.blocks:
        said.append(_("holding up %(names)s") % {"names": ", ".join(line.blocks)})
    return " · ".join(said)


def _key(desk: DeskPage, line: DeskLine, free: FreeTables) -> tuple[Any, ...]:
    """All that the forms and links show."""
    row, match = line.pairing, line.match
    return (
        get_language(),
        desk.event.ref,
        (row.ref, row.desk_seq, row.featured, row.called_at is not None),
        tuple((side.ref, side.title) for side in line.sides),
        match.ref if match else "",
        line.penalty,
        free,
    )
