"""A pasted list as rows of cells: from a spreadsheet, a CSV file, or typed."""

import csv
import io
import re
from dataclasses import dataclass

DELIMITERS = ("\t", ";", ",")
_INVISIBLE = re.compile("[\u00ad\u200b\u200e\u200f\u2060\u202a-\u202e\u2066-\u2069\ufeff]")
SAMPLES = 3


@dataclass(frozen=True, slots=True)
class CellRow:
    """A row of a list: its number, from 1 and with blank rows counted, and its cells."""

    number: int
    cells: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CellTable:
    """The rows of a list without blank ones; ``more`` says that some were left out."""

    rows: tuple[CellRow, ...]
    more: bool = False

    @property
    def width(self) -> int:
        return max((len(row.cells) for row in self.rows), default=0)

    def column(self, at: int) -> list[str]:
        """The cells of a column that are not blank."""
        return [row.cells[at] for row in self.rows if at < len(row.cells) and row.cells[at]]


def read_cells(text: str, *, most: int) -> CellTable:
    """Read a list with cells separated by tabs, semicolons or commas, quoted or not.

    Newlines in quoted cells become spaces, other invisible characters go. At most ``most`` rows are read.

    >>> [row.cells for row in read_cells("Name;Elo\\n\\"Gil, Ana\\";1.650", most=10).rows]
    [('Name', 'Elo'), ('Gil, Ana', '1.650')]
    """
    plain = text.replace("\r\n", "\n").replace("\r", "\n").lstrip("\ufeff")
    rows = []
    for number, cells in enumerate(_split(plain, delimiter_of(plain)), 1):
        cleaned = tuple(" ".join(_INVISIBLE.sub("", cell).split()) for cell in cells)
        if any(cleaned):
            rows.append(CellRow(number, cleaned))
    return CellTable(tuple(rows[:most]), len(rows) > most)


def delimiter_of(text: str) -> str:
    """What separates the cells: a tab or semicolon in at least half of the rows, else a comma.

    >>> delimiter_of("Ana\\t1,5"), delimiter_of("Gil, Ana; 12,5"), delimiter_of("Ana, cash")
    ('\\t', ';', ',')
    """
    rows = [row for row in text.split("\n") if row.strip()]
    for each in DELIMITERS[:-1]:
        if rows and 2 * sum(each in row for row in rows) >= len(rows):
            return each
    return DELIMITERS[-1] if any("," in row for row in rows) else ";"


def _split(text: str, delimiter: str) -> list[list[str]]:
    if text.count('"') % 2:  # an open quote would swallow the rows below it
        text = text.replace('"', "")
    try:
        return list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter))
    except csv.Error:  # a cell longer than the module reads
        return [row.split(delimiter) for row in text.split("\n")]
