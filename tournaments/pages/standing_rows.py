"""Rows of the standings of a bracket, as HTML text: a template takes ten times as long for each."""

from html import escape

from django.urls import reverse
from django.utils.translation import gettext as _

from tournaments.pages.queries.entrant_standings import StandingGroup, StandingRow
from tournaments.stages.bracket_svg import NOWHERE


def standing_rows(stage: str, group: StandingGroup) -> str:
    """The rows of a group; ``stage`` is the ref of its draw."""
    path = reverse("tournaments:path", args=[stage, NOWHERE])
    placed = group.out or not group.title
    kind = "round" if group.out or group.title else "round wide"
    letters = {True: ("w", _("W")), False: ("l", _("L"))}
    return "".join(
        _row(row, path.replace(NOWHERE, row.ref), kind, letters, placed=placed) for row in group.rows
    )


def _row(
    row: StandingRow, path: str, kind: str, letters: dict[bool, tuple[str, str]], *, placed: bool
) -> str:
    mine = ' aria-current="true"' if row.mine else ""
    place = f'<td class="place">{row.place or "–"}</td>' if placed else ""
    results = "".join(
        f'<span class="{letters[each.won][0]}" title="{escape(each.round)}">{letters[each.won][1]} '
        f"{each.score} <bdi>{escape(each.opponent)}</bdi></span> "
        for each in row.results
    )
    return (
        f'<tr{mine}>{place}<th scope="row"><a href="{path}"><bdi>{escape(row.title)}</bdi></a></th>'
        f'<td class="{kind}">{escape(row.round)}</td><td class="number">{row.won}–{row.lost}</td>'
        f'<td class="results">{results}</td></tr>'
    )
