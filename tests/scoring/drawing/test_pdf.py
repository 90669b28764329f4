"""Codes on paper."""

import re

import pytest
import segno

from scoring.drawing.pdf import Paper

ADDRESS = "https://club.example/events/abcdefghij/tables/12/"


@pytest.mark.parametrize("address", [ADDRESS, "a"])
def test_a_code_has_every_dark_square_and_no_more_bars_than_it_needs(address: str) -> None:
    sheet = Paper((100, 100))
    sheet.set_compression(False)
    sheet.qr(address, 10, 20, 50)
    content = sheet.pages[1].contents
    assert isinstance(content, bytearray)
    sheet.done()  # closes its fonts
    bars = re.findall(rb"^([\d.]+) ([\d.]+) ([\d.]+) -?([\d.]+) re f$", content, re.MULTILINE)
    rows = segno.make(address, error="m").matrix
    side = 50 / len(rows) * sheet.k
    drawn = set()
    for x, y, width, _height in bars:
        down = round((sheet.h_pt - float(y) - 20 * sheet.k) / side)
        across = round((float(x) - 10 * sheet.k) / side)
        drawn |= {(down, across + n) for n in range(round(float(width) / side))}
    dark = {(down, across) for down, row in enumerate(rows) for across, is_dark in enumerate(row) if is_dark}
    assert drawn == dark
    assert len(bars) == sum((down, across - 1) not in dark for down, across in dark)


def test_a_cell_keeps_all_its_words_in_lines_that_fit():
    paper = Paper((210, 297))
    name = "Maximilian-Alexander von Hohenzollern-Sigmaringen"
    widths = (15, 60)
    high, low = paper.row_height(("1", name), widths), paper.row_height(("2", "Ana"), widths)
    lines = paper.lines(name, 60)
    assert (len(lines), " ".join(lines)) == (2, name)
    assert all(paper.get_string_width(line) <= 60 for line in lines)
    assert "".join(paper.lines("x" * 80, 20)) == "x" * 80
    top = paper.y
    paper.row(("1", name), widths)
    paper.row(("2", "Ana"), widths)
    assert paper.y == pytest.approx(top + high + low)
    paper.done()  # closes its fonts
    assert high > low
