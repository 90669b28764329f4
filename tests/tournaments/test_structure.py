"""What an event says of its matches and of itself: rules, rating, lengths by round, zone, who knows it."""

import pytest
from django.db import IntegrityError, transaction
from django.urls import reverse
from django.utils.timezone import now

from clubs.models import Role
from scoring.formulas.policy import Unrated
from scoring.models import Match
from scoring.ratings.services.ratings import unrated_because
from scoring.rules.profiles import BUILT_IN, profile_to_plain
from tests.factories import ClubFactory, member
from tests.tournaments.factories import an_event, drawn, flight_of, open_pairings, win
from tournaments.models import Event, PairingRow, StageRow

pytestmark = pytest.mark.django_db


def test_matches_are_played_by_the_rules_of_their_event():
    event = an_event(2)
    event.profile = profile_to_plain(BUILT_IN["us"])
    event.save()
    drawn(event)
    assert Match.objects.get().sheet.profile["name"] == "us"


def test_matches_of_an_unrated_event_move_no_rating():
    event = an_event(2)
    Event.objects.update(rated=False)
    stage = drawn(event)
    win(open_pairings(stage)[0], member(event.club, Role.DIRECTOR))
    assert unrated_because(Match.objects.with_players().get()) is Unrated.FRIENDLY


def test_a_knockout_is_longer_from_round_to_round():
    event = an_event(4)
    StageRow.objects.update(lengths=[3, 5])
    stage = drawn(event)
    director = member(event.club, Role.DIRECTOR)
    while rows := open_pairings(stage):
        for row in rows:
            win(row, director)
    lengths = PairingRow.objects.filter(stage=stage).order_by("number").values_list("length", flat=True)
    assert list(lengths) == [3, 3, 5]


def test_rounds_have_their_lengths_and_the_last_one_repeats():
    event = an_event(4, format_key="swiss_3")
    StageRow.objects.update(lengths=[3, 5])
    stage = drawn(event)
    director = member(event.club, Role.DIRECTOR)
    while rows := open_pairings(stage):
        for row in rows:
            win(row, director)
    lengths = PairingRow.objects.filter(stage=stage).order_by("number").values_list("length", flat=True)
    assert list(lengths) == [3, 3, 5, 5, 5, 5]


def test_an_event_has_the_zone_of_its_venue():
    event = an_event(0, club=ClubFactory.create(tz="Europe/Berlin"))
    assert str(event.tz) == "Europe/Berlin"
    event.zone = "America/New_York"
    assert str(event.tz) == "America/New_York"


def test_entries_cannot_close_before_they_open():
    event = an_event(0)
    with pytest.raises(IntegrityError), transaction.atomic():
        Event.objects.filter(pk=event.pk).update(entries_from=now(), entries_until=event.created_at)


def test_a_hidden_event_is_known_to_directors_alone(client):
    event = an_event(2)
    flight_of(event)
    Event.objects.update(hidden=True)
    address = reverse("tournaments:event", args=[event.ref])
    lists = reverse("tournaments:club_events", args=[event.club.slug])
    live = reverse("clubs:live", args=[event.ref])
    for user in (None, member(event.club)):
        if user is not None:
            client.force_login(user)
        assert client.get(address).status_code == 404
        assert client.get(live).status_code == 404
        assert event.ref not in client.get(lists).content.decode()
    client.force_login(member(event.club, Role.DIRECTOR))
    assert client.get(address).status_code == 200
    assert event.ref in client.get(lists).content.decode()
