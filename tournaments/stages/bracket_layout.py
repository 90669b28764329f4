"""Geometry of brackets: rounds from left to right, matches between their feeders.

Pure geometry, without names or states, so that the page, the overview of a phone, the big screen and paper
share it. Lengths are in the unit of the cell size: pixels of a page, millimetres of a sheet of paper.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain


@dataclass(frozen=True, slots=True)
class CellSize:
    """The measures of a match and the space around it.

    ``label`` is the height of the line above a match (0 for none), ``head`` that of the head of a round.
    ``least`` is the size of the smallest letters, ``room`` the width of a sheet of few rounds: they are not
    enlarged to fill the room of many.
    """

    width: float
    height: float
    across: float
    down: float
    font: float
    least: float = 0
    label: float = 0
    head: float = 0
    seeds: bool = True
    points: bool = True
    short: bool = False
    room: float = 0

    @property
    def pitch(self) -> float:
        """From the top of a match to the top of the next one below it."""
        return self.height + self.label + self.down


@dataclass(frozen=True, slots=True)
class CellPlace:
    """The top left corner of a match."""

    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Line:
    """From the middle of a match's edge to the middle of the edge of the match that its winner plays."""

    start: tuple[float, float]
    bend: float
    end: tuple[float, float]


@dataclass(frozen=True)
class BracketSheet:
    """A bracket laid out on a sheet. ``lefts`` are the left edges of its columns."""

    width: float
    height: float
    places: Mapping[int, CellPlace]
    lines: Mapping[int, Line]
    lefts: Sequence[float]


@dataclass
class _Rows:
    """Assigns rows: matches without feeders in order, others between theirs."""

    feeds: Mapping[int, Sequence[int]]
    rows: dict[int, float] = field(default_factory=dict)
    count: int = 0

    def put(self, match: int) -> float:
        below = [self.put(each) for each in self.feeds.get(match, ())]
        if below:
            self.rows[match] = (below[0] + below[-1]) / 2
        else:
            self.rows[match] = self.count
            self.count += 1
        return self.rows[match]


def sheet_of(
    rounds: Sequence[Sequence[int]],
    feeds: Mapping[int, Sequence[int]],
    size: CellSize,
) -> BracketSheet:
    """Lay out rounds of matches; ``feeds`` names the feeders of each.

    A match with one feeder (its other side came through a bye, or from another section) stands level with it:
    the line is straight.
    """
    feeds = _among(rounds, feeds)
    round_of = {match: index for index, each in enumerate(rounds) for match in each}
    rows = _Rows(feeds)
    fed = set(chain.from_iterable(feeds.values()))
    for each in reversed(rounds):
        for match in each:
            if match not in fed:
                rows.put(match)
    step = size.width + size.across
    places = {
        match: CellPlace(step * round_of[match], size.label + row * size.pitch)
        for match, row in rows.rows.items()
    }
    lefts = [step * index for index in range(len(rounds))]
    return _sheet(places, feeds, lefts, rows.count, size)


def parts_of(
    rounds: Sequence[Sequence[int]], feeds: Mapping[int, Sequence[int]], most: int
) -> Iterator[Sequence[Sequence[int]]]:
    """Cut the rounds into whole subtrees of at most ``most`` rows, later rounds last."""
    feeds = _among(rounds, feeds)
    rows: dict[int, int] = {}
    for match in chain.from_iterable(rounds):
        rows[match] = sum(rows[feeder] for feeder in feeds.get(match, ())) or 1
    fed = set(chain.from_iterable(feeds.values()))
    if sum(rows[match] for match in rows if match not in fed) <= most:
        yield rounds
        return
    cut = next((n for n, each in enumerate(rounds) if any(rows[match] > most for match in each)), len(rounds))
    early = rounds[:cut]
    leading = set(chain.from_iterable(_among(early, feeds).values()))
    part: set[int] = set()
    count = 0
    for match in (match for each in reversed(early) for match in each if match not in leading):
        if part and count + rows[match] > most:
            yield _of_part(early, part)
            part, count = set(), 0
        count += rows[match]
        part |= _tree(match, feeds)
    if part:
        yield _of_part(early, part)
    if rounds[cut:]:
        yield from parts_of(rounds[cut:], feeds, most)


def _tree(match: int, feeds: Mapping[int, Sequence[int]]) -> set[int]:
    return {match}.union(*(_tree(feeder, feeds) for feeder in feeds.get(match, ())))


def _of_part(rounds: Sequence[Sequence[int]], part: set[int]) -> Sequence[Sequence[int]]:
    return [[match for match in each if match in part] for each in rounds]


def _among(
    rounds: Sequence[Sequence[int]], feeds: Mapping[int, Sequence[int]]
) -> Mapping[int, Sequence[int]]:
    """The feeders that are in an earlier one of these rounds."""
    found: dict[int, Sequence[int]] = {}
    earlier: set[int] = set()
    for each in rounds:
        for match in each:
            known = [feeder for feeder in feeds.get(match, ()) if feeder in earlier]
            if known:
                found[match] = known
        earlier.update(each)
    return found


def _sheet(
    places: Mapping[int, CellPlace],
    feeds: Mapping[int, Sequence[int]],
    lefts: Sequence[float],
    rows: int,
    size: CellSize,
) -> BracketSheet:
    lines = {
        feeder: _line(places[feeder], places[match], size)
        for match, feeders in feeds.items()
        for feeder in feeders
    }
    width = max((left + size.width for left in lefts), default=0.0)
    return BracketSheet(max(width, size.room), rows * size.pitch, places, lines, lefts)


def _line(start: CellPlace, end: CellPlace, size: CellSize) -> Line:
    middle = size.height / 2
    return Line((start.x + size.width, start.y + middle), end.x - size.across / 2, (end.x, end.y + middle))
