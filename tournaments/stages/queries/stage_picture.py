"""The picture of a drawn stage: rounds of cells, from its value and two queries.

Values only, no markup: ``tournaments.stages.drawing`` draws them, and wall, print and report read the
same ones.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from django.utils.translation import gettext as _

from scoring.rules.endings import Ending
from tournaments.core.brackets.bracket import Bracket, Round
from tournaments.core.brackets.formats import Elimination
from tournaments.core.brackets.resolve import BracketStatus, Resolution
from tournaments.core.formats.table import format_of
from tournaments.core.formats.tables import stage_table
from tournaments.core.stages.pairings import Pairing
from tournaments.core.stages.results import stage_results
from tournaments.core.stages.seeding import standard_order
from tournaments.core.stages.slots import Empty, LoserOf, Slot, WinnerOf
from tournaments.core.stages.stage import Stage
from tournaments.core.standings.places import Place
from tournaments.core.standings.tables import TableOptions, TableRow
from tournaments.models import EntrantRow, StageRow
from tournaments.stages.queries.draw_page import (
    OUTCOMES,
    numbered_round,
    round_title,
    short_round_title,
)
from tournaments.stages.queries.stage_rows import (
    Named,
    PlacedPairing,
    Rows,
    names_among,
    names_in,
    rows_among,
    rows_in,
)
from tournaments.stages.queries.stage_table import crosstable, table_options
from tournaments.words.sections import section_name

# A crosstable of more entrants than this fits no screen and no paper.
CROSSTABLE_UP_TO = 40
# After more new results than this all rows are read again.
MOST_CHANGED = 200
TO_COME = frozenset({"live", "called", "ready", "waiting"})
"""States of a match that is still to be played."""


@dataclass(frozen=True, slots=True)
class SideMark:
    """One side of a cell: an entrant's number, or words."""

    number: int
    words: str = ""
    points: int | None = None
    won: bool = False
    gone: bool = False


@dataclass(frozen=True, slots=True)
class PictureCell:
    """A match of the draw. ``state``: "gap" (no entrants), "waiting", "bye", "walkover", "ready", "called",
    "live", "open" (decided, a yes is missing) or "done". ``words`` say more, e.g. how it ended.

    In a bracket ``feeds`` are the matches whose winners meet here, ``winner_to`` and ``loser_to`` where its
    own two play next (0: nowhere), ``drops`` those whose losers play here; byes are passed over.
    """

    number: int
    state: str
    a: SideMark
    b: SideMark
    placed: PlacedPairing | None = None
    words: str = ""
    feeds: tuple[int, ...] = ()
    winner_to: int = 0
    loser_to: int = 0
    drops: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class PictureColumn:
    """A round. ``short`` is its title where the section is named above it."""

    key: str
    title: str
    cells: tuple[PictureCell, ...]
    length: int | None = None
    short: str = ""

    @property
    def matches(self) -> tuple[PictureCell, ...]:
        """Cells with a match, now or later: no byes, no gaps."""
        return tuple(cell for cell in self.cells if cell.state not in {"gap", "bye"})

    @property
    def open(self) -> bool:
        """Whether it has an unfinished match."""
        return any(cell.state in TO_COME for cell in self.cells)


@dataclass(frozen=True, slots=True)
class PictureSection:
    """A part of the draw with its columns: main, consolation, losers' side, or all rounds of a Swiss."""

    key: str
    title: str
    columns: tuple[PictureColumn, ...]

    @property
    def from_open(self) -> "PictureSection":
        """From the first round with a match to be played on; the whole of one that is over."""
        first = next((n for n, column in enumerate(self.columns) if column.open), 0)
        return replace(self, columns=self.columns[first:])

    @property
    def in_order(self) -> tuple[PictureColumn, ...]:
        """Rounds of a section without a bracket, the first of them first."""
        return self.columns[::-1]

    @property
    def current_first(self) -> tuple[PictureColumn, ...]:
        """Rounds in reading order: the one to be played first.

        Then those before it, newest first, then the later ones; of a stage that is over, newest first.
        """
        rounds = self.in_order
        current = next((n for n, each in enumerate(rounds) if each.open), len(rounds) - 1)
        return (*reversed(rounds[: current + 1]), *rounds[current + 1 :])


