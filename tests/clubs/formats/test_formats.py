"""Dates, times, numbers and money look the same everywhere, and as the reader's language writes them."""

import doctest
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.conf import settings
from django.template import Context, Template
from django.utils import timezone, translation

from clubs.formats import dates, markdown, money, numbers
from tests.node import run_script

AT = datetime(2026, 11, 23, 19, 52, tzinfo=UTC)
MADRID = "Europe/Madrid"
NARROW, NO_BREAK = "\u202f", "\xa0"


@pytest.mark.parametrize("module", [dates, money, numbers])
def test_the_examples_are_true(module):
    assert doctest.testmod(module).failed == 0


WRITTEN = {
    dates.day: "23 Nov 2026",
    dates.month_day: "23 Nov",
    dates.year_month: "Nov 2026",
    dates.year: "2026",
    dates.weekday_day: "Mon 23 Nov 2026",
    dates.weekday_month_day: "Mon 23 Nov",
    dates.time_of_day: "20:52",
    dates.weekday_time: "Mon 20:52",
    dates.weekday_moment: "Mon 23 Nov, 20:52",
    dates.moment: "23 Nov 2026, 20:52",
}


@pytest.mark.parametrize(
    ("write", "written"), WRITTEN.items(), ids=lambda each: getattr(each, "__name__", "")
)
def test_a_moment_is_written_on_the_clock_of_its_zone(write, written):
    assert write(AT, MADRID) == write(AT, ZoneInfo(MADRID)) == written
    with timezone.override(MADRID):
        assert write(AT) == written


def test_the_day_is_that_of_the_zone():
    late = datetime(2026, 11, 23, 23, 30, tzinfo=UTC)
    assert [dates.day(late, zone) for zone in ("UTC", MADRID)] == ["23 Nov 2026", "24 Nov 2026"]
    assert dates.day_parts(late, MADRID) == ("Tue", "24", "Nov")
    assert dates.day(date(2026, 11, 23), MADRID) == "23 Nov 2026"


def test_a_span_says_the_day_once_where_it_is_the_same():
    ends = AT + timedelta(hours=1)
    assert dates.span(AT, ends, "UTC") == "Mon 23 Nov, 19:52–20:52"
    assert dates.span(AT, AT + timedelta(hours=5), "UTC") == "Mon 23 Nov, 19:52 – Tue 24 Nov, 00:52"


def test_a_span_is_on_the_clock_of_its_zone():
    assert dates.span(AT, AT + timedelta(hours=1), "Europe/Madrid") == "Mon 23 Nov, 20:52–21:52"


def test_the_days_of_now_and_before_are_named():
    today = timezone.localdate()
    days = [today, today - timedelta(days=1), date(2026, 1, 2)]
    assert [dates.recent_day(day) for day in days] == ["Today", "Yesterday", "2 Jan 2026"]


def test_an_age_is_told_in_its_largest_unit():
    assert dates.age(timezone.now() - timedelta(hours=5, minutes=20)) == f"5{NO_BREAK}hours"


@pytest.mark.parametrize(
    ("language", "moment", "number", "percent"),
    [
        ("en", "23 Nov 2026, 20:52", "−1523.5", "52.4%"),
        ("de", "23. November 2026 20:52", "−1523,5", "52,4%"),
        ("en-us", "23 Nov 2026, 20:52", "−1523.5", "52.4%"),
    ],
)
def test_another_language_brings_its_own_patterns_and_mark(language, moment, number, percent):
    with translation.override(language):
        assert dates.moment(AT, MADRID) == moment
        assert numbers.number(-1523.46, 1) == number
        assert numbers.percent(0.524, 1) == percent
        assert dates.weekday_time(AT, MADRID).endswith("20:52")


def test_a_currency_has_as_many_decimals_as_its_minor_unit():
    shown = [money.money(1250, each) for each in ("EUR", "JPY", "KWD")]
    assert shown == ["12.50 EUR", "1250 JPY", "1.250 KWD"]
    with translation.override("de"):
        assert (money.money(1250, "EUR"), money.typed_money(1250, "EUR")) == ("12,50 EUR", "12.50")


def test_templates_have_the_same_without_a_load():
    page = Template(
        "{{ at|moment:zone }} {{ at|day:zone }} {{ none|day }}{{ nothing|number:1 }}{{ cents|money:'EUR' }} "
        "{{ rating|rating }} {{ pr|pr }} {{ missing|chance_of_100 }}{{ loss|error_size }}"
    )
    shown = {"at": AT, "zone": MADRID, "none": None, "cents": 1250}
    shown |= {"rating": 1523.46, "pr": None, "loss": 0.0844}
    wanted = "23 Nov 2026, 20:52 23 Nov 2026 12.50 EUR 1523.5 – −0.084"
    assert page.render(Context(shown)) == wanted


