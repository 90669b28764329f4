"""PDFs of an event: brackets, standings, table cards and result slips.

Sizes are in millimetres; A4 or Letter. A bracket of more than ``MOST_ROWS`` rows is split into pages with
whole parts of the tree; match numbers show where a line continues. ``tournaments.stages.bracket_layout``
places the matches, as on web pages.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

from scoring.drawing.paper_sizes import MARGIN, ROW
from scoring.sheets.paper import A4, LETTER, blank_page
from tournaments.stages.bracket_layout import CellSize, parts_of, sheet_of
from tournaments.stages.bracket_names import initials, surnames

if TYPE_CHECKING:
    from scoring.drawing.pdf import Paper

PAPERS = {"a4": A4, "letter": LETTER}
MOST_ROWS = 16
SLIPS = 4
HEAD = 14
CELL = 9
HEAD_ABOVE = 2.5
"""How high the name of a round is above the matches: over the number of the first one, in millimetres."""
SMALLEST, LEAST = 0.6, 0.4
"""The scale at which a name is shortened, and that below which even a surname is cut."""
ROUNDED = 0.05
"""By how much a name that was scaled to its room may be wider, in millimetres: sizes are rounded."""
CLUB, CLUB_ROOM, CLUB_GREY = 0.7, 0.35, 90
"""Of a club: the scale of its letters, its share of a line that has a long name, its grey."""


@dataclass(frozen=True, slots=True)
class PrintedSide:
    """One side of a printed match."""

    name: str
    points: int | None = None
    won: bool = False
    seed: int | None = None
    club: str = ""


@dataclass(frozen=True, slots=True)
class Box:
    """A match of a printed bracket.

    ``feeds`` are the matches that feed it, ``winner_to`` is the next match of the winner, ``table`` that of a
    match in progress.
    """

    number: int
    a: PrintedSide
    b: PrintedSide
    feeds: tuple[int, ...] = ()
    winner_to: int = 0
    table: int | None = None


@dataclass(frozen=True, slots=True)
class PrintedRound:
    """A round of a printed bracket."""

    title: str
    boxes: Sequence[Box]


@dataclass(frozen=True, slots=True)
class Grid:
    """A table to print: heads, rows of cells and relative column widths."""

    title: str
    heads: Sequence[str]
    rows: Sequence[Sequence[str]]
    widths: Sequence[float]


@dataclass(frozen=True, slots=True)
class Slip:
    """A result slip of a match to play."""

    title: str
    first: str
    second: str
    length: int
    table: int | None
    address: str


def sheets_of(columns: Sequence[PrintedRound], most: int = MOST_ROWS) -> Iterator[Sequence[PrintedRound]]:
    """Split the columns into pages with at most ``most`` rows of matches."""
    boxes = {box.number: box for column in columns for box in column.boxes}
    feeds = {number: box.feeds for number, box in boxes.items()}
    rounds = [[box.number for box in column.boxes] for column in columns]
    title_of = {box.number: column.title for column in columns for box in column.boxes}
    for part in parts_of(rounds, feeds, most):
        yield [PrintedRound(title_of[each[0]], [boxes[n] for n in each]) for each in part if each]


def bracket_pdf(
    title: str, sections: Sequence[tuple[str, Sequence[PrintedRound]]], *, paper: str, one_page: bool
) -> bytes:
    """Print the sections of a bracket; with ``one_page`` each on one page.

    All matches have one size. A section without a name has only the title.
    """
    sheet = blank_page(PAPERS[paper], lying=True)
    sheet.set_title(sheet.fitting(title))
    sheet.set_auto_page_break(auto=False)
    parts = list(_titled_parts(title, sections, one_page=one_page))
    cell = min(min(CELL, 0.86 * _room(sheet) / _rows_of(part)) for _title, part in parts)
    for number, (head, part) in enumerate(parts):
        if number:
            sheet.add_page()
        _draw_bracket(sheet, head, part, cell)
    return sheet.done()


def _titled_parts(
    title: str, sections: Sequence[tuple[str, Sequence[PrintedRound]]], *, one_page: bool
) -> Iterator[tuple[str, Sequence[PrintedRound]]]:
    """The pages of a bracket with their titles, which count the sheets of a section that has several."""
    for name, columns in sections:
        head = f"{title}: {name}" if name else title
        parts = [columns] if one_page else list(sheets_of(columns))
        for number, part in enumerate(parts, 1):
            words = _("%(title)s · sheet %(number)s of %(count)s") if len(parts) > 1 else "%(title)s"
            yield words % {"title": head, "number": number, "count": len(parts)}, part


def _room(sheet: "Paper") -> float:
    """Height for the rows of a bracket, in millimetres."""
    return sheet.h - 2 * MARGIN - HEAD + 8


def _rows_of(columns: Sequence[PrintedRound]) -> int:
    rounds = [[box.number for box in column.boxes] for column in columns]
    feeds = {box.number: box.feeds for column in columns for box in column.boxes}
    return round(sheet_of(rounds, feeds, CellSize(1, 1, 0, 0, 1)).height)


def _draw_bracket(sheet: "Paper", title: str, columns: Sequence[PrintedRound], cell: float) -> None:
    sheet.set_xy(MARGIN, MARGIN - 5)
    sheet.write_line(title, 12, bold=True)
    top = MARGIN + HEAD - 4
    across = min(6.0, (sheet.w - 2 * MARGIN) / len(columns) / 6)
    width = (sheet.w - 2 * MARGIN - across * (len(columns) - 1)) / len(columns)
    rounds = [[box.number for box in column.boxes] for column in columns]
    feeds = {box.number: box.feeds for column in columns for box in column.boxes}
    size = CellSize(width, cell, across, _room(sheet) / _rows_of(columns) - cell, cell)
    laid = sheet_of(rounds, feeds, size)
    for column, left in zip(columns, laid.lefts, strict=True):
        sheet.set_font(sheet.letters, "B", 7)
        sheet.text(MARGIN + left, top - HEAD_ABOVE, sheet.cut(sheet.fitting(column.title), width))
        for box in column.boxes:
            place = laid.places[box.number]
            onward = box.winner_to if box.number not in laid.lines else 0
            middle = top + place.y + (cell + size.down) / 2
            _draw_box(sheet, box, MARGIN + place.x, middle, width, cell, onward)
    down = top + size.down / 2
    for line in laid.lines.values():
        (x, y), (to_x, to_y) = line.start, line.end
        sheet.line(MARGIN + x, down + y, MARGIN + line.bend, down + y)
        sheet.line(MARGIN + line.bend, down + y, MARGIN + line.bend, down + to_y)
        sheet.line(MARGIN + line.bend, down + to_y, MARGIN + to_x, down + to_y)


def printed_name(name: str, room: float, width_of: Callable[[str], float]) -> tuple[str, float]:
    """A name in so much room, and the scale of its letters: it is shortened before they get too small.

    >>> printed_name("Marta Sofia Albuquerque", 14, len)[0], printed_name("Ann Lee", 14, len)
    ('Marta Sofia Albuquerque', ('Ann Lee', 1.0))
    >>> printed_name("Marta Sofia Albuquerque", 12, len)[0]
    'M. S. Albuquerque'
    """
    names = (name, initials(name), surnames(name))
    shown = next((each for each in names if width_of(each) * SMALLEST <= room), names[-1])
    return shown, max(LEAST, min(1.0, room / max(width_of(shown), 1.0)))


def _draw_box(
    sheet: "Paper", box: Box, left: float, middle: float, width: float, height: float, onward: int
) -> None:
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
        indent = 1.0
        if side.seed:
            sheet.set_font(sheet.letters, "", size * 0.75)
            sheet.text(left + 1, base, str(side.seed))
            indent += sheet.get_string_width("00") + 1
            sheet.set_font(sheet.letters, weight, size)
        room = width - 5 - indent
        if side.club:
            room -= _draw_club(sheet, side, left + indent + room, base, room, size)
            sheet.set_font(sheet.letters, weight, size)
        name, scale = printed_name(sheet.fitting(side.name), room, sheet.get_string_width)
        sheet.set_font(sheet.letters, weight, size * scale)
        sheet.text(left + indent, base, sheet.cut(name, room + ROUNDED))
    sheet.set_font(sheet.letters, "", max(2.5, size * 0.75))
    number = _("%(number)s · Table %(table)s") if box.table else "%(number)s"
    words = sheet.fitting(number % {"number": box.number, "table": box.table})
    sheet.text(left + 0.3, middle - height / 2 - 0.4, words)
    if onward:
        words = f"→ {onward}"
        sheet.text(left + width - sheet.get_string_width(words) - 0.3, middle - height / 2 - 0.4, words)


def _draw_club(
    sheet: "Paper", side: PrintedSide, right: float, base: float, room: float, size: float
) -> float:
    """Write the club at the end of a side's line, cut to what the name leaves; return the width it took."""
    gap = 1.5
    left_over = room - sheet.get_string_width(sheet.fitting(side.name)) - gap
    sheet.set_font(sheet.letters, "", size * CLUB)
    most, club = max(CLUB_ROOM * room, left_over), sheet.fitting(side.club)
    if sheet.get_string_width(club) > most:
        more = sheet.fitting("…")
        club = f"{sheet.cut(club, most - sheet.get_string_width(more)).rstrip()}{more}"
    width = sheet.get_string_width(club)
    sheet.set_text_color(CLUB_GREY)
    sheet.text(right - width, base, club)
    sheet.set_text_color(0)
    return width + gap


