"""What changes, and what goes on meanwhile, take what they need in the same order."""

from dataclasses import replace
from datetime import timedelta
from threading import Event as Signal

import pytest
from django.db import transaction
from django.db.models import F
from django.utils.timezone import now

from clubs.models import Role
from tests.factories import ClubFactory, member
from tests.races import at_once, until_somebody_waits
from tests.tournaments.factories import a_player, an_event, flight_of
from tournaments.desk.services.calls import call_ready
from tournaments.entries.services.check_ins import check_in_players
from tournaments.entries.services.entries import enter
from tournaments.events.event_templates import template
from tournaments.events.plans import EventPlan
from tournaments.events.services.changes import change_event, change_flight
from tournaments.events.services.events import add_flight, announce
from tournaments.log.services import lock_event
from tournaments.models import EntrantState, Feed, Flight, StageRow
from tournaments.stages.services.locks import lock_stage

pytestmark = pytest.mark.django_db(transaction=True)


def _meanwhile(begins, goes_on, other):
    """One begins, goes on once the other waits for it, and both end; what each raised."""
    begun = Signal()

    def one():
        with transaction.atomic():
            begins()
            begun.set()
            until_somebody_waits(Signal())
            goes_on()

    def two():
        begun.wait(10)
        other()

    return at_once(one, two)


@pytest.mark.each_case  # the desk alone would not find a change in another order
@pytest.mark.parametrize("which", ["event", "flight", "desk"])
def test_a_change_takes_the_stages_in_the_order_of_results_whatever_their_keys(which):
    club = ClubFactory.create()
    plan = EventPlan("Cup", now() + timedelta(hours=1), (template("groups_then_knockout").flight(5),))
    event = announce(club=club, plan=plan)
    director = member(club, Role.DIRECTOR)
    # As they are in an event that a file has brought.
    stages = list(StageRow.objects.order_by("-pk"))
    Feed.objects.all().delete()
    StageRow.objects.update(position=F("position") + 10)
    for position, stage in enumerate(stages):
        StageRow.objects.filter(pk=stage.pk).update(position=position)
    first, *_others, last = StageRow.objects.order_by("position")

    def change():
        if which == "event":
            change_event(event=event, changes={"name": "Open"}, user=director)
        elif which == "desk":
            call_ready(event=event, user=director)
        else:
            change_flight(flight=flight_of(event), changes={"name": "Open"}, user=director)

    assert _meanwhile(lambda: lock_stage(first), lambda: lock_stage(last), change) == [None, None]


def test_who_checks_in_for_several_flights_holds_nobody_up_who_changes_one():
    event = an_event()
    other = add_flight(
        event=event, plan=replace(template("doubles_cup").flight(3), name="B", team_size=1), position=1
    )
    player = a_player(event.club, "Ana")
    entrants = [enter(flight=flight, players=[player]) for flight in (Flight.objects.get(position=0), other)]

    def begin_a_change():
        Flight.objects.select_for_update(no_key=True).get(pk=other.pk)

    def check_in():
        check_in_players(event=event, player=player)

    assert _meanwhile(begin_a_change, lambda: lock_event(event), check_in) == [None, None]
    for entrant in entrants:
        entrant.refresh_from_db()
        assert entrant.state == EntrantState.PRESENT
