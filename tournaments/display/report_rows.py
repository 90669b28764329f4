"""Rows of the results of a report, as HTML text: a template takes ten times as long for each."""

from collections.abc import Iterable
from html import escape

from django.utils.translation import gettext as _

from clubs.http.ways import way_to
from tournaments.display.queries.report import ResultLine


def report_rows(lines: Iterable[ResultLine]) -> str:
    """The rows of a round, each a link to its match if there is one."""
    won = f' <span class="visually-hidden">({escape(_("won"))})</span>'
    unconfirmed = f" {escape(_('unconfirmed'))}"
    return "".join(_row(line, won, unconfirmed) for line in lines)


def _row(line: ResultLine, won: str, unconfirmed: str) -> str:
    within = (
        f'<span class="no">{line.number}</span><span class="who">'
        f"{_side(line.first, line.first_points, won if line.first == line.winner else '')}"
        f"{_side(line.second, line.second_points, won if line.second == line.winner else '')}</span>"
        f'<span class="st">{escape(line.words)}{"" if line.confirmed else unconfirmed}</span>'
    )
    if line.match:
        return f'<li><a href="{way_to("scoring:match", line.match)}">{within}</a></li>'
    return f"<li><div>{within}</div></li>"


def _side(name: str, points: int | None, won: str) -> str:
    score = "" if points is None else f" <b>{points}</b>"
    return f'<span class="side{" won" if won else ""}"><bdi>{escape(name)}</bdi>{won}{score}</span>'
