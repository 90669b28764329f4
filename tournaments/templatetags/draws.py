"""Parts of a draw for wall, report and lists; ``tournaments.stages.drawing`` writes them."""

from collections.abc import Sequence

from django import template
from django.utils.safestring import SafeString, mark_safe

from tournaments.display.legibility import ScreenRoom
from tournaments.display.queries.report import ResultLine
from tournaments.display.queries.wall import Panel, WallSheet
from tournaments.display.report_rows import report_rows
from tournaments.pages.queries.entrant_standings import StandingGroup
from tournaments.pages.standing_rows import standing_rows
from tournaments.stages.bracket_svg import (
    HAND,
    HAND_ROUNDS,
    BracketPen,
    boxed,
    bracket_svg,
    overview_size,
    wall_size,
)
from tournaments.stages.draw_rows import draw_rows
from tournaments.stages.drawing import Pen, explained, figure
from tournaments.stages.queries.decided_places import decided_places
from tournaments.stages.queries.entrant_results import told
from tournaments.stages.queries.stage_picture import Picture, PictureColumn, PictureSection

register = template.Library()


@register.simple_tag
def wall_bracket(panel: Panel, sheet: WallSheet, room: ScreenRoom) -> SafeString:
    """Rounds of a bracket in letters readable across a hall."""
    size = wall_size(sheet.columns, letter=room.letter, wide=room.wide, pitch=panel.pitch)
    svg = bracket_svg(panel.picture, sheet.columns, sheet.title, size=size)
    return mark_safe(svg)  # noqa: S308 - escaped by the pen


@register.simple_tag
def overview(picture: Picture, section: PictureSection, *, clubs: bool = False) -> SafeString:
    """A section of a bracket in small cells that can still be read; one of few rounds also for a phone."""
    key = (section.key, len(section.columns), clubs)
    if key not in picture.overviews:
        picture.overviews[key] = _overview(picture, section, clubs=clubs)
    return mark_safe(picture.overviews[key])  # noqa: S308 - escaped by the pen


def _overview(picture: Picture, section: PictureSection, *, clubs: bool) -> str:
    size = overview_size(picture)
    pen = BracketPen(picture, section.columns, size=size)
    svg = bracket_svg(picture, section.columns, section.title, size=size, ids=True, clubs=clubs)
    drawn = f'<div class="sheet" tabindex="0" role="region" aria-labelledby="over-{section.key}">'
    drawn += f"{boxed(pen.sheet.width, svg)}</div>"
    if len(pen.columns) <= HAND_ROUNDS:
        small = bracket_svg(picture, section.columns, section.title, size=HAND, clubs=clubs)
        drawn += f'<div class="in-hand">{small}</div>'
    return drawn


@register.simple_tag
def draw_cards(picture: Picture, column: PictureColumn) -> SafeString:
    """The matches of one round as cards, for a page that shows rounds by themselves."""
    pen = Pen(picture)
    return mark_safe("".join(pen.card(cell) for cell in column.cells))  # noqa: S308 - escaped by the pen


@register.simple_tag
def wall_standing(picture: Picture) -> SafeString:
    """The standings in large letters: place, name, score."""
    pen = Pen(picture)
    scores = {row.place.entrant: figure(row.score) for row in picture.table}
    shown = {n: place.first for n, place in told(picture).items()}
    rows = "".join(
        f"<li><b>{shown.get(place.entrant, '–')}</b><span>{pen.titles[place.entrant]}</span>"
        f"<i>{scores.get(place.entrant, '')}</i></li>"
        for place in decided_places(picture)
    )
    return mark_safe(f'<ol class="places">{rows}</ol>')  # noqa: S308 - escaped by the pen


@register.simple_tag
def report_standing(picture: Picture) -> SafeString:
    """The standings of one of several stages, below its heading."""
    pen = Pen(picture, key=f"-{picture.stage.ref}", level=3)
    return mark_safe(pen.standing({}))  # noqa: S308 - escaped by the pen


@register.simple_tag(name="report_rows")
def report_rows_tag(lines: Sequence[ResultLine]) -> SafeString:
    """The results of a round of a report."""
    return mark_safe(report_rows(lines))  # noqa: S308 - escaped there


@register.filter(name="figure")
def figure_filter(value: float) -> str:
    """A score without needless digits."""
    return figure(value)


@register.simple_tag
def tie_break(key: str) -> SafeString:
    """A tie-break's name with its explanation on tap."""
    return mark_safe(explained(key))  # noqa: S308 - words of the glossary


@register.simple_tag(name="standing_rows")
def standing_rows_tag(stage: str, group: StandingGroup) -> SafeString:
    """The rows of a group of a bracket's standings."""
    return mark_safe(standing_rows(stage, group))  # noqa: S308 - escaped there


@register.simple_tag
def draw_list(picture: Picture, sections: Sequence[PictureSection], *, clubs: bool = False) -> SafeString:
    """Every match of these sections in rows, round by round."""
    return mark_safe(draw_rows(Pen(picture, clubs=clubs), sections))  # noqa: S308 - escaped by the pen
