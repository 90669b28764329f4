"""Entries by members and the desk, waiting list, and withdrawal before the draw."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.core.mail import send_mail
from django.db import IntegrityError, transaction
from django.template.loader import render_to_string
from django.utils.timezone import now
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from clubs.models import Membership, Player, User
from scoring.models import Rating
from tournaments.core.prizes.pools import require_eligible
from tournaments.entries.services.guests import Entering, guests_made
from tournaments.events.eligibility import eligibility_of, pools_of, titled
from tournaments.events.services.events import open_next_flight, require_not_over
from tournaments.log.cash_box import require_open_box
from tournaments.log.refusals import DeskRefused
from tournaments.log.services import note
from tournaments.models import (
    EntrantMember,
    EntrantRow,
    EntrantState,
    Event,
    EventStatus,
    FeePayment,
    Flight,
    StageStatus,
)
from tournaments.stages.services.draws import draw_stage, first_stages
from tournaments.stages.services.locks import lock_stage
from tournaments.words.prizes import in_prize_words


@dataclass(frozen=True, slots=True)
class EntryDetails:
    """What else is known of a new entry.

    ``rating`` (None: the club's), the director's ``seed``, the club that they play for, their email address,
    and the part of paid fees that is ``outstanding``, in minor units.
    """

    rating: float | None = None
    seed: int | None = None
    from_club: str = ""
    email: str = ""
    outstanding: int = 0


NO_DETAILS = EntryDetails()


def enter(
    *,
    flight: Flight,
    players: Sequence[Entering],
    user: User | None = None,
    name: str = "",
    payment: FeePayment = FeePayment.OPEN,
    override: bool = False,
    pools: Sequence[str] = (),
    details: EntryDetails = NO_DETAILS,
    own: bool = False,
) -> EntrantRow:
    """Enter players as one entrant, on the waiting list if the flight is full.

    With ``own`` the first player enters, while registration is open, and every partner must accept; otherwise
    the desk enters them, and names become guests of the club. Repeating it returns the same entrant.
    ``override`` ignores the entry restrictions. Filling a flight that starts when full draws it. Raises
    DeskRefused after the draw, for a cancelled event, a player who is already in the flight with others, a
    wrong number of players, entry restrictions, a name like a member's, without players, and for paid fees
    while the cash box is closed; PrizeRefused for a side pool they cannot enter.
    """
    with transaction.atomic():
        flight = lock_flight(flight)
        players = guests_made(flight, players)
        known = _known(flight, players)
        if known is not None:
            return known
        if own and not entries_open(flight.event):
            raise DeskRefused(_("Registration is closed. Ask the director."), code="entries_closed")
        rating = _check_entry(flight, players, override=override, pools=pools, typed=details.rating)
        partners = players[1:] if own else ()
        state = EntrantState.INVITED if partners else place_in(flight)
        entrant = _entrant(flight, players, state, rating, name=name, payment=payment, pools=pools)
        if details != NO_DETAILS:
            entrant.seed, entrant.from_club = details.seed, details.from_club
            entrant.email, entrant.outstanding = details.email, details.outstanding
            entrant.save(update_fields=["seed", "from_club", "email", "outstanding"])
        if partners:
            EntrantMember.objects.filter(entrant=entrant, position__gt=0).update(accepted=False)
            for partner in partners:
                _ask(flight, players[0], partner)
        else:
            fill_up(flight)
        if payment is not FeePayment.OPEN:
            require_open_box(flight.event)
        note(
            event=flight.event,
            kind="entered",
            user=user,
            flight=flight.ref,
            entrant=entrant.ref,
            state=entrant.state,
            override=override,
        )
    return entrant


def answer_partner(*, entrant: EntrantRow, player: Player, accepts: bool) -> EntrantRow:
    """Accept or decline a partner request.

    The last acceptance makes the entry valid; declining withdraws it. Raises DeskRefused without a request
    and after the draw.
    """
    with transaction.atomic():
        flight = lock_flight(entrant.flight)
        require_undrawn(flight)
        entrant = EntrantRow.objects.select_for_update(no_key=True).get(pk=entrant.pk)
        asked = EntrantMember.objects.filter(entrant=entrant, player=player, accepted=False, active=True)
        if entrant.state != EntrantState.INVITED or not asked.exists():
            raise DeskRefused(_("You have no partner request for this entry."), code="not_asked")
        if not accepts:
            entrant.state = EntrantState.WITHDRAWN
            EntrantMember.objects.filter(entrant=entrant).update(active=False)
        else:
            asked.update(accepted=True)
            if not EntrantMember.objects.filter(entrant=entrant, accepted=False).exists():
                entrant.state = place_in(flight)
        entrant.save(update_fields=["state"])
        fill_up(flight)
        note(
            event=flight.event,
            kind="partner",
            user=player.user,
            entrant=entrant.ref,
            accepts=accepts,
            state=entrant.state,
        )
    return entrant


def _known(flight: Flight, players: Sequence[Player]) -> EntrantRow | None:
    """The existing entry of exactly these players, if any.

    Raises DeskRefused if the flight is closed or one of them is in it with others.
    """
    if not players:
        raise DeskRefused(_("Choose the players."), code="nobody")
    require_undrawn(flight)
    pks = {player.pk for player in players}
    known = EntrantRow.objects.filter(flight=flight, members__player__in=pks, members__active=True)
    for entrant in known.with_players():
        if {p.pk for p in entrant.players} == pks:
            return entrant
        raise DeskRefused(
            _("%(name)s is already in this event.") % {"name": entrant.title}, code="entered_already"
        )
    return None


def _check_entry(
    flight: Flight,
    players: Sequence[Player],
    *,
    override: bool,
    pools: Sequence[str],
    typed: float | None = None,
) -> float | None:
    """Check an entry and return its rating. Raises as :func:`enter`."""
    if flight.team_size is not None and len(players) != flight.team_size:
        raise DeskRefused(wrong_size(flight.team_size, len(players)), code="team_size")
    rating = rating_of(flight, players) if typed is None else typed
    if not override:
        require_eligible_players(flight, players, rating)
    check_pools(flight, rating, pools)
    return rating


def wrong_size(size: int, count: int) -> str:
    """Message for an entry with the wrong number of players."""
    message = ngettext(
        "An entry here has %(size)s player, not %(count)s.",
        "An entry here has %(size)s players, not %(count)s.",
        size,
    )
    return message % {"size": size, "count": count}


def check_pools(flight: Flight, rating: float | None, pools: Sequence[str]) -> None:
    """Check the side pools of an entry.

    Raises DeskRefused for an unknown pool, PrizeRefused for one that this rating or these pools do not allow.
    """
    known = {pool.key: pool for pool in pools_of(flight.pools)}
    for key in pools:
        if key not in known:
            raise DeskRefused(_("There is no side pool %(key)s.") % {"key": key}, code="no_pool")
        with in_prize_words(flight.event.club.currency):
            require_eligible(known[key], rating=rating, pools_entered=pools)


def require_eligible_players(flight: Flight, players: Sequence[Player], rating: float | None) -> None:
    """Raise DeskRefused if the entry restrictions exclude one of the players."""
    rule = eligibility_of(flight.eligibility)
    titles: dict[int, int | None] = {}
    if rule.asks_for_titles:
        rows = Membership.objects.in_club(flight.event.club).filter(player__in=players)
        titles = dict(rows.values_list("player_id", "title"))
    named = [(player.name, titled(titles.get(player.pk))) for player in players]
    if reason := rule.keeps_out(rating, named):
        raise DeskRefused(reason, code="not_eligible")


def _entrant(
    flight: Flight,
    players: Sequence[Player],
    state: EntrantState,
    rating: float | None,
    *,
    name: str = "",
    payment: FeePayment = FeePayment.OPEN,
    pools: Sequence[str] = (),
) -> EntrantRow:
    entrant = EntrantRow.objects.create(
        flight=flight,
        name=name,
        state=state,
        payment=payment,
        rating=rating,
        pools=list(dict.fromkeys(pools)),
    )
    try:
        with transaction.atomic():
            EntrantMember.objects.bulk_create(
                EntrantMember(entrant=entrant, flight=flight, player=player, position=position)
                for position, player in enumerate(players)
            )
    except IntegrityError as error:
        raise DeskRefused(_("One of these players is named twice."), code="player_twice") from error
    return entrant


def place_in(flight: Flight) -> EntrantState:
    """The state of a new entry: registered, or on the waiting list of a full flight."""
    full = flight.capacity is not None and _taken(flight) >= flight.capacity
    return EntrantState.WAITING if full else EntrantState.REGISTERED


def fill_up(flight: Flight) -> None:
    """Draw a full flight that starts when full, and open the next one.

    After an undone draw, the director redraws it.
    """
    if not flight.starts_when_full or flight.capacity is None or _taken(flight) < flight.capacity:
        return
    first = first_stages(flight)[0]
    if first.drawn_behind:
        return
    EntrantRow.objects.filter(flight=flight, state=EntrantState.INVITED).update(state=EntrantState.WITHDRAWN)
    EntrantMember.objects.filter(entrant__flight=flight, entrant__state=EntrantState.WITHDRAWN).update(
        active=False
    )
    open_next_flight(flight)
    draw_stage(stage=first, user=None)


def _ask(flight: Flight, player: Player, partner: Player) -> None:
    """Email a partner request; the desk asks guests without an account."""
    if partner.user is None:
        return
    context = {"event": flight.event, "name": player.name}
    send_mail(
        subject=_("Partner request from %(name)s: %(event)s")
        % {"name": player.name, "event": flight.event.name},
        message=render_to_string("tournaments/entries/mail/partner.txt", context),
        from_email=None,
        recipient_list=[partner.user.email],
    )


def withdraw(*, entrant: EntrantRow, user: User | None = None) -> None:
    """Withdraw an entry before the draw; the first on the waiting list moves up.

    After the draw, only entrants who were not drawn, and no one moves up. Raises DeskRefused for a drawn
    entrant, who leaves a stage (``tournaments.desk.services.departures``).
    """
    with transaction.atomic():
        flight = lock_flight(entrant.flight)
        drawn = flight.stages.exclude(status=StageStatus.PLANNED).exists()
        if not drawn or entrant.numbers.exists():
            require_undrawn(flight)
        else:
            require_not_over(flight.event)
        entrant = EntrantRow.objects.select_for_update(no_key=True).get(pk=entrant.pk)
        if entrant.state == EntrantState.WITHDRAWN:
            return
        had_a_place = entrant.state in {EntrantState.REGISTERED, EntrantState.PRESENT}
        entrant.state = EntrantState.WITHDRAWN
        entrant.save(update_fields=["state"])
        EntrantMember.objects.filter(entrant=entrant).update(active=False)
        moved_up = move_up(flight) if had_a_place and not drawn else None
        note(
            event=flight.event,
            kind="entry_taken_back",
            user=user,
            entrant=entrant.ref,
            moved_up=moved_up,
        )


def move_up(flight: Flight) -> str | None:
    """Give a free place to the first on the waiting list; returns its ref, if there is one."""
    first = EntrantRow.objects.filter(flight=flight).waiting().first()
    if first is None:
        return None
    first.state = EntrantState.REGISTERED
    first.save(update_fields=["state"])
    return first.ref


def lock_flight(flight: Flight) -> Flight:
    """Lock the flight (first lock of every entry) and load its event and club."""
    return (
        Flight.objects.select_for_update(of=("self",), no_key=True)
        .select_related("event__club")
        .get(pk=flight.pk)
    )


def lock_filling(flights: Iterable[Flight]) -> None:
    """Lock the first draws of the flights that start when full, in the order of ``flights``.

    For what enters several or writes to the log before it fills one: a draw is locked before the event.
    """
    for flight in flights:
        if flight.starts_when_full:
            for stage in first_stages(flight):
                lock_stage(stage)


def require_undrawn(flight: Flight) -> None:
    """Raise DeskRefused after the draw, and for a cancelled division or event."""
    require_not_over(flight.event)
    states = set(flight.stages.values_list("status", flat=True))
    if states == {StageStatus.SKIPPED}:
        raise DeskRefused(_("This division has been cancelled."), code="called_off")
    if states - {StageStatus.PLANNED}:
        raise DeskRefused(_("The draw has been made. Ask the director."), code="drawn")


def _taken(flight: Flight) -> int:
    return EntrantRow.objects.filter(flight=flight).entered().count()


def rating_of(flight: Flight, players: Sequence[Player]) -> float | None:
    """Mean of the players' ratings on the club's main list; None if all are unrated."""
    rows = Rating.objects.filter(list__club=flight.event.club_id, list__name="", player__in=players)
    values = list(rows.values_list("value", flat=True))
    return sum(values) / len(values) if values else None


def entries_open(event: Event, flights: Sequence[Flight] | None = None) -> bool:
    """Whether members can enter online now (at most one query, none with the event's ``flights``)."""
    if event.status not in {EventStatus.ANNOUNCED, EventStatus.RUNNING}:
        return False
    at = now()
    begun = event.entries_from is None or event.entries_from <= at
    if event.entries_until is not None:
        return begun and at < event.entries_until
    return begun and (event.starts_at > at or _fills(event, flights))


def _fills(event: Event, flights: Sequence[Flight] | None) -> bool:
    """Whether a flight starts when full, so that it stays open during the event."""
    if flights is not None:
        return any(flight.starts_when_full for flight in flights)
    return event.flights.filter(starts_when_full=True).exists()