@dataclass(frozen=True, slots=True)
class Seen:
    """The source of a picture, so that the next one makes only what differs."""

    value: Stage
    names: Mapping[int, Named]
    rows: Rows
    seeds: Mapping[int, int]
    state: Resolution | None = None
    cells: Sequence[PictureCell] = ()
    columns: Mapping[str, PictureColumn] = field(default_factory=dict)


@dataclass(frozen=True)
class Picture:
    """A drawn stage. Everything that costs is computed when it is first asked for."""

    stage: StageRow
    value: Stage
    names: Mapping[int, Named]
    rows: Rows
    before: Seen | None = None

    @property
    def placed(self) -> Mapping[int, PlacedPairing]:
        """The row of each published pairing by number."""
        return self.rows.placed

    @cached_property
    def words(self) -> Mapping[str, str]:
        """The words of cells, looked up once: a large draw has thousands of them."""
        return {
            "bye": _("bye"),
            "withdrawn": _("withdrawn"),
            "no-show": _(OUTCOMES[Ending.NO_SHOW]),
            "winner": _("winner of %(number)s"),
            "loser": _("loser of %(number)s"),
            "open": _("to be decided"),
        }

    @cached_property
    def overviews(self) -> dict[tuple[str, int, bool], str]:
        """Overviews that were drawn of it, by section, number of rounds and with clubs or without.

        A picture is shown to many: each is drawn once.
        """
        return {}

    @cached_property
    def is_bracket(self) -> bool:
        return isinstance(format_of(self.value.format), Elimination)

    @cached_property
    def sections(self) -> tuple[PictureSection, ...]:
        if self.state is not None:
            return tuple(_bracket_sections(self, self.state))
        return (PictureSection("rounds", _("Rounds"), tuple(_rounds(self))),)

    @cached_property
    def state(self) -> Resolution | None:
        """The state of every match of a bracket; None for other stages."""
        fmt = format_of(self.value.format)
        return fmt.resolution(self.value) if isinstance(fmt, Elimination) else None

    @cached_property
    def bracket_cells(self) -> Sequence[PictureCell]:
        """The cells of a bracket by match number (index 0 is unused)."""
        return _bracket_cells(self, self.state) if self.state is not None else ()

    @cached_property
    def seeds(self) -> Mapping[int, int]:
        """The seeds that a bracket shows; none if seated by lot."""
        before = self.before
        if before and before.value.field == self.value.field and before.value.order == self.value.order:
            return before.seeds
        return seeds_of(self.value)

    @property
    def has_clubs(self) -> bool:
        """Whether the club of an entrant is known."""
        return any(named.club for named in self.names.values())

    @property
    def seen(self) -> Seen:
        """What the next picture of this stage can reuse."""
        columns = {column.key: column for section in self.sections for column in section.columns}
        cells = self.bracket_cells
        return Seen(self.value, self.names, self.rows, self.seeds, self.state, cells, columns)

    @cached_property
    def table(self) -> Sequence[TableRow]:
        """The standings with tie-breaks of a stage that is not a bracket."""
        if self.is_bracket or self.value.format == "ladder":
            return ()
        return stage_table(self.value, self.table_options)

    @cached_property
    def tie_keys(self) -> Sequence[str]:
        """The tie-breaks of the table and the decisions made on it, in order: its columns."""
        return list(dict.fromkeys(key for row in self.table for key, _value in row.values))

    @property
    def table_options(self) -> TableOptions:
        return table_options(self.stage)

    @cached_property
    def places(self) -> Sequence[Place]:
        """The current places of a bracket or ladder; empty before any result.

        Entrants who share a place are ordered by losses, the unbeaten by wins; then by seed and name.
        """
        if self.table:
            return [row.place for row in self.table]
        fmt = format_of(self.value.format)
        found = fmt.reached(self.value) if isinstance(fmt, Elimination) else fmt.places(self.value)
        if len({place.first for place in found}) < 2:
            return ()
        won, lost = self.records
        last = len(self.names)

        def order(place: Place) -> tuple[int, int, int, int, str]:
            n = place.entrant
            unbeaten = 0 if lost[n] else won[n]
            return place.first, lost[n], -unbeaten, self.seeds.get(n, last), self.names[n].title

        return sorted(found, key=order)

    @cached_property
    def records(self) -> tuple[Counter[int | None], Counter[int | None]]:
        """Matches won and lost by entrant; byes count as neither."""
        outcomes = self.value.outcomes.values()
        if self.value.settled:
            playoffs = {n for n, pairing in self.value.pairings.items() if pairing.is_playoff}
            outcomes = {n: each for n, each in self.value.outcomes.items() if n not in playoffs}.values()
        won = Counter(each.advances for each in outcomes)
        losers = (n for each in outcomes for n in (each.winner, each.loser) if n != each.advances)
        lost: Counter[int | None] = Counter(losers)
        return won, lost

    @property
    def has_cross(self) -> bool:
        """Whether everyone meets everyone and they fit into one table."""
        return self.value.format == "round_robin" and len(self.value.field) <= CROSSTABLE_UP_TO

    @cached_property
    def cross(self) -> Mapping[tuple[int, int], list[float]]:
        """The crosstable of scores where everyone meets everyone; else empty."""
        if not self.has_cross:
            return {}
        return crosstable(stage_results(self.value), range(1, len(self.value.field) + 1))

    @property
    def cells(self) -> Iterator[PictureCell]:
        """Every cell with an entrant, in page order."""
        for section in self.sections:
            for column in section.columns:
                yield from (cell for cell in column.cells if cell.state != "gap")


