"""An event for its page: flights, entries, stages and money.

The number of queries is the same however many flights, stages and entrants there are.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from django.db.models import BooleanField, Count, Exists, ExpressionWrapper, OuterRef, Q

from clubs.models import Player
from clubs.models.person import sort_key
from tournaments.core.prizes.money import percent
from tournaments.core.prizes.pools import Fees, SidePool, Takings, takings
from tournaments.events.eligibility import Eligibility, eligibility_of, pools_of
from tournaments.models import (
    EntrantRow,
    EntrantState,
    Event,
    FeePayment,
    Flight,
    PairingRow,
    PairingState,
    Prize,
    StageEntrant,
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
class FlightBlock:
    """A flight with its entries, by state.

    Who has a place, who waits, who was asked by a partner, who ``left`` the draw, who had paid and was taken
    out ``before`` it, and the viewer's own entry; ``asked`` whether a partner waits for the viewer's yes.
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
    prizes: list[Prize] = field(default_factory=list)

    @property
    def planned(self) -> bool:
        """Whether nothing of it is drawn."""
        return all(line.stage.drawn_at is None for line in self.stages)

    @property
    def by_name(self) -> list[EntrantRow]:
        """Entrants with a place, by name."""
        return sorted(self.entered, key=lambda each: sort_key(each.title))

    @property
    def checked_in(self) -> int:
        """How many entrants with a place have checked in."""
        return sum(each.state == EntrantState.PRESENT for each in self.entered)

    @property
    def side_pools(self) -> tuple[SidePool, ...]:
        """The side pools of the flight."""
        return pools_of(self.flight.pools)

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
    def finished(self) -> bool:
        """Whether the last match of the flight is over."""
        over = {StageStatus.FINISHED, StageStatus.SKIPPED}
        return not self.called_off and all(line.stage.status in over for line in self.stages)


def flight_blocks(event: Event, player: Player | None = None) -> list[FlightBlock]:
    """The flights of an event in their order (nine queries)."""
    stages: dict[int, list[StageRow]] = defaultdict(list)
    decisions = StageEvent.objects.filter(stage=OuterRef("pk"), kind__in=DECISIONS_ON_TIES)
    found_stages = StageRow.objects.with_feeds().annotate(has_decisions=Exists(decisions))
    for stage in found_stages.filter(flight__event=event).order_by("position"):
        stages[stage.flight_id].append(stage)
    entrants: dict[int, list[EntrantRow]] = defaultdict(list)
    drawn = Exists(StageEntrant.objects.filter(entrant=OuterRef("pk")))
    paid = Q(payment__in=[FeePayment.CASH, FeePayment.TRANSFER])
    rows = EntrantRow.objects.filter(~Q(state=EntrantState.WITHDRAWN) | drawn | paid, flight__event=event)
    for entrant in rows.annotate(was_drawn=drawn).with_players().order_by("registered_at", "pk"):
        entrants[entrant.flight_id].append(entrant)
    prizes: dict[int, list[Prize]] = defaultdict(list)
    found = Prize.objects.filter(flight__event=event).select_related("entrant")
    for prize in found.prefetch_related("entrant__members__player__person").order_by("-amount", "pk"):
        prizes[prize.flight_id].append(prize)
    paying = _paying(event)
    flights = list(event.flights.order_by("position"))
    for flight in flights:
        flight.event = event
        for stage in stages[flight.pk]:
            stage.flight = flight
    return [
        _block(flight, stages[flight.pk], entrants[flight.pk], prizes[flight.pk], paying, player)
        for flight in flights
    ]


def _block(
    flight: Flight,
    stages: list[StageRow],
    entrants: list[EntrantRow],
    prizes: list[Prize],
    paying: dict[int, int],
    player: Player | None,
) -> FlightBlock:
    by_state: dict[str, list[EntrantRow]] = defaultdict(list)
    before = [each for each in entrants if _taken_out_before(each)]
    entrants = [each for each in entrants if not _taken_out_before(each)]
    for entrant in entrants:
        here = entrant.state in {EntrantState.REGISTERED, EntrantState.PRESENT}
        by_state[EntrantState.REGISTERED if here else entrant.state].append(entrant)
    mine = next((each for each in entrants if player in each.players), None) if player else None
    fees = Fees(flight.registration_fee, flight.entry_fee, flight.returned)
    return FlightBlock(
        flight=flight,
        stages=tuple(_lines(stages, entrants)),
        takings=takings(fees, paying.get(flight.pk, 0), added=flight.added),
        eligibility=eligibility_of(flight.eligibility),
        entered=by_state[EntrantState.REGISTERED],
        waiting=by_state[EntrantState.WAITING],
        invited=by_state[EntrantState.INVITED],
        left=by_state[EntrantState.WITHDRAWN],
        before=before,
        mine=mine,
        asked=mine is not None
        and any(member.player == player and not member.accepted for member in mine.members.all()),
        prizes=prizes,
    )


def _taken_out_before(entrant: EntrantRow) -> bool:
    """Whether the entrant had withdrawn before the draw. Load it with ``was_drawn``."""
    return entrant.state == EntrantState.WITHDRAWN and not getattr(entrant, "was_drawn", False)


def _paying(event: Event) -> dict[int, int]:
    """How many drawn entrants paid, by flight; refunded fees do not count."""
    drawn = EntrantRow.objects.filter(flight__event=event, numbers__isnull=False, refunded_at=None)
    counted = (
        drawn.exclude(payment=FeePayment.FREE).values("flight").annotate(count=Count("pk", distinct=True))
    )
    return dict(counted.values_list("flight", "count"))


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


def to_arrange(event: Event, player: Player | None) -> list[PairingRow]:
    """The player's open matches to arrange, each with ``is_a``.

    ``is_a`` is whether the player is on its first side. Matches with a deadline, and team matches (four
    queries; none for a player without an entry).
    """
    if player is None:
        return []
    own = EntrantRow.objects.filter(flight__event=event, members__player=player, members__active=True)
    mine = Q(a__in=own.values("pk")) | Q(b__in=own.values("pk"))
    open_ones = PairingRow.objects.filter(mine, stage__flight__event=event, state=PairingState.OPEN)
    arranged = open_ones.filter(Q(deadline__isnull=False) | Q(stage__boards__gt=1))
    sided = arranged.annotate(is_a=ExpressionWrapper(Q(a__in=own.values("pk")), BooleanField()))
    found = sided.select_related("a", "b").order_by("deadline", "round", "number")
    return list(found.prefetch_related("a__members__player__person", "b__members__player__person"))