# The scripts ----------------------------------------------------------------------------------------------

SCRIPT = """
import { writers, clockFace } from "./clubs/static/clubs/formats.js";
const { zones, moments, numbers, seconds } = given;
tell(zones.map((formats) => {
  const own = writers(formats);
  const patterns = Object.values(formats.patterns);
  return {
    moments: moments.map((at) => patterns.map((pattern) => own.write(at, pattern))),
    numbers: numbers.map(([value, places]) => [own.number(value, places), own.signed(value, places)]),
    seconds: seconds.map(clockFace),
  };
}));
"""
MOMENTS = [
    AT,
    datetime(2026, 1, 1, 0, 0, tzinfo=UTC),
    datetime(2026, 3, 29, 1, 0, tzinfo=UTC),
    datetime(2026, 9, 5, 11, 59, 59, tzinfo=UTC),
    datetime(2027, 12, 31, 23, 30, tzinfo=UTC),
]
VALUES = [0, 1.005, 2.5, -2.5, 0.125, -0.04, 0.04, 1523.449, 1523.45, -11, 12345.678, 0.0844, -0.0005, 99.95]


ZONES = ["UTC", MADRID, "Asia/Kolkata", "America/New_York"]
SECONDS = [0, 9, 60, 754, -1, -61]


@pytest.mark.parametrize("language", ["en", "de", "es", "fr", "pt-br", "ja", "da"])
def test_scripts_write_the_same_text(language):
    """Golden cases: what the server writes, every pattern at every moment in every zone, every number."""
    with translation.override(language):
        zones = [dates.for_scripts(zone) for zone in ZONES]
        cases = [(value, places) for value in VALUES for places in (0, 1, 2, 3)]
        moments = [at.isoformat() for at in MOMENTS]
        given = {"zones": zones, "moments": moments, "numbers": cases, "seconds": SECONDS}
        told = run_script(SCRIPT, given)
        for zone, formats, of_zone in zip(ZONES, zones, told, strict=True):
            names = [name.upper() + "_FORMAT" for name in formats["patterns"]]
            assert of_zone == {
                "moments": [[dates.named(at, name, zone) for name in names] for at in MOMENTS],
                "numbers": [[numbers.number(*case), numbers.signed(*case)] for case in cases],
                "seconds": [dates.clock_face(seconds) for seconds in SECONDS],
            }


def test_every_language_of_the_site_has_patterns_that_scripts_can_write():
    known = set("djmnyYHGhgis") | set(dates.NAMED)
    for language, _name in settings.LANGUAGES:
        with translation.override(language):
            for pattern in dates.for_scripts("UTC")["patterns"].values():
                assert {mark for mark in pattern if mark.isalpha()} <= known, (language, pattern)


HOSTILE = {
    "# Rules\n\n**One** per player": "<h2>Rules</h2>\n<p><strong>One</strong> per player</p>\n",
    "<script>x()</script>": "<p>&lt;script&gt;x()&lt;/script&gt;</p>\n",
    "<img src=x onerror=y>": "<p>&lt;img src=x onerror=y&gt;</p>\n",
    "[a](javascript:x)": "<p>[a](javascript:x)</p>\n",
    "[a](JaVaScRiPt&#58;x)": "<p>[a](JaVaScRiPt:x)</p>\n",
    "[a](data:text/html,x)": "<p>[a](data:text/html,x)</p>\n",
    "[a](//evil.org)": "<p>[a](//evil.org)</p>\n",
    '[a](https://b.org "c\\" onclick=d")': '<p><a href="https://b.org" title="c&quot; onclick=d" '
    'rel="nofollow noopener ugc">a</a></p>\n',
    "![a](https://b.org/c.png)": '<p>!<a href="https://b.org/c.png" rel="nofollow noopener ugc">a</a></p>\n',
    "### Deep\n\n##### Deeper": "<h2>Deep</h2>\n<h4>Deeper</h4>\n",
}


@pytest.mark.parametrize(("text", "written"), HOSTILE.items())
def test_markdown_has_only_what_its_parser_writes(text, written):
    assert markdown.markdown(text) == written
    assert Template("{{ text|markdown }}").render(Context({"text": text})) == written
