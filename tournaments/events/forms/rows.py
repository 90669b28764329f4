"""Widgets for times in rows: breaks and round starts.

The forms read lines (``break_lines``); text sent as lines is taken unchanged.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

from django import forms

from tournaments.core.timetable.breaks import MOST_BREAKS, one_line

SPARE_BREAKS = 2
SPARE_STARTS = 3
FEWEST_STARTS = 4
MOST_STARTS = 120
NO_START = "-"
"""The line of a round without a start before one that has a start."""
MOMENT = r"\d{4}-\d\d-\d\d \d\d:\d\d"
BREAK = re.compile(rf"({MOMENT})?\s*-\s*(?:({MOMENT})|(\d\d:\d\d))?\s*(.*)")


class FieldRows(forms.Widget):
    """Rows of fields behind one value: a text, one line a row."""

    use_fieldset = True

    def value_omitted_from_data(
        self,
        data: Mapping[str, Any],  # noqa: ARG002 - Django's signature
        files: Any,  # noqa: ARG002
        name: str,  # noqa: ARG002
    ) -> bool:
        """Empty rows mean an empty value."""
        return False

    def value_from_datadict(
        self,
        data: Mapping[str, Any],
        files: Any,  # noqa: ARG002 - Django's signature
        name: str,
    ) -> str:
        """The lines that the rows come to."""
        return str(data[name]) if name in data else "\n".join(self.lines(data, name))

    def lines(self, data: Mapping[str, Any], name: str) -> Iterator[str]:
        """The line of each row that was sent."""
        raise NotImplementedError

    def rows(self, lines: list[str]) -> list[Any]:
        """The rows that show these lines, and empty ones for more."""
        raise NotImplementedError

    def get_context(self, name: str, value: Any, attrs: Any) -> dict[str, Any]:
        context: dict[str, Any] = super().get_context(name, value, attrs)
        context["widget"]["rows"] = self.rows([line for line in (value or "").splitlines() if line.strip()])
        return context


class BreakRows(FieldRows):
    """Each break with its beginning, its end and its name."""

    template_name = "tournaments/events/_break_rows.html"
    parts: ClassVar[tuple[str, ...]] = ("from", "to", "name")

    def lines(self, data: Mapping[str, Any], name: str) -> Iterator[str]:
        for number in range(MOST_BREAKS + SPARE_BREAKS):
            typed = (one_line(str(data.get(f"{name}-{number}-{part}", ""))) for part in self.parts)
            if line := _break_line(*typed):
                yield line

    def rows(self, lines: list[str]) -> list[Any]:
        return [*map(_break_row, lines), *[("", "", "")] * SPARE_BREAKS]


class StartRows(FieldRows):
    """The earliest start of each round, from round 1."""

    template_name = "tournaments/events/_start_rows.html"

    def lines(self, data: Mapping[str, Any], name: str) -> Iterator[str]:
        typed = [str(data.get(f"{name}-{number}", "")).strip() for number in range(1, MOST_STARTS + 1)]
        while typed and not typed[-1]:
            typed.pop()
        yield from (start.replace("T", " ") or NO_START for start in typed)

    def rows(self, lines: list[str]) -> list[Any]:
        shown = ["" if line == NO_START else line.replace(" ", "T") for line in lines]
        return shown + [""] * max(SPARE_STARTS, FEWEST_STARTS - len(shown))


def _break_line(begins: str, ends: str, name: str) -> str:
    """A row as a line, e.g. ``2026-12-05 12:30-13:30 Lunch``; without times the name."""
    begins, ends = begins.replace("T", " "), ends.replace("T", " ")
    if not (begins or ends):
        return name
    day, _space, time = ends.partition(" ")
    if begins and time and begins.startswith(f"{day} "):
        return f"{begins}-{time} {name}".strip()
    return " ".join(filter(None, (begins, "-", ends, name)))


def _break_row(line: str) -> tuple[str, str, str]:
    """The fields that show a line; an unreadable line goes into the name."""
    read = BREAK.fullmatch(one_line(line))
    if read is None or not (read[1] or read[2]):
        return "", "", line
    begins, ends = read[1] or "", read[2] or ""
    if read[3]:
        ends = f"{begins[:10]} {read[3]}"
    return begins.replace(" ", "T"), ends.replace(" ", "T"), read[4]
