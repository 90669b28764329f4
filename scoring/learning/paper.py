"""A printed sheet of mistakes: positions on the front of a page, their answers behind them on its back.

Sizes are in millimetres. Answers stand where their positions are when the page is turned over its long edge.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from io import BytesIO
from typing import TYPE_CHECKING

from scoring.drawing.paper_sizes import MARGIN
from scoring.sheets.paper import A4, blank_page

if TYPE_CHECKING:
    from scoring.drawing.pdf import Paper

COLUMNS, ROWS = 2, 3
A_SHEET = COLUMNS * ROWS
GAP = 8
TITLE = 10
CAPTION = 8
FINE = 6
LINE = 4
_TITLE = re.compile(r"<title.*?</title>")


@dataclass(frozen=True, slots=True)
class PrintedCard:
    """A position and its answer: drawings as SVG, captions in the reader's language."""

    question: str
    answer: Sequence[str]
    board: str
    answer_board: str


def mistakes_sheet(cards: Sequence[PrintedCard], *, title: str, answers: str) -> bytes:
    """The front and the back of a page for every six cards, as a PDF."""
    paper = blank_page(A4)
    paper.set_title(paper.fitting(title))
    for start in range(0, max(len(cards), 1), A_SHEET):
        shown = cards[start : start + A_SHEET]
        if start:
            paper.add_page()
        _page(paper, title, [(card.board, [card.question]) for card in shown], start + 1)
        paper.add_page()
        _page(paper, answers, [(card.answer_board, card.answer) for card in shown], start + 1, is_back=True)
    return paper.done()


def _page(
    paper: "Paper",
    title: str,
    cells: Sequence[tuple[str, Sequence[str]]],
    first: int,
    *,
    is_back: bool = False,
) -> None:
    paper.set_auto_page_break(False)
    paper.write_line(title, 12, bold=True, height=TITLE - 2)
    width = (paper.w - 2 * MARGIN - GAP) / COLUMNS
    height = (paper.h - 2 * MARGIN - TITLE) / ROWS
    for place, (board, lines) in enumerate(cells):
        row, column = divmod(place, COLUMNS)
        if is_back:
            column = COLUMNS - 1 - column
        left, top = MARGIN + column * (width + GAP), MARGIN + TITLE + row * height
        paper.image(BytesIO(_TITLE.sub("", board).encode()), x=left, y=top, w=width)
        paper.set_xy(left, top + width * 0.82)
        for number, line in enumerate(lines):
            paper.set_x(left)
            paper.set_font(
                paper.letters, "" if number else "B", FINE if line.startswith("XGID=") else CAPTION
            )
            words = line if number else f"{first + place}. {line}"
            paper.multi_cell(width, LINE, paper.fitting(words), align="L", new_x="LMARGIN", new_y="NEXT")
