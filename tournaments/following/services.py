"""Following players, the secret calendar address, and browsers that take calls: a user's own rows."""

from django.db import transaction

from clubs.models import Player, User
from clubs.people.services.merges import Moved
from tournaments.models import CalendarKey, Follow, PushAddress
from tournaments.models.following import new_key


def follow(*, user: User, player: Player) -> None:
    """Mark a player in every draw for this user; saying it twice changes nothing."""
    Follow.objects.get_or_create(user=user, player=player)


def unfollow(*, user: User, player: Player) -> None:
    """Stop following; saying it twice changes nothing."""
    Follow.objects.filter(user=user, player=player).delete()


def calendar_key(*, user: User) -> CalendarKey:
    """The user's calendar key, made when it is first asked for."""
    return CalendarKey.objects.get_or_create(user=user)[0]


def renew_calendar_key(*, user: User) -> CalendarKey:
    """A new secret: whoever has the old address sees nothing from now on."""
    return CalendarKey.objects.update_or_create(user=user, defaults={"key": new_key()})[0]


def move_followers(guest: Player, into: Player) -> Moved:
    """Whoever followed the guest follows the player that the guest turned out to be; returns who did."""
    followers = Follow.objects.filter(player=guest)
    both = followers.filter(user__in=Follow.objects.filter(player=into).values("user"))
    moved = {"both": list(both.values_list("user", flat=True))}
    both.delete()
    moved["moved"] = list(followers.values_list("user", flat=True))
    followers.update(player=into)
    return moved


def put_followers_back(guest: Player, into: Player, moved: Moved) -> None:
    """Undo :func:`move_followers`, for those who still follow the player."""
    still = Follow.objects.filter(player=into)
    still.filter(user__in=moved["moved"]).update(player=guest)
    both = still.filter(user__in=moved["both"]).values_list("user", flat=True)
    Follow.objects.bulk_create(Follow(user_id=user, player=guest) for user in both)


def forget_following(player: Player) -> None:
    """Erase whom the person followed and where they were called, and who followed them."""
    with transaction.atomic():
        Follow.objects.filter(player=player).delete()
        if player.user_id is None:
            return
        for rows in (Follow, CalendarKey, PushAddress):
            rows._default_manager.filter(user=player.user_id).delete()


def own_follows(player: Player) -> list[str]:
    """The refs of the players whom the person follows, for the export of own data."""
    rows = Follow.objects.filter(user=player.user_id, user__isnull=False)
    return list(rows.order_by("pk").values_list("player__ref", flat=True))
