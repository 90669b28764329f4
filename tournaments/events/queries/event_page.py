"""An event for its page: flights, entries, stages and money.

The number of queries is the same however many flights, stages and entrants there are.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from statistics import mean

from django.db.models import Exists, OuterRef

from clubs.access import Viewer
from clubs.models import User
from clubs.models.columns import cache_many
from tournaments.core.prizes.money import percent
from tournaments.core.prizes.pools import Fees, SidePool, Takings, takings
from tournaments.events.eligibility import Eligibility, eligibility_of, pools_of
from tournaments.events.queries.entrant_rows import numbers_of, shown_entrants
from tournaments.events.side_pools import pool_rules
from tournaments.models import (
    EntrantRow,
    EntrantState,
    Event,
    FeePayment,
    Flight,
    Prize,
    StageEvent,
    StageRow,
    StageStatus,
)

DECISIONS_ON_TIES = ("lotsealed", "tiesettled")


@dataclass(frozen=True, slots=True)
class StageLine:
    """A stage of a flight.

    ``sources`` fill it; ``awaited`` are those of them that are not over; ``field`` is whom they have sent so
    far, ``declined`` who said no, ``again`` who had come into a draw of it that was taken back beside the
    field. The field of a first stage stays empty here.
    """

    stage: StageRow
    sources: tuple[StageRow, ...] = ()
    awaited: tuple[StageRow, ...] = ()
    field: tuple[EntrantRow, ...] = ()
    declined: tuple[EntrantRow, ...] = ()
    again: tuple[EntrantRow, ...] = ()

    @property
    def planned(self) -> bool:
        return self.stage.status == StageStatus.PLANNED

    @property
    def source_names(self) -> str:
        """The names of the stages that feed it."""
        return ", ".join(each.name for each in self.sources)

    @property
    def again_names(self) -> str:
        """The names of the entrants that re-enter from an undone draw."""
        return ", ".join(each.title for each in self.again)

    @property
    def complete(self) -> bool:
        """Whether the field is complete and not drawn yet."""
        return self.planned and bool(self.sources) and not self.awaited

    @property
    def drawable(self) -> bool:
        """Whether a director can draw it now."""
        if not self.planned:
            return False
        return not self.sources or (self.complete and self.stage.confirmed_at is not None)


@dataclass(frozen=True, slots=True)
class PoolOnPage:
    """A side pool with the entrants who are in it."""

    pool: SidePool
    members: list[EntrantRow]

    @property
    def rules(self) -> list[str]:
        """Its rules in the reader's language."""
        return pool_rules(self.pool)

    @property
    def amount(self) -> int:
        """What it holds, in minor units; a free entry pays no fee."""
        return self.pool.amount(sum(each.payment != FeePayment.FREE for each in self.members))


