"""Pieces of a large draw, of which a page shows one.

A screen shows some rows of a bracket in letters that can be read, and a reader wants one part: their own, or
the one that is being played. A draw of up to ``WHOLE_UP_TO`` entrants is not cut.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from django.utils.translation import gettext as _

from tournaments.stages.bracket_layout import parts_of
from tournaments.stages.queries.stage_picture import Picture, PictureCell, PictureColumn, PictureSection

WHOLE_UP_TO = 64
"""Entrants: the letters of 128 on one sheet are 8 px high on a desk, a phone has 10,000 px of cards."""
ROWS = 16
"""Of a piece of a bracket: five rounds, in letters of 12 px."""
MATCHES = 32
"""Of a piece of a round."""
OPEN = frozenset({"ready", "called", "live"})
OVER = frozenset({"done", "open", "walkover"})


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece without its drawing.

    ``level`` counts the rounds before it; ``met`` tells whether two entrants meet in it, ``open`` whether
    there is a match to be played now. ``matches`` are its numbers, ``rounds`` how many are played
    of how many in each round.
    """

    key: str
    section: str
    title: str
    level: int
    met: bool
    open: bool
    entrants: Sequence[int]
    matches: Sequence[int]
    rounds: Sequence[Sequence[int]]


def is_cut(picture: Picture) -> bool:
    """Whether the draw is too large for one page."""
    return len(picture.value.field) > WHOLE_UP_TO


def cut(picture: Picture) -> Iterator[tuple[Piece, PictureSection]]:
    """The pieces of a large draw in order, each as a section."""
    for section in picture.sections:
        parts = _of_bracket(section) if picture.is_bracket else _of_rounds(section)
        for level, title, columns in parts:
            key = columns[0].key
            named = _("%(section)s, %(part)s") % {"section": section.title, "part": title}
            yield _piece(key, section, title, level, columns), PictureSection(f"part-{key}", named, columns)


def _of_bracket(section: PictureSection) -> Iterator[tuple[int, str, tuple[PictureColumn, ...]]]:
    """Whole subtrees: first rounds in blocks, then the rounds they lead to."""
    shown = [column for column in section.columns if column.matches]
    rounds = [[cell.number for cell in column.matches] for column in shown]
    feeds = {cell.number: cell.feeds for column in shown for cell in column.matches}
    level_of = {number: level for level, each in enumerate(rounds) for number in each}
    column_of = {cell.number: column for column in shown for cell in column.matches}
    for part in parts_of(rounds, feeds, ROWS):
        wanted = [numbers for numbers in part if numbers]
        columns = tuple(_some(column_of[numbers[0]], set(numbers)) for numbers in wanted)
        first, last = columns[0], columns[-1]
        if len(wanted[0]) < len(rounds[level_of[wanted[0][0]]]):
            title = _("matches %(first)s–%(last)s") % {"first": wanted[0][0], "last": wanted[0][-1]}
        else:
            title = _("%(first)s to %(last)s") % {"first": _short(first), "last": _short(last)}
        yield level_of[wanted[0][0]], title, columns


def _short(column: PictureColumn) -> str:
    return column.short or column.title


def _of_rounds(section: PictureSection) -> Iterator[tuple[int, str, tuple[PictureColumn, ...]]]:
    """The rounds of a Swiss in blocks, the current round first."""
    for level, column in enumerate(section.current_first):
        cells = column.cells
        for start in range(0, len(cells), MATCHES):
            some = cells[start : start + MATCHES]
            numbers = {"first": some[0].number, "last": some[-1].number}
            title = f"{column.title}, {_('matches %(first)s–%(last)s') % numbers}"
            part = replace(column, key=f"{column.key}-{some[0].number}", cells=some)
            yield len(section.columns) - level, title, (part,)


def _some(column: PictureColumn, numbers: set[int]) -> PictureColumn:
    cells = tuple(cell for cell in column.matches if cell.number in numbers)
    return replace(column, key=f"{column.key}-{cells[0].number}", cells=cells)


def _piece(
    key: str, section: PictureSection, title: str, level: int, columns: Sequence[PictureColumn]
) -> Piece:
    cells = [cell for column in columns for cell in column.cells]
    entrants = {mark.number for cell in cells for mark in (cell.a, cell.b)} - {0}
    is_open = any(cell.state in OPEN for cell in cells)
    matches = [cell.number for cell in cells if cell.number]
    rounds = [(sum(cell.state in OVER for cell in column.matches), len(column.matches)) for column in columns]
    met = any(map(_meets, cells))
    return Piece(key, section.title, title, level, met, is_open, sorted(entrants), matches, rounds)


def _meets(cell: PictureCell) -> bool:
    return bool(cell.a.number and cell.b.number)


def newest(pieces: Sequence[Piece]) -> Piece:
    """The default piece: the latest rounds with a match in the first section."""
    main = [piece for piece in pieces if piece.section == pieces[0].section]
    met = [piece for piece in main if piece.met] or main
    level = max(piece.level for piece in met)
    latest = [piece for piece in met if piece.level == level]
    return next((piece for piece in latest if piece.open), latest[0])


def piece_with(pieces: Sequence[Piece], match: int | None) -> Piece | None:
    """The piece with a match."""
    return next((piece for piece in pieces if match in piece.matches), None)


def piece_of(pieces: Sequence[Piece], entrants: set[int]) -> Piece | None:
    """The last piece that contains one of these entrants."""
    found = [piece for piece in pieces if not entrants.isdisjoint(piece.entrants)]
    return next((piece for piece in reversed(found) if piece.open), found[-1] if found else None)
