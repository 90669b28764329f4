"""The results of each entrant by round, beside the standings of a Swiss and other formats of rounds."""

from collections.abc import Mapping, Sequence
from html import escape

from django.utils.translation import gettext as _

from tournaments.stages.queries.stage_picture import Picture, PictureCell, PictureColumn, SideMark

UP_TO = 128
"""Entrants of standings with the results of each round: of more the table alone would be the page."""
MOST_ROUNDS = 15


def has_round_results(picture: Picture) -> bool:
    """Whether standings show each round: not where a crosstable does, and not of a huge field."""
    if picture.is_bracket or picture.has_cross or not picture.table or len(picture.names) > UP_TO:
        return False
    return len(picture.sections[0].columns) <= MOST_ROUNDS


def round_heads(picture: Picture) -> str:
    """The heads of the rounds, first to last, as table cells."""
    words = _("Rd %(number)s")
    count = len(_rounds(picture))
    return "".join(f'<th scope="col" class="rd">{words % {"number": n}}</th>' for n in range(1, count + 1))


def round_cells(picture: Picture, places: Sequence[int]) -> Mapping[int, str]:
    """The table cells of each entrant: W or L, the opponent's place in ``places``, and the score."""
    rank = {entrant: place for place, entrant in enumerate(places, 1)}
    rounds = _rounds(picture)
    found: dict[int, list[str]] = {n: [] for n in picture.names}
    letters = {True: _("W"), False: _("L")}
    for index, column in enumerate(rounds, 1):
        for cell in column.cells:
            for own, other in ((cell.a, cell.b), (cell.b, cell.a)):
                if own.number in found:
                    found[own.number].append(_cell(cell, own, other, rank, letters))
        for cells in found.values():
            if len(cells) < index:
                cells.append('<td class="rd">–</td>')
    return {n: "".join(cells) for n, cells in found.items()}


def _rounds(picture: Picture) -> list[PictureColumn]:
    """The rounds, first to last, without playoffs: in one of these an entrant can play several matches."""
    return [column for column in picture.sections[0].in_order if column.key.startswith("round-")]


def _cell(
    cell: PictureCell, own: SideMark, other: SideMark, rank: Mapping[int, int], letters: Mapping[bool, str]
) -> str:
    if not other.number:
        return f'<td class="rd">{escape(other.words)}</td>'
    against = rank.get(other.number, "")
    score = f" <small>{own.points}–{other.points}</small>" if own.points is not None else ""
    if own.won or other.won:
        kind = "w" if own.won else "l"
        return f'<td class="rd {kind}">{letters[own.won]} {against}{score}</td>'
    if not score and cell.placed and cell.placed.table:
        score = f" <small>{_('T%(table)s') % {'table': cell.placed.table}}</small>"
    return f'<td class="rd">{against}{score}</td>'
