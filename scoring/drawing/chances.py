"""The graph of winning chances over a match: White's line, the games as bands, errors as marks, as an SVG.

The drawing is language-free and black on white by itself, as the board's is; colours come by class from
``scoring/drawing/chances.css``. Steps run along the drawing at one distance each, so that a script can tell
from where it is touched which step is meant: ``data-from``, ``data-width`` and ``data-steps`` say how.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from html import escape

from scoring.drawing.strokes import num
from scoring.rules.sides import Side


@dataclass(frozen=True, slots=True)
class ChanceMark:
    """An error at a step, where White's chance was ``chance`` (0..1) after it."""

    step: int
    chance: float
    side: Side
    blunder: bool


@dataclass(frozen=True, slots=True)
class ChanceBand:
    """A game: its number, its first step and its last, and the score that it began at."""

    game: int
    first: int
    last: int
    label: str


@dataclass(frozen=True, slots=True)
class ChanceGraph:
    """White's chances, 0..1, after each judged step; ``now`` is the step that is shown, 0 for none.

    ``by_luck`` has where White would stand by luck alone after each roll. It can leave 0..1, and is empty
    where the luck of a roll is not known in chances.
    """

    steps: int
    points: tuple[tuple[int, float], ...]
    bands: tuple[ChanceBand, ...]
    marks: tuple[ChanceMark, ...]
    now: int = 0
    by_luck: tuple[tuple[int, float], ...] = ()

    @property
    def at_now(self) -> float | None:
        """The chance at the step that is shown, or the last one before it."""
        return next((chance for step, chance in reversed(self.points) if step <= self.now), None)


@dataclass(frozen=True, slots=True)
class ChanceLayout:
    """Sizes in units: the whole drawing, the margins around the plot, and how large a mark is.

    ``scores``: whether there is room below the plot for the score that each game began at.
    """

    width: float
    height: float
    left: float
    right: float
    top: float
    bottom: float
    mark: float
    scores: bool


DESK = ChanceLayout(1136, 132, 40, 8, 10, 18, 5.5, scores=True)
PHONE = ChanceLayout(374, 68, 34, 4, 6, 6, 4.0, scores=False)


_LUCK_UNITS = 8


def draw_chances(graph: ChanceGraph, *, title: str, layout: ChanceLayout = DESK) -> str:
    """The SVG of ``graph``. ``title`` says what is seen; the values stand in a table beside the drawing."""
    return _Drawing(graph, layout).svg(title)


