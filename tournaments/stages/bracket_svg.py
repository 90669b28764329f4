"""A bracket as one SVG, for pages, phones and the big screen.

Geometry stands in presentation attributes, colours come by class: a page with a strict policy shows it, and a
print is black on white. It is text, since a large draw has thousands of cells; names go through ``escape``.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import cached_property
from html import escape
from math import ceil

from django.urls import reverse
from django.utils.translation import gettext as _

from clubs.formats.dates import time_of_day
from tournaments.stages.bracket_layout import BracketSheet, CellSize, Line, sheet_of
from tournaments.stages.bracket_names import Fitted, fitted, fitted_club, short_names, width_of
from tournaments.stages.cell_words import NO_CLUBS, CellWords
from tournaments.stages.queries.round_starts import match_starts, round_start
from tournaments.stages.queries.stage_picture import Picture, PictureCell, PictureColumn, SideMark

NOWHERE = "2222222222"  # looks like a ref, stands for each one

SMALL = 0.88
"""Of the letters of a name: those of seeds, tables and numbers. Of 12.5 px they are 11 px."""
PAGE = CellSize(width=200, height=40, across=32, down=7, font=12.5, least=11, label=14.5, head=38)
OVERVIEW = CellSize(
    width=106, height=38, across=12, down=8, font=12.5, least=11, head=38, seeds=False, short=True
)
"""Surnames alone: six rounds of short ones are as wide as a tablet, three as a phone."""
OVERVIEW_WIDEST = 168.0
HAND = CellSize(
    width=77,
    height=36,
    across=6,
    down=6,
    font=12.5,
    least=11,
    head=38,
    seeds=False,
    points=False,
    short=True,
)
"""Four rounds on a phone that is 360 px wide: the winner is bold, points are on the wider overview."""
HAND_ROUNDS = 4
CLUB_LINE, CLUB_UP, CLUB_DOWN = 0.96, 0.52, 0.8
"""With clubs, in letters: how much higher a side is, its name's way up, its club's below the middle."""
NAME_INDENT, NAME_END, POINTS = 0.6, 0.6, 1.7
"""The room before a name without a seed, behind it, and of its points, in letters."""
# One unit is a thousandth of the screen's width; the sizes hold for this font, others are in proportion.
WALL = CellSize(
    width=312,
    height=82,
    across=30,
    down=14,
    font=27.5,
    least=20,
    label=26,
    head=46,
    seeds=False,
    short=True,
    room=654,
)
WALL_WIDEST = 17.5
"""The widest match of the big screen, in letters."""
PLAYED = frozenset({"done", "open", "walkover"})
"""The states of what need not be played any more."""
ROOM = 1130.0
"""The width of a page on a desk: the rounds share it."""
WITH_ROOM, NARROW_ACROSS = 5, 20.0
"""Rounds with much room between them, and the room between more."""
NARROWEST, WIDEST = 140.0, 280.0
"""How wide a cell of a page is; a sheet that is wider than its page is scrolled."""


class BracketPen:
    """Writes the matches of one section in cells of one size."""

    def __init__(
        self,
        picture: Picture,
        columns: Sequence[PictureColumn],
        *,
        size: CellSize | None = None,
        titles: Mapping[int, str] | None = None,
        short: Mapping[int, str] | None = None,
        starts: Mapping[int, datetime] | None = None,
        ids: bool = True,
        clubs: bool = False,
    ) -> None:
        """Without a ``size``, choose one for a page by the number of rounds.

        With ``clubs`` the matches are higher: the club of an entrant stands below its name.
        """
        self.starts = match_starts(picture) if starts is None else starts
        self.picture, self.ids = picture, ids
        self.columns = [column for column in columns if column.matches]
        self.names: dict[int, str] = {}
        self.titles = titles or {n: escape(named.title) for n, named in picture.names.items()}
        self.clubs = clubs_of(picture) if clubs else NO_CLUBS
        self.says = CellWords(picture, self.titles, self.clubs)
        self.address = reverse("tournaments:pairing", args=[NOWHERE])
        size = size or _page_size(len(self.columns))
        self.size = replace(size, height=size.height + 2 * CLUB_LINE * size.font) if self.clubs else size
        self.known_short = short

    @cached_property
    def sheet(self) -> BracketSheet:
        rounds = [[cell.number for cell in column.matches] for column in self.columns]
        feeds = {cell.number: cell.feeds for column in self.columns for cell in column.matches}
        return sheet_of(rounds, feeds, self.size)

    @cached_property
    def short(self) -> Mapping[int, str]:
        if not self.size.short:
            return {}
        return short_names(self.picture.names) if self.known_short is None else self.known_short

    def name(self, number: int) -> str:
        """A name as SVG text for cells of this size; its position is added later."""
        if number not in self.names:
            size = self.size
            room = size.width - self.indent - NAME_END * size.font - self.points
            title = self.short.get(number) or self.picture.names[number].title
            fit = fitted(title, room, size.font, size.least)
            scale = f' font-size="{size.font * fit.scale:g}"' if fit.scale < 1 else ""
            way = ' direction="rtl" text-anchor="end"' if fit.rtl else ""
            self.names[number] = f"{kept_to(fit)}{scale}{way}>{escape(fit.text)}</text>"
        return self.names[number]

    def club(self, number: int, middle: float) -> str:
        """The club of an entrant below the ``middle`` of its side; empty for none."""
        club, size = self.clubs.get(number), self.size
        if not club:
            return ""
        font = size.font * SMALL
        fit = fitted_club(club, size.width - self.indent - NAME_END * size.font, font)
        way = ' direction="rtl" text-anchor="end"' if fit.rtl else ""
        placed = f'x="{self.indent:g}" y="{middle + size.font * CLUB_DOWN:g}" font-size="{font:g}"'
        return f'<text class="cl" {placed}{kept_to(fit)}{way}>{escape(fit.text)}</text>'

    @property
    def indent(self) -> float:
        if not self.size.seeds:
            return self.size.font * NAME_INDENT
        return self.size.font * (2.2 if len(self.picture.names) < 1000 else 3)

    @property
    def points(self) -> float:
        """The space for the points at the end of a side."""
        return self.size.font * POINTS if self.size.points else 0

    # -- matches

    def cell(self, cell: PictureCell, column: PictureColumn) -> str:
        size, place = self.size, self.sheet.places[cell.number]
        label, corner = "", min(4, size.height / 8)
        if size.label:
            base = -size.label * 0.28
            small = f'y="{base:g}" font-size="{size.font * SMALL:g}"'
            beside = self.says.beside(cell, "tspan")
            label = f'<text class="no" x="1" {small}>{self.says.number(cell)}</text>'
            if beside:
                label += f'<text class="st" x="{size.width - 1:g}" {small} text-anchor="end">{beside}</text>'
        bar = ""
        if cell.state in {"live", "called"}:
            bar = f'<rect class="bar" width="{size.font / 3:.3g}" height="{size.height:g}"/>'
        inner = (
            f"<title>{self.says.whole(cell, column.title)}</title>{label}"
            f'<rect class="box" width="{size.width:g}" height="{size.height:g}" rx="{corner:g}"/>'
            f"{self.side(cell.a, 0)}{self.side(cell.b, 1)}"
            f'<path class="mid" d="M0 {size.height / 2:g}H{size.width:g}"/>{bar}'
        )
        name = f' id="m{cell.number}"' if self.ids else ""
        ways = f' data-to="{cell.winner_to}"' if cell.number in self.sheet.lines else ""
        ways += f' data-loser="{cell.loser_to}"' if cell.loser_to else ""
        first = " first" if column is self.columns[0] else ""
        kept = f'{name} class="m {cell.state}{first}" transform="translate({place.x:g} {place.y:g})"{ways}'
        if cell.placed is None:
            return f"<g{kept}>{inner}</g>"
        return f'<a{kept} href="{self.address.replace(NOWHERE, cell.placed.ref)}">{inner}</a>'

    def side(self, mark: SideMark, row: int) -> str:
        size = self.size
        half = size.height / 2
        middle = row * half + half / 2
        ground = f'<rect class="hl" y="{row * half:g}" width="{size.width:g}" height="{half:g}"/>'
        club = self.club(mark.number, middle)
        base = f'y="{middle + size.font * (0.36 - CLUB_UP if club else 0.36):g}"'
        if not mark.number:
            font = size.font * SMALL
            fit = fitted(mark.words, size.width - self.indent - size.font * 0.6, font, size.least)
            small = f'{base} font-size="{font * fit.scale:g}"'
            return f'<text class="s none" x="{self.indent:g}" {small}{kept_to(fit)}>{escape(fit.text)}</text>'
        seed = self.picture.seeds.get(mark.number) if size.seeds else None
        found = ground
        if seed:
            small = f'font-size="{size.font * SMALL:g}" text-anchor="end"'
            found += f'<text class="sd" x="{self.indent - size.font * 0.5:g}" {base} {small}>{seed}</text>'
        found += f'<text class="nm" x="{self.indent:g}" {base}{self.name(mark.number)}{club}'
        if mark.points is not None and size.points:
            end = size.width - size.font * 0.55
            found += f'<text class="pt" x="{end:g}" {base} text-anchor="end">{mark.points}</text>'
        won, gone = " won" if mark.won else "", " gone" if mark.gone else ""
        return f'<g class="s{won}{gone}" data-e="{mark.number}">{found}</g>'

    # -- rounds

    def head(self, index: int) -> str:
        """The head of a round: its name and how far it is."""
        column, size = self.columns[index], self.size
        cells = column.matches
        played = sum(cell.state in PLAYED for cell in cells)
        sub = self.progress(column, played, len(cells))
        done = size.width * played / len(cells)
        small = f'y="{size.font * 2.2:g}" font-size="{size.font * SMALL:g}"'
        base = size.head - size.font * 0.4
        title = fitted(column.short or column.title, size.width, size.font, size.least)
        left = self.sheet.lefts[index]
        below = f'<text class="bs" x="{left + 1:g}" {small}>{sub}</text>' if base > 2.2 * size.font else ""
        shown = (
            f'<text class="bh" x="{left + 1:g}" y="{size.font:g}"{kept_to(title)}>{escape(title.text)}</text>'
            f'{below}<path class="pr" d="M{left:g} {base:g}h{size.width:g}"/>'
            f'<path class="pf" d="M{left:g} {base:g}h{done:g}"/>'
        )
        name = f' id="h-{column.key}"' if self.ids else ""
        return f'<g class="hd"{name}>{shown}</g>'

    def progress(self, column: PictureColumn, played: int, matches: int) -> str:
        """How far a round is, or its estimated start; with its length if there is room."""
        starts = round_start(self.starts, column)
        to = _("to %(length)s") % {"length": column.length or self.picture.stage.length}
        if starts is not None:
            at = _("est. %(time)s") % {"time": time_of_day(starts)}
            told = f'<tspan data-est="{starts.isoformat()}">{at}</tspan>'
            return f"{told} · {to}" if self.has_room(f"{at} · {to}") else told
        count = {"played": played, "matches": matches}
        said = _("%(played)s of %(matches)s played") % count, f"{played}/{matches}"
        return next((text for text in (f"{each} · {to}" for each in said) if self.has_room(text)), said[-1])

    def has_room(self, text: str) -> bool:
        """Whether a text in small letters is no wider than a cell."""
        return width_of(text, self.size.font * SMALL) <= self.size.width

    def lines(self) -> str:
        return "".join(self.line(match, line) for match, line in self.sheet.lines.items())

    def line(self, match: int, line: Line) -> str:
        (x, y), (to_x, to_y) = line.start, line.end
        name = f' id="l{match}"' if self.ids else ""
        way = f"M{x:g} {y:g}H{to_x:g}" if y == to_y else f"M{x:g} {y:g}H{line.bend:g}V{to_y:g}H{to_x:g}"
        return f'<path class="ln"{name} d="{way}"/>'

    def opened(self, kind: str, height: float) -> str:
        """The opening of one of a sheet's two pictures: sticky heads, or matches."""
        width, room = self.sheet.width + 2, height + 2
        return (
            f'<svg class="tree tree-{kind}" viewBox="-1 -1 {width:g} {room:g}" width="{width:g}" '
            f'height="{room:g}" font-size="{self.size.font:g}" direction="ltr"'
        )

    def heads(self, heads: Sequence[str]) -> str:
        return f'{self.opened("heads", self.size.head)} aria-hidden="true">{"".join(heads)}</svg>'

    def matches(self, cells: Sequence[str], title: str) -> str:
        opened = self.opened("matches", self.sheet.height)
        return f'{opened} role="figure" aria-label="{escape(title)}">{self.lines()}{"".join(cells)}</svg>'