def picture_of(
    stage: StageRow,
    value: Stage,
    before: Seen | None = None,
    *,
    same_names: bool = False,
    names: Mapping[int, Named] | None = None,
) -> Picture:
    """The picture of a stage whose log has been read into ``value`` (two queries, whatever its size).

    ``before`` is what an earlier picture of it, in the same language, was made of: what is alike is not made
    again. With ``same_names`` the names of a field that is the same are not read again either, nor are
    ``names`` of its event's entrants: one query.
    """
    if before is not None and same_names and before.value.field == value.field:
        names = before.names
    elif names is None or not _names_all(names, value):  # somebody came after they were read
        names = names_in(stage)
    if before is None:
        return Picture(stage, value, names, rows_in(stage))
    if names == before.names:
        names = before.names
    return Picture(stage, value, names, _rows_since(before, stage, value), before)


def _names_all(names: Mapping[int, Named], value: Stage) -> bool:
    """Whether these are the names of the field: of its latecomers and substitutes, too."""
    known = ((names.get(number), entrant) for number, entrant in enumerate(value.field, 1))
    return all(named is not None and named.ref == entrant.ref for named, entrant in known)


def pictures_of(
    stages: Sequence[StageRow], values: Mapping[int, Stage], entrants: Iterable[EntrantRow]
) -> list[Picture]:
    """The pictures of several stages whose logs have been read into ``values`` by key (one query).

    ``entrants`` are those of their event with their numbers.
    """
    names, rows = names_among(entrants), rows_among(stages)
    return [Picture(stage, values[stage.pk], names[stage.pk], rows[stage.pk]) for stage in stages]


def _rows_since(before: Seen, stage: StageRow, value: Stage) -> Rows:
    """The current rows, reading only those that can differ from ``before``.

    A row gone from the table but not from the log was replaced after the log was read: it is kept until the
    next version.
    """
    then, now, placed = before.value.outcomes, value.outcomes, before.rows.placed
    changed = [n for n in now if n not in then or n not in placed]
    changed += [n for n in then if n not in now]
    if len(changed) > MOST_CHANGED:
        return rows_in(stage)
    kept = {n: row for n, row in placed.items() if n in value.pairings or (n in then and n in now)}
    return rows_in(stage, Rows(kept, before.rows.newest), changed)