@dataclass(frozen=True, slots=True)
class FlightBlock:
    """A flight with its entries, by state.

    Who has a place, who waits, who was asked by a partner, who ``left`` the draw, who had paid and was taken
    out ``before`` it, and the viewer's own entry; ``asked`` whether a partner waits for the viewer's yes.
    :func:`with_prizes` loads the prizes.
    """

    flight: Flight
    stages: tuple[StageLine, ...]
    takings: Takings
    eligibility: Eligibility
    entered: list[EntrantRow] = field(default_factory=list)
    waiting: list[EntrantRow] = field(default_factory=list)
    invited: list[EntrantRow] = field(default_factory=list)
    left: list[EntrantRow] = field(default_factory=list)
    before: list[EntrantRow] = field(default_factory=list)
    mine: EntrantRow | None = None
    asked: bool = False
    prizes: Sequence[Prize] = ()

    @property
    def everyone(self) -> list[EntrantRow]:
        """All entrants of the flight in any state."""
        return [*self.entered, *self.waiting, *self.invited, *self.left, *self.before]

    @property
    def planned(self) -> bool:
        """Whether nothing of it is drawn."""
        return all(line.stage.drawn_at is None for line in self.stages)

    @property
    def checked_in(self) -> int:
        """How many entrants with a place have checked in."""
        return sum(each.state == EntrantState.PRESENT for each in self.entered)

    @property
    def average_rating(self) -> float | None:
        """Average of the rated entrants with a place; None for fewer than two."""
        ratings = [each.rating for each in self.entered if each.rating]
        return mean(ratings) if len(ratings) > 1 else None

    @property
    def side_pools(self) -> tuple[SidePool, ...]:
        """The side pools of the flight."""
        return pools_of(self.flight.pools)

    @property
    def pool_lines(self) -> list["PoolOnPage"]:
        """The side pools with their members, refunded ones left out."""
        inside = [*self.entered, *(each for each in self.left if each.refunded_at is None)]
        return [
            PoolOnPage(pool, [each for each in inside if pool.key in each.pools]) for pool in self.side_pools
        ]

    @property
    def places_left(self) -> int:
        """Places left before the waiting list begins; 0 if unlimited."""
        return max(0, (self.flight.capacity or 0) - len(self.entered))

    @property
    def called_off(self) -> bool:
        """Whether it does not take place."""
        return all(line.stage.status == StageStatus.SKIPPED for line in self.stages)

    @property
    def drawn(self) -> bool:
        """Whether something of it is drawn."""
        return not self.planned

    @property
    def fees(self) -> int:
        """The fees of an entry, in minor units."""
        return self.flight.registration_fee + self.flight.entry_fee

    @property
    def to_pool(self) -> int:
        """The part of an entry's fees that goes into the prize pool, in minor units."""
        return percent(self.flight.entry_fee, self.flight.returned)

    @property
    def costs(self) -> bool:
        """Whether there is anything to pay: fees, or side pools alone."""
        return bool(self.fees or self.flight.pools)

    @property
    def taken(self) -> int:
        """The fees of those who were drawn, paid or owed, in minor units."""
        return self.takings.registration + self.takings.entry_fees

    @property
    def has_prizes(self) -> bool:
        """Whether prizes are approved (no query, from :func:`page_stages`)."""
        return any(vars(line.stage)["has_prizes"] for line in self.stages)

    @property
    def finished(self) -> bool:
        """Whether the last match of the flight is over."""
        over = {StageStatus.FINISHED, StageStatus.SKIPPED}
        return not self.called_off and all(line.stage.status in over for line in self.stages)


def page_stages(event: Event) -> list[StageRow]:
    """The stages of an event in order, with their flights and feeds (one query).

    Each says whether it ``has_decisions`` on ties and its flight ``has_prizes``.
    """
    decisions = StageEvent.objects.filter(stage=OuterRef("pk"), kind__in=DECISIONS_ON_TIES)
    prizes = Prize.objects.filter(flight=OuterRef("flight"))
    rows = StageRow.objects.with_feeds().filter(flight__event=event)
    rows = rows.select_related("flight__auction", "flight__satellite_for__event")
    rows = rows.annotate(has_decisions=Exists(decisions), has_prizes=Exists(prizes))
    stages = list(rows.order_by("flight__position", "position"))
    flights: dict[int, Flight] = {}
    for stage in stages:
        stage.flight = flights.setdefault(stage.flight_id, stage.flight)
        stage.flight.event = event
    return stages


def flights_of(stages: Iterable[StageRow]) -> list[Flight]:
    """The flights of these stages, once each."""
    return list({stage.flight_id: stage.flight for stage in stages}.values())


def whole_flights(event: Event) -> list[Flight]:
    """The flights of an event in order, with their stages and feeds (one query)."""
    stages = page_stages(event)
    flights, asked = flights_of(stages), StageRow.objects.none()
    for flight in flights:
        cache_many(flight, "stages", asked, [each for each in stages if each.flight_id == flight.pk])
    return flights


def flight_blocks(
    event: Event, viewer: Viewer | None = None, *, known: Sequence[StageRow] | None = None
) -> list[FlightBlock]:
    """The flights of an event in their order, without prizes (two queries).

    ``known`` are its :func:`page_stages` if they are loaded already: one query less.
    """
    found_stages = page_stages(event) if known is None else known
    stages: dict[int, list[StageRow]] = defaultdict(list)
    for stage in found_stages:
        stages[stage.flight_id].append(stage)
    entrants: dict[int, list[EntrantRow]] = defaultdict(list)
    for entrant in shown_entrants(event):
        entrants[entrant.flight_id].append(entrant)
    return [
        _block(flight, stages[flight.pk], entrants[flight.pk], viewer) for flight in flights_of(found_stages)
    ]


