"""The codec outside of the rules: read back as it was written, and nothing accepted by luck."""

import json
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta, timezone
from enum import IntEnum, StrEnum
from typing import Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.codec import from_plain, to_plain
from scoring.rules.errors import InvalidValue


class Colour(StrEnum):
    WHITE = "white"
    BLACK = "black"


class Level(IntEnum):
    SINGLE = 1
    GAMMON = 2


@dataclass(frozen=True, slots=True)
class Win:
    side: Colour
    level: Level = Level.SINGLE


@dataclass(frozen=True, slots=True)
class Pause:
    until: datetime
    day: date | None = None


@dataclass(frozen=True, slots=True)
class Even:
    number: int

    def __post_init__(self) -> None:
        if self.number % 2:
            raise OddRefused(f"{self.number} is odd")


class OddRefused(Exception):
    pass


Happening = Win | Pause | Even


@dataclass(frozen=True, slots=True)
class Sheet:
    name: str
    log: tuple[Happening, ...] = ()
    score: tuple[int, int] = (0, 0)
    rating: float | None = None
    tags: frozenset[str] = frozenset()
    starts: dict[int, date] = field(default_factory=dict)
    kind_of: dict[str, tuple[int, ...]] = field(default_factory=dict)
    wood: Literal["oak", 7] = "oak"
    last: Happening | None = None
    anything: Any = None


MOMENTS = st.datetimes(min_value=datetime(1900, 1, 2), max_value=datetime(2199, 1, 1), timezones=st.just(UTC))
HAPPENINGS = st.one_of(
    st.builds(Win, st.sampled_from(Colour), st.sampled_from(Level)),
    st.builds(Pause, MOMENTS, st.none() | st.dates()),
    st.builds(Even, st.integers(0, 9).map(lambda number: number * 2)),
)
NUMBERED = st.dictionaries(st.integers(0, 99), st.dates(), max_size=2)
SHEETS = st.builds(
    Sheet,
    st.text(max_size=5),
    st.lists(HAPPENINGS, max_size=4).map(tuple),
    st.tuples(st.integers(), st.integers()),
    st.none() | st.floats(allow_nan=False, allow_infinity=False),
    st.frozensets(st.text(max_size=2), max_size=3),
    NUMBERED,
    st.dictionaries(st.text(max_size=2), st.lists(st.integers(), max_size=2).map(tuple), max_size=2),
    st.sampled_from(["oak", 7]),
    st.none() | HAPPENINGS,
)


@given(SHEETS)
def test_a_value_is_read_back_from_its_json(sheet):
    assert from_plain(Sheet, json.loads(json.dumps(to_plain(sheet))), "sheet") == sheet


def test_a_value_is_spelled_like_this():
    at = datetime(2026, 5, 1, 14, 30, tzinfo=timezone(timedelta(hours=2)))
    sheet = Sheet("A", (Win(Colour.BLACK), Pause(at, date(2026, 5, 2))), (3, 2), tags=frozenset({"b", "a"}))
    assert to_plain(sheet) == {
        "name": "A",
        "log": [
            {"kind": "win", "side": "black"},
            {"kind": "pause", "until": "2026-05-01T12:30:00+00:00", "day": "2026-05-02"},
        ],
        "score": [3, 2],
        "tags": ["a", "b"],
    }


def test_a_member_of_a_union_has_its_kind_where_it_is_read_as_one():
    assert to_plain(Even(2)) == {"number": 2}
    assert to_plain(Even(2), Happening) == {"kind": "even", "number": 2}
    assert from_plain(Happening, {"kind": "even", "number": 2}, "it") == Even(2)
    assert to_plain(Sheet("A", last=Even(2)))["last"] == {"kind": "even", "number": 2}


def test_what_is_read_is_left_as_it_was():
    plain = {"name": "A", "log": [{"kind": "even", "number": 2}]}
    from_plain(Sheet, plain, "sheet")
    assert plain == {"name": "A", "log": [{"kind": "even", "number": 2}]}


def test_a_whole_number_is_a_float_too():
    assert type(from_plain(Sheet, {"name": "A", "rating": 1500}, "sheet").rating) is float


