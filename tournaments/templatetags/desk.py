"""``{% load desk %}``: the rows of the desk, kept as they were written until they say something else."""

from datetime import tzinfo
from functools import lru_cache
from typing import Any

from django import template
from django.template import Context
from django.template.loader import get_template
from django.utils import timezone, translation
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from clubs.formats.dates import time_of_day
from tournaments.desk.queries.desk_lines import DeskLine, TableLine
from tournaments.desk.queries.event_log import LogLine
from tournaments.desk.queries.match_rows import DeskActivity, match_row, match_status, table_row

register = template.Library()

TOKEN = mark_safe("<!--token-->")
ABOUT = mark_safe("<!--about-->")
STATUS = mark_safe("<!--status-->")
TABLES = mark_safe("<!--tables-->")
"""These stand in kept rows for what is written each time or kept by itself. No escaped text contains one."""
KEPT = 4096


@register.simple_tag(takes_context=True)
def match_row_of(context: Context, line: DeskLine) -> SafeString:
    """The row of a match: its names, forms and links are two thirds of the desk."""
    free, request = context["free_tables"], context["request"]
    row = match_row(line, event=context["event"].ref, path=request.path, has_free=bool(free))
    html = kept("tournaments/desk/_match.html", row)
    status = kept("tournaments/desk/_match_status.html", match_status(line, break_on=context["break_on"]))
    parts = {ABOUT: escape(match_about(line, staged=len(context["desk"].stages) > 1)), STATUS: status}
    if free:
        parts[TABLES] = kept("tournaments/desk/_free_tables.html", free)
    for standin, part in parts.items():
        html = html.replace(standin, part)
    return _with_token(context, html)


@register.simple_tag(takes_context=True)
def table_row_of(context: Context, each: TableLine) -> SafeString:
    """A table, the match at it and what can be done with it."""
    row = table_row(each, event=context["event"].ref)
    return _with_token(context, kept("tournaments/desk/_table.html", row))


@register.simple_tag(takes_context=True)
def activity_row(context: Context, line: LogLine) -> SafeString:
    """An entry under *Recent activity*, with the form that undoes it."""
    row = DeskActivity(context["event"].ref, line, line.seq == context["undo_seq"])
    return _with_token(context, kept("tournaments/desk/_activity.html", row))


def match_about(line: DeskLine, *, staged: bool) -> str:
    """What stands below the names: stage if ``staged``, number, length, when it ends and whom it holds up."""
    row = line.pairing
    said = [_("match %(number)s, to %(length)s") % {"number": row.number, "length": row.length}]
    if staged:
        said.insert(0, ", ".join(filter(None, (row.stage.flight.name, row.stage.name))))
    if line.ends_at:
        said.append(_("ends around %(time)s") % {"time": time_of_day(line.ends_at)})
    if line.blocks:
        said.append(_("holding up %(names)s") % {"names": ", ".join(line.blocks)})
    return " · ".join(said)


def kept(template_name: str, row: Any) -> str:
    """The HTML of ``row``, which is all that its template is given, in the reader's language and zone."""
    return _written(template_name, row, translation.get_language(), timezone.get_current_timezone())


def _with_token(context: Context, html: str) -> SafeString:
    """Kept HTML with the token of the request in its forms."""
    return mark_safe(html.replace(TOKEN, escape(context["csrf_token"])))  # noqa: S308 - its template has escaped it


@lru_cache(maxsize=KEPT)
def _written(template_name: str, row: Any, language: str, zone: tzinfo) -> str:
    with translation.override(language), timezone.override(zone):
        values = {"row": row, "csrf_token": TOKEN, "about": ABOUT, "status": STATUS, "tables": TABLES}
        return str(get_template(template_name).render(values))
