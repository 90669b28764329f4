"""Dates, times, numbers and money are written by their formatters alone: those of ``clubs/formats``.

What writes for programs, or for a field that a person types into, is named here with the reason.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.node import ROOT

APPS = ("clubs", "scoring", "tournaments")
FORMATTERS = {"clubs/formats/dates.py", "clubs/formats/numbers.py"}

# Templates ------------------------------------------------------------------------------------------------

FILTERS = re.compile(
    r"\|(date|time|timesince|timeuntil|naturaltime|naturalday|floatformat|intcomma|localize|unlocalize"
    r"|stringformat)\b(?::(\"[^\"]*\"|'[^']*'|[\w.]+))?"
)
FOR_PROGRAMS = {("date", "'c'"), ("date", "'Y-m-d'")}
"""ISO 8601, as the attribute ``datetime`` has it."""
TEMPLATES = {
    ("templates/scoring/ratings/_table.html", "unlocalize"): "a number that a test or a script reads",
}


def filters(text: str) -> Iterator[tuple[str, str]]:
    for found in FILTERS.finditer(text):
        if (found[1], found[2] or "") not in FOR_PROGRAMS:
            yield found[1], found[2] or ""


def test_templates_write_by_the_formatters():
    found = {
        (str(path.relative_to(ROOT)), name)
        for path in (ROOT / "templates").rglob("*.*")
        for name, _argument in filters(path.read_text())
    }
    assert found == set(TEMPLATES)


@pytest.mark.parametrize(
    "planted", ['|date:"D j M"', "|time", "|floatformat:1", "|date", "|timezone:club.tz|time:'H'"]
)
def test_a_planted_filter_is_found(planted: str):
    assert list(filters(f"{{{{ at{planted} }}}}"))


# Python ---------------------------------------------------------------------------------------------------

CALLS = {
    *("strftime", "ctime", "date_format", "time_format", "number_format", "localize", "floatformat"),
    *("timesince", "naturaltime", "naturalday", "intcomma"),
}
DATES = re.compile(r"%[YmdHMaAbB]")
DECIMALS = re.compile(r"[+,]?\.\d+[f%]$|^\+$|^,$")
PYTHON = {
    "scoring/drawing/strokes.py": "lengths in a drawing",
    "scoring/helper/sampling.py": "the first difference of an answer, with all its places",
    "scoring/helper/words.py": "what is wrong with an answer, as developers see it",
    "scoring/management/commands/analyse.py": "the output of a command",
    "scoring/management/commands/analysis_agreement.py": "the output of a command",
    "scoring/models/chouette.py": "a row as developers see it",
    "scoring/models/rating.py": "a row as developers see it",
    "scoring/matches/queries/analysed_sgf.py": "numbers in a match file",
    "scoring/notation/ogxm_cells.py": "a tag of a match file",
    "scoring/sheets/queries/exports.py": "a tag of a match file",
    "scoring/sharing/views/errors.py": "losses in a file for other programs",
    "scoring/sheets/services/openings.py": "the value that was sent, in an error of the pure kind",
    "scoring/templatetags/figures.py": "the width of a bar in a drawing",
    "clubs/formats/money.py": "an amount as it is typed into a form",
    "tournaments/core/timetable/breaks.py": "a moment that `moments_in_words` writes for the reader",
    "tournaments/events/break_lines.py": "lines that are typed",
    "tournaments/stages/forms/arrangements.py": "lines that are typed",
}


def formats(tree: ast.AST) -> Iterator[str]:
    """Each place of a module that formats a date or a decimal itself."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if name in CALLS:
                yield name
        elif isinstance(node, ast.FormattedValue) and node.format_spec is not None:
            spec = "".join(
                str(part.value) if isinstance(part, ast.Constant) else "0"
                for part in getattr(node.format_spec, "values", ())
            )
            if DATES.search(spec) or DECIMALS.search(spec):
                yield f":{spec}"
        elif isinstance(node, ast.Constant) and re.search(r"%\(\w+\)\+?\.\d+f", str(node.value)):
            yield str(node.value)


def sources() -> Iterator[Path]:
    for app in APPS:
        yield from (path for path in (ROOT / app).rglob("*.py") if "migrations" not in path.parts)


def test_python_writes_for_people_by_the_formatters():
    found = {str(path.relative_to(ROOT)) for path in sources() if any(formats(ast.parse(path.read_text())))}
    assert found - FORMATTERS == set(PYTHON)


@pytest.mark.parametrize(
    "planted",
    [
        'at.strftime("%H:%M")',
        'date_format(at, "j M")',
        'f"{pr:.1f}"',
        'f"{gain:+}"',
        'f"{at:%H:%M}"',
        'f"{amount:.{digits}f}"',
        '_("a rating of %(rating).0f")',
        "formats.number_format(value)",
    ],
)
def test_a_planted_format_is_found(planted: str):
    assert list(formats(ast.parse(planted)))


# Scripts --------------------------------------------------------------------------------------------------

WRITES = re.compile(
    r"\.toLocale\w*String|\.to(?:Fixed|Precision|DateString|TimeString)\b|Intl\.(?:Date|Number|Relative)\w+"
)
SCRIPTS = {
    "clubs/static/clubs/formats.js": "the formatter",
    "clubs/static/clubs/clubs/zones.js": "asks for the zone of the device",
    "tournaments/static/tournaments/pages/zones.js": "compares two clocks",
    "tournaments/static/tournaments/pages/your_time.js": "asks for the zone of the device",
    "scoring/static/scoring/chouettes/typed.js": "an amount as it is typed into a form",
    "scoring/static/scoring/drawing/chart_scales.js": "counts decimals",
}


def test_scripts_write_by_the_formatter():
    scripts = (path for app in APPS for path in (ROOT / app / "static").rglob("*.js"))
    found = {
        str(path.relative_to(ROOT))
        for path in scripts
        if "vendor" not in path.parts and WRITES.search(path.read_text())
    }
    assert found == set(SCRIPTS)
