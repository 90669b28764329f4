"""Stages and flights on the event's page."""

import pytest
from django.urls import reverse

from clubs.models import Role
from tests.factories import member
from tests.tournaments.factories import a_player, an_event, open_pairings, win
from tests.tournaments.wizard import FORM, words
from tournaments.entries.services.entries import enter
from tournaments.events.plans import single_flight
from tournaments.events.services.events import join_flight
from tournaments.models import Event, StageRow

pytestmark = pytest.mark.django_db


def test_the_page_leads_from_groups_to_the_knockout(client, directed):
    client.post(
        reverse("tournaments:new_event", args=[directed.slug]), FORM | {"format_key": "groups_then_knockout"}
    )
    event = Event.objects.get()
    flight = event.flights.get()
    for number in range(8):
        enter(flight=flight, players=[a_player(directed, f"P{number}")])
    first = flight.stages.order_by("position")[0]
    page = words(client.post(reverse("tournaments:draw_one", args=[first.ref]), follow=True))
    assert "Group D" in page
    assert "Qualifiers from" in page
    director = member(directed, Role.DIRECTOR)
    for stage in flight.stages.filter(format="round_robin"):
        for row in open_pairings(stage):
            win(row, director)
    page = words(client.get(event.get_absolute_url()))
    assert "Confirm field" in page
    cup = flight.stages.get(format="knockout")
    refs = list(dict.fromkeys(ref for sent in cup.fed.values() for ref in sent))
    wrong = client.post(reverse("tournaments:field", args=[cup.ref]), {"entrant": refs[:2]}, follow=True)
    assert "The field has changed. Check it" in words(wrong)
    client.post(reverse("tournaments:declined", args=[cup.ref]), {"entrant": refs[0]})
    client.post(reverse("tournaments:field", args=[cup.ref]))
    page = words(client.post(reverse("tournaments:draw_one", args=[cup.ref]), follow=True))
    assert StageRow.objects.get(pk=cup.pk).drawn_at is not None
    assert not cup.numbers.filter(entrant__ref=refs[0]).exists()


@pytest.mark.parametrize("flights", [1, 3])
def test_queries_of_the_page_of_an_event_with_several_flights(client, django_assert_num_queries, flights):
    event = an_event(4)
    for position in range(1, flights):
        flight = join_flight(event=event, plan=single_flight("swiss_3", 3, name=f"F{position}"), user=None)
        enter(flight=flight, players=[a_player(event.club, f"Q{position}")])
    client.force_login(member(event.club, Role.DIRECTOR))
    with django_assert_num_queries(6):
        client.get(event.get_absolute_url())
