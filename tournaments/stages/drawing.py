"""Draws as HTML text: cells of a bracket, rounds, standings, crosstables.

Built as strings because a draw has thousands of cells: a template for each of 2,047 takes ten times as long.
Everything that people wrote goes through ``escape``: the standard library's, since Django's makes a safe
string of each of ten thousand. Each changeable piece is a *part* with an id of its own, so that a live page
replaces just what changed.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from html import escape
from itertools import chain, repeat

from django.urls import reverse
from django.utils.formats import number_format
from django.utils.safestring import SafeString, mark_safe
from django.utils.timezone import localtime
from django.utils.translation import gettext as _

from clubs.shell.glossary import TERMS
from tournaments.stages.queries.stage_picture import (
    Picture,
    PictureCell,
    PictureColumn,
    PictureSection,
    Seen,
    SideMark,
)
from tournaments.words.reasons import TIE_BREAK_NAMES

NOWHERE = "2222222222"  # looks like a ref, stands for each one


@dataclass(frozen=True, slots=True)
class DrawnColumn:
    """A round as it was written: the whole of it, its cells one by one, and those that are parts."""

    column: PictureColumn
    html: str
    cells: Sequence[str]
    parts: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Drawn:
    """What a drawing was made of, so that the next one of the same stage writes only what differs."""

    seen: Seen
    titles: Mapping[int, str]
    columns: Mapping[str, DrawnColumn]
    standing: str
    shown: tuple[object, ...]


@dataclass(frozen=True, slots=True)
class Drawing:
    """A draw as HTML: the whole of it, and each part by the id of its element.

    ``drawn`` is what it was made of; None for one that another process has made.
    """

    whole: SafeString
    parts: Mapping[str, str]
    drawn: Drawn | None = None


def draw_stage_page(picture: Picture, before: Drawn | None = None) -> Drawing:
    """The page of a drawn stage: a bracket, or the standing with its rounds.

    ``before`` is an earlier drawing of it in the same language: what is alike is not written again.
    """
    pen = Pen(picture, before=before)
    parts: dict[str, str] = {}
    pieces = []
    if not picture.is_bracket:
        pieces.append(pen.standing(parts))
        pieces.append(pen.crosstable(parts))
    pieces.extend(pen.section(section, parts) for section in picture.sections)
    if picture.is_bracket:
        pieces.append(pen.standing(parts))
    drawn = Drawn(picture.seen, pen.titles, pen.columns, parts["standing"], pen.shown)
    return Drawing(mark_safe("".join(pieces)), parts, drawn)  # noqa: S308 - the pen escapes what people wrote


class Pen:
    """Writes one picture. What is the same in every cell is looked up once."""

    def __init__(
        self, picture: Picture, *, key: str = "", level: int = 2, before: Drawn | None = None
    ) -> None:
        """``key`` ends the ids of the tables, where a page has several; ``level`` is their headings'."""
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
        self.words = {
            "live": _("playing"),
            "called": _("called"),
            "ready": _("to be played"),
            "open": _("unconfirmed"),
            "table": _("table"),
            "seed": _("seed"),
        }

    # -- cells

    def cell(self, cell: PictureCell) -> str:
        if cell.state == "gap":
            return '<li class="m gap" aria-hidden="true"></li>'
        body = (
            f'<span class="no">{cell.number}</span>{self.side(cell.a)}{self.side(cell.b)}{self.state(cell)}'
        )
        if cell.placed is None:
            inner = f'<div class="c">{body}</div>'
        else:
            inner = f'<a class="c" href="{self.address.replace(NOWHERE, cell.placed.ref)}">{body}</a>'
        return f'<li class="m {cell.state}" id="m{cell.number}">{inner}</li>'

    def side(self, mark: SideMark) -> str:
        if not mark.number:
            return f'<span class="s none">{escape(mark.words)}</span>'
        seed = self.seeds.get(mark.number)
        shown = f'<i title="{self.words["seed"]}">{seed}</i>' if seed else ""
        points = "" if mark.points is None else f"<b>{mark.points}</b>"
        won = " won" if mark.won else ""
        title = self.titles[mark.number]
        return f'<span class="s{won}" data-e="{mark.number}">{shown}<span>{title}</span>{points}</span>'

    def state(self, cell: PictureCell) -> str:
        words: list[str] = [escape(cell.words)] if cell.words else []
        if cell.state in {"live", "called", "open"}:
            words.insert(0, self.words[cell.state])
        if cell.placed and cell.placed.table and cell.state in {"live", "called", "ready"}:
            words.append(f"{self.words['table']} {cell.placed.table}")
        if cell.placed and cell.placed.called_at and cell.state == "called":
            # One drawing is shown to everybody: its times are the venue's.
            zone = self.picture.stage.flight.event.tz
            words.append(localtime(cell.placed.called_at, zone).strftime("%H:%M"))
        return f'<span class="st">{" · ".join(words)}</span>' if words else ""

    # -- sections

    def section(self, section: PictureSection, parts: dict[str, str]) -> str:
        bracket = self.picture.is_bracket
        kind = "bracket" if bracket else "rounds"
        columns = "".join(self.column(column, parts) for column in section.columns)
        return (
            f'<section class="{kind}" id="s-{section.key}" aria-labelledby="h-{section.key}">'
            f'<h2 id="h-{section.key}">{escape(section.title)}</h2>{self.tabs(section)}'
            f'<div class="sheet" tabindex="0" role="region" aria-labelledby="h-{section.key}" data-pan>'
            f'<div class="columns">{columns}</div></div></section>'
        )

    def tabs(self, section: PictureSection) -> str:
        """The rounds as links, for a phone that shows one at a time."""
        if len(section.columns) < 2:
            return ""
        links = "".join(
            f'<li><a href="#r-{column.key}">{escape(column.title)}</a></li>' for column in section.columns
        )
        return f'<nav class="tabs no-print" aria-label="{_("Rounds")}"><ol>{links}</ol></nav>'

    def column(self, column: PictureColumn, parts: dict[str, str]) -> str:
        known = self.before.columns.get(column.key) if self.before else None
        if known is None or (known.column is not column and known.column != column):
            known = self.written(column, known)
        self.columns[column.key] = known
        parts.update(known.parts)
        return known.html

    def written(self, column: PictureColumn, known: DrawnColumn | None) -> DrawnColumn:
        """The round as it is now; ``known``: as it was written before, whose cells may be as they were."""
        then = zip(known.column.cells, known.cells, strict=True) if known else ()
        # Most are the very same objects: those need not be compared in full.
        cells = [
            html if cell is was or cell == was else self.cell(cell)
            for cell, (was, html) in zip(column.cells, chain(then, repeat((None, ""))), strict=False)
        ]
        parts = {
            f"m{cell.number}": html
            for cell, html in zip(column.cells, cells, strict=True)
            if cell.state != "gap"
        }
        kind = "joins" if column.joins else "last" if column.last else "straight"
        length = f' <span class="muted small">{_("to")} {column.length}</span>' if column.length else ""
        html = (
            f'<section class="round {kind}" id="r-{column.key}" aria-labelledby="t-{column.key}">'
            f'<h3 id="t-{column.key}">{escape(column.title)}{length}</h3><ol>{"".join(cells)}</ol></section>'
        )
        return DrawnColumn(column, html, cells, parts)

    # -- tables

    @cached_property
    def shown(self) -> tuple[object, ...]:
        """Everything that the standing depends on besides the names."""
        picture = self.picture
        return (picture.places, picture.table, picture.value.gone, picture.stage.status == "finished")

    def standing(self, parts: dict[str, str]) -> str:
        picture = self.picture
        if self.before and self.before.shown == self.shown:
            parts["standing"] = self.before.standing
            return parts["standing"]
        if not picture.places:
            # There from the beginning, so that a page that is open gets it like any other part.
            parts["standing"] = f'<section class="standing" id="standing{self.key}" hidden></section>'
            return parts["standing"]
        final = picture.stage.status == "finished"
        title = _("Final standing") if final else _("Standing")
        html = (
            f'<section class="standing" id="standing{self.key}" aria-labelledby="standing-name{self.key}">'
            f'<{self.level} id="standing-name{self.key}">{title}</{self.level}><div class="scroll" '
            f'tabindex="0" role="region" aria-labelledby="standing-name{self.key}"><table>'
            f"<thead><tr>{self.heads()}</tr></thead><tbody>{''.join(self.rows())}</tbody></table></div></section>"
        )
        parts["standing"] = html
        return html

    def heads(self) -> str:
        heads = [_("Place"), _("Entrant")]
        html = "".join(f'<th scope="col">{head}</th>' for head in heads)
        table = self.picture.table
        if not table:
            return html
        html += f'<th scope="col" class="number">{_("Score")}</th>'
        for key, _value in table[0].values:
            html += f'<th scope="col" class="number">{explained(key, self.key)}</th>'
        return html

    def rows(self) -> Iterator[str]:
        values = {row.place.entrant: row for row in self.picture.table}
        for place in self.picture.places:
            n = place.entrant
            shared = f"{place.first}" if place.first == place.last else f"{place.first}–{place.last}"
            left = f' <span class="muted small">{_("left")}</span>' if n in self.picture.value.gone else ""
            path = self.path.replace(NOWHERE, self.picture.names[n].ref)
            html = (
                f'<tr data-e="{n}"><td class="number">{shared}</td>'
                f'<th scope="row"><a href="{path}">{self.titles[n]}</a>{left}</th>'
            )
            row = values.get(n)
            if row is not None:
                html += f'<td class="number">{figure(row.score)}</td>'
                for key, value in row.values:
                    shown = figure(value) if value or key != "direct_encounter" else "–"
                    html += f'<td class="number"><a href="{path}#{key}">{shown}</a></td>'
            yield f"{html}</tr>"

    def crosstable(self, parts: dict[str, str]) -> str:
        picture = self.picture
        if not picture.has_cross:
            return ""
        order = [place.entrant for place in picture.places] or sorted(picture.names)
        heads = "".join(
            f'<th scope="col" class="number"><abbr title="{self.titles[n]}">{i}</abbr></th>'
            for i, n in enumerate(order, 1)
        )
        rows = "".join(self.cross_row(index, n, order) for index, n in enumerate(order, 1))
        html = (
            f'<section class="cross" id="crosstable{self.key}" aria-labelledby="cross-name{self.key}">'
            f'<{self.level} id="cross-name{self.key}">{_("Crosstable")}</{self.level}><div class="scroll" '
            f'tabindex="0" role="region" aria-labelledby="cross-name{self.key}"><table>'
            f'<thead><tr><th scope="col">#</th><th scope="col">{_("Entrant")}</th>{heads}'
            f'<th scope="col" class="number">{_("Score")}</th></tr></thead><tbody>{rows}</tbody>'
            "</table></div></section>"
        )
        parts["crosstable"] = html
        return html

    def cross_row(self, index: int, n: int, order: Sequence[int]) -> str:
        cross = self.picture.cross
        cells = "".join(
            '<td class="self" aria-hidden="true"></td>'
            if n == other
            else f'<td class="number">{" ".join(map(figure, cross.get((n, other), ()))) or "·"}</td>'
            for other in order
        )
        total = sum(sum(scores) for (entrant, _other), scores in cross.items() if entrant == n)
        return (
            f'<tr data-e="{n}"><td class="number">{index}</td><th scope="row">{self.titles[n]}</th>{cells}'
            f'<td class="number"><strong>{figure(total)}</strong></td></tr>'
        )

    # -- the list

    def list_row(self, section: PictureSection, column: PictureColumn, cell: PictureCell) -> str:
        """One match in words: who, and how it stands."""
        where = column.title if section.title in column.title else f"{section.title}, {column.title}"
        names = [self.titles.get(mark.number) or escape(mark.words) for mark in (cell.a, cell.b)]
        number = str(cell.number)
        if cell.placed is not None:
            number = f'<a href="{self.address.replace(NOWHERE, cell.placed.ref)}">{cell.number}</a>'
        return (
            f'<tr><td class="number">{number}</td><td>{escape(where)}</td><th scope="row">{names[0]}</th>'
            f"<td>{names[1]}</td><td>{self.in_words(cell)}</td></tr>"
        )

    def in_words(self, cell: PictureCell) -> str:
        """How a match stands, said so that it can be heard."""
        won = next((mark for mark in (cell.a, cell.b) if mark.won), None)
        words: list[str] = [escape(cell.words)] if cell.words else []
        if won is not None:
            winner = self.titles[won.number]
            words.insert(0, _("%(name)s won") % {"name": winner})
            if won.points is not None:
                words[0] += f" {cell.a.points}–{cell.b.points}"
        if cell.state in self.words:
            words.append(self.words[cell.state])
        elif cell.state == "bye":
            words.append(_("no match: a bye"))
        return ", ".join(words)


def figure(value: float) -> str:
    """A score without needless digits, as the reader writes numbers.

    >>> figure(2.0), figure(2.5)
    ('2', '2.5')
    """
    places = 0 if value == int(value) else 1 if 2 * value == int(2 * value) else 2
    return str(number_format(round(value, 2), places))


def explained(key: str, suffix: str = "") -> str:
    """A tie-break's name that says on tap what it adds up."""
    name = escape(_(TIE_BREAK_NAMES.get(key, key)))
    term = TERMS.get(key.replace("_", "-"))
    if term is None:
        return name
    return (
        f'<button type="button" class="term" popovertarget="tie-{key}{suffix}">{name}</button>'
        f'<span class="explanation" id="tie-{key}{suffix}" popover><strong>{name}</strong> '
        f"{escape(str(term.meaning))}</span>"
    )
