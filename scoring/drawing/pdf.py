"""Pages as a PDF.

Names in other scripts than Latin need a font: DejaVu is taken from where systems keep it; without it letters
that Latin-1 lacks are written without their accents, or as a question mark.
"""

import unicodedata
from collections.abc import Sequence
from itertools import groupby
from pathlib import Path
from typing import cast

import segno
from fpdf import FPDF
from fpdf.enums import MethodReturnValue

from scoring.drawing.paper_sizes import MARGIN, QR_SIZE, ROW

FONTS = (
    Path("/usr/share/fonts/truetype/dejavu"),
    Path("/usr/share/fonts/dejavu-sans-fonts"),
    Path("/usr/share/fonts/TTF"),
    Path("/Library/Fonts"),
)
LINE = 4.0
"""Between two lines of a cell, in mm."""


class Paper(FPDF):
    """A page with one family of letters, plain and bold."""

    def __init__(self, page: tuple[float, float], *, lying: bool = False) -> None:
        super().__init__(format=page, orientation="landscape" if lying else "portrait")
        self.set_margin(MARGIN)
        folder = next((each for each in FONTS if (each / "DejaVuSans.ttf").exists()), None)
        self.wide = folder is not None
        self.letters = "DejaVu" if self.wide else "Helvetica"
        if folder is not None:
            self.add_font("DejaVu", "", folder / "DejaVuSans.ttf")
            bold = folder / "DejaVuSans-Bold.ttf"
            self.add_font("DejaVu", "B", bold if bold.exists() else folder / "DejaVuSans.ttf")
        self.add_page()

    def write_line(self, text: str, size: int = 10, *, bold: bool = False, height: float = 6) -> None:
        self.set_font(self.letters, "B" if bold else "", size)
        self.multi_cell(0, height, self.fitting(text), new_x="LMARGIN", new_y="NEXT")

    def row(self, cells: Sequence[str], widths: Sequence[float], *, bold: bool = False) -> None:
        """One row of a table; what is wider than its cell goes on in the next line of the cell."""
        height = self.row_height(cells, widths, bold=bold)
        left, top = self.x, self.y
        for text, width in zip(cells, widths, strict=True):
            self.rect(left, top, width, height)
            lines = self.lines(text, width)
            first = top + (height - LINE * len(lines)) / 2
            for number, line in enumerate(lines):
                self.set_xy(left, first + LINE * number)
                self.cell(width, LINE, line)
            left += width
        self.set_xy(self.l_margin, top + height)

    def row_height(self, cells: Sequence[str], widths: Sequence[float], *, bold: bool = False) -> float:
        """How high this row of a table is, in mm; its font is set."""
        self.set_font(self.letters, "B" if bold else "", 9)
        most = max(len(self.lines(text, width)) for text, width in zip(cells, widths, strict=True))
        return ROW + LINE * (most - 1)

    def lines(self, text: str, width: float) -> list[str]:
        """The text in lines of this width in the font that is set; a word that is wider is broken."""
        if not text:
            return [""]
        lines = self.multi_cell(width, text=self.fitting(text), dry_run=True, output=MethodReturnValue.LINES)
        return cast("list[str]", lines)

    def fitting(self, text: str) -> str:
        """The text in letters that the font has."""
        if self.wide:
            return text
        plain = text.replace("–", "-").replace("—", "-").replace("×", "x")
        bare = "".join(c for c in unicodedata.normalize("NFKD", plain) if not unicodedata.combining(c))
        for attempt in (plain, bare):
            if attempt.encode("latin-1", "ignore").decode("latin-1") == attempt:
                return attempt
        return bare.encode("latin-1", "replace").decode("latin-1")

    def cut(self, text: str, width: float) -> str:
        """As much of the text as fits this width in the font that is set."""
        while text and self.get_string_width(text) > width:
            text = text[:-1]
        return text

    def qr(self, address: str, x: float, y: float, size: float = QR_SIZE) -> None:
        """The address as a QR code of this size; dark squares beside each other are drawn as one bar."""
        rows = segno.make(address, error="m").matrix
        side = size / len(rows)
        self.set_fill_color(0, 0, 0)
        for down, row in enumerate(rows):
            across = 0
            for dark, squares in groupby(row):
                width = len(list(squares))
                if dark:
                    self.rect(x + across * side, y + down * side, width * side, side, style="F")
                across += width

    def signatures(self, names: Sequence[str]) -> None:
        self.ln(12)
        width = (self.w - 2 * MARGIN - 10) / len(names)
        self.set_font(self.letters, "", 9)
        for name in names:
            self.cell(width, 6, self.cut(self.fitting(name), width), border="T")
            self.cell(10, 6, "")
        self.ln(8)

    def done(self) -> bytes:
        return bytes(self.output())
