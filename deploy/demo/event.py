"""An event of the demo club in progress, and the next one.

Run by the services for real events: a knockout with consolation and last chance on fewer tables than it has
matches, with matches called, in progress, recorded game by game and waiting for a table, and with an auction
of its field. A Swiss event next week takes entries.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from random import Random
from zoneinfo import ZoneInfo

from django.utils.timezone import now

from clubs.models import Club, Player, User
from scoring.log.queries.writers import Author
from scoring.rules.endings import GameEnd
from scoring.rules.events import GameRecorded
from scoring.rules.match import Win
from scoring.rules.sides import Side
from scoring.sheets.services.decisions import DirectedResult
from scoring.sheets.services.entries import Entry, record
from tournaments.calcutta.services import buy_back, close_auction, open_auction, sell_lot
from tournaments.core.prizes.pools import Fees, SidePool
from tournaments.desk.services.calls import call_ready, start
from tournaments.desk.services.results import correct_result, match_of
from tournaments.desk.services.tables import make_tables
from tournaments.entries.services.check_ins import check_in
from tournaments.entries.services.entries import EntryDetails, enter
from tournaments.events.event_templates import TEMPLATES
from tournaments.events.plans import About, EventPlan
from tournaments.events.services.events import announce
from tournaments.models import Event, FeePayment, Flight, ForbiddenKind, PairingRow, PairingState, StageRow
from tournaments.stages.services.draws import draw_stage
from tournaments.stages.services.forbidden import forbid

ON_NOW, NEXT = "Midsummer Cup", "Wednesday Swiss"
FIELD, TABLES, LENGTH = 16, 6, 5
ABOUT = About(
    venue="Salão do Cais",
    address="Rua da Alfândega 12, Lisbon",
    description="**Clocks** are set to 12 seconds and two minutes per point.\n\n- Boards are at the venue\n"
    "- Doors open half an hour before the first round",
    contact="The director at the desk",
)
ENTRY_FEE, REGISTRATION_FEE = 1000, 200  # minor units
SHARES = (50, 30, 20)
RAKE, BID = 10, 500  # percent, minor units
JACKPOT = SidePool("jackpot", 500)
CLUBS = ("Bilbao", "Donostia", "")
PAID = (FeePayment.CASH,) * 3 + (FeePayment.TRANSFER,)
GAMES = (Side.WHITE, Side.BLACK, Side.WHITE)


def record_events(
    *, club: Club, director: User, players: Sequence[Player], levels: Mapping[str, float], rng: Random
) -> Event:
    """Record the event in progress; ``levels`` are strengths by name, 0 to 1."""
    field = list(players[:FIELD])
    event = _announced(club, ON_NOW, "weekend", now() - timedelta(hours=1))
    # Drawn from the demo's own dice, so that the same demo comes out again.
    stage = StageRow.objects.get(flight__event=event)
    StageRow.objects.filter(pk=stage.pk).update(seed=rng.randbytes(16).hex())
    make_tables(event=event, last=min(TABLES, max(len(field) // 2 - 1, 1)), user=director)
    for number, player in enumerate(field):
        details = EntryDetails(from_club=CLUBS[number % len(CLUBS)])
        paid = rng.choice(PAID)
        entrant = enter(flight=stage.flight, players=[player], user=director, payment=paid, details=details)
        check_in(entrant=entrant, present=True, user=director)
    draw_stage(stage=stage, user=director)
    for _ in range(len(field) // 4):
        _call_and_start(event, director)
        _result(_playing(event)[0], director, levels, rng)
    _call_and_start(event, director)
    _game_by_game(_playing(event)[-1], director)
    call_ready(event=event, user=director)
    _hold_auction(stage.flight, field, director)
    at = next_wednesday(now(), ZoneInfo(club.tz))
    coming = _announced(club, NEXT, "wednesday_swiss", at, pools=(JACKPOT,))
    for number, player in enumerate(field[1 : len(field) // 2], 1):
        enter(
            flight=coming.flights.get(),
            players=[player],
            user=director,
            payment=FeePayment.CASH if number % 2 else FeePayment.OPEN,
            pools=() if number % 3 else (JACKPOT.key,),
            details=EntryDetails(seed=number if number < 3 else None, from_club=CLUBS[number % len(CLUBS)]),
        )
    forbid(flight=coming.flights.get(), kind=ForbiddenKind.CLUB, never=False, user=director)
    return event


def next_wednesday(at: datetime, zone: ZoneInfo) -> datetime:
    """Wednesday of next week, 19:00 in the club's time zone."""
    here = at.astimezone(zone)
    monday = here - timedelta(days=here.weekday())
    return (monday + timedelta(days=9)).replace(hour=19)


def _announced(club: Club, name: str, template: str, at: datetime, pools: tuple[SidePool, ...] = ()) -> Event:
    fees = Fees(registration=REGISTRATION_FEE, entry=ENTRY_FEE)
    flight = replace(TEMPLATES[template].flight(LENGTH), fees=fees, percentages=SHARES, pools=pools)
    begins = at.replace(minute=0, second=0, microsecond=0)
    return announce(club=club, plan=EventPlan(name, begins, (flight,), about=ABOUT))


def _hold_auction(flight: Flight, buyers: Sequence[Player], director: User) -> None:
    """Sell every entrant to one of the buyers; the first buys back a quarter."""
    auction = open_auction(flight=flight, rake=RAKE, most_back=50, percentages=SHARES, user=director)
    for lot in auction.lots.order_by("number"):
        buyer, payment = buyers[7 * lot.number % len(buyers)], PAID[lot.number % len(PAID)]
        sell_lot(lot=lot, buyer=buyer, price=BID * (1 + lot.number % 9), payment=payment, user=director)
    first = auction.lots.order_by("number")[0]
    buy_back(lot=first, entrant=first.entrants.get().entrant.ref, percent=25, user=director)
    close_auction(auction=auction, closed=True, user=director)


def _playing(event: Event) -> list[PairingRow]:
    rows = PairingRow.objects.filter(stage__flight__event=event, state=PairingState.OPEN)
    found = rows.exclude(started_at=None).select_related("stage__flight__event__club", "a", "b")
    return list(found.order_by("number"))


def _call_and_start(event: Event, director: User) -> None:
    for pairing in call_ready(event=event, user=director):
        start(pairing=pairing, user=director)


def _result(pairing: PairingRow, director: User, levels: Mapping[str, float], rng: Random) -> None:
    """A result: the stronger side wins more often."""
    white, black = (
        [levels.get(player.name, 0.5) for player in side.players] for side in match_of(pairing).sides.all()
    )
    wins = rng.random() < 0.5 + (sum(white) - sum(black)) / 2.5
    points, fewer = pairing.length, rng.randrange(pairing.length)
    correct_result(
        pairing=pairing,
        decision=DirectedResult("white", (points, fewer))
        if wins
        else DirectedResult("black", (fewer, points)),
        seen=StageRow.objects.get(pk=pairing.stage_id).head_seq,
        user=director,
        reason="",
    )


def _game_by_game(pairing: PairingRow, director: User) -> None:
    """Record three games of a match in progress, for draw and big screen."""
    match = match_of(pairing)
    games = [GameRecorded(winner, Win.SINGLE, 1, GameEnd.BORNE_OFF) for winner in GAMES]
    entries = [Entry(f"demo-game-{number}", game) for number, game in enumerate(games, start=1)]
    record(match=match, author=Author(user=director), after=match.sheet.head_seq, entries=entries)
