"""The board as a PNG for chats and link previews: a drawing of ``scoring.drawing.board`` and a few lines.

The drawing is painted from its own SVG, so that both have one geometry: rectangles, circles, triangles and
numbers, which is all that a board without arrows has. Painted at twice the size and reduced: Pillow draws
shapes without smoothing.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from io import BytesIO
from re import findall
from typing import TypedDict
from xml.etree import ElementTree as ET

from PIL import Image, ImageDraw, ImageFont

from scoring.drawing.board import WIDE, draw_board
from scoring.drawing.board_view import BoardView
from scoring.drawing.pdf import FONTS

SIZE = (1200, 630)
"""Pixels: what the Open Graph protocol's readers show whole."""
OVER = 2
PAPER, INK, MUTED = "#f7f2e8", "#20251f", "#5d6259"
FILLS = {
    "frame": "#dccfb6",
    "field": "#f3ebda",
    "tray": "#cfc0a3",
    "points-one": "#dccbaa",
    "points-two": "#afc3b8",
    "white": "#fffdf8",
    "black": "#262b27",
}
LIGHT, DARK = "#fffdf8", "#262b27"
MARGIN, TOP = 24, 48
TEXT_AT = 730
"""Where the lines begin beside the board, in pixels."""


class _Ink(TypedDict):
    """How Pillow fills and outlines a shape."""

    fill: str
    outline: str | None
    width: int


@dataclass(frozen=True, slots=True)
class PictureLine:
    """A line beside the board; ``strong`` is larger, ``small`` smaller and grey. A long one is wrapped."""

    text: str
    strong: bool = False
    small: bool = False


def draw_picture(view: BoardView, lines: list[PictureLine]) -> bytes:
    """The board without arrows and the lines beside it, as a PNG of ``SIZE``."""
    image = Image.new("RGB", (SIZE[0] * OVER, SIZE[1] * OVER), PAPER)
    pen = ImageDraw.Draw(image)
    drawing = draw_board(replace(view, arrows=()), name="board", title="-")
    scale = (TEXT_AT - 2 * MARGIN) / WIDE.length * OVER
    above = (SIZE[1] * OVER - WIDE.depth * scale) / 2
    _Painter(pen, scale, MARGIN * OVER, above).paint(ET.fromstring(drawing), {})  # noqa: S314 - our own SVG
    _write(pen, lines)
    reduced = image.resize(SIZE, Image.Resampling.LANCZOS)
    kept = BytesIO()
    # A palette is a third of the size, and a board has few colours.
    reduced.quantize(128).save(kept, "PNG", optimize=True)
    return kept.getvalue()


def _write(pen: ImageDraw.ImageDraw, lines: list[PictureLine]) -> None:
    y = float(TOP * OVER)
    width = (SIZE[0] - TEXT_AT - MARGIN) * OVER
    for line in lines:
        size = (34 if line.strong else 18 if line.small else 25) * OVER
        font = font_of(size, bold=line.strong)
        for part in wrapped(pen, line.text, font, width):
            if y + size > (SIZE[1] - MARGIN) * OVER:
                return
            pen.text((TEXT_AT * OVER, y), part, font=font, fill=MUTED if line.small else INK)
            y += size * 1.3
        y += size * 0.35


def wrapped(pen: ImageDraw.ImageDraw, text: str, font: ImageFont.FreeTypeFont, width: float) -> Iterator[str]:
    """The text in pieces of this width; a word that is wider is broken."""
    row = ""
    for word in text.split():
        tried = f"{row} {word}".strip()
        if pen.textlength(tried, font=font) <= width:
            row = tried
            continue
        if row:
            yield row
        row = word
        while pen.textlength(row, font=font) > width:
            fits = next(n for n in range(len(row) - 1, 0, -1) if pen.textlength(row[:n], font=font) <= width)
            yield row[:fits]
            row = row[fits:]
    if row:
        yield row


@cache
def font_of(size: int, *, bold: bool = False) -> ImageFont.FreeTypeFont:
    """DejaVu where the system has it, else the Latin letters of Pillow."""
    name = "DejaVuSans-Bold.ttf" if bold else "DejaVuSans.ttf"
    path = next((each / name for each in FONTS if (each / name).exists()), None)
    if path is not None:
        # From memory: Pillow would hold the file open as long as the font lives.
        return ImageFont.truetype(BytesIO(path.read_bytes()), size)
    default = ImageFont.load_default(size)
    assert isinstance(default, ImageFont.FreeTypeFont)  # noqa: S101 - wheels of Pillow have FreeType
    return default


@dataclass(frozen=True, slots=True)
class _Painter:
    """Paints the shapes of a board's SVG, moved and scaled."""

    pen: ImageDraw.ImageDraw
    scale: float
    left: float
    top: float

    def paint(self, node: ET.Element, above: Mapping[str, str]) -> None:
        """Paint a shape or a group; attributes of groups hold within."""
        own = {**above, **node.attrib}
        kind = node.attrib.get("class", "").split()
        if "fill" in node.attrib:
            own["fill"] = _colour(node.attrib["fill"])
        for name in kind:
            own["fill"] = FILLS.get(name, own.get("fill", LIGHT))
        match node.tag.rpartition("}")[2]:
            case "rect":
                box = (*self.spot(own["x"], own["y"]), *self._corner(own))
                self.pen.rounded_rectangle(box, float(own.get("rx", 0)) * self.scale, **self._ink(own))
            case "circle":
                x, y = self.spot(own["cx"], own["cy"])
                radius = float(own["r"]) * self.scale
                self.pen.ellipse((x - radius, y - radius, x + radius, y + radius), **self._ink(own))
            case "path":
                for shape in own["d"].split("Z")[:-1]:
                    self._polygon(findall(r"[-\d.]+", shape), own)
            case "polygon":
                self._polygon(findall(r"[-\d.]+", own["points"]), own)
            case "text":
                size = max(1, round(float(own.get("font-size", 14)) * self.scale))
                self.pen.text(
                    self.spot(own["x"], own["y"]),
                    node.text or "",
                    font=font_of(size),
                    anchor="mm",
                    fill=own.get("fill", INK) if "count" in kind else INK,
                )
            case "svg" | "g":
                for each in node:
                    self.paint(each, own)

    def spot(self, x: str, y: str) -> tuple[float, float]:
        return self.left + float(x) * self.scale, self.top + float(y) * self.scale

    def _corner(self, own: Mapping[str, str]) -> tuple[float, float]:
        x, y = self.spot(own["x"], own["y"])
        return x + float(own["width"]) * self.scale, y + float(own["height"]) * self.scale

    def _polygon(self, numbers: list[str], own: Mapping[str, str]) -> None:
        spots = [self.spot(x, y) for x, y in zip(numbers[::2], numbers[1::2], strict=True)]
        self.pen.polygon(spots, fill=own.get("fill", LIGHT))

    def _ink(self, own: Mapping[str, str]) -> _Ink:
        lined = own.get("stroke", "none") != "none" and own.get("class") != "field"
        return {
            "fill": own.get("fill", LIGHT),
            "outline": INK if lined else None,
            "width": round(1.75 * self.scale) if lined else 0,
        }


def _colour(fill: str) -> str:
    """The site's shade of the plain black and white of a drawing that stands alone."""
    return {"#fff": LIGHT, "#000": DARK}.get(fill, fill)