@dataclass(frozen=True, slots=True)
class _Drawing:
    graph: ChanceGraph
    layout: ChanceLayout

    def svg(self, title: str) -> str:
        layout = self.layout
        parts = [_unmoved(replace(self.graph, now=0), layout), *(self.now() if self.graph.now else ())]
        return (
            f'<svg class="chances-drawing" xmlns="http://www.w3.org/2000/svg" role="img"'
            f' viewBox="0 0 {num(layout.width)} {num(layout.height)}" data-from="{num(layout.left)}"'
            f' data-width="{num(self.plot)}" data-steps="{self.graph.steps}">'
            f"<title>{escape(title)}</title>{''.join(parts)}</svg>"
        )

    @property
    def plot(self) -> float:
        return self.layout.width - self.layout.left - self.layout.right

    def x(self, step: float) -> float:
        """The middle of a step; half a step further is its end."""
        return self.layout.left + self.plot * (step - 0.5) / self.graph.steps

    def y(self, chance: float) -> float:
        layout = self.layout
        return layout.top + (1 - chance) * (layout.height - layout.top - layout.bottom)

    def bands(self) -> Iterator[str]:
        free = 0.0
        for number, band in enumerate(self.graph.bands):
            x, end = self.x(band.first - 0.5), self.x(band.last + 0.5)
            if number % 2:
                yield (
                    f'<rect class="band" x="{num(x)}" y="{num(self.y(1))}" width="{num(end - x)}"'
                    f' height="{num(self.y(0) - self.y(1))}" fill="#eee"/>'
                )
            if self.layout.scores and x >= free:
                yield self.word(x + 4, self.layout.height - 5, band.label)
                free = x + 4 + 8 * len(band.label)

    def lines(self) -> Iterator[str]:
        end = self.layout.left + self.plot
        for percent in (25, 50, 75):
            y = num(self.y(percent / 100))
            kind = "middle" if percent == 50 else "grid"
            start = num(self.layout.left)
            yield f'<line class="{kind}" x1="{start}" x2="{num(end)}" y1="{y}" y2="{y}" stroke="#bbb"/>'
            yield self.word(self.layout.left - 6, self.y(percent / 100) + 4, f"{percent}%", end=True)

    def curve(self) -> Iterator[str]:
        spots = [(self.x(step), self.y(chance)) for step, chance in self.seen()]
        path = "L".join(f"{num(x)} {num(y)}" for x, y in spots)
        level, begin, end = num(self.y(0.5)), num(spots[0][0]), num(spots[-1][0])
        yield f'<path class="area" fill="#ddd" d="M{begin} {level}L{path}L{end} {level}Z"/>'
        yield f'<path class="line" fill="none" stroke="#000" d="M{path}"/>'

    def luck(self) -> Iterator[str]:
        """The line of luck, inside the plot: in each few units where it stands at their end."""
        if self.graph.by_luck:
            last = {int(self.x(step) / _LUCK_UNITS): (step, chance) for step, chance in self.graph.by_luck}
            path = "L".join(
                f"{num(self.x(step))} {num(self.y(min(1.0, max(0.0, chance))))}"
                for step, chance in last.values()
            )
            yield f'<path class="luck" fill="none" stroke="#000" stroke-dasharray="4 3" d="M{path}"/>'

    def seen(self) -> list[tuple[int, float]]:
        """The points of the line: the first, the last, and in each unit the lowest and highest."""
        points = self.graph.points
        columns: dict[int, list[tuple[int, float]]] = {}
        for point in points:
            columns.setdefault(int(self.x(point[0])), []).append(point)
        kept = {points[0], points[-1]}
        for column in columns.values():
            kept |= {min(column, key=_chance), max(column, key=_chance)}
        return sorted(kept)

    def marks(self) -> Iterator[str]:
        for mark in self.graph.marks:
            size = self.layout.mark * (1.0 if mark.blunder else 0.65)
            down = 1 if mark.side is Side.WHITE else -1
            x, y = self.x(mark.step), self.y(mark.chance) - down * (self.layout.mark + 2)
            y = min(max(y, size), self.layout.height - size)
            corners = [(x - size, y - down * size), (x + size, y - down * size), (x, y + down * size)]
            points = " ".join(f"{num(a)},{num(b)}" for a, b in corners)
            kind = f"mark {mark.side}{' blunder' if mark.blunder else ''}"
            fill = "#fff" if mark.side is Side.WHITE else "#000"
            yield f'<polygon class="{kind}" points="{points}" fill="{fill}" stroke="#000"/>'

    def now(self) -> Iterator[str]:
        x, top, bottom = num(self.x(self.graph.now)), num(self.y(1)), num(self.y(0))
        yield f'<line class="now" x1="{x}" x2="{x}" y1="{top}" y2="{bottom}" stroke="#000"/>'
        if self.graph.at_now is not None:
            y = num(self.y(self.graph.at_now))
            yield f'<circle class="now" cx="{x}" cy="{y}" r="4.5" fill="#fff" stroke="#000"/>'

    def unmoved(self) -> str:
        """All that is the same whichever step is shown."""
        return "".join([*self.bands(), *self.lines(), *self.luck(), *self.curve(), *self.marks()])

    def word(self, x: float, y: float, text: str, *, end: bool = False) -> str:
        anchor = ' text-anchor="end"' if end else ""
        letters = f'font-family="sans-serif" font-size="12"{anchor}'
        return f'<text x="{num(x)}" y="{num(y)}" {letters}>{escape(text)}</text>'


def _chance(point: tuple[int, float]) -> float:
    return point[1]


@lru_cache(maxsize=64)
def _unmoved(graph: ChanceGraph, layout: ChanceLayout) -> str:
    """What is drawn of a graph at every step: who goes through a match gets it again and again."""
    return _Drawing(graph, layout).unmoved()
