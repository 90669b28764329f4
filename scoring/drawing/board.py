"""The board as one drawing: any position, cube, dice and arrows, from either side, as an SVG.

The drawing is language-free; names, titles and the text twin are given by the interface, the template tag
``board``. Every shape has a class for the page's style sheet (``scoring/drawing/board.css``) and plain
attributes beside it, never a style attribute: the same drawing stands alone, black on white, in a mail or a
download.

Geometry is in units of the drawing (``viewBox``). ``WIDE`` is the board as it lies on a table. ``TALL`` is
the same board turned a quarter clockwise, for a phone held upright: points are rows, 44 units high, and the
drawing is 328 units wide, so that on a screen 360 px wide every point is a target of 44 px.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from math import hypot

from scoring.drawing.board_view import Arrow, ArrowMeaning, BoardView, Home
from scoring.drawing.strokes import LETTERS, ArrowPath, Spot, num, on_curve, text_at, towards
from scoring.rules.position import BAR, OFF
from scoring.rules.sides import Side

SHOWN = 5  # checkers drawn in one stack; more are numbered
PIPS = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (-1, 1), (1, -1), (1, 1)),
    5: ((-1, -1), (-1, 1), (0, 0), (1, -1), (1, 1)),
    6: ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)),
}


@dataclass(frozen=True, slots=True)
class Layout:
    """Sizes in units. Names are those of the board as it lies on a table, also where it is turned.

    ``pitch`` from point to point, ``stack`` from checker to checker, ``reach`` the depth of one side,
    ``middle`` the free band between the sides, ``strip`` the border with the numbers. ``edge`` is a narrow
    border in the place of the cube's tray, None where there is that tray: the cube lies on the bar then.
    """

    pitch: float
    radius: float
    stack: float
    reach: float
    middle: float
    bar: float
    tray: float
    strip: float
    slab: float
    turned: bool
    edge: float | None = None

    @property
    def left(self) -> float:
        """Where the points begin on the side of the cube's tray."""
        return self.tray if self.edge is None else self.edge

    @property
    def cube_on_bar(self) -> bool:
        return self.left < self.tray

    @property
    def bar_at(self) -> float:
        """The middle of the bar."""
        return self.left + 6 * self.pitch + self.bar / 2

    @property
    def length(self) -> float:
        return 12 * self.pitch + self.bar + self.left + self.tray

    @property
    def depth(self) -> float:
        return 2 * (self.strip + self.reach) + self.middle

    @property
    def size(self) -> Spot:
        """Width and height of the drawing."""
        return (self.depth, self.length) if self.turned else (self.length, self.depth)


WIDE = Layout(
    pitch=40, radius=18.5, stack=38, reach=198, middle=64, bar=46, tray=52, strip=26, slab=12, turned=False
)
TALL = Layout(
    pitch=44, radius=19.5, stack=20.5, reach=122, middle=44, bar=48, tray=50, strip=20, slab=7.6, turned=True
)


def draw_board(
    view: BoardView,
    *,
    name: str,
    title: str,
    description: str = "",
    layout: Layout = WIDE,
    touch: bool = False,
) -> str:
    """The SVG of ``view``.

    ``name``         begins every id in the drawing: one of its own for each board of a page.
    ``title``        what is seen, in a few words; ``description`` the whole position in words, if it is not
                     beside the drawing anyway.
    ``touch``        lays a target over every point, bar and tray, with ``data-point`` in the numbering of the
                     side on roll (25 the bar, 0 off).
    """
    return _Drawing(view, layout).svg(name=name, title=title, description=description, touch=touch)


def draw_small(view: BoardView) -> str:
    """The SVG of ``view`` without numbers and arrows, hidden from screen readers: a list says it in words."""
    return _Drawing(view, WIDE).small()


