"""Erasure of a player's personal data; results stay under an opaque ref.

Apps above register a handler in ``ready()`` for the personal data they keep (names in uploaded files,
notes); it is called in the erasure's transaction with the player locked.
"""

from collections.abc import Callable

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.db import transaction
from django.utils.timezone import now
from django.utils.translation import gettext as _

from clubs.clubs.services.clubs import end_membership
from clubs.models import ApiToken, Club, IdempotencyKey, Invitation, Membership, Merge, Person, Player, User
from clubs.refusals import Refused

Handler = Callable[[Player], None]
_HANDLERS: list[Handler] = []


class ErasureRefused(Refused):
    """Something must be handed over first; the message is shown to the user."""


def on_erase(handler: Handler) -> Handler:
    """Register ``handler(player)``, which erases an app's personal data of a player."""
    if handler not in _HANDLERS:
        _HANDLERS.append(handler)
    return handler


def clubs_without_another_owner(user: User) -> list[Club]:
    """The clubs whose only owner is the user."""
    owned = Membership.objects.owners().filter(player__user=user)
    others = Membership.objects.owners().exclude(player__user=user)
    clubs = Club.objects.filter(pk__in=owned.values("club")).exclude(pk__in=others.values("club"))
    return list(clubs.order_by("name"))


def erase_user(*, user: User) -> Player | None:
    """Erase an account and its personal data; the player stays, nameless.

    Returns the player, if there was one. The user's row stays without address, password, keys and rights,
    because records refer to it. Raises ErasureRefused for the only owner of a club and for a site
    administrator.
    """
    if user.is_superuser:
        raise ErasureRefused(
            _("A site administrator cannot delete their account. Hand the administration over first.")
        )
    if left := clubs_without_another_owner(user):
        raise ErasureRefused(
            _("You are the only owner of %(clubs)s. Make another member an owner first.")
            % {"clubs": ", ".join(map(str, left))}
        )
    with transaction.atomic():
        # Lock order: clubs before players, as everywhere.
        clubs = Club.objects.select_for_update(of=("self",)).filter(memberships__player__user=user)
        list(clubs.order_by("pk"))
        player = Player.objects.select_for_update(of=("self",)).filter(user=user).first()
        if player is not None:
            _erase_player(player)
        _erase_account(user)
        return player


def erase_guest(*, club: Club, player_ref: str) -> Player:
    """Erase a player without an account who belongs to this club only.

    Raises Membership.DoesNotExist, and ErasureRefused for a player with an account or in other clubs.
    """
    with transaction.atomic():
        Club.objects.select_for_update(of=("self",)).get(pk=club.pk)
        membership = Membership.objects.in_club(club).with_player().get(player__ref=player_ref)
        player = Player.objects.select_for_update(of=("self",)).get(pk=membership.player_id)
        if player.user_id is not None:
            raise ErasureRefused(
                _("%(name)s has an account. Only they can delete it.") % {"name": membership.player.name}
            )
        if Membership.objects.filter(player=player).exclude(club=club).exists():
            raise ErasureRefused(
                _("%(name)s is in other clubs too. Remove them from this club instead.")
                % {"name": membership.player.name}
            )
        _erase_player(player)
        return player


def erase_unclaimed(*, club: Club, player: Player) -> Player:
    """Erase a player in no club, known from this club's files, matches or chouettes.

    The caller has checked that the club knows them. Raises ErasureRefused for a player with an account, or
    in a club.
    """
    with transaction.atomic():
        Club.objects.select_for_update(of=("self",)).get(pk=club.pk)
        locked = Player.objects.select_for_update(of=("self",)).get(pk=player.pk)
        if locked.user_id is not None:
            raise ErasureRefused(
                _("%(name)s has an account. Only they can delete it.") % {"name": player.name}
            )
        if Membership.objects.filter(player=locked).exists():
            raise ErasureRefused(
                _("%(name)s is in a club. Erase the name on the club’s member list.") % {"name": player.name}
            )
        _erase_player(locked)
        return locked


def _erase_player(player: Player) -> None:
    for membership in Membership.objects.filter(player=player).select_related("club").order_by("club"):
        end_membership(club=membership.club, player_ref=player.ref)
    for handler in _HANDLERS:
        handler(player)
    # The names of guests who turned out to be this player are theirs.
    Merge.objects.filter(into=player).delete()
    Invitation.objects.filter(guest=player).delete()
    Person.objects.filter(player=player).delete()
    player.user, player.erased_at = None, now()
    player.save(update_fields=["user", "erased_at"])


def _erase_account(user: User) -> None:
    EmailAddress.objects.filter(user=user).delete()
    Authenticator.objects.filter(user=user).delete()
    ApiToken.objects.filter(user=user).delete()
    IdempotencyKey.objects.filter(user=user).delete()
    Invitation.objects.filter(invited_by=user).delete()
    user.email = f"erased-{user.pk}@erased.invalid"  # a name that never exists: RFC 2606
    user.is_active = user.is_staff = False
    user.last_login = None
    user.set_unusable_password()
    user.save()
