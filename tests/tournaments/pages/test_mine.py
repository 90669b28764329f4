"""What an event asks of the person who looks."""

import pytest
from django.contrib.auth.models import AnonymousUser
from django.urls import reverse

from clubs.models import Role
from tests.factories import UserFactory, member
from tests.tournaments.factories import an_event, drawn, open_pairings, other_side
from tournaments.desk.services.calls import call
from tournaments.desk.services.tables import change_table, make_tables
from tournaments.models import Event
from tournaments.pages.queries.mine import desks_of, my_matches

pytestmark = pytest.mark.django_db


def a_login(entrant):
    user = UserFactory.create()
    player = entrant.members.get().player
    player.user = user
    player.save()
    return user


def test_my_next_match_tells_table_and_opponent_once_it_is_called():
    event = an_event(4)
    row, _other = open_pairings(drawn(event))
    make_tables(event=event, last=2, user=None)
    change_table(event=event, number=2, user=None, name="By the window")
    mine, theirs = a_login(row.a), a_login(other_side(row))
    (before,) = my_matches(mine)
    assert (before.called, before.opponent, before.match) == (False, row.b, row.boards.get().match.ref)
    call(pairing=row, user=None, table=2)
    (after,) = my_matches(mine)
    assert (after.called, after.pairing.table, after.place, after.minutes) == (True, 2, "By the window", 0)
    assert [each.opponent for each in my_matches(theirs)] == [row.a]


def test_a_called_player_opens_the_scoresheet_or_enters_the_result(client):
    event = an_event(4)
    row, _other = open_pairings(drawn(event))
    client.force_login(a_login(row.a))
    sheet = reverse("scoring:scoresheet", args=[row.boards.get().match.ref])
    assert sheet not in client.get(event.get_absolute_url()).text
    call(pairing=row, user=None)
    page = client.get(event.get_absolute_url()).text
    assert f'href="{sheet}">Open scoresheet</a>' in page
    assert f'href="{sheet}?depth=result">Enter result</a>' in page
    assert client.get(f"{sheet}?depth=result").context["config"]["depth"] == "result"


def test_others_have_no_match_of_mine():
    event = an_event(4)
    drawn(event)
    for viewer in (AnonymousUser(), UserFactory.create(), member(event.club)):
        assert my_matches(viewer) == []


def test_a_directors_desk_is_that_of_the_own_clubs():
    event = an_event(4)
    assert desks_of(member(event.club, Role.DIRECTOR)) == []
    drawn(event)
    assert desks_of(member(event.club, Role.DIRECTOR)) == [event]
    for viewer in (AnonymousUser(), member(event.club), UserFactory.create()):
        assert desks_of(viewer) == []


def test_a_matchs_page_leads_to_its_event_as_far_as_one_may_know_it(client):
    event = an_event(4)
    row, _other = open_pairings(drawn(event))
    page = row.boards.get().match.get_absolute_url()
    assert event.get_absolute_url() in client.get(page).content.decode()
    Event.objects.filter(pk=event.pk).update(hidden=True)
    assert event.get_absolute_url() not in client.get(page).content.decode()
