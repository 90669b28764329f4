"""The viewer's next matches: where and against whom."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

from django.db.models import OuterRef, Prefetch, Q, QuerySet, Subquery
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
    StageRow,
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
    members = EntrantMember.objects.filter(player__user=viewer, active=True)
    own = set(members.values_list("entrant_id", flat=True))
    if not own:
        return []
    lapsed = Q(state=PairingState.REPLACED)
    running = Q(stage__status=StageStatus.RUNNING, stage__flight__event__status=EventStatus.RUNNING)
    here = Q(
        stage__flight__event__status__in=[EventStatus.ANNOUNCED, EventStatus.RUNNING],
        stage__flight__event__moved_at=None,
    )
    rows = _with_places(PairingRow.objects.filter(_of(own), lapsed | running, here))
    names = EntrantMember.objects.select_related("player__person")
    sides = (Prefetch(f"{side}__members", names) for side in ("a", "b"))
    loaded = rows.select_related("stage__flight__event__club", "a", "b").prefetch_related(*sides)
    return _shown(loaded, own, at)


@dataclass(frozen=True, slots=True)
class OwnMatches:
    """The viewer's matches in one event: the next ones, and those to arrange, each with ``is_a``.

    ``is_a`` is whether the viewer is on its first side. Arranged are team matches, and those with a deadline.
    """

    next: Sequence[MyMatch] = ()
    to_arrange: Sequence[PairingRow] = ()


def own_matches(
    event: Event,
    stages: Iterable[StageRow],
    own: Collection[int],
    known: Mapping[int, EntrantRow],
    *,
    at: datetime | None = None,
) -> OwnMatches:
    """The matches of the viewer's ``own`` entrants in an event with these ``stages``.

    ``known`` are all its entrants by key. One query; none without an entrant, before a draw and at the end.
    """
    drawn = {stage.pk: stage for stage in stages if stage.drawn_at is not None or stage.superseded}
    if not own or not drawn or event.is_over:
        return OwnMatches()
    asked = _with_places(PairingRow.objects.filter(_of(own), stage__in=list(drawn)))
    # One against somebody who came while the page is made is shown by the next version.
    rows = [row for row in asked if row.a_id in known and row.b_id in known]
    for row in rows:
        row.stage, row.a = drawn[row.stage_id], known[row.a_id]
        row.b = known[row.b_id or 0]
    arranged = [row for row in rows if row.state == PairingState.OPEN and _is_arranged(row)]
    for row in arranged:
        vars(row)["is_a"] = row.a_id in own
    arranged.sort(key=lambda row: (row.deadline is None, row.deadline or date.max, row.round, row.number))
    on = event.status == EventStatus.RUNNING
    played = [row for row in rows if row.state == PairingState.REPLACED or (on and _is_played(row))]
    return OwnMatches([] if event.is_away else _shown(played, set(own), at), arranged)


def _is_arranged(row: PairingRow) -> bool:
    return row.deadline is not None or row.stage.boards > 1


def _is_played(row: PairingRow) -> bool:
    return row.stage.status == StageStatus.RUNNING


def _of(entrants: Collection[int]) -> Q:
    """The open matches of these entrants, and their calls in draws that were undone."""
    lapsed = Q(state=PairingState.REPLACED, called_at__isnull=False, stage__status=StageStatus.PLANNED)
    sides = Q(a__in=entrants) | Q(b__in=entrants)
    return sides & Q(Q(state=PairingState.OPEN) | lapsed, b__isnull=False)


def _with_places(rows: QuerySet[PairingRow]) -> QuerySet[PairingRow]:
    """With the ref of the first board's ``match``, and the name of the table as ``place``."""
    board = Board.objects.filter(pairing=OuterRef("pk")).order_by("number")
    table = EventTable.objects.filter(event=OuterRef("stage__flight__event"), number=OuterRef("table"))
    return rows.annotate(
        match=Subquery(board.values("match__ref")[:1]), place=Subquery(table.values("name")[:1])
    ).order_by("pk")


def _shown(rows: Iterable[PairingRow], entrants: set[int], at: datetime | None) -> list[MyMatch]:
    """Called ones first; of the calls in an undone draw the last."""
    rows, at = list(rows), at or now()
    last = {row.stage_id: row.pk for row in rows if row.state == PairingState.REPLACED}
    shown = [
        row
        for row in rows
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
