"""Draws as HTML text: cells of a bracket, rounds, standings, crosstables.

Built as strings because a draw has thousands of cells: a template for each of 2,047 takes ten times as long.
Everything that people wrote goes through ``escape``: the standard library's, since Django's makes a safe
string of each of ten thousand. Each changeable piece is a *part* with an id of its own, so that a live page
replaces just what changed.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from html import escape
from itertools import pairwise

from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubs.formats.dates import time_of_day
from clubs.formats.numbers import plain
from clubs.shell.glossary import TERMS
from tournaments.stages.bracket_layout import BracketSheet
from tournaments.stages.bracket_names import short_names
from tournaments.stages.bracket_svg import NOWHERE, PLAYED, ROOM, BracketPen, boxed, clubs_of
from tournaments.stages.cell_words import NO_CLUBS, CellWords
from tournaments.stages.crosstable import cross_cells, cross_heads
from tournaments.stages.queries.decided_places import decided_places
from tournaments.stages.queries.draw_pieces import Piece, cut, is_cut
from tournaments.stages.queries.entrant_results import told
from tournaments.stages.queries.round_starts import match_starts, round_start
from tournaments.stages.queries.stage_picture import (
    Picture,
    PictureCell,
    PictureColumn,
    PictureSection,
    Seen,
    SideMark,
)
from tournaments.stages.round_results import has_round_results, round_cells, round_heads
from tournaments.words.reasons import TIE_BREAK_NAMES


@dataclass(frozen=True, slots=True)
class DrawnColumn:
    """A drawn round: its cards, and in a bracket its cells on ``sheet``."""

    column: PictureColumn
    cards: Sequence[str]
    cells: Sequence[str] = ()
    sheet: BracketSheet | None = None


@dataclass(frozen=True, slots=True)
class Drawn:
    """The source of a drawing, so that the next one draws only what differs."""

    picture: Picture
    seen: Seen
    titles: Mapping[int, str]
    columns: Mapping[str, DrawnColumn]
    standing: str
    shown: tuple[object, ...]


@dataclass(frozen=True, slots=True)
class DrawnPiece:
    """A piece of a large draw, as HTML."""

    piece: Piece
    html: SafeString


@dataclass(frozen=True, slots=True)
class Drawing:
    """A draw as HTML: the whole, and each part by the id of its element.

    ``drawn`` is what it was made of; None for one that another process has made. ``pieces`` are those of a
    large draw: a page shows one of them. ``has_clubs``: the club of an entrant is known.
    """

    whole: SafeString
    parts: Mapping[str, str]
    drawn: Drawn | None = None
    pieces: Sequence[DrawnPiece] = ()
    has_clubs: bool = False

    @property
    def without_standing(self) -> SafeString:
        """The draw without standings, for a page that has them elsewhere."""
        return mark_safe(self.whole.replace(self.parts["standing"], "", 1))  # noqa: S308 - a part of the whole

    @property
    def standing(self) -> SafeString:
        return mark_safe(self.parts["standing"])  # noqa: S308 - as the pen wrote it


def draw_stage_page(picture: Picture, before: Drawn | None = None, *, clubs: bool = False) -> Drawing:
    """The drawing of a stage: a bracket, or standings with rounds; with ``clubs`` below the names.

    ``before`` is an earlier drawing of it in the same language, with or without clubs like this one: what is
    alike is not written again.
    """
    pen = Pen(picture, before=before, clubs=clubs)
    parts: dict[str, str] = {}
    pieces = []
    rounds_first = picture.stage.rounds_first
    if not picture.is_bracket and not rounds_first:
        pieces.append(pen.standing(parts))
    cuts: list[DrawnPiece] = []
    if is_cut(picture):
        for piece, section in cut(picture):
            html = mark_safe(pen.section(section, parts))  # noqa: S308 - the pen escapes what people wrote
            cuts.append(DrawnPiece(piece, html))
        pieces.extend(each.html for each in cuts)
    else:
        pieces.extend(pen.section(section, parts) for section in picture.sections)
    if picture.is_bracket or rounds_first:
        pieces.append(pen.standing(parts))
    drawn = Drawn(picture, picture.seen, pen.titles, pen.columns, parts["standing"], pen.shown)
    whole = mark_safe("".join(pieces))  # noqa: S308 - the pen escapes what people wrote
    return Drawing(whole, parts, drawn, cuts, picture.has_clubs)


class Pen:
    """Writes one picture; repeated parts are looked up once."""

    def __init__(
        self,
        picture: Picture,
        *,
        key: str = "",
        level: int = 2,
        before: Drawn | None = None,
        clubs: bool = False,
    ) -> None:
        """``key`` is a suffix of table ids, ``level`` the level of headings."""
        self.picture, self.key, self.level = picture, key, f"h{level}"
        self.seeds = picture.seeds
        # What was written with other names or seeds is worth nothing any more.
        alike = before and before.seen.names is picture.names and before.seen.seeds == self.seeds
        self.before = before if alike else None
        self.titles = (
            self.before.titles
            if self.before
            else {n: escape(named.title) for n, named in picture.names.items()}
        )
        self.columns: dict[str, DrawnColumn] = {}
        self.address = reverse("tournaments:pairing", args=[NOWHERE])
        self.path = reverse("tournaments:path", args=[picture.stage.ref, NOWHERE])
        self.clubs = clubs_of(picture) if clubs else NO_CLUBS
        self.says = CellWords(picture, self.titles, self.clubs)

    # -- cards

    def card(self, cell: PictureCell) -> str:
        """A match as a card, for a phone that shows one round at a time."""
        words = self.says
        beside = words.beside(cell, "time")
        number = words.words["match"] % {"number": words.number(cell)}
        body = (
            f'<span class="top"><span class="no">{number}</span>'
            f'<span class="st">{beside}</span></span>{self.side(cell.a)}{self.side(cell.b)}'
        )
        if cell.placed is None:
            inner = f'<div class="c">{body}</div>'
        else:
            inner = f'<a class="c" href="{self.address.replace(NOWHERE, cell.placed.ref)}">{body}</a>'
        to = f' data-to="{cell.winner_to}"' if cell.winner_to else ""
        to += f' data-loser="{cell.loser_to}"' if cell.loser_to else ""
        kind = f"m {cell.state}{self.joins.get(cell.number, '')}"
        return f'<li class="{kind}" id="{self.card_id(cell)}"{to}>{inner}</li>'

    @cached_property
    def joins(self) -> Mapping[int, str]:
        """Which cards of a bracket are joined by a line: two below one another that lead to one match."""
        found: dict[int, str] = {}
        columns = [each for section in self.picture.sections for each in section.columns]
        for one, other in (pair for each in columns for pair in pairwise(each.matches)):
            if one.winner_to and one.winner_to == other.winner_to:
                found |= {one.number: " upper", other.number: " lower"}
        return found

    def card_id(self, cell: PictureCell) -> str:
        return f"{'c' if self.picture.is_bracket else 'm'}{cell.number}"

    def side(self, mark: SideMark) -> str:
        if not mark.number:
            return f'<span class="s none">{escape(mark.words)}</span>'
        seed = self.seeds.get(mark.number)
        shown = f'<i title="{self.says.words["seed"]}">{seed}</i>' if seed else ""
        points = "" if mark.points is None else f"<b>{mark.points}</b>"
        won, gone = " won" if mark.won else "", " gone" if mark.gone else ""
        name = f"<bdi>{self.titles[mark.number]}</bdi>{self.club(mark)}"
        return f'<span class="s{won}{gone}" data-e="{mark.number}">{shown}{name}{points}</span>'

    def club(self, mark: SideMark) -> str:
        """The club of an entrant in small letters; empty for none."""
        club = self.clubs.get(mark.number)
        return f' <small class="cl"><bdi>{escape(club)}</bdi></small>' if club else ""

    @cached_property
    def short(self) -> Mapping[int, str]:
        return short_names(self.picture.names)

    @cached_property
    def starts(self) -> Mapping[int, datetime]:
        return match_starts(self.picture)

    # -- sections

    def section(self, section: PictureSection, parts: dict[str, str]) -> str:
        if self.picture.is_bracket:
            return self.bracket(section, parts)
        hand = self.hand(section, [self.column(column) for column in section.current_first], parts)
        return (
            f'<section class="rounds" id="s-{section.key}" aria-labelledby="h-{section.key}">'
            f'<h2 id="h-{section.key}">{escape(section.title)}</h2>{hand}</section>'
        )

    def bracket(self, section: PictureSection, parts: dict[str, str]) -> str:
        """A section twice: on one sheet, and round by round as cards for a phone."""
        pen = BracketPen(
            self.picture,
            section.columns,
            titles=self.titles,
            short=self.short,
            starts=self.starts,
            clubs=bool(self.clubs),
        )
        if not pen.columns:
            return ""
        columns = [self.column(column, pen) for column in pen.columns]
        heads = {f"h-{each.column.key}": pen.head(index) for index, each in enumerate(columns)}
        cells = {
            f"m{cell.number}": html
            for each in columns
            for cell, html in zip(each.column.matches, each.cells, strict=True)
        }
        parts.update(heads | cells)
        name = f"h-{section.key}"
        wide = " wide" if pen.sheet.width > ROOM else ""
        drawn = pen.heads([*heads.values()]) + pen.matches([*cells.values()], section.title)
        return (
            f'<section class="bracket" id="s-{section.key}">'
            f'<h2 id="{name}">{escape(section.title)}</h2>'
            f'<div class="sheet{wide}" tabindex="0" role="region" aria-labelledby="{name}" data-pan>'
            f"{boxed(pen.sheet.width, drawn)}</div>"
            f"{self.hand(section, columns, parts)}</section>"
        )

    def hand(self, section: PictureSection, columns: Sequence[DrawnColumn], parts: dict[str, str]) -> str:
        """Rounds as cards side by side, with heads above, for a phone."""
        tabs = {f"t-{each.column.key}": self.tab(each.column) for each in columns}
        parts.update(tabs)
        rounds = "".join(self.round(each, parts) for each in columns)
        named = escape(_("Rounds: %(section)s") % {"section": section.title})
        return (
            f'<div class="hand"><nav class="round-heads" aria-label="{named}">{"".join(tabs.values())}</nav>'
            f'<div class="columns" tabindex="0" role="group" aria-label="{named}">{rounds}</div></div>'
        )

    def shown_in(self, column: PictureColumn) -> Sequence[PictureCell]:
        """The matches to show: brackets show no byes."""
        return column.matches if self.picture.is_bracket else column.cells

    def tab(self, column: PictureColumn) -> str:
        """The head of a round on a phone: a link to it, its progress and its length."""
        cells = column.matches
        played = sum(cell.state in PLAYED for cell in cells)
        at = round_start(self.starts, column)
        progress = (
            f'<time data-est="{at.isoformat()}">{time_of_day(at)}</time>' if at else f"{played}/{len(cells)}"
        )
        to = _("to %(length)s") % {"length": column.length}
        length = f" · {to}" if column.length else ""
        return (
            f'<a href="#r-{column.key}" id="t-{column.key}">{escape(column.short or column.title)} '
            f"<small>{progress}{length}</small></a>"
        )

    def column(self, column: PictureColumn, pen: BracketPen | None = None) -> DrawnColumn:
        """The current round, reusing unchanged parts of an earlier drawing."""
        known = self.before.columns.get(column.key) if self.before else None
        sheet = pen.sheet if pen else None
        if known and known.sheet != sheet:
            known = None
        if known is None or (known.column is not column and known.column != column):
            known = self.written(column, known, pen)
        self.columns[column.key] = known
        return known

    def written(
        self, column: PictureColumn, known: DrawnColumn | None, pen: BracketPen | None
    ) -> DrawnColumn:
        then: dict[int, tuple[PictureCell | None, str, str]] = {}
        if known:
            drawn = known.cells or [""] * len(known.cards)
            old = zip(self.shown_in(known.column), known.cards, drawn, strict=True)
            then = {cell.number: (cell, card, html) for cell, card, html in old}
        cards: list[str] = []
        cells: list[str] = []
        for cell in self.shown_in(column):
            was, card, html = then.get(cell.number, (None, "", ""))
            # Most are the very same objects: those need not be compared in full.
            same = was is cell or was == cell
            cards.append(card if same else self.card(cell))
            if pen:
                cells.append(html if same else pen.cell(cell, column))
        return DrawnColumn(column, cards, cells, pen.sheet if pen else None)

    def round(self, drawn: DrawnColumn, parts: dict[str, str]) -> str:
        column = drawn.column
        for cell, html in zip(self.shown_in(column), drawn.cards, strict=True):
            parts[self.card_id(cell)] = html
        to = _("to %(length)s") % {"length": column.length}
        length = f' <span class="muted small">{to}</span>' if column.length else ""
        return (
            f'<section class="round" id="r-{column.key}" aria-labelledby="n-{column.key}">'
            f'<h3 id="n-{column.key}">{escape(column.title)}{length}</h3>'
            f"<ol>{''.join(drawn.cards)}</ol></section>"
        )

    # -- tables

    @cached_property
    def shown(self) -> tuple[object, ...]:
        """What the standings depend on besides names."""
        picture = self.picture
        return (
            decided_places(picture),
            picture.places,
            picture.table,
            picture.records if picture.table else None,
            picture.sections[0].columns if picture.has_cross or has_round_results(picture) else None,
            picture.value.gone,
            picture.stage.status == "finished",
        )

    def standing(self, parts: dict[str, str]) -> str:
        picture = self.picture
        if self.before and self.before.shown == self.shown:
            parts["standing"] = self.before.standing
            return parts["standing"]
        places = decided_places(picture)
        if not places:
            # There from the beginning, so that a page that is open gets it like any other part.
            parts["standing"] = f'<section class="standing" id="standing{self.key}" hidden></section>'
            return parts["standing"]
        final = picture.stage.status == "finished"
        cross = " cross" if picture.has_cross else ""
        title = _("Final standings") if final else _("Standings")
        left = len(picture.places) - len(places)
        still = ngettext("%(count)s player still in.", "%(count)s players still in.", left)
        playing = f'<p class="muted">{still % {"count": left}}</p>' if left else ""
        html = (
            f'<section class="standing{cross}" id="standing{self.key}">'
            f'<{self.level} id="standing-name{self.key}">{title}</{self.level}>'
            f'{playing}<div class="scroll pinned" '
            f'tabindex="0" role="region" aria-labelledby="standing-name{self.key}"><table class="sortable">'
            f"<thead><tr>{self.heads()}</tr></thead><tbody>{''.join(self.rows())}</tbody></table></div></section>"
        )
        parts["standing"] = html
        return html

    def heads(self) -> str:
        html = f'<th scope="col" class="number">{_("Place")}</th><th scope="col">{_("Entrant")}</th>'
        table = self.picture.table
        if not table:
            return html
        html += (
            f'<th scope="col" class="number record"><abbr title="{_("Won–lost")}">{_("W–L")}</abbr></th>'
            f'<th scope="col" class="number total">{_("Score")}</th>'
        )
        if self.picture.has_cross:
            html += cross_heads(self.picture, [place.entrant for place in decided_places(self.picture)])
        elif has_round_results(self.picture):
            html += round_heads(self.picture)
        for key in self.picture.tie_keys:
            html += f'<th scope="col" class="number tie">{explained(key, self.key)}</th>'
        return html

    def rows(self) -> Iterator[str]:
        values = {row.place.entrant: row for row in self.picture.table}
        won, lost = self.picture.records
        order = [place.entrant for place in decided_places(self.picture)]
        shown = told(self.picture)
        played: Mapping[int, str] = {}
        if self.picture.has_cross:
            played = cross_cells(self.picture, order)
        elif has_round_results(self.picture):
            played = round_cells(self.picture, order)
        for place in decided_places(self.picture):
            n = place.entrant
            how = self.picture.value.gone.get(n)
            gone = f' <span class="muted small">{escape(_(how))}</span>' if how else ""
            path = self.path.replace(NOWHERE, self.picture.names[n].ref)
            row = values.get(n)
            known = dict(row.values) if row else {}
            ties = [(key, tie_break_figure(key, known.get(key))) for key in self.picture.tie_keys]
            html = (
                f'<tr data-e="{n}"><td class="number">{shown[n].text if n in shown else "–"}</td>'
                f'<th scope="row"><a href="{path}">{self.titles[n]}</a>{gone}{in_line(ties)}</th>'
            )
            if row is not None:
                html += f'<td class="number record">{won[n]}–{lost[n]}</td>'
                html += f'<td class="number total">{figure(row.score)}</td>{played.get(n, "")}'
                for key, value in ties:
                    html += f'<td class="number tie"><a href="{path}#{key}">{value}</a></td>'
            yield f"{html}</tr>"


def figure(value: float) -> str:
    """A score without needless digits, as the reader writes numbers.

    >>> figure(2.0), figure(2.5)
    ('2', '2.5')
    """
    return plain(value)


def tie_break_figure(key: str, value: float | None) -> str:
    """What a tie-break says of an entrant; a dash where it was not needed or decides nothing.

    >>> tie_break_figure("buchholz", 0.0), tie_break_figure("direct_encounter", 0.0)
    ('0', '–')
    """
    return "–" if value is None or (not value and key == "direct_encounter") else figure(value)


def in_line(ties: Sequence[tuple[str, str]]) -> str:
    """Tie-breaks below a name, for phones without room for columns."""
    told = (
        f"<span>{escape(_(TIE_BREAK_NAMES.get(key, key)))} {value}</span>"
        for key, value in ties
        if value != "–"
    )
    line = " ".join(told)
    return f'<span class="ties">{line}</span>' if line else ""


def explained(key: str, suffix: str = "") -> str:
    """A tie-break's name with its explanation on tap."""
    name = escape(_(TIE_BREAK_NAMES.get(key, key)))
    term = TERMS.get(key.replace("_", "-"))
    if term is None:
        return name
    return (
        f'<button type="button" class="term" popovertarget="tie-{key}{suffix}">{name}</button>'
        f'<span class="explanation" id="tie-{key}{suffix}" popover><strong>{name}</strong> '
        f"{escape(str(term.meaning))}</span>"
    )
