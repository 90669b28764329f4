"""The viewer's next matches: where and against whom."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import OuterRef, Prefetch, Q, Subquery
from django.utils.timezone import now

from clubs.access import Viewer
from clubs.models import Role, User
from scoring.log.queries.visible import clubs_of
from tournaments.events.queries.events import in_play_first
from tournaments.models import (
    Board,
    EntrantMember,
    EntrantRow,
    Event,
    EventStatus,
    EventTable,
    PairingRow,
    PairingState,
    StageStatus,
)

SHOWN = 5


@dataclass(frozen=True, slots=True)
class MyMatch:
    """An open match of the viewer, or a call that ``lapsed`` with its draw.

    ``match`` is the ref of its first board, ``place`` the name of its table.
    """

    event: Event
    pairing: PairingRow
    opponent: EntrantRow
    match: str
    place: str
    at: datetime

    @property
    def lapsed(self) -> bool:
        """Whether the draw was undone after the call and not redrawn yet."""
        return self.pairing.state == PairingState.REPLACED

    @property
    def called(self) -> bool:
        return self.pairing.called_at is not None and not self.lapsed

    @property
    def playable(self) -> bool:
        """Whether its scoresheet can be opened: it was called, or players arrange it."""
        begins = self.called or self.pairing.deadline is not None
        return begins and bool(self.match) and not self.lapsed

    @property
    def minutes(self) -> int:
        """Whole minutes since the call."""
        called = self.pairing.called_at
        return max(0, (self.at - called) // timedelta(minutes=1)) if called else 0


def my_matches(viewer: Viewer, *, at: datetime | None = None) -> list[MyMatch]:
    """The viewer's open matches in events on this machine, called ones first.

    League matches only once their round has begun. Includes the last call in each draw that was undone and
    not redrawn yet (a constant number of queries).
    """
    if not isinstance(viewer, User):
        return []
    own = EntrantMember.objects.filter(player__user=viewer, active=True)
    return _matches_of(set(own.values_list("entrant_id", flat=True)), {}, at)


def my_matches_in(
    event: Event, own: Collection[int], known: Mapping[int, EntrantRow], *, at: datetime | None = None
) -> list[MyMatch]:
    """The same in one event, where the viewer's ``own`` entrants are known by primary key.

    ``known`` are all entrants that they can meet (one query; none without an entrant).
    """
    return _matches_of(set(own), known, at, event=event)


def _matches_of(
    entrants: set[int],
    known: Mapping[int, EntrantRow],
    at: datetime | None,
    event: Event | None = None,
) -> list[MyMatch]:
    if not entrants:
        return []
    running = Q(
        state=PairingState.OPEN,
        stage__status=StageStatus.RUNNING,
        stage__flight__event__status=EventStatus.RUNNING,
    )
    lapsed = Q(
        state=PairingState.REPLACED,
        called_at__isnull=False,
        stage__status=StageStatus.PLANNED,
        stage__flight__event__status__in=[EventStatus.ANNOUNCED, EventStatus.RUNNING],
    )
    rows = PairingRow.objects.filter(Q(a__in=entrants) | Q(b__in=entrants), running | lapsed, b__isnull=False)
    rows = rows.filter(stage__flight__event__moved_at=None)
    if event is not None:
        rows = rows.filter(stage__flight__event=event)
    board = Board.objects.filter(pairing=OuterRef("pk")).order_by("number")
    table = EventTable.objects.filter(event=OuterRef("stage__flight__event"), number=OuterRef("table"))
    rows = rows.annotate(
        match=Subquery(board.values("match__ref")[:1]), place=Subquery(table.values("name")[:1])
    )
    loaded = rows.select_related("stage__flight__event__club").order_by("pk")
    if not known:
        members = EntrantMember.objects.select_related("player__person")
        sides = (Prefetch(f"{side}__members", members) for side in ("a", "b"))
        loaded = loaded.select_related("stage__flight__event__club", "a", "b").prefetch_related(*sides)
    for row in loaded if known else ():
        row.a = known[row.a_id]
        row.b = known[row.b_id] if row.b_id is not None else None
    last = {row.stage_id: row.pk for row in loaded if row.state == PairingState.REPLACED}
    at = at or now()
    shown = [
        row
        for row in loaded
        if (row.state == PairingState.OPEN and not _comes_later(row, at)) or row.pk == last.get(row.stage_id)
    ]
    found = sorted(shown, key=lambda row: (row.called_at is None, row.called_at or row.pk))[:SHOWN]
    return [_mine(row, entrants, at) for row in found]


def _comes_later(row: PairingRow, at: datetime) -> bool:
    """Whether it is an uncalled league match of a future round."""
    opens_at = row.opens_at(row.stage.flight.event.tz)
    return row.called_at is None and opens_at is not None and opens_at > at


def desks_of(viewer: Viewer) -> list[Event]:
    """Events in progress that the viewer directs, those in play first (one query)."""
    if not isinstance(viewer, User):
        return []
    running = Event.objects.filter(status=EventStatus.RUNNING, club__in=clubs_of(viewer, least=Role.DIRECTOR))
    return list(in_play_first(running).select_related("club")[:SHOWN])


def _mine(row: PairingRow, entrants: set[int], at: datetime) -> MyMatch:
    assert row.b is not None  # noqa: S101 - filtered
    opponent = row.b if row.a_id in entrants else row.a
    told: Any = row
    return MyMatch(row.stage.flight.event, row, opponent, told.match or "", told.place or "", at)
