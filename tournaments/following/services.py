"""Users' followed players and calendar keys: changes, merge, export, erasure."""

from django.db import transaction

from clubs.models import Player, User
from clubs.people.services.merges import Moved
from tournaments.models import CalendarKey, Follow, PushAddress
from tournaments.models.following import new_key


def follow(*, user: User, player: Player) -> None:
    """Follow a player, who is then marked in every draw; idempotent."""
    Follow.objects.get_or_create(user=user, player=player)


def unfollow(*, user: User, player: Player) -> None:
    """Stop following a player; idempotent."""
    Follow.objects.filter(user=user, player=player).delete()


def calendar_key(*, user: User) -> CalendarKey:
    """The user's calendar key, created on first use."""
    return CalendarKey.objects.get_or_create(user=user)[0]


def renew_calendar_key(*, user: User) -> CalendarKey:
    """Replace the user's calendar key; the old address stops working."""
    return CalendarKey.objects.update_or_create(user=user, defaults={"key": new_key()})[0]


def move_followers(guest: Player, into: Player) -> Moved:
    """Move a merged guest's followers to the player; returns which users moved."""
    followers = Follow.objects.filter(player=guest)
    both = followers.filter(user__in=Follow.objects.filter(player=into).values("user"))
    moved = {"both": list(both.values_list("user", flat=True))}
    both.delete()
    moved["moved"] = list(followers.values_list("user", flat=True))
    followers.update(player=into)
    return moved


def put_followers_back(guest: Player, into: Player, moved: Moved) -> None:
    """Undo :func:`move_followers` for users who still follow the player."""
    still = Follow.objects.filter(player=into)
    still.filter(user__in=moved["moved"]).update(player=guest)
    both = still.filter(user__in=moved["both"]).values_list("user", flat=True)
    Follow.objects.bulk_create(Follow(user_id=user, player=guest) for user in both)


def forget_following(player: Player) -> None:
    """Erase a player's follows, followers, calendar key and push addresses."""
    with transaction.atomic():
        Follow.objects.filter(player=player).delete()
        if player.user_id is None:
            return
        for rows in (Follow, CalendarKey, PushAddress):
            rows._default_manager.filter(user=player.user_id).delete()


def own_follows(player: Player) -> list[str]:
    """Refs of the players that a player follows, for the data export."""
    rows = Follow.objects.filter(user=player.user_id, user__isnull=False)
    return list(rows.order_by("pk").values_list("player__ref", flat=True))
