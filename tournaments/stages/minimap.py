"""A small map of a large bracket: its pieces in their places, each a link, filled as far as played."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from tournaments.stages.queries.draw_pieces import Piece

ROUND = 16.0
"""Width of a round, in pixels."""
ROW, FEWER_ROW, MANY = 22.0, 12.0, 8
"""Height of a piece of the first round; the smaller one of more than ``MANY`` pieces."""
GAP = 3.0


@dataclass(frozen=True, slots=True)
class MapBlock:
    """A piece on the map: its rectangle in pixels."""

    piece: Piece
    x: float
    y: float
    width: float
    height: float


def blocks_of(pieces: Sequence[Piece]) -> list[MapBlock]:
    """Where the pieces of a section lie: rounds from left to right, pieces of one round share the height."""
    beside = Counter(piece.level for piece in pieces)
    most = max(beside.values(), default=0)
    height = most * (ROW if most <= MANY else FEWER_ROW)
    above: Counter[int] = Counter()
    found = []
    for piece in pieces:
        share = height / beside[piece.level]
        left, top = ROUND * piece.level, share * above[piece.level]
        above[piece.level] += 1
        found.append(MapBlock(piece, left, top, ROUND * len(piece.rounds) - GAP, share - GAP))
    return found


def minimap(pieces: Sequence[Piece], addresses: Sequence[str], chosen: Piece, label: str) -> str:
    """The map of a section as SVG; ``addresses`` are those of its pieces."""
    blocks = blocks_of(pieces)
    width = max((block.x + block.width for block in blocks), default=0)
    height = max((block.y + block.height for block in blocks), default=0)
    drawn = (
        _block(block, address, here=block.piece is chosen)
        for block, address in zip(blocks, addresses, strict=True)
    )
    room = f"{width + 4:g} {height + 4:g}"
    return (
        f'<svg class="minimap" role="group" aria-label="{escape(label)}" viewBox="-2 -2 {room}" '
        f'width="{width + 4:g}" height="{height + 4:g}">{"".join(drawn)}</svg>'
    )


def _block(block: MapBlock, address: str, *, here: bool) -> str:
    current = ' aria-current="true"' if here else ""
    bars = []
    for index, (played, matches) in enumerate(block.piece.rounds):
        x, filled = block.x + ROUND * index, block.height * played / max(1, matches)
        bars.append(
            f'<path class="mm" d="M{x:g} {block.y:g}h{ROUND - GAP:g}v{block.height:g}h{GAP - ROUND:g}z"/>'
        )
        if played:
            bars.append(
                f'<path class="md" d="M{x:g} {block.y:g}h{ROUND - GAP:g}v{filled:g}h{GAP - ROUND:g}z"/>'
            )
    title = escape(f"{block.piece.section}, {block.piece.title}")
    edge = f'<rect class="me" x="{block.x - 1:g}" y="{block.y - 1:g}" width="{block.width + 2:g}" '
    edge += f'height="{block.height + 2:g}"/>'
    return f'<a href="{escape(address)}"{current}><title>{title}</title>{"".join(bars)}{edge}</a>'
