"""Following: once, moved with a merged guest, forgotten with the person."""

import pytest

from clubs.clubs.services.erasures import erase_user
from clubs.people.services.merges import merge_players
from tests.factories import PlayerFactory, UserFactory
from tournaments.following.services import calendar_key, follow, own_follows, renew_calendar_key, unfollow
from tournaments.models import CalendarKey, Follow, PushAddress

pytestmark = pytest.mark.django_db


def test_a_player_is_followed_once_and_left_once():
    user, player = UserFactory.create(), PlayerFactory.create()
    for _twice in range(2):
        follow(user=user, player=player)
    assert Follow.objects.count() == 1
    for _twice in range(2):
        unfollow(user=user, player=player)
    assert Follow.objects.count() == 0


def test_followers_of_a_guest_follow_whom_the_guest_turns_out_to_be():
    one, both = UserFactory.create(), UserFactory.create()
    guest, player = PlayerFactory.create(), PlayerFactory.create()
    follow(user=one, player=guest)
    follow(user=both, player=guest)
    follow(user=both, player=player)
    merge_players(guest=guest, into=player)
    assert set(Follow.objects.values_list("user", "player")) == {(one.pk, player.pk), (both.pk, player.pk)}


def test_a_new_calendar_key_replaces_the_old_one():
    user = UserFactory.create()
    old = calendar_key(user=user).key
    assert calendar_key(user=user).key == old
    assert renew_calendar_key(user=user).key != old
    assert CalendarKey.objects.count() == 1


def test_an_erased_person_leaves_no_follows_and_no_addresses():
    user, other = UserFactory.create(), UserFactory.create()
    player = PlayerFactory.create(user=user)
    followed = PlayerFactory.create()
    follow(user=user, player=followed)
    follow(user=other, player=player)
    calendar_key(user=user)
    PushAddress.objects.create(user=user, endpoint="https://push.example.org/1", p256dh="k", auth="a")
    assert own_follows(player) == [followed.ref]
    erase_user(user=user)
    counts = [model.objects.count() for model in (Follow, CalendarKey, PushAddress)]
    assert counts == [0, 0, 0]
