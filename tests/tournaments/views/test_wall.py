"""The wall: who is called, the draws as far as they are played, nothing twice while nothing has changed."""

import pytest
from django.urls import reverse
from django.utils.timezone import now

from clubs.models import Role
from tests.factories import member
from tests.tournaments.factories import an_event, drawn, open_pairings, win
from tournaments.models import Stage
from tournaments.queries.stage_picture import picture_of
from tournaments.queries.wall import wall_of
from tournaments.services.calls import call, start
from tournaments.services.stages import load

pytestmark = pytest.mark.django_db


def words(response):
    return " ".join(response.content.decode().split())


def address(event):
    return reverse("tournaments:wall", args=[event.ref])


def test_before_the_draw_the_wall_waits(client):
    event = an_event(4)
    assert "The draw is made soon." in words(client.get(address(event)))


def test_the_wall_names_calls_with_their_tables_and_who_comes_next(client):
    stage = drawn(an_event(8))
    event = stage.flight.event
    row, other, *_rest = open_pairings(stage)
    row.table, row.called_at = 5, now()
    row.save()
    page = words(client.get(address(event)))
    assert "<b>5</b>" in page
    assert page.index(row.a.title) < page.index("Next") < page.index(other.a.title, page.index("Next"))
    assert stage.seed_hash[:12] in page, "a draw that was just made is unrolled with its proof"


def test_the_wall_shows_the_rounds_that_are_played_on(client):
    stage = drawn(an_event(16))
    director = member(stage.flight.event.club, Role.DIRECTOR)
    for row in open_pairings(stage)[:8]:
        win(row, director)
    page = words(client.get(address(stage.flight.event)))
    assert "Main, round 1" not in page
    assert "Quarter-finals" in page


@pytest.mark.parametrize("players", [4, 12])
def test_the_wall_costs_the_same_for_few_and_many(client, django_assert_num_queries, players):
    stage = drawn(an_event(players, format_key="swiss_3"))
    with django_assert_num_queries(5):
        client.get(address(stage.flight.event))


def test_the_same_part_is_not_sent_twice(client):
    stage = drawn(an_event(4))
    event = stage.flight.event
    first = client.get(address(event), {"part": "1"})
    assert "<html" not in words(first)
    asked = {"If-None-Match": first.headers["ETag"]}
    assert client.get(address(event), {"part": "1"}, headers=asked).status_code == 304
    win(open_pairings(stage)[0], member(event.club, Role.DIRECTOR))
    assert client.get(address(event), {"part": "1"}, headers=asked).status_code == 200


def test_a_match_that_the_desk_has_seen_begin_is_being_played_on_the_wall_and_in_the_draw(client):
    stage = drawn(an_event(8))
    event = stage.flight.event
    director = member(event.club, Role.DIRECTOR)
    row = open_pairings(stage)[0]
    draw = stage.get_absolute_url()
    call(pairing=row, user=director)
    called = client.get(draw)
    assert "called" in words(called)
    assert "playing" not in words(called)
    start(pairing=row, user=director)
    fresh = Stage.objects.select_related("flight__event__club").get(pk=stage.pk)
    begun = client.get(draw, headers={"If-None-Match": called["ETag"]})
    assert begun.status_code == 200
    assert "playing" in words(begun)
    assert [each.begun for each in wall_of([picture_of(fresh, load(fresh))]).calls] == [True]