def with_prizes(blocks: Sequence[FlightBlock]) -> list[FlightBlock]:
    """The flights with their prizes, highest first (one query, none before any is approved)."""
    paid = [block.flight for block in blocks if block.has_prizes]
    known = {each.pk: each for block in blocks for each in block.everyone}
    prizes: dict[int, list[Prize]] = defaultdict(list)
    for prize in Prize.objects.filter(flight__in=paid).order_by("-amount", "pk") if paid else ():
        prize.entrant = known[prize.entrant_id]
        prizes[prize.flight_id].append(prize)
    return [replace(block, prizes=prizes[block.flight.pk]) for block in blocks]


def _block(
    flight: Flight,
    stages: list[StageRow],
    entrants: list[EntrantRow],
    viewer: Viewer | None,
) -> FlightBlock:
    by_state: dict[str, list[EntrantRow]] = defaultdict(list)
    taking = entrants
    before = [each for each in entrants if _taken_out_before(each)]
    entrants = [each for each in entrants if not _taken_out_before(each)]
    for entrant in entrants:
        here = entrant.state in {EntrantState.REGISTERED, EntrantState.PRESENT}
        by_state[EntrantState.REGISTERED if here else entrant.state].append(entrant)
    own = viewer.pk if isinstance(viewer, User) else None
    mine = next((each for each in entrants if _of_user(each, own)), None) if own else None
    fees = Fees(flight.registration_fee, flight.entry_fee, flight.returned)
    return FlightBlock(
        flight=flight,
        stages=tuple(_lines(stages, entrants)),
        takings=takings(fees, _paying(taking), added=flight.added),
        eligibility=eligibility_of(flight.eligibility),
        entered=by_state[EntrantState.REGISTERED],
        waiting=by_state[EntrantState.WAITING],
        invited=by_state[EntrantState.INVITED],
        left=by_state[EntrantState.WITHDRAWN],
        before=before,
        mine=mine,
        asked=mine is not None
        and any(member.player.user_id == own and not member.accepted for member in mine.members.all()),
    )


def _taken_out_before(entrant: EntrantRow) -> bool:
    """Whether the entrant had withdrawn before the draw. Load it ``with_draw()``."""
    return entrant.state == EntrantState.WITHDRAWN and not entrant.was_drawn


def _of_user(entrant: EntrantRow, user_id: int) -> bool:
    """Whether a player of this user plays in the entrant."""
    return any(player.user_id == user_id for player in entrant.players)


def _paying(entrants: Iterable[EntrantRow]) -> int:
    """How many drawn entrants paid or owe; refunded fees do not count. Load them ``with_draw()``."""
    return sum(
        each.was_drawn and each.refunded_at is None and each.payment != FeePayment.FREE for each in entrants
    )


def own_entrants(blocks: Iterable[FlightBlock], viewer: Viewer) -> dict[int, EntrantRow]:
    """The viewer's entrants in these flights by primary key, those that left not among them."""
    own = viewer.pk if isinstance(viewer, User) else None
    return {
        each.pk: each
        for block in blocks
        for each in block.everyone
        for member in each.members.all()
        if own is not None and member.active and member.player.user_id == own
    }


def _lines(stages: list[StageRow], entrants: Iterable[EntrantRow]) -> Iterable[StageLine]:
    known = {each.ref: each for each in entrants}
    for stage in stages:
        sources = tuple(each for each in stages if any(rule.into == stage.ref for rule in each.rules))
        parts = list(stage.fed.values())
        longest = max(map(len, parts), default=0)
        refs = [part[n] for n in range(longest) for part in parts if n < len(part)]
        yield StageLine(
            stage,
            sources,
            tuple(each for each in sources if each.ref not in stage.fed),
            tuple(known[ref] for ref in refs if ref in known),
            tuple(known[ref] for ref in stage.declined if ref in known),
            tuple(_again(stage, known)) if sources else (),
        )


def _again(stage: StageRow, known: Mapping[str, EntrantRow]) -> Iterable[EntrantRow]:
    instead, late = stage.beside_the_field
    found = (known[ref] for ref in [*instead.values(), *late] if ref in known)
    return (each for each in found if each.state != EntrantState.WITHDRAWN)


def numbers_in(stage: StageRow, entrants: Iterable[EntrantRow], viewer: Viewer) -> frozenset[int]:
    """The viewer's numbers in a draw, also of entrants that left (no query)."""
    own = viewer.pk if isinstance(viewer, User) else 0
    found = (numbers_of(each).get(stage.pk) for each in entrants if own and _of_user(each, own))
    return frozenset(number for number in found if number is not None)
