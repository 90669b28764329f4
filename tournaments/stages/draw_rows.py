"""A draw as plain rows, round by round: for phones and screen readers."""

from collections.abc import Iterable
from dataclasses import replace
from html import escape

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.stages.bracket_svg import NOWHERE
from tournaments.stages.drawing import Pen
from tournaments.stages.queries.stage_picture import PictureCell, PictureColumn, PictureSection, SideMark


def draw_rows(pen: Pen, sections: Iterable[PictureSection]) -> str:
    """Every match of these sections."""
    return "".join(_round(pen, column) for section in sections for column in section.columns)


def _round(pen: Pen, column: PictureColumn) -> str:
    """A round; one without known entrants is only a heading."""
    cells = [cell for cell in column.cells if cell.state != "gap"]
    if not cells:
        return ""
    title = f"<h2>{escape(column.title)}"
    if not any(mark.number for cell in cells for mark in (cell.a, cell.b)):
        count = ngettext("%(count)s upcoming match", "%(count)s upcoming matches", len(cells))
        return f'{title} <span class="muted small">{count % {"count": len(cells)}}</span></h2>'
    rows = "".join(_row(pen, cell) for cell in cells)
    return f'{title}</h2><ol class="draw-rows">{rows}</ol>'


def _row(pen: Pen, cell: PictureCell) -> str:
    """A match on two lines: winner bold, points at the end, state beside them."""
    stands = "" if cell.state == "bye" else pen.says.beside(replace(cell, loser_to=0), "time")
    sides = f'<span class="who">{_side(pen, cell.a)}{_side(pen, cell.b)}</span>'
    inner = f'<span class="no">{cell.number}</span>{sides}<span class="st">{stands}</span>'
    if cell.placed is None:
        return f'<li class="{cell.state}"><div>{inner}</div></li>'
    return (
        f'<li class="{cell.state}"><a href="{pen.address.replace(NOWHERE, cell.placed.ref)}">{inner}</a></li>'
    )


def _side(pen: Pen, mark: SideMark) -> str:
    won = f' <span class="visually-hidden">({_("won")})</span>' if mark.won else ""
    points = "" if mark.points is None else f" <b>{mark.points}</b>"
    kind = " won" if mark.won else "" if mark.number else " none"
    return f'<span class="side{kind}"><bdi>{pen.says.name(mark)}{pen.club(mark)}</bdi>{won}{points}</span>'