@dataclass(frozen=True, slots=True)
class _Drawing:
    view: BoardView
    layout: Layout

    def svg(self, *, name: str, title: str, description: str, touch: bool) -> str:
        width, height = self.layout.size
        described = f'<desc id="{name}-desc">{escape(description)}</desc>' if description else ""
        parts = [
            *self.ground(),
            *self.numbers(),
            *self.checkers(),
            *self.cube(),
            *self.dice(),
            *self.turn(),
            *self.arrows(),
            *(self.targets() if touch else ()),
        ]
        return (
            f'<svg class="board-drawing" xmlns="http://www.w3.org/2000/svg"'
            f' viewBox="0 0 {num(width)} {num(height)}"'
            f' width="{num(width)}" height="{num(height)}" role="{"group" if touch else "img"}"'
            f' aria-labelledby="{name}-title">'
            f'<title id="{name}-title">{escape(title)}</title>{described}{"".join(parts)}</svg>'
        )

    def small(self) -> str:
        width, height = self.layout.size
        parts = [*self.ground(), *self.checkers(), *self.cube(), *self.dice()]
        return (
            f'<svg class="board-drawing" viewBox="0 0 {num(width)} {num(height)}" aria-hidden="true"'
            f' focusable="false">{"".join(parts)}</svg>'
        )

    # Where things are -------------------------------------------------------------------------------------

    def at(self, x: float, y: float) -> Spot:
        """A spot of the lying board with home to the right, in the drawing."""
        if self.view.home is Home.LEFT:
            x = self.layout.length - x
        return (self.layout.depth - y, x) if self.layout.turned else (x, y)

    def along(self, point: int) -> float:
        """The x of a point of the bottom player's numbering."""
        layout = self.layout
        column = 12 - point if point <= 12 else point - 13
        return layout.left + (column + 0.5) * layout.pitch + (layout.bar if column >= 6 else 0)

    def across(self, distance: float, *, top: bool) -> float:
        """The y at ``distance`` from the rim of the top or the bottom side."""
        strip = self.layout.strip
        return strip + distance if top else self.layout.depth - strip - distance

    def spot(self, side: Side, slot: int, index: int) -> Spot:
        """The centre of checker number ``index`` (from 0) of ``side`` on a slot of its own numbering."""
        layout = self.layout
        bottom = side is self.view.bottom
        level = min(index, SHOWN - 1) * layout.stack
        if slot == BAR:
            # On the bar a checker waits on the side where it enters, the first one nearest the middle. They
            # stand closer where the cube lies there, too.
            near = level / 2 - 1 if layout.cube_on_bar else level - 4
            away = layout.middle / 2 + layout.radius + near
            return self.at(layout.bar_at, layout.depth / 2 + (-away if bottom else away))
        if slot == OFF:
            return self.at(layout.length - layout.tray / 2, self.across(layout.reach / 2, top=not bottom))
        point = slot if bottom else 25 - slot
        return self.at(self.along(point), self.across(layout.radius + 1.5 + level, top=point > 12))

    # The board itself -------------------------------------------------------------------------------------

    def box(self, kind: str, x: float, y: float, width: float, height: float, rest: str) -> str:
        (x1, y1), (x2, y2) = self.at(x, y), self.at(x + width, y + height)
        return (
            f'<rect class="{kind}" x="{num(min(x1, x2))}" y="{num(min(y1, y2))}"'
            f' width="{num(abs(x2 - x1))}" height="{num(abs(y2 - y1))}"{rest}/>'
        )

    def ground(self) -> Iterator[str]:
        layout = self.layout
        inner = layout.depth - 2 * layout.strip
        half = 6 * layout.pitch
        yield self.box(
            "frame", 0.75, 0.75, layout.length - 1.5, layout.depth - 1.5, ' rx="14" fill="#fff" stroke="#000"'
        )
        for x in (layout.left, layout.left + half + layout.bar):
            yield self.box("field", x, layout.strip, half, inner, ' rx="3" fill="#fff" stroke="#000"')
        for top in (True, False):
            y = layout.strip if top else layout.depth - layout.strip - layout.reach
            yield self.box(
                "tray",
                layout.length - layout.tray + 8,
                y,
                layout.tray - 16,
                layout.reach,
                ' rx="4" fill="#fff"',
            )
        for parity, grey in ((1, "#ddd"), (0, "#bbb")):
            paths = "".join(self.triangle(point) for point in range(1, 25) if point % 2 == parity)
            yield f'<path class="points-{"one" if parity else "two"}" fill="{grey}" d="{paths}"/>'

    def triangle(self, point: int) -> str:
        layout = self.layout
        x, top = self.along(point), point > 12
        half = layout.pitch * 0.43
        corners = (
            self.at(x - half, self.across(0, top=top)),
            self.at(x, self.across(layout.reach * 0.94, top=top)),
            self.at(x + half, self.across(0, top=top)),
        )
        return "M" + "L".join(f"{num(a)} {num(b)}" for a, b in corners) + "Z"

    def numbers(self) -> Iterator[str]:
        turned = self.view.numbers is not self.view.bottom
        kind = "numbers turned" if turned else "numbers"
        yield f'<g class="{kind}" font-family="sans-serif" font-size="14" text-anchor="middle">'
        for point in range(1, 25):
            x, y = self.at(self.along(point), self.across(-self.layout.strip / 2, top=point > 12))
            yield text_at(x, y, str(25 - point if turned else point))
        yield "</g>"

    # What lies on it --------------------------------------------------------------------------------------

    def checkers(self) -> Iterator[str]:
        for side in Side:
            light = side is Side.WHITE
            paint = 'fill="#fff" stroke="#000"' if light else 'fill="#000" stroke="#000"'
            yield f'<g class="checkers {side}" {paint} stroke-width="1.75">'
            for slot, count in self.view.occupied(side):
                yield from self.borne_off(side, count) if slot == OFF else self.stacked(side, slot, count)
            yield "</g>"

    def seen(self, side: Side, slot: int) -> int:
        """A slot of ``side`` in the numbering of the side on roll; bar and off stay what they are."""
        return slot if side is self.view.on_roll or slot in {BAR, OFF} else 25 - slot

    def stacked(self, side: Side, slot: int, count: int) -> Iterator[str]:
        yield f'<g data-point="{self.seen(side, slot)}">'
        for index in range(min(count, SHOWN)):
            x, y = self.spot(side, slot, index)
            yield f'<circle cx="{num(x)}" cy="{num(y)}" r="{num(self.layout.radius)}"/>'
        if count > SHOWN:
            x, y = self.spot(side, slot, SHOWN - 1)
            yield text_at(
                x, y, str(count), f'class="count" {LETTERS} fill="{_contrary(side)}" font-size="18"'
            )
        yield "</g>"

    def borne_off(self, side: Side, count: int) -> Iterator[str]:
        layout = self.layout
        top = side is not self.view.bottom
        x = layout.length - layout.tray + 11
        yield '<g data-point="0">'
        for index in range(count):
            far = self.across(index * layout.slab + layout.slab, top=top)
            near = self.across(index * layout.slab + 1, top=top)
            yield self.box("slab", x, min(far, near), layout.tray - 22, layout.slab - 1, ' rx="2.5"')
        middle = layout.depth / 2 + (-1 if top else 1) * layout.middle / 4
        number_x, number_y = self.at(layout.length - layout.tray / 2, middle)
        yield (
            text_at(number_x, number_y, str(count), f'class="off" {LETTERS} fill="#000" font-size="18"')
            + "</g>"
        )

    def cube(self) -> Iterator[str]:
        cube = self.view.cube
        if cube is None:
            return
        layout = self.layout
        x, y = layout.bar_at if layout.cube_on_bar else layout.tray / 2, layout.depth / 2
        if cube.offered_to is not None:
            x = layout.left + 3 * layout.pitch
            y += (layout.middle / 2 - 23) * (1 if cube.offered_to is self.view.bottom else -1)
        elif cube.owner is not None:
            y = self.across(19, top=cube.owner is not self.view.bottom)
        centre_x, centre_y = self.at(x, y)
        yield (
            f'<g class="cube{" offered" if cube.offered_to else ""}">'
            f'<rect x="{num(centre_x - 18)}" y="{num(centre_y - 18)}" width="36" height="36" rx="7"'
            ' fill="#fff" stroke="#000" stroke-width="1.75"/>'
        )
        size = {1: 21, 2: 20, 3: 16, 4: 13}.get(len(str(cube.value)), 11)
        yield (
            text_at(centre_x, centre_y, str(cube.value), f'{LETTERS} fill="#000" font-size="{size}"') + "</g>"
        )

    def dice(self) -> Iterator[str]:
        if self.view.roll is None:
            return
        layout, side = self.layout, self.view.on_roll
        lean = (layout.middle / 2 - 20) * (1 if side is self.view.bottom else -1)
        x, y = layout.length - layout.tray - 3 * layout.pitch, layout.depth / 2 + lean
        paint = 'fill="#fff"' if side is Side.WHITE else 'fill="#000"'
        yield f'<g class="dice {side}" {paint} stroke="#000" stroke-width="1.75">'
        for n, die in enumerate(self.view.roll):
            shift = 20 * (2 * n + 1 - len(self.view.roll))
            centre_x, centre_y = self.at(x + (shift if self.view.home is Home.RIGHT else -shift), y)
            yield f'<rect x="{num(centre_x - 16)}" y="{num(centre_y - 16)}" width="32" height="32" rx="7"/>'
            yield f'<g class="pips" fill="{_contrary(side)}" stroke="none">'
            for across, down in PIPS[die]:
                pip_x, pip_y = centre_x + 8.5 * across, centre_y + 8.5 * down
                yield f'<circle cx="{num(pip_x)}" cy="{num(pip_y)}" r="3.1"/>'
            yield "</g>"
        yield "</g>"

    def turn(self) -> Iterator[str]:
        """A mark in the corner of the side on roll, pointing at its tray."""
        if not self.view.turn:
            return
        layout = self.layout
        top = self.view.on_roll is not self.view.bottom
        x = layout.length - layout.tray / 2
        corners = [self.at(x + dx, self.across(dy, top=top)) for dx, dy in ((-7, -16), (7, -16), (0, -5))]
        points = " ".join(f"{num(a)},{num(b)}" for a, b in corners)
        yield f'<polygon class="turn" points="{points}" fill="#000"/>'

    # What is said about it --------------------------------------------------------------------------------

    def arrows(self) -> Iterator[str]:
        # The best play lies under the played one; each keeps to its own side of the way that both go.
        for arrow in sorted(self.view.arrows, key=lambda arrow: arrow.meaning is ArrowMeaning.PLAYED):
            shift = 0.0
            if len({other.meaning for other in self.view.arrows}) > 1:
                shift = 4.5 if arrow.meaning is ArrowMeaning.BEST else -4.5
            ways = [ArrowPath(start, end, self.bend(start, end), shift) for start, end in self.steps(arrow)]
            kind = f"arrow {arrow.meaning}{' error' if arrow.label else ''}"
            yield f'<g class="{kind}" fill="none" stroke="#000">'
            yield from (way.svg(arrow.meaning) for way in ways)
            yield "</g>"
        for arrow in self.view.arrows:
            if arrow.label and arrow.moves:
                yield self.label(arrow)

    def steps(self, arrow: Arrow) -> Iterator[tuple[Spot, Spot]]:
        """From the checker that moves to where it comes to lie, move by move."""
        side = self.view.on_roll
        counts = list(self.view.checkers(side))
        for source, target in arrow.moves:
            start = self.spot(side, source, max(counts[source] - 1, 0))
            counts[source] -= 1
            yield start, self.spot(side, target, counts[target])
            counts[target] += 1

    def bend(self, start: Spot, end: Spot) -> Spot:
        """The control point of an arrow's curve: pulled towards the middle of the board."""
        width, height = self.layout.size
        middle_x, middle_y = (start[0] + end[0]) / 2, (start[1] + end[1]) / 2
        pull = min(0.34 * hypot(end[0] - start[0], end[1] - start[1]), 64)
        if self.layout.turned:
            return middle_x + towards(width / 2 - middle_x, pull), middle_y
        return middle_x, middle_y + towards(height / 2 - middle_y, pull)

    def label(self, arrow: Arrow) -> str:
        """The size of an error, on the way of its play where no arrow begins or ends."""
        taken = [spot for each in self.view.arrows for step in self.steps(each) for spot in step]
        places = [
            on_curve(start, self.bend(start, end), end, part)
            for start, end in self.steps(arrow)
            for part in (0.3, 0.4, 0.5, 0.6, 0.7)
        ]
        x, y = max(places, key=lambda place: min(hypot(place[0] - a, place[1] - b) for a, b in taken))
        width, height = self.layout.size
        half = 6.2 * len(arrow.label) + 4
        x = min(max(x, half + 2), width - half - 2)
        y = min(max(y, 16), height - 16)
        return (
            f'<g class="error-size">'
            f'<rect x="{num(x - half)}" y="{num(y - 14)}" width="{num(2 * half)}" height="28"'
            f' rx="14" fill="#fff" stroke="#000"/>'
            + text_at(x, y, arrow.label, LETTERS + ' fill="#000" font-size="17"')
            + "</g>"
        )

    # What can be touched ----------------------------------------------------------------------------------

    def targets(self) -> Iterator[str]:
        layout, depth = self.layout, self.layout.depth
        yield '<g class="targets" fill="none" pointer-events="all">'
        for point in range(1, 25):
            seen = point if self.view.on_roll is self.view.bottom else 25 - point
            y = 0 if point > 12 else depth / 2
            rest = f' data-point="{seen}"'
            yield self.box("target", self.along(point) - layout.pitch / 2, y, layout.pitch, depth / 2, rest)
        bar = layout.bar_at - layout.bar / 2
        yield self.box("target", bar, 0, layout.bar, depth, f' data-point="{BAR}"')
        tray_y = depth / 2 if self.view.on_roll is self.view.bottom else 0
        tray_x = layout.length - layout.tray
        yield self.box("target", tray_x, tray_y, layout.tray, depth / 2, f' data-point="{OFF}"')
        yield "</g>"


def _contrary(side: Side) -> str:
    return "#000" if side is Side.WHITE else "#fff"
