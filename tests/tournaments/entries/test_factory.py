"""What the factory enters at once is what the service enters one by one."""

from typing import Any

import pytest
from django.db.models import Model

from clubs.models import Membership, Person
from tests.tournaments.factories import a_player, an_event, enter_new_players, flight_of
from tournaments.entries.services.entries import enter
from tournaments.models import DeskEvent, EntrantMember, EntrantRow, Event

pytestmark = pytest.mark.django_db
OWN = {"id", "flight", "player", "entrant", "event", "club", "ref", "registered_at", "joined_at", "at"}
"""What differs from one event to another."""


def told(row: Model) -> dict[str, Any]:
    names = {field.name: field.attname for field in row._meta.concrete_fields if field.name not in OWN}
    return {name: getattr(row, column) for name, column in names.items()}


def rows_of(event: Event) -> dict[str, list[Any]]:
    entrants = EntrantRow.objects.filter(flight__event=event).order_by("pk")
    players = list(EntrantMember.objects.filter(flight__event=event).values_list("player", flat=True))
    refs = list(entrants.values_list("ref", flat=True))
    return {
        "entrants": [told(entrant) for entrant in entrants],
        "members": [told(row) for row in EntrantMember.objects.filter(flight__event=event).order_by("pk")],
        "people": [told(row) for row in Person.objects.filter(player__in=players).order_by("player")],
        "memberships": [
            told(row) for row in Membership.objects.filter(player__in=players).order_by("player")
        ],
        "log": [
            (
                entry.seq,
                entry.kind,
                refs.index(entry.body["entrant"]),
                {**entry.body, "flight": "", "entrant": ""},
            )
            for entry in DeskEvent.objects.filter(event=event, kind="entered").order_by("seq")
        ],
        "event": [Event.objects.values_list("version", "head_seq").get(pk=event.pk)],
    }


def test_the_factory_writes_what_the_service_writes():
    one_by_one, at_once = an_event(), an_event()
    for name in ("P1", "P2", "P3"):
        enter(flight=flight_of(one_by_one), players=[a_player(one_by_one.club, name)])
    enter_new_players(flight_of(at_once), ["P1", "P2", "P3"])
    assert rows_of(at_once) == rows_of(one_by_one)
