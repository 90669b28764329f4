"""Titles that a club writes down: who has which, and who says so."""

import pytest
from django.db import IntegrityError, transaction
from django.urls import reverse

from clubs.clubs.services.clubs import add_player, end_membership, give_title
from clubs.models import Club, Membership, Role, Title, User
from clubs.people.services.merges import merge_players
from tests.factories import ClubFactory, member
from tests.races import at_once

pytestmark = pytest.mark.django_db


def director_of(club: Club) -> User:
    user = Membership.objects.get(club=club, role=Role.DIRECTOR).player.user
    assert user is not None
    return user


@pytest.fixture
def directed(client):
    club = ClubFactory.create()
    user = member(club, Role.DIRECTOR)
    client.force_login(user)
    return club


def test_a_title_stands_with_who_wrote_it_and_when(directed):
    director = director_of(directed)
    ana = add_player(club=directed, name="Ana")
    given = give_title(club=directed, player_ref=ana.player.ref, title=Title.G3, user=director)
    assert (given.title, given.title_by) == (Title.G3, director)
    assert given.title_at is not None
    again = give_title(
        club=directed, player_ref=ana.player.ref, title=Title.G3, user=member(directed, Role.DIRECTOR)
    )
    assert (again.title_by, again.title_at) == (director, given.title_at)
    assert give_title(club=directed, player_ref=ana.player.ref, title=None, user=director).title is None


def test_titles_are_ordered_from_the_lowest_master_to_the_highest():
    assert [title.name for title in sorted(Title)] == ["M3", "M2", "M1", "G3", "G2", "G1", "S3", "S2", "S1"]


def test_there_is_no_title_that_is_none(directed):
    with pytest.raises(IntegrityError), transaction.atomic():
        Membership.objects.update(title=11)


def test_a_merged_guest_brings_the_title_along(directed):
    director = director_of(directed)
    guest, into = add_player(club=directed, name="Ana"), add_player(club=directed, name="Ana M")
    give_title(club=directed, player_ref=guest.player.ref, title=Title.M1, user=director)
    give_title(club=directed, player_ref=into.player.ref, title=Title.M3, user=director)
    merge_players(guest=guest.player, into=into.player)
    assert Membership.objects.get(player=into.player).title == Title.M1


def test_the_people_page_shows_titles_and_a_director_writes_them(client, directed):
    ana = add_player(club=directed, name="Ana")
    address = reverse("clubs:member_title", args=[directed.slug, ana.player.ref])
    assert address in client.get(reverse("clubs:people", args=[directed.slug])).content.decode()
    assert client.post(address, {"title": "40"}).status_code == 302
    page = client.get(reverse("clubs:people", args=[directed.slug])).content.decode()
    assert "Grandmaster G3" in page
    assert "Set by" in client.get(address).content.decode()
    assert client.post(address, {"title": "41"}).status_code == 200
    assert Membership.objects.get(player=ana.player).title == Title.G3
    client.force_login(member(directed))
    assert client.post(address, {"title": ""}).status_code == 403


def test_the_api_writes_titles_and_shows_who_wrote_them(client, directed):
    director = Membership.objects.get(club=directed).player
    ana = add_player(club=directed, name="Ana")
    address = reverse("api:member_title", args=[directed.slug, ana.player.ref])
    answer = client.post(address, {"title": "S1"}, content_type="application/json")
    assert answer.status_code == 200, answer.content
    assert (answer.json()["title"], answer.json()["title_by"]) == ("S1", director.ref)
    wrong = client.post(address, {"title": "Queen"}, content_type="application/json")
    assert wrong.status_code == 400
    end_membership(club=directed, player_ref=ana.player.ref)
    assert client.post(address, {"title": None}, content_type="application/json").status_code == 404


@pytest.mark.django_db(transaction=True)
def test_two_directors_at_once_leave_one_title_with_its_author():
    club = ClubFactory.create()
    first, second = member(club, Role.DIRECTOR), member(club, Role.DIRECTOR)
    ana = add_player(club=club, name="Ana").player
    at_once(
        lambda: give_title(club=club, player_ref=ana.ref, title=Title.G1, user=first),
        lambda: give_title(club=club, player_ref=ana.ref, title=Title.G2, user=second),
    )
    kept = Membership.objects.get(player=ana)
    assert (kept.title, kept.title_by) in {(Title.G1, first), (Title.G2, second)}
