"""A board as small as a thumbnail: checkers, dice and cube for a list, without words of its own.

The ground (field, points, bar) is the same in every row and is drawn by the style sheet
(``clubs/rows.css``, ``.thumb``); the drawing holds what differs. A stack is one line of round dashes: 25
thumbnails of a page weigh less than one board.

Geometry is in units of the drawing: a checker is 8 wide, the board 104 by 96. Home is on the right.
"""

from collections.abc import Iterator

from scoring.drawing.board_view import BoardView
from scoring.rules.position import BAR, OFF
from scoring.rules.sides import Side

CHECKER = 8
HIGHEST = 5  # checkers drawn in one stack
WIDTH, HEIGHT = 13 * CHECKER, 12 * CHECKER
MIDDLE = WIDTH / 2


def draw_thumb(view: BoardView) -> str:
    """The SVG of ``view``, hidden from screen readers: the row says in words what it shows."""
    stacks = {side: "".join(_stacks(view, side)) for side in Side}
    parts = [
        f'<path class="{kind} {side}" d="{stacks[side]}"/>'
        for side in Side
        if stacks[side]
        for kind in ("rim", "disc")
    ]
    if view.cube is not None and (view.cube.value > 1 or view.cube.owner or view.cube.offered_to):
        parts.append(_cube(view))
    if view.roll is not None:
        below = view.on_roll is view.bottom
        parts.append(f'<path class="die {view.on_roll}" d="M73 {50 if below else 40}h6v6h-6zm9 0h6v6h-6z"/>')
    return (
        f'<svg class="position" viewBox="0 0 {WIDTH} {HEIGHT}" aria-hidden="true" focusable="false">'
        f"{''.join(parts)}</svg>"
    )


def _stacks(view: BoardView, side: Side) -> Iterator[str]:
    below = side is view.bottom
    for slot, count in view.occupied(side):
        if slot == OFF:
            continue
        # A whisker more than the last checker's place, or rounding may leave that dash out.
        length = (min(count, HIGHEST) - 1) * CHECKER + 0.1
        if slot == BAR:
            start = HEIGHT / 2 - 16 if below else HEIGHT / 2 + 16
            yield f"M{MIDDLE:g} {start:g}v{-length if below else length:g}"
            continue
        point = slot if below else 25 - slot
        column = 12 - point if point <= 12 else point - 13
        x = column * CHECKER + CHECKER // 2 + (CHECKER if column >= 6 else 0)
        yield f"M{x} 4v{length:g}" if point > 12 else f"M{x} {HEIGHT - 4}v{-length:g}"


def _cube(view: BoardView) -> str:
    """On the bar at its owner's end; in the left half before the player to whom it is offered."""
    cube = view.cube
    if cube is not None and cube.offered_to is not None:
        return f'<path class="cube" d="M20 {50 if cube.offered_to is view.bottom else 38}h8v8h-8z"/>'
    owner = cube.owner if cube is not None else None
    y = HEIGHT / 2 - 4 if owner is None else HEIGHT - 9 if owner is view.bottom else 1
    return f'<path class="cube" d="M{MIDDLE - 4:g} {y:g}h8v8h-8z"/>'
