"""Events for tests, made by the services as people make them."""

from datetime import timedelta

from django.utils.timezone import now

from clubs.models import Club, Player, User
from scoring.rules.endings import Ending
from scoring.sheets.services.decisions import DirectedResult
from tests.factories import ClubFactory, MembershipFactory, PlayerFactory
from tournaments.desk.services.results import correct_result
from tournaments.entries.services.entries import enter
from tournaments.events.services.events import FlightTerms, announce_event
from tournaments.models import EntrantRow, Event, Flight, PairingRow, PairingState, StageRow
from tournaments.stages.services.draws import draw_stage
from tournaments.stages.services.feeds import ties_of
from tournaments.stages.services.settling import settle_tie
from tournaments.stages.services.stages import load


def an_event(
    players: int = 0,
    *,
    club: Club | None = None,
    format_key: str = "knockout",
    length: int = 3,
    terms: FlightTerms | None = None,
) -> Event:
    """An announced event with so many players of its club entered, named P1, P2, ..."""
    club = club or ClubFactory.create()
    event = announce_event(
        club=club,
        name="Wednesday",
        starts_at=now() + timedelta(hours=1),
        format_key=format_key,
        length=length,
        terms=terms,
    )
    for number in range(1, players + 1):
        enter(flight=flight_of(event), players=[a_player(club, f"P{number}")])
    return event


def a_player(club: Club, name: str) -> Player:
    player = PlayerFactory.create(name=name)
    MembershipFactory.create(club=club, player=player)
    return player


def flight_of(event: Event) -> Flight:
    return event.flights.get()


def drawn(event: Event, *, seed: str = "a seed") -> StageRow:
    """The event's stage, drawn from this seed."""
    StageRow.objects.filter(flight__event=event).update(seed=seed)
    return draw_stage(stage=StageRow.objects.get(flight__event=event), user=None)


def pairing(stage: StageRow, number: int) -> PairingRow:
    found = PairingRow.objects.current().select_related("stage__flight__event__club", "a", "b")
    return found.get(stage=stage, number=number)


def open_pairings(stage: StageRow) -> list[PairingRow]:
    found = PairingRow.objects.filter(stage=stage, state=PairingState.OPEN).select_related(
        "stage__flight__event__club", "a", "b"
    )
    return list(found.order_by("number"))


def other_side(row: PairingRow) -> EntrantRow:
    """The second entrant of a pairing that is no bye."""
    assert row.b is not None
    return row.b


def win(
    row: PairingRow,
    user: User,
    *,
    a: bool = True,
    ended: Ending = Ending.PLAYED,
    reason: str = "",
    **options: bool,
) -> None:
    """The director records that ``a`` (else ``b``) wins, as the draw stands now."""
    points = None
    if ended is Ending.PLAYED:
        points = (row.length, 0) if a else (0, row.length)
    stage = StageRow.objects.get(pk=row.stage_id)
    correct_result(
        pairing=row,
        decision=DirectedResult("white" if a else "black", points, ended),
        seen=stage.head_seq,
        user=user,
        reason=reason,
        **options,
    )


def settle_by_lot(stage: StageRow, director: User) -> None:
    """Draw a lot where entrants of a finished stage are level."""
    stage = StageRow.objects.select_related("flight__event__club").get(pk=stage.pk)
    for tie in ties_of(stage, load(stage)).open:
        for decision in ("announce_lot", "lot"):
            settle_tie(stage=stage, decision=decision, entrants=tie.refs, user=director)
