"""Arrows and letters of a drawn board, as SVG."""

from dataclasses import dataclass
from html import escape
from math import atan2, cos, pi, sin

from scoring.drawing.board_view import ArrowMeaning

Spot = tuple[float, float]


DASHES = {ArrowMeaning.BEST: "", ArrowMeaning.PLAYED: "7 5", ArrowMeaning.MINE: "1 7"}
"""The line of each arrow: whole, dashed, dotted."""

LETTERS = 'stroke="none" font-family="sans-serif" font-weight="bold" text-anchor="middle"'


@dataclass(frozen=True, slots=True)
class ArrowPath:
    """One arrow: a curve from ``start`` over ``bend`` to ``end``, moved aside by ``shift``."""

    start: Spot
    end: Spot
    bend: Spot
    shift: float

    def svg(self, meaning: ArrowMeaning) -> str:
        turn = atan2(self.end[1] - self.start[1], self.end[0] - self.start[0]) + pi / 2
        aside = (self.shift * cos(turn), self.shift * sin(turn))
        start, bend, end = (
            (spot[0] + aside[0], spot[1] + aside[1]) for spot in (self.start, self.bend, self.end)
        )
        heading = atan2(end[1] - bend[1], end[0] - bend[0])
        long, wide = (15.0, 8.5) if meaning is ArrowMeaning.BEST else (13.0, 7.0)
        neck = (end[0] - long * 0.8 * cos(heading), end[1] - long * 0.8 * sin(heading))
        corners = [
            (
                end[0] - long * cos(heading) + side * wide * sin(heading),
                end[1] - long * sin(heading) - side * wide * cos(heading),
            )
            for side in (-1, 1)
        ]
        curve = f"M{pair(start)}Q{pair(bend)} {pair(neck)}"
        head = f"M{pair(end)}L{pair(corners[0])}L{pair(corners[1])}Z"
        width = 3 if meaning is ArrowMeaning.PLAYED else 5
        dashes = f' stroke-dasharray="{DASHES[meaning]}"' if DASHES[meaning] else ""
        return (
            f'<path class="halo" d="{curve}{head}" stroke="#fff" stroke-width="{width + 4}"'
            ' stroke-linejoin="round"/>'
            f'<path class="shaft" d="{curve}" stroke-width="{width}"{dashes} stroke-linecap="round"/>'
            f'<path class="head" d="{head}" fill="#000" stroke="none"/>'
        )


def on_curve(start: Spot, bend: Spot, end: Spot, part: float) -> Spot:
    """The spot at ``part``, 0 to 1, of a quadratic curve."""
    x, y = (
        (1 - part) ** 2 * a + 2 * part * (1 - part) * b + part**2 * c
        for a, b, c in zip(start, bend, end, strict=True)
    )
    return x, y


def towards(distance: float, pull: float) -> float:
    return max(-pull, min(pull, distance))


def text_at(x: float, y: float, words: str, rest: str = "") -> str:
    # The baseline is moved by attribute: "dominant-baseline" is not drawn alike everywhere.
    return f'<text x="{num(x)}" y="{num(y)}" dy="0.36em"{" " + rest if rest else ""}>{escape(words)}</text>'


def pair(spot: Spot) -> str:
    return f"{num(spot[0])} {num(spot[1])}"


def num(value: float) -> str:
    """A number as short as it can be written with one decimal."""
    return f"{value:.1f}".rstrip("0").rstrip(".") if value % 1 else str(int(value))
