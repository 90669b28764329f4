"""When the matches of several draws are played that share the tables of one venue.

List scheduling: a match that can be played waits for free tables, and whoever has waited longest is called
first, as the desk does it.
"""

from collections import Counter, deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from heapq import heappop, heappush

from tournaments.core.timetable.opening import Span, opens_at


@dataclass(frozen=True, slots=True)
class Meeting:
    """One match: its round (from 1), its two entrants, how many minutes it takes."""

    round: int
    a: int
    b: int
    minutes: float


@dataclass(frozen=True, slots=True)
class PlannedDraw:
    """A draw that was played on paper. ``meetings`` stand in the order of their publication.

    A match takes ``boards`` tables. ``by_rounds``: nobody begins a round before the last one is over.
    ``behind`` are the places, in the list of draws, of those that must be over first. ``flight`` is whatever
    the times are asked for by.
    """

    meetings: tuple[Meeting, ...]
    by_rounds: bool = False
    behind: tuple[int, ...] = ()
    boards: int = 1
    flight: int = 0


@dataclass(frozen=True, slots=True)
class Timetable:
    """Minutes until the last match of each flight ends, and the most tables that are busy at once: of each
    flight, and ``most`` of all of them.
    """

    ends: dict[int, float]
    busy: dict[int, int]
    most: int


def timetable(
    draws: Sequence[PlannedDraw], *, tables: int | None = None, closed: Sequence[Span] = ()
) -> Timetable:
    """Play the draws on this many tables (None: on as many as are wanted); all flights begin together.

    In a span that is ``closed`` (a break, in minutes from the beginning) no match begins; what is under way
    plays on.

    A team tie waits for tables for all its boards; a venue that has fewer plays them one after the other.

    Raises:
        ValueError: there are no tables, or a draw waits for one that is never over.
    """
    if tables is not None and tables < 1:
        raise ValueError(f"cannot schedule matches on {tables} tables")
    return _Venue([_Course(draw) for draw in draws], tables, closed).play()


@dataclass(slots=True)
class _Course:
    """How far a draw is. ``queues`` are the matches that each entrant still plays, in order."""

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
        """The matches that can begin and have not, in the order of their publication."""
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
        """What can begin now and does not wait yet; from then on it counts as begun."""
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