def clubs_of(picture: Picture) -> Mapping[int, str]:
    """The clubs of the entrants by number, of those who have one."""
    return {n: named.club for n, named in picture.names.items() if named.club}


def _page_size(rounds: int) -> CellSize:
    """The cell size at which so many rounds fill a page and stay readable."""
    across = PAGE.across if rounds <= WITH_ROOM else NARROW_ACROSS
    width = (ROOM - across * (rounds - 1)) // max(1, rounds)
    return replace(PAGE, width=max(NARROWEST, min(WIDEST, width)), across=across)


def overview_size(picture: Picture) -> CellSize:
    """The cell size at which all surnames fit in the same letters, if possible."""
    font = OVERVIEW.font
    longest = max((width_of(name, font) for name in short_names(picture.names).values()), default=0)
    width = longest + font * (NAME_INDENT + NAME_END + POINTS)
    return replace(OVERVIEW, width=min(max(OVERVIEW.width, ceil(width)), OVERVIEW_WIDEST))


def wall_size(columns: Sequence[PictureColumn], *, letter: float, wide: float, pitch: float) -> CellSize:
    """The cell size at which these rounds fill a panel of the big screen that is so ``wide``.

    No name is smaller than a ``letter``; no match is higher than its ``pitch``.
    """
    rounds = sum(bool(column.matches) for column in columns)
    part = letter / WALL.font
    across = 0.9 * letter
    width = (wide - 2 - across * (rounds - 1)) / max(1, rounds)
    pitch = min(1.3 * part * WALL.pitch, pitch)
    label = part * WALL.label if pitch > 0.75 * part * WALL.pitch else 0
    height = (pitch - label) * 0.85
    font = max(letter, min(1.2 * letter, height * 0.4))
    return CellSize(
        width=min(width, WALL_WIDEST * letter),
        height=height,
        across=across,
        down=pitch - label - height,
        font=font,
        least=letter,
        label=label,
        head=font * WALL.head / WALL.font,
        seeds=False,
        short=True,
        room=wide,
    )


def kept_to(fit: Fitted) -> str:
    """The fixed width of a name as SVG attributes; empty if it fits."""
    return f' textLength="{fit.squeezed:g}" lengthAdjust="spacingAndGlyphs"' if fit.squeezed else ""


def boxed(width: float, drawn: str) -> str:
    """Wrap a sheet so that it scrolls instead of shrinking.

    Sixteen units of ``width`` are an em, so that larger letters give a larger sheet.
    """
    strut = f'<svg class="strut" width="{(width + 2) / 16:g}em" height="0" aria-hidden="true"></svg>'
    return f'<div class="fit">{strut}{drawn}</div>'


def bracket_svg(
    picture: Picture,
    columns: Sequence[PictureColumn],
    title: str,
    *,
    size: CellSize | None = None,
    ids: bool = False,
    clubs: bool = False,
) -> str:
    """The heads and matches of bracket rounds."""
    pen = BracketPen(picture, columns, size=size, ids=ids, clubs=clubs)
    cells = [pen.cell(cell, column) for column in pen.columns for cell in column.matches]
    heads = [pen.head(index) for index in range(len(pen.columns))]
    return (pen.heads(heads) if pen.size.head else "") + pen.matches(cells, title)
