"""Scoresheets on paper: that of a match, and a blank slip with a QR code that opens its sheet.

Sizes are in millimetres.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

from scoring.drawing.paper_sizes import MARGIN, QR_SIZE

if TYPE_CHECKING:
    from scoring.drawing.pdf import Paper

A4, A5 = (210, 297), (148, 210)
LETTER = (215.9, 279.4)


@dataclass(frozen=True, slots=True)
class GameLine:
    """A finished game as the scoresheet prints it."""

    number: int
    winner: str
    how: str
    cube: int
    white: int
    black: int


@dataclass(frozen=True, slots=True)
class PrintedSheet:
    """What is printed of a match: who, how long, the games, the result, and the address of its sheet."""

    club: str
    date: str
    match: str
    white: str
    black: str
    length: str
    rules: Sequence[str]
    games: Sequence[GameLine]
    result: str
    state: str
    address: str


def blank_page(page: tuple[float, float], *, lying: bool = False) -> "Paper":
    """A first empty page. What writes PDFs is 25 MB, and is loaded with the first page that is printed."""
    paper: Paper = import_module("scoring.drawing.pdf").Paper(page, lying=lying)
    return paper


def score_sheet(sheet: PrintedSheet) -> bytes:
    """The scoresheet of a match as a PDF (A4)."""
    paper = blank_page(A4)
    paper.set_title(paper.fitting(f"{sheet.white} - {sheet.black}"))
    _head(paper, sheet)
    widths = (14, 56, 46, 16, 24, 24)
    heads = (_("Game"), _("Winner"), _("Win"), _("Cube"), _("White"), _("Black"))
    paper.row(heads, widths, bold=True)
    for game in sheet.games:
        cells = (game.number, game.winner, game.how, game.cube, game.white, game.black)
        paper.row([str(cell) for cell in cells], widths)
    paper.ln(4)
    paper.write_line(sheet.result, 12, bold=True, height=8)
    paper.write_line(sheet.state)
    paper.signatures((sheet.white, sheet.black))
    return paper.done()


def slip(sheet: PrintedSheet, lines: int = 12) -> bytes:
    """A blank slip to score a match on paper (A5), its QR code opening the match's sheet."""
    paper = blank_page(A5)
    paper.set_title(paper.fitting(f"{sheet.white} - {sheet.black}"))
    _head(paper, sheet)
    widths = (12, 42, 16, 24, 24)
    heads = (_("Game"), _("Winner and win"), _("Cube"), _("White"), _("Black"))
    paper.row(heads, widths, bold=True)
    for number in range(1, lines + 1):
        paper.row((str(number), "", "", "", ""), widths)
    paper.signatures((sheet.white, sheet.black))
    return paper.done()


def _head(paper: "Paper", sheet: PrintedSheet) -> None:
    left, top = paper.w - MARGIN - QR_SIZE, paper.get_y()
    paper.qr(sheet.address, left, top)
    paper.set_right_margin(MARGIN + QR_SIZE + 4)
    paper.write_line(f"{sheet.club}, {sheet.date}", 9)
    paper.write_line(_("White: %(name)s") % {"name": sheet.white}, 12, bold=True, height=7)
    paper.write_line(_("Black: %(name)s") % {"name": sheet.black}, 12, bold=True, height=7)
    paper.write_line(sheet.length, 10)
    paper.set_font(paper.letters, "", 7)
    paper.write_line(sheet.address, 7, height=4)
    paper.set_right_margin(MARGIN)
    paper.set_y(max(paper.get_y(), top + QR_SIZE) + 3)
    for rule in sheet.rules:
        paper.write_line(rule, 7, height=4)
    paper.ln(2)
