"""The matches of a draw as rows: in progress, next, and results by round.

Made from the picture of the draw, so that a match has the same words as in its bracket.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.utils.timezone import now
from django.utils.translation import gettext as _

from clubs.formats.dates import time_of_day
from tournaments.stages.cell_words import CellWords
from tournaments.stages.queries.stage_picture import Picture, PictureCell, PictureColumn, SideMark

OPEN_ROWS = 24
"""Results beyond this many are folded, round by round."""
LONGEST_CLOCK = timedelta(hours=10)


@dataclass(frozen=True, slots=True)
class RowSide:
    """A side of a match: its name, and its points where there are any, else empty."""

    name: str
    points: str
    won: bool


@dataclass(frozen=True, slots=True)
class MatchRow:
    """A match in a list.

    ``ref`` is its pairing's, empty where nothing is published; ``where`` is its round, or the part of the
    draw beside the main one; ``note`` says at which table and since when it is played, or how it ended;
    ``mine`` whether the viewer plays it.
    """

    number: int
    ref: str
    where: str
    a: RowSide
    b: RowSide
    note: str
    mine: bool
    order: tuple[int, int]


@dataclass(frozen=True, slots=True)
class ResultRound:
    """Results of a round and its byes, and whether it is ``folded``."""

    title: str
    rows: Sequence[MatchRow]
    byes: Sequence[str]
    folded: bool


@dataclass(frozen=True, slots=True)
class ComingRounds:
    """Rounds of a part of the draw with matches that wait: title and number."""

    title: str
    rounds: Sequence[tuple[str, int]]


@dataclass(frozen=True, slots=True)
class MatchList:
    """All matches of a draw by state."""

    playing: Sequence[MatchRow]
    ready: Sequence[MatchRow]
    results: Sequence[ResultRound]
    coming: Sequence[ComingRounds]


def match_list(
    picture: Picture, own: frozenset[str] = frozenset(), *, at: datetime | None = None
) -> MatchList:
    """The matches of a picture; ``own`` are the viewer's entrants by ref (no query)."""
    writer = _Writer(picture, own, at or now())
    columns = [
        (column, column.short or column.title if number == 0 else section.title)
        for number, section in enumerate(picture.sections)
        for column in section.columns
    ]
    playing = [row for column, where in columns for row in writer.rows(column, {"live", "called"}, where)]
    ready = [row for column, where in columns for row in writer.rows(column, {"ready"}, where)]
    return MatchList(
        sorted(playing, key=lambda row: row.order),
        sorted(ready, key=lambda row: row.number),
        list(_results(picture, writer)),
        list(_coming(picture)),
    )


@dataclass(frozen=True, slots=True)
class _Writer:
    picture: Picture
    own: frozenset[str]
    at: datetime

    def rows(self, column: PictureColumn, states: set[str], where: str = "") -> Iterator[MatchRow]:
        words = CellWords(self.picture, {})
        for cell in column.cells:
            if cell.state in states:
                yield self._row(cell, where, words)

    def _row(self, cell: PictureCell, where: str, words: CellWords) -> MatchRow:
        placed = cell.placed
        refs = {named.ref for n in (cell.a.number, cell.b.number) if (named := self.picture.names.get(n))}
        return MatchRow(
            cell.number,
            placed.ref if placed else "",
            where,
            self.side(cell.a),
            self.side(cell.b),
            self._note(cell, words),
            bool(refs & self.own),
            ((placed and placed.table) or 1 << 16, cell.number),
        )

    def _note(self, cell: PictureCell, words: CellWords) -> str:
        if cell.state in {"done", "walkover"}:
            return cell.words
        placed, found = cell.placed, []
        if placed and placed.table and cell.state != "open":
            found.append(words.words["table"] % {"number": placed.table})
        if placed and placed.called_at and cell.state in {"live", "called"}:
            found.append(self._since(placed.called_at))
        if not found and cell.state != "ready":
            found.append(words.words[cell.state])
        return " · ".join(found)

    def _since(self, called: datetime) -> str:
        if self.at - called > LONGEST_CLOCK:
            return time_of_day(called, self.picture.stage.flight.event.tz)
        return _("%(minutes)s min") % {"minutes": max(0, (self.at - called) // timedelta(minutes=1))}

    def side(self, mark: SideMark) -> RowSide:
        named = self.picture.names.get(mark.number)
        points = "" if mark.points is None else str(mark.points)
        return RowSide(named.title if named else mark.words, points, mark.won)


def _results(picture: Picture, writer: _Writer) -> Iterator[ResultRound]:
    shown = 0
    for section in picture.sections:
        columns = reversed(section.columns) if picture.is_bracket else section.columns
        for column in columns:
            rows = list(writer.rows(column, {"done", "open", "walkover"}))
            had_one = (cell for cell in column.cells if cell.state == "bye" and not picture.is_bracket)
            byes = [writer.side(cell.a).name for cell in had_one]
            if rows or byes:
                yield ResultRound(
                    column.title, rows, byes, folded=shown > 0 and shown + len(rows) > OPEN_ROWS
                )
                shown += len(rows)


def _coming(picture: Picture) -> Iterator[ComingRounds]:
    for section in picture.sections:
        rounds = [
            (column.short or column.title, waiting)
            for column in section.columns
            if (waiting := sum(cell.state == "waiting" for cell in column.cells))
        ]
        if rounds:
            yield ComingRounds(section.title, rounds)
