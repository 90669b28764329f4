"""``{% load board_samples %}``: the boards and charts of the living style page."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from django import template
from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from scoring.drawing.board_view import BoardView, DrawnCube, Home
from scoring.drawing.charts import Chart, ChartLine, ChartPoint
from scoring.rules.plays import Move
from scoring.rules.position import STARTING_POSITION, Position
from scoring.rules.sides import Side
from scoring.templatetags.board import best_arrow, played_arrow

register = template.Library()


@dataclass(frozen=True, slots=True)
class Sample:
    """A board and what it is there to show."""

    caption: str | Promise
    view: BoardView


MIDDLE_GAME = Position.from_points(
    own={24: 1, 20: 2, 13: 3, 8: 3, 6: 4, 5: 2}, opponent={25: 1, 24: 1, 13: 4, 8: 2, 6: 4, 4: 2, 3: 1}
)
SAMPLES = (
    Sample(_("Starting position, White to play 3-1"), BoardView(STARTING_POSITION, roll=(3, 1))),
    Sample(
        _("Black on roll, Black’s view, home board left"),
        BoardView(
            STARTING_POSITION,
            on_roll=Side.BLACK,
            bottom=Side.BLACK,
            home=Home.LEFT,
            cube=DrawnCube(4, Side.BLACK),
        ),
    ),
    Sample(
        _("Two on the bar against a prime"),
        BoardView(
            Position.from_points(
                own={25: 2, 13: 3, 8: 4, 6: 6}, opponent={13: 1, 8: 2, 7: 2, 6: 2, 5: 2, 4: 2, 3: 2, 24: 2}
            ),
            roll=(5, 5),
            cube=DrawnCube(2, Side.BLACK),
        ),
    ),
    Sample(
        _("Bearing off, cube at 8"),
        BoardView(
            Position.from_points(own={6: 2, 5: 1, 4: 2, 2: 1, 1: 1}, opponent={5: 2, 3: 1, 2: 1, 1: 2}),
            roll=(6, 6),
            cube=DrawnCube(8, Side.WHITE),
            bottom=Side.BLACK,
        ),
    ),
    Sample(
        _("Stacks of eight, no cube"),
        BoardView(
            Position.from_points(own={6: 8, 8: 5, 13: 2}, opponent={6: 7, 13: 8}),
            cube=None,
        ),
    ),
    Sample(
        _("Doubled to 2: Black to answer"),
        BoardView(MIDDLE_GAME, cube=DrawnCube(2, offered_to=Side.BLACK)),
    ),
)


@register.simple_tag
def board_samples() -> tuple[Sample, ...]:
    """The boards that show every part of the component."""
    return SAMPLES


@register.simple_tag
def starting_board() -> BoardView:
    """The board before the first roll."""
    return BoardView(STARTING_POSITION, turn=False)


@register.simple_tag
def hero_board() -> BoardView:
    """One middle game with everything on it."""
    return BoardView(
        position=MIDDLE_GAME,
        roll=(6, 3),
        cube=DrawnCube(2, Side.BLACK),
        arrows=(best_arrow([Move(24, 18), Move(13, 10)]), played_arrow([Move(24, 15)], 0.084)),
    )


RATINGS = (
    1500,
    1512,
    1497,
    1530,
    1544,
    1538,
    1571,
    1590,
    1577,
    1602,
    1611,
    1640,
    1629,
    1655,
    1648,
    1672,
    1684,
)
ERROR_RATES = (9.8, 8.1, 11.2, 7.9, 8.4, 7.2, 9.0, 6.6, 7.1, 5.9, 8.2, 6.3, 5.8, 6.7, 5.1, 6.0, 5.3)


def _points(values: tuple[float, ...], spread: float) -> tuple[ChartPoint, ...]:
    begin = datetime(2026, 1, 12, 19, 30, tzinfo=UTC)
    return tuple(
        ChartPoint(
            at=begin + timedelta(days=18 * number),
            value=value,
            label=gettext("Match %(number)s") % {"number": number + 1},
            url="#charts",
            low=value - spread * (1 - number / 30),
            high=value + spread * (1 - number / 30),
        )
        for number, value in enumerate(values)
    )


@register.simple_tag
def chart_samples() -> tuple[Chart, ...]:
    """A rating and a PR over a year, made up."""
    return (
        Chart(gettext("Rating"), gettext("Rating"), (ChartLine("Anna Berg", _points(RATINGS, 45)),)),
        Chart(
            gettext("PR"),
            gettext("PR"),
            (
                ChartLine("Anna Berg", _points(ERROR_RATES, 1.6)),
                ChartLine("Björn Dahl", _points(tuple(value + 3.4 for value in reversed(ERROR_RATES)), 0)),
            ),
            decimals=2,
            note=gettext("lower is better"),
        ),
    )
