"""The lines of a ``.mat`` file brought to the usual form: tabs, numbers of rows and dice.

Programs that set the columns by tabs mean tab stops of eight, or one tab a column whatever stands in it.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence

from scoring.notation.mat_cells import WIDE_GAP, cells_in
from scoring.notation.mat_columns import RIGHT_COLUMN, ROW, are_folded

_LEFT, _RIGHT, _BEYOND = 5, 40, 75
_TAB_AFTER_NUMBER = re.compile(r"\s*\d+\s*[).:]+ *\t")
_TWO_TABS = re.compile(r" *(?:\d+ *[).:]+)? *\t *\t *\S")
_COLON_NUMBER = re.compile(r"(\s*)(\d{1,3}):(?=\s|$)")
_DICE_IN_BRACKETS = re.compile(r"(?<!\S)[(\[]([1-6])[-, ]?([1-6])[)\]]\s?:?(?=\s|$)")
_HEADING = re.compile(r".*\S ?: ?\d+\s+\S.*: ?\d+\s*")
_ALIGNED = 0.8
"""So many of the right cells stand in one column where tab stops are meant."""


def usual(rows: Sequence[str]) -> tuple[list[str], bool]:
    """The rows without tabs and with the usual signs, and whether their columns say nothing."""
    rows = [_with_usual_dice(row) for row in _with_usual_numbers(rows)]
    expanded = [row.expandtabs() for row in rows]
    if not _are_parted_by_tabs(rows, expanded):
        return expanded, are_folded(expanded)
    stops = _stops(rows)
    if stops is None:
        return [row.replace("\t", "  ") for row in rows], True
    return [_at_stops(row, stops) for row in rows], False


def _with_usual_numbers(rows: Sequence[str]) -> list[str]:
    """``12:`` as ``12)`` where the rows count so from 1: else it may be a roll."""
    begins = any((found := _COLON_NUMBER.match(row)) and found[2] == "1" for row in rows)
    if not begins or any(ROW.match(row) for row in rows):
        return list(rows)
    out, last = [], 0
    for row in rows:
        found = _COLON_NUMBER.match(row)
        if found and int(found[2]) in {1, last + 1} and not _HEADING.fullmatch(row):
            last = int(found[2])
            out.append(f"{found[1]}{last}){row[found.end() :]}")
        else:
            out.append(row)
    return out


def _with_usual_dice(row: str) -> str:
    """``(31)`` and ``[3-1]:`` as ``31:``, in the digits of our own script."""
    head = ROW.match(row)
    if head is None:
        return row
    own = row if row.isascii() else "".join(map(_own_digit, row))
    return own[: head.end()] + _DICE_IN_BRACKETS.sub(r"\1\2:", own[head.end() :])


def _own_digit(letter: str) -> str:
    return letter if letter.isascii() else str(unicodedata.decimal(letter, letter))


def _are_parted_by_tabs(rows: Sequence[str], expanded: Sequence[str]) -> bool:
    """Whether a tab parts two cells, and the right ones stand below one another by no tab stops.

    A cell alone behind a number and a tab, at a tab stop where neither column is, shows it too.
    """
    columns: Counter[int] = Counter()
    numbered = lone = 0
    for row, wide in zip(rows, expanded, strict=True):
        if "\t" not in row:
            continue
        starts, is_numbered = _starts(wide), _TAB_AFTER_NUMBER.match(row) is not None
        if starts[1:]:
            columns[starts[1]] += 1
            numbered += is_numbered
        elif starts and is_numbered and starts[0] < RIGHT_COLUMN:
            lone += 1
    if not columns:
        return False
    is_aligned = max(columns.values()) >= _ALIGNED * columns.total()
    return not is_aligned or min(columns) < RIGHT_COLUMN or (lone > 0 and not numbered)


def _starts(row: str) -> list[int]:
    head = ROW.match(row)
    return [cell.start for cell in cells_in(row, head.end() if head else 0) if not cell.is_doubtful]


def _stops(rows: Sequence[str]) -> tuple[int, ...] | None:
    """Where the columns of tabs are to stand; None where a tab does not say which column follows it."""
    pairs = [row for row in rows if "\t" in row and ROW.match(row) and _starts(row.expandtabs())[1:]]
    results = [row for row in rows if not ROW.match(row) and _starts(row.expandtabs())]
    if sum(_TAB_AFTER_NUMBER.match(row) is not None for row in pairs) * 2 > len(pairs):
        return (_LEFT, _RIGHT, _BEYOND) if any(map(_TWO_TABS.match, rows)) else None
    return (_RIGHT, _BEYOND) if any("\t" not in row for row in results) else None


def _at_stops(row: str, stops: Sequence[int]) -> str:
    """The row with its tabs up to the next of these columns, and at least a wide gap behind a cell."""
    first, *fields = row.split("\t")
    for field in fields:
        stop = next((stop for stop in stops if stop > len(first)), 0)
        first = first.ljust(max(stop, len(first.rstrip()) + WIDE_GAP)) + field
    return first
