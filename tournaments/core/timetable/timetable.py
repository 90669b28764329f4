"""Schedule the matches of several draws on the tables of one venue.

List scheduling: a ready match waits for free tables, and the longest waiting match is called first, as at the
desk.
"""

from collections import Counter, deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from heapq import heappop, heappush

from tournaments.core.timetable.opening import Span, opens_at


@dataclass(frozen=True, slots=True)
class Meeting:
    """One match: its round (from 1), its two entrants and its duration in minutes."""

    round: int
    a: int
    b: int
    minutes: float


@dataclass(frozen=True, slots=True)
class PlannedDraw:
    """A simulated draw; ``meetings`` are in order of publication.

    A match takes ``boards`` tables. ``by_rounds``: a round starts when the previous one is finished.
    ``behind`` are the indices of draws that must finish first. ``flight`` is the key of the times in
    ``Timetable``.
    """

    meetings: tuple[Meeting, ...]
    by_rounds: bool = False
    behind: tuple[int, ...] = ()
    boards: int = 1
    flight: int = 0


@dataclass(frozen=True, slots=True)
class Timetable:
    """Minutes until each flight ends, and peak use of tables (``most``: overall)."""

    ends: dict[int, float]
    busy: dict[int, int]
    most: int


def timetable(
    draws: Sequence[PlannedDraw], *, tables: int | None = None, closed: Sequence[Span] = ()
) -> Timetable:
    """Schedule the draws on this many tables (None: no limit).

    All flights start together.

    No match starts during a ``closed`` span (a break, in minutes from the start); matches in progress
    continue. A team match waits for tables for all its boards; with fewer tables, the boards are played in
    turns.

    Raises:
        ValueError: no tables, or a draw waits for a draw that never finishes.
    """
    if tables is not None and tables < 1:
        raise ValueError(f"cannot schedule matches on {tables} tables")
    return _Venue([_Course(draw) for draw in draws], tables, closed).play()


@dataclass(slots=True)
class _Course:
    """Progress of a draw.

    ``queues`` are the remaining matches of each entrant, in order.
    """

    draw: PlannedDraw
    queues: dict[int, deque[int]] = field(default_factory=dict)
    rounds: Counter[int] = field(default_factory=Counter)
    begun: set[int] = field(default_factory=set)
    left: int = 0

    def __post_init__(self) -> None:
        for index, meeting in enumerate(self.draw.meetings):
            for entrant in (meeting.a, meeting.b):
                self.queues.setdefault(entrant, deque()).append(index)
            self.rounds[meeting.round] += 1
        self.left = len(self.draw.meetings)

    def ready(self) -> list[int]:
        """Matches that can start now, in order of publication."""
        heads = Counter(queue[0] for queue in self.queues.values() if queue)
        both = [index for index, times in heads.items() if times == 2 and index not in self.begun]
        if self.draw.by_rounds:
            now = min((number for number, left in self.rounds.items() if left), default=0)
            both = [index for index in both if self.draw.meetings[index].round == now]
        return sorted(both)

    def end(self, index: int) -> None:
        meeting = self.draw.meetings[index]
        for entrant in (meeting.a, meeting.b):
            self.queues[entrant].remove(index)
        self.rounds[meeting.round] -= 1
        self.left -= 1


@dataclass(slots=True)
class _Venue:
    courses: list[_Course]
    tables: int | None
    closed: Sequence[Span] = ()
    clock: float = 0.0
    busy: Counter[int] = field(default_factory=Counter)
    most: Counter[int] = field(default_factory=Counter)
    top: int = 0
    ends: dict[int, float] = field(default_factory=dict)

    def play(self) -> Timetable:
        waiting: deque[tuple[int, int]] = deque(self._ready(range(len(self.courses))))
        playing: list[tuple[float, int, int]] = []
        while True:
            opens = opens_at(self.closed, self.clock)
            if waiting and not (playing and playing[0][0] <= opens):
                self.clock = opens
            while self.clock == opens and waiting and self._fits(waiting[0][0]):
                place, index = waiting.popleft()
                heappush(playing, (self.clock + self._begin(place, index), place, index))
            if not playing:
                break
            self.clock, place, index = heappop(playing)
            self._end(place, index)
            over = not self.courses[place].left
            waiting.extend(self._ready(range(len(self.courses)) if over else [place]))
        if any(course.left for course in self.courses):
            raise ValueError("a draw waits for a draw that never finishes")
        return Timetable(self.ends, dict(self.most), self.top)

    def _ready(self, places: Iterable[int]) -> Iterator[tuple[int, int]]:
        """Newly ready matches of these draws; each is returned once."""
        for place in places:
            course = self.courses[place]
            if any(self.courses[other].left for other in course.draw.behind):
                continue
            for index in course.ready():
                course.begun.add(index)
                yield place, index

    def _needs(self, place: int) -> int:
        boards = self.courses[place].draw.boards
        return boards if self.tables is None else min(boards, self.tables)

    def _fits(self, place: int) -> bool:
        return self.tables is None or self.busy.total() + self._needs(place) <= self.tables

    def _begin(self, place: int, index: int) -> float:
        draw = self.courses[place].draw
        self.busy[draw.flight] += self._needs(place)
        self.most[draw.flight] = max(self.most[draw.flight], self.busy[draw.flight])
        self.top = max(self.top, self.busy.total())
        turns = -(-draw.boards // self._needs(place))
        return draw.meetings[index].minutes * turns

    def _end(self, place: int, index: int) -> None:
        course = self.courses[place]
        self.busy[course.draw.flight] -= self._needs(place)
        self.ends[course.draw.flight] = self.clock
        course.end(index)