def _bracket_sections(picture: Picture, state: Resolution) -> Iterator[PictureSection]:
    bracket, before = state.bracket, picture.before
    alike = before is not None and before.state is not None and before.state.bracket is bracket
    known: Mapping[str, PictureColumn] = before.columns if before and alike else {}
    for name in dict.fromkeys(each.section for each in bracket.rounds):
        rounds = bracket.section(name)
        columns: list[PictureColumn] = []
        for each in rounds:
            cells = tuple(map(picture.bracket_cells.__getitem__, each.matches))
            if not columns and all(cell is _GAP for cell in cells):
                continue
            key = f"{name.replace(' ', '-')}-{each.number}"
            if key not in known:
                columns.append(_bracket_column(key, bracket, each, cells))
            else:
                columns.append(known[key] if known[key].cells == cells else replace(known[key], cells=cells))
        if columns:
            yield PictureSection(name.replace(" ", "-"), section_name(name), tuple(columns))


def _bracket_column(key: str, bracket: Bracket, each: Round, cells: tuple[PictureCell, ...]) -> PictureColumn:
    """A round of a bracket."""
    short = short_round_title(each, bracket)
    return PictureColumn(key, round_title(each, bracket), cells, each.length, short)


def _bracket_cells(picture: Picture, state: Resolution) -> Sequence[PictureCell]:
    matches = range(1, state.bracket.size + 1)
    before = picture.before
    old = before.state if before else None
    if before is None or old is None or old.bracket is not state.bracket or old.gone != state.gone:
        return (_GAP, *(_bracket_cell(picture, state, match) for match in matches))
    cells = list(before.cells)
    # Whether the second final is needed hangs on the first, and what is stale on nothing in its own cell.
    others = {*old.stale, *state.stale, *([state.bracket.reset] if state.bracket.reset else [])}
    others |= {match for match in matches if old.a[match] != state.a[match] or old.b[match] != state.b[match]}
    others |= _differing(old.results, state.results) | _differing(before.rows.placed, picture.placed)
    for match in others:
        cells[match] = _bracket_cell(picture, state, match)
    return cells


def _differing(old: Mapping[int, object], new: Mapping[int, object]) -> set[int]:
    """The numbers whose values differ; most are the same object."""
    if old is new:
        return set()
    both = old.keys() & new.keys()
    return (old.keys() ^ new.keys()) | {n for n in both if old[n] is not new[n] and old[n] != new[n]}


def _bracket_cell(picture: Picture, state: Resolution, match: int) -> PictureCell:
    status = state.status(match)
    a, b = state.a[match], state.b[match]
    if status in {BracketStatus.EMPTY, BracketStatus.NOT_NEEDED}:
        return _GAP
    slots = [_behind_byes(state, slot) for slot in state.bracket.slots(match)]
    if status in {BracketStatus.READY, BracketStatus.DECIDED}:
        cell = _played(picture, match, a, b)
    else:
        marks = [_mark(picture, content, slot) for content, slot in zip((a, b), slots, strict=True)]
        walkover = status is BracketStatus.WALKOVER
        known = "bye" if _is_bye(state, match) else "walkover" if walkover else "waiting"
        words = next((_how_gone(picture, n) for n in (a, b) if n in picture.value.gone), "")
        cell = PictureCell(match, known, marks[0], marks[1], words=words if walkover else "")
    return replace(
        cell,
        feeds=tuple(slot.match for slot in slots if isinstance(slot, WinnerOf)),
        winner_to=_past_byes(state, state.bracket.winner_goes_to(match)),
        loser_to=_past_byes(state, state.bracket.loser_goes_to(match)),
        drops=tuple(slot.match for slot in slots if isinstance(slot, LoserOf)),
    )


def _is_bye(state: Resolution, match: int) -> bool:
    """Whether a side of a match can never exist, known from the draw."""
    return Empty.BYE in (state.a[match], state.b[match])


def _behind_byes(state: Resolution, slot: Slot) -> Slot:
    """The slot that feeds this one, skipping byes."""
    while isinstance(slot, WinnerOf) and _is_bye(state, slot.match):
        a, b = state.bracket.slots(slot.match)
        slot = b if state.a[slot.match] == Empty.BYE else a
    return slot


def _past_byes(state: Resolution, match: int | None) -> int:
    """The next match to be played on this path, skipping byes; 0 for none."""
    while match is not None and _is_bye(state, match):
        match = state.bracket.winner_goes_to(match)
    return match or 0


