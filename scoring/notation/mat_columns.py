"""Assign cells of a ``.mat`` file to players by column, even with folded spaces."""

import re
from collections import Counter
from collections.abc import Sequence

from scoring.notation.mat_cells import WIDE_GAP, CellKind, WrittenCell, cells_in
from scoring.notation.remarks import Remark
from scoring.rules.sides import Side

ROW = re.compile(r"\s*(?P<turn>\d+)\s*[).]+\s?")
"""The number of a row."""
RIGHT_COLUMN = 20
"""A cell alone in its row that starts here or later stands in the right column (33 or 40)."""


def are_folded(rows: Sequence[str]) -> bool:
    """Whether every run of spaces was folded to one, so that the columns say nothing."""
    gaps = [gap for row in rows for gap in _gaps(row)]
    return bool(gaps) and max(gaps) < WIDE_GAP


def _gaps(row: str) -> list[int]:
    """How many spaces stand before the right cell of a row of two, or before a result without a row."""
    if row.startswith(";"):
        return []
    head = ROW.match(row)
    starts = [cell.start for cell in cells_in(row, head.end() if head else 0) if not cell.is_doubtful]
    if len(starts) > 1 or (len(starts) == 1 and head is None):
        return [starts[-1] - len(row[: starts[-1]].rstrip())]
    return []


def unfolded(cells: list[WrittenCell | Remark]) -> list[WrittenCell | Remark]:
    """The cells of a game whose spaces were folded.

    A first row of one cell is Black's; any other cell alone in its row is of the player to act.
    """
    rows = Counter(cell.turn for cell in cells if isinstance(cell, WrittenCell) and cell.turn)
    first, last = min(rows, default=0), max(rows, default=0)
    out: list[WrittenCell | Remark] = []
    for cell in cells:
        if not isinstance(cell, WrittenCell) or rows[cell.turn] > 1:
            out.append(cell)
        elif cell.turn and cell.turn == first != last:
            out.append(cell._replace(side=Side.BLACK))
        elif cell.turn != first or cell.kind in {CellKind.WINS, CellKind.LOSES}:
            out.append(cell._replace(side=None))
        else:
            out.append(cell)
    return out