@pytest.mark.parametrize(
    ("plain", "code", "said"),
    [
        ([], "wrong_type", "sheet: [] is not an object (Sheet)"),
        ("name", "wrong_type", "sheet: 'name' is not an object (Sheet)"),
        (None, "wrong_type", "sheet: None is not an object (Sheet)"),
        ({}, "missing_key", "sheet: 'name' is missing"),
        ({"name": 3}, "wrong_type", "sheet.name: 3 is not str"),
        ({"name": None}, "wrong_type", "sheet.name: None is not str"),
        ({"name": "A", "colour": 1}, "unknown_key", "sheet: 'colour' does not belong there"),
        ({"name": "A", "score": [1]}, "wrong_type", "sheet.score: [1] is not a list of 2"),
        ({"name": "A", "score": [1, 2, 3]}, "wrong_type", "sheet.score: [1, 2, 3] is not a list of 2"),
        ({"name": "A", "score": [1, True]}, "wrong_type", "sheet.score[1]: True is not int"),
        ({"name": "A", "score": [1, 2.0]}, "wrong_type", "sheet.score[1]: 2.0 is not int"),
        ({"name": "A", "score": [1, "2"]}, "wrong_type", "sheet.score[1]: '2' is not int"),
        (
            {"name": "A", "score": {"0": 1, "1": 2}},
            "wrong_type",
            "sheet.score: {'0': 1, '1': 2} is not a list",
        ),
        ({"name": "A", "rating": "1500"}, "wrong_type", "sheet.rating: '1500' is not float"),
        ({"name": "A", "rating": True}, "wrong_type", "sheet.rating: True is not float"),
        ({"name": "A", "rating": 10**400}, "wrong_type", "sheet.rating: 1000"),
        ({"name": "A", "rating": float("inf")}, "wrong_type", "sheet.rating: inf is not float"),
        ({"name": "A", "rating": float("nan")}, "wrong_type", "sheet.rating: nan is not float"),
        ({"name": "A", "starts": {"01": "2026-01-01"}}, "wrong_type", "sheet.starts: '01' is not a number"),
        ({"name": "A", "starts": {"1" * 5000: "2026-01-01"}}, "wrong_type", "sheet.starts: '1111"),
        ({"name": "A", "tags": "ab"}, "wrong_type", "sheet.tags: 'ab' is not a list"),
        ({"name": "A", "tags": ["a", 1]}, "wrong_type", "sheet.tags[1]: 1 is not str"),
        ({"name": "A", "tags": [[]]}, "wrong_type", "sheet.tags[0]: [] is not str"),
        ({"name": "A", "starts": []}, "wrong_type", "sheet.starts: [] is not an object"),
        ({"name": "A", "starts": {"x": "2026-05-01"}}, "wrong_type", "sheet.starts: 'x' is not a number"),
        ({"name": "A", "starts": {"-1": "2026-05-01"}}, "wrong_type", "sheet.starts: '-1' is not a number"),
        ({"name": "A", "starts": {"1": "soon"}}, "wrong_type", "sheet.starts['1']: 'soon' is not a date"),
        ({"name": "A", "starts": {"1": 3}}, "wrong_type", "sheet.starts['1']: 3 is not a date"),
        ({"name": "A", "kind_of": {"x": [1, "2"]}}, "wrong_type", "sheet.kind_of['x'][1]: '2' is not int"),
        ({"name": "A", "wood": "elm"}, "wrong_type", "sheet.wood: 'elm' is not one of ['oak', 7]"),
        ({"name": "A", "wood": 7.0}, "wrong_type", "sheet.wood: 7.0 is not one of ['oak', 7]"),
        ({"name": "A", "log": "win"}, "wrong_type", "sheet.log: 'win' is not a list"),
        ({"name": "A", "log": [3]}, "wrong_type", "sheet.log[0]: 3 is not of kind"),
        ({"name": "A", "log": [None]}, "wrong_type", "sheet.log[0]: None is not of kind"),
        (
            {"name": "A", "log": [{"side": "white"}]},
            "wrong_type",
            "sheet.log[0]: {'side': 'white'} is not of",
        ),
        (
            {"name": "A", "log": [{"kind": "sheet"}]},
            "wrong_type",
            "sheet.log[0]: {'kind': 'sheet'} is not of",
        ),
        (
            {"name": "A", "log": [{"kind": ["win"]}]},
            "wrong_type",
            "sheet.log[0]: {'kind': ['win']} is not of",
        ),
        ({"name": "A", "log": [{"kind": "win"}]}, "missing_key", "sheet.log[0]: 'side' is missing"),
        (
            {"name": "A", "log": [{"kind": "win", "side": "red"}]},
            "wrong_type",
            "sheet.log[0].side: 'red' is not",
        ),
        ({"name": "A", "log": [{"kind": "win", "side": []}]}, "wrong_type", "sheet.log[0].side: [] is not"),
        (
            {"name": "A", "log": [{"kind": "win", "side": "white", "level": True}]},
            "wrong_type",
            "sheet.log[0].level: True is not Level",
        ),
        (
            {"name": "A", "log": [{"kind": "even", "number": 2}, {"kind": "even", "number": 2, "x": 1}]},
            "unknown_key",
            "sheet.log[1]: 'x' does not belong there",
        ),
        ({"name": "A", "last": {"kind": "pause", "until": "noon"}}, "wrong_type", "sheet.last.until: 'noon'"),
        (
            {"name": "A", "last": {"kind": "pause", "until": "2026-05-01T12:00:00"}},
            "wrong_type",
            "sheet.last.until: '2026-05-01T12:00:00' is not a moment with a time zone",
        ),
        (
            {"name": "A" * 200, "rating": "x" * 200},
            "wrong_type",
            "sheet.rating: '" + "x" * 79 + " is not float",
        ),
    ],
)
def test_what_is_wrong_is_refused_with_its_place(plain, code, said):
    with pytest.raises(InvalidValue) as refused:
        from_plain(Sheet, plain, "sheet")
    assert refused.value.code == code
    assert str(refused.value).startswith(said)


def test_what_a_value_refuses_itself_is_raised_as_it_is():
    with pytest.raises(OddRefused, match="3 is odd"):
        from_plain(Sheet, {"name": "A", "log": [{"kind": "even", "number": 3}]}, "sheet")


PLAIN = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-3, 3)
    | st.floats()
    | st.sampled_from(["win", "white", "2026-05-01"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["name", "log", "kind", "side", "score", "last", "1"]), inner, max_size=4
        )
    ),
    max_leaves=12,
)


@given(PLAIN)
def test_whatever_is_read_is_a_value_or_refused(plain):
    try:
        found = from_plain(Sheet, plain, "sheet")
    except (InvalidValue, OddRefused):
        return
    assert isinstance(found, Sheet)
