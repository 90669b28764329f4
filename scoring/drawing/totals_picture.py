"""A picture of totals and payments as a PNG for chats: a bar per player, then who pays whom."""

from collections.abc import Sequence
from io import BytesIO

from PIL import Image, ImageDraw

from clubs.formats.numbers import signed
from scoring.drawing.picture import INK, MARGIN, MUTED, OVER, PAPER, font_of, wrapped

WIDTH = 1080
"""Pixels; the height grows with the rows."""
ROW, LINE, TOP = 56, 42, 132
NAME_TO, CENTRE, HALF, VALUE_AT = 500, 740, 210, WIDTH - MARGIN
"""Where names end, bars begin, how long the longest is, and where values end."""
PLUS, MINUS = "#0f5a54", "#7b1e2b"


def draw_totals(
    heading: str, facts: str, totals: Sequence[tuple[str, int]], payments: Sequence[str], foot: str
) -> bytes:
    """The heading, each player's points as a number and a bar, the payments and a last line."""
    height = TOP + ROW * len(totals) + LINE * (len(payments) + 2)
    image = Image.new("RGB", (WIDTH * OVER, height * OVER), PAPER)
    pen = ImageDraw.Draw(image)

    def write(
        x: float, y: float, text: str, size: int, fill: str = INK, *, to: int, bold: bool = False
    ) -> None:
        """A line that is cut where it would be longer than up to ``to``."""
        font = font_of(size * OVER, bold=bold)
        parts = list(wrapped(pen, text, font, (to - x) * OVER))
        shown = f"{parts[0]}…" if len(parts) > 1 else "".join(parts)
        pen.text((x * OVER, y * OVER), shown, font=font, fill=fill, anchor="lm")

    write(MARGIN, 44, heading, 36, to=VALUE_AT, bold=True)
    write(MARGIN, 92, facts, 24, MUTED, to=VALUE_AT)
    most = max((abs(points) for _name, points in totals), default=0) or 1
    y = float(TOP + ROW / 2)
    for name, points in totals:
        write(MARGIN, y, name, 28, to=NAME_TO)
        fill = PLUS if points > 0 else MINUS
        left, right = sorted((float(CENTRE), CENTRE + HALF * points / most))
        box = (left * OVER, (y - 14) * OVER, right * OVER, (y + 14) * OVER)
        if points:
            pen.rectangle(box, fill=fill)
        value = font_of(30 * OVER, bold=True)
        ink = fill if points else INK
        pen.text((VALUE_AT * OVER, y * OVER), signed(points), font=value, fill=ink, anchor="rm")
        y += ROW
    axis = (CENTRE * OVER, TOP * OVER, CENTRE * OVER, (TOP + ROW * len(totals)) * OVER)
    pen.line(axis, fill=MUTED, width=OVER)
    y += LINE / 2 - ROW / 2 + 8
    for payment in payments:
        write(MARGIN, y, payment, 26, to=VALUE_AT)
        y += LINE
    write(MARGIN, y + LINE / 2, foot, 20, MUTED, to=VALUE_AT)
    kept = BytesIO()
    image.resize((WIDTH, height), Image.Resampling.LANCZOS).quantize(64).save(kept, "PNG", optimize=True)
    return kept.getvalue()
