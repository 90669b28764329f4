"""What follows when a player's title on a member list changes."""

from collections.abc import Callable

from clubs.models import Club, Player, User

Follower = Callable[[Club, Player, User], None]
_FOLLOWERS: list[Follower] = []


def on_title(follow: Follower) -> Follower:
    """Register ``follow(club, player, user)``, called in the transaction that set or cleared a title.

    The club is locked. A follower refuses nothing.
    """
    if follow not in _FOLLOWERS:
        _FOLLOWERS.append(follow)
    return follow


def follow_title(club: Club, player: Player, user: User) -> None:
    """Call every registered follower."""
    for follow in _FOLLOWERS:
        follow(club, player, user)