def _mark(picture: Picture, content: int, slot: Slot) -> SideMark:
    if content > 0:
        return SideMark(content, gone=content in picture.value.gone)
    words = picture.words
    if content == Empty.BYE:
        return SideMark(0, words["bye"])
    if content == Empty.WITHDRAWN:
        return SideMark(0, words["no-show" if _nobody_came(picture.value, slot) else "withdrawn"])
    match slot:
        case WinnerOf(number):
            return SideMark(0, words["winner"] % {"number": number})
        case LoserOf(number):
            return SideMark(0, words["loser"] % {"number": number})
    return SideMark(0, words["open"])


def _nobody_came(value: Stage, slot: Slot) -> bool:
    """Whether a slot is empty after a double no-show."""
    outcome = value.outcomes.get(slot.match) if isinstance(slot, WinnerOf | LoserOf) else None
    return outcome is not None and outcome.ended is Ending.DOUBLE_NO_SHOW


def _how_gone(picture: Picture, entrant: int) -> str:
    """The word for an entrant who left the draw: withdrawn or disqualified."""
    return _(picture.value.gone[entrant])


def _rounds(picture: Picture) -> Iterator[PictureColumn]:
    value = picture.value
    by_round: dict[int, list[Pairing]] = {}
    playoffs = {pairing.round for pairing in value.pairings.values() if pairing.is_playoff}
    for pairing in value.pairings.values():
        by_round.setdefault(pairing.round, []).append(pairing)
    for number in sorted(by_round, reverse=True):
        cells = tuple(_of_round(picture, pairing) for pairing in by_round[number])
        if number in playoffs:
            yield PictureColumn(f"playoff-{number}", _("Playoff"), cells)
        else:
            yield PictureColumn(f"round-{number}", numbered_round(number), cells)


def _of_round(picture: Picture, pairing: Pairing) -> PictureCell:
    if pairing.is_bye:
        return PictureCell(pairing.number, "bye", SideMark(pairing.a), SideMark(0, picture.words["bye"]))
    return _played(picture, pairing.number, pairing.a, pairing.b)


def _played(picture: Picture, number: int, a: int, b: int) -> PictureCell:
    """A published match between two entrants."""
    outcome = picture.value.outcomes.get(number)
    placed = picture.placed.get(number)
    if outcome is None:
        state = "live" if placed and placed.begun else "called" if placed and placed.called_at else "ready"
        score = (placed.score if placed else None) or (None, None)
        return PictureCell(number, state, SideMark(a, points=score[0]), SideMark(b, points=score[1]), placed)
    points: dict[int, int] = {}
    if outcome.points is not None and outcome.played:
        points = dict(zip((outcome.winner, outcome.loser), outcome.points, strict=True))
    unplayed = picture.value.gone if outcome.ended is Ending.NO_SHOW else ()
    sides = [
        SideMark(
            n, points=points.get(n), won=outcome.advances == n, gone=n in unplayed and outcome.advances != n
        )
        for n in (a, b)
    ]
    words = "" if outcome.ended is Ending.PLAYED else _(OUTCOMES[outcome.ended])
    if outcome.loser in unplayed:
        words = _how_gone(picture, outcome.loser)
    return PictureCell(number, "done" if outcome.confirmed else "open", sides[0], sides[1], placed, words)


def seeds_of(value: Stage) -> Mapping[int, int]:
    """The seeds of a bracket by number; none of another draw, and of one seated by lot."""
    options, field = value.options, value.field
    if not isinstance(format_of(value.format), Elimination) or options.seeding == "lot":
        return {}
    if options.seeding == "hand":
        ranked = list(range(1, len(field) + 1))
    else:
        # Equal ratings were ordered by lot: the better seat tells how.
        seats = dict(zip(value.order, standard_order(len(value.order)), strict=True))
        rated = [n for n in range(1, len(field) + 1) if field[n - 1].rating is not None]
        ranked = sorted(rated, key=lambda n: (-(field[n - 1].rating or 0), seats.get(n, 0)))
    seeded = len(ranked) if options.seeds is None else options.seeds
    return {number: place for place, number in enumerate(ranked[:seeded], 1)}


_NOBODY = SideMark(0)
_GAP = PictureCell(0, "gap", _NOBODY, _NOBODY)
