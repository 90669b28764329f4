"""Events for tests, made by the services as people make them."""

from collections.abc import Sequence
from datetime import timedelta

from django.db import transaction
from django.db.models import F
from django.utils.timezone import now

from clubs.lookalikes import skeleton
from clubs.models import Club, Membership, Person, Player, User
from clubs.models.person import sort_key
from scoring.log.services.chains import append
from scoring.rules.endings import Ending
from scoring.sheets.services.decisions import DirectedResult
from tests.factories import ClubFactory, MembershipFactory, PlayerFactory
from tournaments.desk.services.results import correct_result
from tournaments.entries.services.entries import enter
from tournaments.events.services.events import FlightTerms, announce_event
from tournaments.log.services import lock_event
from tournaments.models import (
    DeskEvent,
    EntrantMember,
    EntrantRow,
    Event,
    Flight,
    PairingRow,
    PairingState,
    StageRow,
)
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
    """An announced event with so many players of its club entered, named P1, P2, ...

    They are entered by the service where terms might keep one out, else all at once.
    """
    club = club or ClubFactory.create()
    event = announce_event(
        club=club,
        name="Wednesday",
        starts_at=now() + timedelta(hours=1),
        format_key=format_key,
        length=length,
        terms=terms,
    )
    names = [f"P{number}" for number in range(1, players + 1)]
    if terms is None:
        enter_new_players(flight_of(event), names)
    else:
        for name in names:
            enter(flight=flight_of(event), players=[a_player(club, name)])
    return event


def enter_new_players(flight: Flight, names: Sequence[str]) -> None:
    """Make new members with these names and enter each by itself, with the rows that ``enter`` writes.

    For a division that is announced and takes everybody.
    """
    if not names:
        return
    event, club = flight.event, flight.event.club
    with transaction.atomic():
        players = Player.objects.bulk_create(Player() for _name in names)
        Person.objects.bulk_create(
            Person(player=player, name=name, sort_key=sort_key(name), skeleton=skeleton(name))
            for player, name in zip(players, names, strict=True)
        )
        Membership.objects.bulk_create(Membership(club=club, player=player) for player in players)
        event = lock_event(event)
        entrants = EntrantRow.objects.bulk_create(EntrantRow(flight=flight) for _name in names)
        EntrantMember.objects.bulk_create(
            EntrantMember(entrant=entrant, flight=flight, player=player, position=0)
            for entrant, player in zip(entrants, players, strict=True)
        )
        said = [
            {"flight": flight.ref, "entrant": entrant.ref, "state": entrant.state, "override": False}
            for entrant in entrants
        ]
        append(event, [DeskEvent(event=event, kind="entered", body=body) for body in said])
        Event.objects.filter(pk=event.pk).update(version=F("version") + len(names))


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
