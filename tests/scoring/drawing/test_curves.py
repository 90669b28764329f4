"""A curve on the first screen: inside its box, in order of time, one value as well as many."""

import re
from datetime import UTC, datetime, timedelta
from xml.etree import ElementTree

import pytest

from scoring.drawing.curves import LEFT, RIGHT, TOP, Curve
from scoring.drawing.figures import rating

DAY = datetime(2026, 1, 1, tzinfo=UTC)


def drawn(values: list[tuple[int, float]]) -> str:
    dated = [(DAY + timedelta(days=day), value) for day, value in values]
    curve = Curve(dated, "Jan", "Nov", "A “title” & more", rating(values[-1][1]))
    return curve.svg(720, 200, kind="wide")


def places(drawing: str) -> list[tuple[float, float]]:
    (way,) = re.findall(r'class="way"[^>]* d="M([^"]*)"', drawing)
    return [(float(x), float(y)) for x, y in (each.split() for each in way.split("L"))]


@pytest.mark.parametrize(
    "values",
    [
        [(0, 1500.0)],
        [(0, 1500.0), (0, 1522.4)],
        [(0, 1500.0), (3, 1500.0)],
        [(day, 1500.0 + (-1) ** day * day * 7) for day in range(200)],
        [(0, 3.0), (4000, 2999.0)],
    ],
)
def test_it_keeps_inside_its_box_in_order_of_time(values: list[tuple[int, float]]) -> None:
    drawing = drawn(values)
    ElementTree.fromstring(drawing)
    found = places(drawing)
    assert len(found) == len(values)
    assert [x for x, _y in found] == sorted(x for x, _y in found)
    assert all(LEFT <= x <= 720 - RIGHT and TOP <= y <= 200 for x, y in found)
    assert f">{rating(values[-1][1])}</text>" in drawing


def test_the_last_value_has_room_behind_the_curve() -> None:
    drawing = drawn([(0, 1500.0), (9, 1656.3)])
    (across, words) = re.findall(r'class="now" x="([\d.]+)"[^>]*>([^<]*)<', drawing)[0]
    widest_digit = 10  # px, in 14 px bold of a wide system font
    assert words == "1656.3"
    assert float(across) + len(words) * widest_digit <= 720 + widest_digit / 2  # the point is half as wide


def test_what_is_higher_stands_higher_between_round_values() -> None:
    (_x, low), (_y, high) = places(drawn([(0, 1500.0), (9, 1649.0)]))
    assert high < low
    lines = Curve([(DAY, 1500.0), (DAY, 1649.0)], "", "", "", "").grid()
    assert lines == [1500, 1550, 1600, 1650]
