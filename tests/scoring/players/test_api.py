"""A player through the API is known to whom the pages would show them, and to nobody else."""

import pytest
from django.contrib.auth.models import AnonymousUser
from rest_framework.test import APIClient

from clubs.models import Openness, Role, Visibility
from clubs.people.services.merges import merge_players
from scoring.log.queries.visible import player_seen_by
from tests.clubs.api.clients import with_token
from tests.factories import ClubFactory, MembershipFactory, PlayerFactory, UserFactory, member
from tests.scoring.factories import finish_match, open_match

pytestmark = pytest.mark.django_db


def test_the_api_and_the_pages_know_the_same_players():
    public = ClubFactory.create(lists_open_to=Openness.MEMBERS)
    hidden = ClubFactory.create(visibility=Visibility.MEMBERS)
    players = {
        "played in public": PlayerFactory.create(name="A"),
        "played in hiding": PlayerFactory.create(name="B"),
        "never played": PlayerFactory.create(name="C"),
        "nowhere": PlayerFactory.create(name="D"),
    }
    finish_match(open_match(public, players["played in public"], PlayerFactory.create()), "white")
    finish_match(open_match(hidden, players["played in hiding"], PlayerFactory.create()), "white")
    MembershipFactory.create(club=public, player=players["never played"])
    users = {
        "of the public club": member(public, Role.GUEST),
        "of the hidden club": member(hidden, Role.OWNER),
        "of no club": UserFactory.create(),
        "admin": UserFactory.create(is_superuser=True),
    }
    expected = {
        "visitor": {"played in public"},
        "of the public club": {"played in public", "never played"},
        "of the hidden club": {"played in public", "played in hiding"},
        "of no club": {"played in public"},
        "admin": set(players),
    }
    for viewer, known in expected.items():
        user = users.get(viewer)
        client = with_token(user) if user else APIClient()
        for name, player in players.items():
            answer = client.get(f"/api/v1/players/{player.ref}/")
            assert answer.status_code == (200 if name in known else 404), (viewer, name)
            assert (player_seen_by(user or AnonymousUser(), player.ref) is not None) == (name in known)
            if user:
                page = client
                page.force_login(user)
            assert client.get(f"/players/{player.ref}/").status_code in ({200} if name in known else {404}), (
                viewer,
                name,
            )
            client.logout()
            if user:
                client = with_token(user)


def test_a_guest_who_turned_out_to_be_somebody_names_that_player():
    club = ClubFactory.create()
    guest, other, ana = (PlayerFactory.create(name=name) for name in ("bglover", "other", "Ana"))
    finish_match(open_match(club, guest, other), "white")
    merge_players(guest=guest, into=ana)
    answer = APIClient().get(f"/api/v1/players/{guest.ref}/")
    assert (answer.data["ref"], answer.data["merged_into"]) == (guest.ref, ana.ref)


def test_one_player_costs_few_queries(django_assert_num_queries):
    club = ClubFactory.create()
    ana = PlayerFactory.create(name="Ana")
    for day in range(3):
        finish_match(open_match(club, ana, PlayerFactory.create(), day=day), "white")
    with django_assert_num_queries(1):
        assert APIClient().get(f"/api/v1/players/{ana.ref}/").data["name"] == "Ana"
