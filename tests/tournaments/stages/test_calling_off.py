"""A flight that does not take place, of an event that does."""

import pytest
from django.urls import reverse

from clubs.models import Role
from scoring.log.services.chains import chain_damage
from tests.factories import member
from tests.races import at_once
from tests.tournaments.factories import a_player, an_event, open_pairings, win
from tests.tournaments.transfer.machines import away, elsewhere
from tournaments.core.prizes.pools import Fees
from tournaments.desk.queries.event_log import event_log
from tournaments.entries.services.entries import enter
from tournaments.entries.services.fees import record_payment
from tournaments.events.plans import single_flight
from tournaments.events.services.events import join_flight
from tournaments.log.refusals import DeskRefused
from tournaments.models import EntrantRow, EntrantState, Event, FeePayment, Flight, StageRow
from tournaments.stages.services.cancellations import cancel_flight
from tournaments.stages.services.draws import draw_stage
from tournaments.transfer.services.moves import bring_here

pytestmark = pytest.mark.django_db


def an_event_of_two_flights():
    """The open flight has four players, the novices one who has paid."""
    event = an_event(4)
    director = member(event.club, Role.DIRECTOR)
    Flight.objects.update(name="Open")
    plan = single_flight("swiss_3", 3, name="Novices", fees=Fees(entry=1000))
    novices = join_flight(event=event, plan=plan, user=director)
    alone = enter(flight=novices, players=[a_player(event.club, "Zoe")])
    record_payment(entrant=alone, user=director, payment=FeePayment.CASH)
    return event, novices, director


def the_open_is_played(event, director):
    stage = draw_stage(stage=StageRow.objects.get(flight__name="Open"), user=director)
    while rows := open_pairings(stage):
        for row in rows:
            win(row, director)


def test_an_event_is_over_without_the_flight_that_was_called_off():
    event, novices, director = an_event_of_two_flights()
    the_open_is_played(event, director)
    assert Event.objects.get().status == "running"
    cancel_flight(flight=novices, user=director)
    assert Event.objects.get().status == "finished"
    alone = EntrantRow.objects.get(flight=novices)
    assert (alone.state, alone.members.get().active) == (EntrantState.WITHDRAWN, False)
    assert StageRow.objects.get(flight=novices).status == "skipped"
    newest = event_log(event)[0]
    assert (newest.title, newest.words) == ("Division cancelled", "Novices · 1 entry cancelled")
    assert chain_damage(Event.objects.get()) is None
    entries = Event.objects.get().head_seq
    with pytest.raises(DeskRefused, match="finished"):
        cancel_flight(flight=novices, user=director)
    assert Event.objects.get().head_seq == entries


def test_it_can_be_called_off_before_anything_is_played_and_once():
    event, novices, director = an_event_of_two_flights()
    cancel_flight(flight=novices, user=director)
    cancel_flight(flight=novices, user=director)
    assert event.desk_log.filter(kind="flight_called_off").count() == 1
    assert Event.objects.get().status == "announced"
    with pytest.raises(DeskRefused, match="This division has been cancelled"):
        enter(flight=novices, players=[a_player(event.club, "Late")])
    with pytest.raises(DeskRefused, match="not needed and cannot be drawn"):
        draw_stage(stage=StageRow.objects.get(flight=novices), user=director)
    with pytest.raises(DeskRefused, match="Cancel the event instead"):
        cancel_flight(flight=Flight.objects.get(name="Open"), user=director)
    the_open_is_played(event, director)
    assert Event.objects.get().status == "finished"
    # The fees that had come in are refunded afterwards.
    record_payment(entrant=EntrantRow.objects.get(flight=novices), user=director, refunded=True)
    assert EntrantRow.objects.get(flight=novices).refunded_at is not None


@pytest.mark.django_db(transaction=True)
def test_an_event_without_the_flight_that_was_called_off_travels():
    event, novices, director = an_event_of_two_flights()
    the_open_is_played(event, director)
    cancel_flight(flight=novices, user=director)
    text = away(Event.objects.get())
    found = bring_here(club=elsewhere(), text=text, user=None)
    assert found.status == "finished"
    assert StageRow.objects.get(flight__name="Novices").status == "skipped"
    assert "Novices · 1 entry cancelled" in [line.words for line in event_log(found)]
    assert chain_damage(found) is None


def test_a_flight_that_is_drawn_is_played():
    event, _novices, director = an_event_of_two_flights()
    the_open_is_played(event, director)
    with pytest.raises(DeskRefused, match="The draw has been made"):
        cancel_flight(flight=Flight.objects.get(name="Open"), user=director)


@pytest.mark.django_db(transaction=True)
def test_of_a_draw_and_calling_off_at_once_one_holds():
    event, novices, director = an_event_of_two_flights()
    enter(flight=novices, players=[a_player(event.club, "Yan")])
    stage = StageRow.objects.get(flight=novices)
    found = at_once(
        lambda: draw_stage(stage=stage, user=director), lambda: cancel_flight(flight=novices, user=director)
    )
    assert [type(each) for each in found if isinstance(each, Exception)] == [DeskRefused]
    stage.refresh_from_db()
    in_it = EntrantRow.objects.filter(flight=novices).exclude(state=EntrantState.WITHDRAWN).count()
    assert (stage.status, in_it) in {("running", 2), ("skipped", 0)}


def test_the_page_offers_it_and_shows_that_it_was_done(client):
    event, novices, director = an_event_of_two_flights()
    client.force_login(director)
    address = reverse("tournaments:cancel_flight", args=[novices.ref])
    assert f'action="{address}"' in client.get(event.get_absolute_url()).content.decode()
    page = " ".join(client.post(address, follow=True).content.decode().split())
    assert "Division cancelled." in page
    assert "Cancelled</span>" in page
    assert f'action="{address}"' not in page
    shown = page.partition(f'id="flight-{novices.ref}"')[2].partition("</section>")[0]
    for gone in ("Enter a player", "Make the draw", "Change places", "Approve prizes"):
        assert gone not in shown
    assert "/edit/" in shown
    answer = client.post(f"/api/v1/flights/{Flight.objects.get(name='Open').ref}/cancel/")
    assert (answer.status_code, answer.json()["code"]) == (409, "only_flight")
