"""Draws on paper: brackets on one or several sheets, tables, cards for the tables of the venue, result slips.

Sizes are in millimetres; A4 or Letter. A bracket of more than ``MOST_ROWS`` first-round matches is cut into
sheets that each hold a whole part of the tree, and the sheets of the rounds that follow.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

from scoring.drawing.paper_sizes import MARGIN
from scoring.sheets.paper import A4, LETTER, blank_page

if TYPE_CHECKING:
    from scoring.drawing.pdf import Paper

PAPERS = {"a4": A4, "letter": LETTER}
MOST_ROWS = 16
SLIPS = 4
HEAD = 14
CELL = 9


@dataclass(frozen=True, slots=True)
class PrintedSide:
    """One side of a printed match."""

    name: str
    points: int | None = None
    won: bool = False


@dataclass(frozen=True, slots=True)
class Box:
    """A match of a printed bracket; None stands for a place where nobody plays."""

    number: int
    a: PrintedSide
    b: PrintedSide


@dataclass(frozen=True, slots=True)
class PrintedRound:
    """A round of a printed bracket."""

    title: str
    boxes: Sequence[Box | None]
    joins: bool


@dataclass(frozen=True, slots=True)
class Grid:
    """A table to print: heads, rows of cells, and the width of each column in parts of the whole."""

    title: str
    heads: Sequence[str]
    rows: Sequence[Sequence[str]]
    widths: Sequence[float]


@dataclass(frozen=True, slots=True)
class Slip:
    """A match to be played, on a slip that comes back with its result."""

    title: str
    first: str
    second: str
    length: int
    table: int | None
    address: str


def sheets_of(columns: Sequence[PrintedRound], most: int = MOST_ROWS) -> Iterator[Sequence[PrintedRound]]:
    """The columns cut into sheets with at most ``most`` matches below each other.

    Each sheet holds the same share of every column that has enough matches to be shared; the later columns
    follow on sheets of their own.
    """
    if not columns:
        return
    parts = -(-len(columns[0].boxes) // most)
    if parts <= 1:
        yield columns
        return
    parts = 1 << (parts - 1).bit_length()
    shared = [column for column in columns if len(column.boxes) >= parts]
    for part in range(parts):
        yield [
            PrintedRound(column.title, _share(column.boxes, part, parts), column.joins) for column in shared
        ]
    yield from sheets_of(columns[len(shared) :], most)


def _share(boxes: Sequence[Box | None], part: int, parts: int) -> Sequence[Box | None]:
    each = len(boxes) // parts
    return boxes[part * each : (part + 1) * each]


def bracket_pdf(
    title: str, sections: Sequence[tuple[str, Sequence[PrintedRound]]], *, paper: str, one_page: bool
) -> bytes:
    """The sections of a bracket as a PDF; with ``one_page`` each on a single sheet, however small."""
    sheet = blank_page(PAPERS[paper], lying=True)
    sheet.set_title(sheet.fitting(title))
    sheet.set_auto_page_break(auto=False)
    first = True
    for name, columns in sections:
        for part in [columns] if one_page else sheets_of(columns):
            if not first:
                sheet.add_page()
            first = False
            _draw_bracket(sheet, f"{title}: {name}" if len(sections) > 1 else title, part)
    return sheet.done()


def _draw_bracket(sheet: "Paper", title: str, columns: Sequence[PrintedRound]) -> None:
    sheet.set_xy(MARGIN, MARGIN - 5)
    sheet.write_line(title, 12, bold=True)
    rows = max(len(column.boxes) for column in columns)
    room = sheet.h - 2 * MARGIN - HEAD + 8
    top = MARGIN + HEAD - 4
    cell = min(CELL, 0.86 * room / rows)
    width = (sheet.w - 2 * MARGIN) / len(columns)
    gap = min(6.0, width / 6)
    for index, column in enumerate(columns):
        left = MARGIN + index * width
        sheet.set_font(sheet.letters, "B", 7)
        sheet.text(left, top - 1, sheet.cut(sheet.fitting(column.title), width - gap))
        count = len(column.boxes)
        for place, box in enumerate(column.boxes):
            if box is None:
                continue
            middle = top + (place + 0.5) * room / count
            _draw_box(sheet, box, left, middle, width - gap, cell)
            if index + 1 < len(columns):
                after = columns[index + 1].boxes
                target = place // 2 if column.joins else place
                if target < len(after) and after[target] is not None:
                    to = top + (target + 0.5) * room / len(after)
                    bend = left + width - gap / 2
                    sheet.line(left + width - gap, middle, bend, middle)
                    sheet.line(bend, middle, bend, to)
                    sheet.line(bend, to, left + width, to)


def _draw_box(sheet: "Paper", box: Box, left: float, middle: float, width: float, height: float) -> None:
    sheet.set_line_width(0.15)
    sheet.rect(left, middle - height / 2, width, height)
    sheet.line(left, middle, left + width, middle)
    size = max(3.0, min(8.0, height))
    for side, base in ((box.a, middle - height * 0.15), (box.b, middle + height * 0.36)):
        weight = "B" if side.won else ""
        sheet.set_font(sheet.letters, weight, size)
        points = "" if side.points is None else str(side.points)
        if points:
            sheet.text(left + width - 1 - sheet.get_string_width(points), base, points)
        # A long name is written smaller before it is cut.
        needed = sheet.get_string_width(sheet.fitting(side.name))
        sheet.set_font(sheet.letters, weight, size * max(0.6, min(1.0, (width - 6) / max(needed, 1.0))))
        sheet.text(left + 1, base, sheet.cut(sheet.fitting(side.name), width - 6))
    sheet.set_font(sheet.letters, "", max(2.5, size * 0.55))
    sheet.text(left + 0.3, middle - height / 2 - 0.3, str(box.number))


def grid_pdf(title: str, grids: Sequence[Grid], *, paper: str) -> bytes:
    """Tables one below the other, the heads repeated on every sheet."""
    lying = any(len(grid.heads) > 10 for grid in grids)
    sheet = blank_page(PAPERS[paper], lying=lying)
    sheet.set_title(sheet.fitting(title))
    sheet.write_line(title, 14, bold=True, height=9)
    for grid in grids:
        sheet.write_line(grid.title, 11, bold=True, height=8)
        widths = [(sheet.w - 2 * MARGIN) * width / sum(grid.widths) for width in grid.widths]
        sheet.row(grid.heads, widths, bold=True)
        for row in grid.rows:
            if sheet.will_page_break(8):
                sheet.add_page()
                sheet.row(grid.heads, widths, bold=True)
            sheet.row(row, widths)
        sheet.ln(6)
    return sheet.done()


def cards_pdf(event: str, tables: Sequence[tuple[str, str]], *, paper: str) -> bytes:
    """A card for every table, two on a sheet: its number or name in large figures, and a code to scan."""
    sheet = blank_page(PAPERS[paper])
    sheet.set_title(sheet.fitting(event))
    sheet.set_auto_page_break(auto=False)
    half = sheet.h / 2
    for index, (name, address) in enumerate(tables):
        if index and index % 2 == 0:
            sheet.add_page()
        top = half * (index % 2)
        sheet.set_font(sheet.letters, "", 14)
        sheet.text(MARGIN, top + 18, sheet.cut(sheet.fitting(event), sheet.w - 2 * MARGIN))
        size = 190 if len(name) <= 2 else 44
        sheet.set_font(sheet.letters, "B", size)
        sheet.text(MARGIN, top + half * 0.68, sheet.cut(sheet.fitting(name), sheet.w - 2 * MARGIN - 62))
        sheet.qr(address, sheet.w - MARGIN - 56, top + half * 0.26, 56)
        sheet.set_font(sheet.letters, "", 10)
        told = _("Scan: the match at this table")
        sheet.text(sheet.w - MARGIN - 56, top + half * 0.26 + 62, sheet.fitting(told))
        if index % 2 == 0:
            sheet.set_draw_color(160)
            sheet.line(0, half, sheet.w, half)
            sheet.set_draw_color(0)
    return sheet.done()


def slips_pdf(event: str, slips: Sequence[Slip], *, paper: str) -> bytes:
    """Result slips to cut apart, four on a sheet."""
    sheet = blank_page(PAPERS[paper])
    sheet.set_title(sheet.fitting(event))
    sheet.set_auto_page_break(auto=False)
    height = sheet.h / SLIPS
    for index, slip in enumerate(slips):
        if index and index % SLIPS == 0:
            sheet.add_page()
        _draw_slip(sheet, event, slip, height * (index % SLIPS), height)
    return sheet.done()


def _draw_slip(sheet: "Paper", event: str, slip: Slip, top: float, height: float) -> None:
    room = sheet.w - 2 * MARGIN - 40

    def write(left: float, base: float, text: str) -> None:
        sheet.text(left, base, sheet.fitting(text))

    sheet.set_font(sheet.letters, "", 9)
    where = f", {_('table')} {slip.table}" if slip.table else ""
    length = _("to %(length)s") % {"length": slip.length}
    write(MARGIN, top + 9, sheet.cut(sheet.fitting(f"{event} · {slip.title}, {length}{where}"), room))
    for row, name in enumerate((slip.first, slip.second)):
        base = top + 22 + 15 * row
        sheet.set_font(sheet.letters, "B", 13)
        write(MARGIN, base, sheet.cut(sheet.fitting(name), room - 26))
        sheet.rect(MARGIN + room - 22, base - 8, 20, 11)
    sheet.set_font(sheet.letters, "", 8)
    write(MARGIN + room - 22, top + 11, _("Points"))
    base = top + height - 10
    for place, word in enumerate((_("Winner’s signature"), _("Loser’s signature"))):
        left = MARGIN + place * room / 2
        sheet.line(left, base - 4, left + room / 2 - 6, base - 4)
        write(left, base, word)
    sheet.qr(slip.address, sheet.w - MARGIN - 36, top + 8, 36)
    sheet.set_draw_color(160)
    sheet.line(0, top + height, sheet.w, top + height)
    sheet.set_draw_color(0)
