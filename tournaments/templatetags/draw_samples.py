"""``{% load draw_samples %}``: the cells of a bracket in each of their states, on the living style page."""

from django import template
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from tournaments.core.stages.entrants import Entrant
from tournaments.core.stages.seeding import SeatingOptions
from tournaments.core.stages.stage import Stage
from tournaments.models import StageRow
from tournaments.stages.bracket_svg import bracket_svg
from tournaments.stages.queries.stage_picture import Picture, PictureCell, PictureColumn, SideMark
from tournaments.stages.queries.stage_rows import NO_ROWS, Named

register = template.Library()

NAMES = (
    *("Anna Berg", "Björn Dahl", "Maximilian Freiherr von und zu Hohenstein", "نور الهاشمي"),
    *("Chiara Esposito", "David Okafor", "Elif Yılmaz", "Frank Weber"),
)


@register.simple_tag
def sample_bracket() -> SafeString:
    """A sample bracket: finished, in progress, called, unconfirmed, ready, waiting."""
    names = {number: Named(number, str(number), names=[name]) for number, name in enumerate(NAMES, 1)}
    first = (
        PictureCell(1, "done", SideMark(1, points=7, won=True), SideMark(2, points=4), winner_to=5),
        PictureCell(2, "live", SideMark(3, points=2), SideMark(4, points=1), winner_to=5),
        PictureCell(3, "called", SideMark(5), SideMark(6), winner_to=6),
        PictureCell(4, "open", SideMark(7, points=7, won=True), SideMark(8, points=6), winner_to=6),
    )
    second = (
        PictureCell(5, "waiting", SideMark(1), _after(2), feeds=(1, 2), winner_to=7),
        PictureCell(6, "ready", SideMark(5), SideMark(7), feeds=(3, 4), winner_to=7),
    )
    last = (PictureCell(7, "waiting", _after(5), _after(6), feeds=(5, 6)),)
    columns = (
        PictureColumn("1", _("Quarter-finals"), first, 7, _("Quarter-finals")),
        PictureColumn("2", _("Semi-finals"), second, 7, _("Semi-finals")),
        PictureColumn("3", _("Final"), last, 9, _("Final")),
    )
    picture = Picture(StageRow(), _nothing_drawn(), names, NO_ROWS)
    svg = bracket_svg(picture, columns, _("Bracket"))
    return mark_safe(svg)  # noqa: S308 - escaped by the pen


def _after(number: int) -> SideMark:
    return SideMark(0, _("winner of %(number)s") % {"number": number})


def _nothing_drawn() -> Stage:
    field = tuple(Entrant(str(number), rating=1800.0 - number) for number in range(1, len(NAMES) + 1))
    return Stage("knockout", 1, SeatingOptions(), "", field, tuple(range(1, len(field) + 1)))