def grid_pdf(title: str, grids: Sequence[Grid], *, paper: str) -> bytes:
    """Print tables one below the other, with heads on every page."""
    lying = any(len(grid.heads) > 10 for grid in grids)
    sheet = blank_page(PAPERS[paper], lying=lying)
    sheet.set_title(sheet.fitting(title))
    sheet.write_line(title, 14, bold=True, height=9)
    for grid in grids:
        if sheet.will_page_break(8 + 3 * ROW):  # title, heads and two rows stay together
            sheet.add_page()
        sheet.write_line(grid.title, 11, bold=True, height=8)
        widths = [(sheet.w - 2 * MARGIN) * width / sum(grid.widths) for width in grid.widths]
        sheet.row(grid.heads, widths, bold=True)
        for row in grid.rows:
            if sheet.will_page_break(sheet.row_height(row, widths)):
                sheet.add_page()
                sheet.row(grid.heads, widths, bold=True)
            sheet.row(row, widths)
        sheet.ln(6)
    return sheet.done()


def cards_pdf(event: str, tables: Sequence[tuple[str, str]], *, paper: str) -> bytes:
    """Print table cards, two on a page: number or name, and a QR code."""
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
        told = _("Scan for the match at this table")
        sheet.text(sheet.w - MARGIN - 56, top + half * 0.26 + 62, sheet.fitting(told))
        if index % 2 == 0:
            sheet.set_draw_color(160)
            sheet.line(0, half, sheet.w, half)
            sheet.set_draw_color(0)
    return sheet.done()


def slips_pdf(event: str, slips: Sequence[Slip], *, paper: str) -> bytes:
    """Print result slips to cut apart, four on a page."""
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
        if sheet.get_string_width(sheet.fitting(name)) > room - 28:
            sheet.set_font(sheet.letters, "B", 9)
        for line, words in enumerate(sheet.lines(name, room - 26)[:3]):
            write(MARGIN, base + 4 * line, words)
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
