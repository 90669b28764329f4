"""Clubs and the roles of their members.

A change of roles locks the club's row first, so that two owners who step down at once leave one of them.
"""

import hashlib
import secrets
from collections.abc import Callable
from datetime import timedelta
from typing import Any

from django.core.mail import send_mail
from django.db import IntegrityError, transaction
from django.template.loader import render_to_string
from django.utils.text import slugify
from django.utils.timezone import now
from django.utils.translation import gettext as _

from clubs.clubs.services.titles import follow_title
from clubs.live.topics import publish_next
from clubs.models import (
    AnalysesShown,
    Club,
    Invitation,
    Membership,
    Openness,
    Person,
    Player,
    Role,
    Title,
    User,
    Visibility,
)
from clubs.models.club import RESERVED_SLUGS
from clubs.people.services.merges import merge_players
from clubs.people.services.names import player_of, refuse_look_alike, register_player
from clubs.refs import looks_like_ref
from clubs.refusals import Refused

RANKED_FROM = 5
INVITATION_OPEN = timedelta(days=14)
# Without what looks alike on paper: no 0 O, 1 I L, 5 S, 8 B, U V.
_CODE_ALPHABET = "ACDEFGHJKMNPQRTWXYZ234679"
_CODE_GROUPS, _CODE_GROUP = 3, 4
_SLUG_LENGTH = 48  # leaves room for "-club" and a number


class ClubRefused(Refused):
    """A club's rules do not allow the action; the message is shown to the user."""


class LastOwnerRefused(ClubRefused):
    """A club keeps at least one owner."""

    def __init__(self, club: Club) -> None:
        super().__init__(
            _("%(club)s needs an owner. Make another member an owner first.") % {"club": club.name}
        )


def create_club(
    *,
    user: User,
    name: str,
    tz: str,
    currency: str,
    visibility: str = Visibility.PUBLIC,
    points_only: bool = False,
    lists_open_to: str = Openness.MEMBERS,
    analyses_shown: str = AnalysesShown.EVERYONE,
    ranked_from: int = RANKED_FROM,
    search_engines: bool = True,
) -> Club:
    """Create a club under a free slug made from its name; the user owns it."""
    with transaction.atomic():
        player = player_of(user=user)
        club = _with_free_slug(
            Club(
                name=name,
                tz=tz,
                currency=currency,
                visibility=visibility,
                points_only=points_only,
                lists_open_to=lists_open_to,
                analyses_shown=analyses_shown,
                ranked_from=ranked_from,
                search_engines=search_engines,
            )
        )
        Membership.objects.create(club=club, player=player, role=Role.OWNER)
        return club


def put_steps_away(*, club: Club, away: bool) -> Club:
    """Leave the first steps out of the club's page, or show them again."""
    with transaction.atomic():
        locked = lock_club(club)
        if locked.steps_put_away != away:
            locked.steps_put_away = away
            locked.save(update_fields=["steps_put_away"])
            _changed(locked)
    return locked


def edit_club(
    *,
    club: Club,
    name: str,
    tz: str,
    currency: str,
    visibility: str,
    points_only: bool | None = None,
    lists_open_to: str | None = None,
    analyses_shown: str | None = None,
    ranked_from: int | None = None,
    search_engines: bool | None = None,
) -> Club:
    """Change a club's settings; None leaves a setting as it is.

    The slug never changes: it is on paper and in QR codes.
    """
    with transaction.atomic():
        locked = lock_club(club)
        locked.name, locked.tz, locked.currency, locked.visibility = name, tz, currency, visibility
        locked.points_only = locked.points_only if points_only is None else points_only
        locked.lists_open_to = lists_open_to or locked.lists_open_to
        locked.analyses_shown = analyses_shown or locked.analyses_shown
        locked.ranked_from = locked.ranked_from if ranked_from is None else ranked_from
        locked.search_engines = locked.search_engines if search_engines is None else search_engines
        shown = ["lists_open_to", "analyses_shown", "ranked_from", "search_engines"]
        locked.save(update_fields=["name", "tz", "currency", "visibility", "points_only", *shown])
        _changed(locked)
        return locked


def add_player(*, club: Club, name: str, role: Role = Role.GUEST) -> Membership:
    """Add a player without an account to the club, as guest or member.

    Raises NameRefused for a blank name, and for one that looks like another name in the club.
    """
    if role > Role.MEMBER:
        raise ClubRefused(
            _("A player without an account cannot have the role “%(role)s”.") % {"role": role.label}
        )
    with transaction.atomic():
        locked = lock_club(club)
        refuse_look_alike(club=locked, name=name)
        membership = Membership.objects.create(club=locked, player=register_player(name=name), role=role)
        _changed(locked)
        return membership


def take_in(*, club: Club, player: Player) -> Membership:
    """Make a player known only from files, matches or chouettes a guest of the club.

    Idempotent. Raises NameRefused for a name that looks like another name in the club.
    """
    with transaction.atomic():
        locked = lock_club(club)
        known = Membership.objects.in_club(locked).filter(player=player).first()
        if known is not None:
            return known
        refuse_look_alike(club=locked, name=player.name, but=[player])
        membership = Membership.objects.create(club=locked, player=player, role=Role.GUEST)
        _changed(locked)
        return membership


def change_role(*, club: Club, player_ref: str, role: Role) -> Membership:
    """Change a member's role.

    Raises Membership.DoesNotExist, LastOwnerRefused, and ClubRefused for a directing role without a login.
    """
    with transaction.atomic():
        locked = lock_club(club)
        membership = Membership.objects.in_club(locked).with_player().get(player__ref=player_ref)
        if membership.role == role:
            return membership
        _keep_an_owner(locked, membership)
        if role > Role.MEMBER and membership.player.user_id is None:
            raise ClubRefused(
                _("%(name)s has no account and cannot have the role “%(role)s”.")
                % {"name": membership.player.name, "role": role.label}
            )
        membership.role = role
        membership.save(update_fields=["role"])
        _changed(locked)
        return membership


def give_title(*, club: Club, player_ref: str, title: Title | None, user: User) -> Membership:
    """Set or clear a player's title, and record who set it.

    The same title again changes nothing. Raises Membership.DoesNotExist.
    """
    with transaction.atomic():
        locked = lock_club(club)
        membership = Membership.objects.in_club(locked).with_player().get(player__ref=player_ref)
        if membership.title != title:
            membership.title, membership.title_by, membership.title_at = title, user, now()
            membership.save(update_fields=["title", "title_by", "title_at"])
            _changed(locked)
            follow_title(locked, membership.player, user)
        return membership


def end_membership(*, club: Club, player_ref: str) -> Player:
    """Remove a player from the club; their matches are kept.

    Raises Membership.DoesNotExist and LastOwnerRefused.
    """
    with transaction.atomic():
        locked = lock_club(club)
        membership = Membership.objects.in_club(locked).with_player().get(player__ref=player_ref)
        _keep_an_owner(locked, membership)
        membership.delete()
        _changed(locked)
        return membership.player


def invite(
    *,
    club: Club,
    email: str,
    role: Role,
    invited_by: User,
    link: Callable[[str], str],
    guest: Player | None = None,
) -> Invitation:
    """Email a link to join the club in a role; replaces an earlier invitation.

    ``link`` turns the secret token into an absolute address; only the token's digest is stored. With
    ``guest``, accepting also transfers the guest's matches. Raises ClubRefused for an address in the club,
    and for a guest who has an account.
    """
    email, token = email.strip().lower(), secrets.token_urlsafe(24)
    with transaction.atomic():
        if Membership.objects.in_club(lock_club(club)).filter(player__user__email__iexact=email).exists():
            raise ClubRefused(_("%(email)s is already in the club.") % {"email": email})
        _end_earlier_offers(club, guest)
        invitation, _created = Invitation.objects.update_or_create(
            club=club,
            email=email,
            defaults=_terms(token=token, role=role, invited_by=invited_by, guest=guest),
        )
        context = {"club": club, "invitation": invitation, "link": link(token)}
        send_mail(
            subject=_("Invitation to %(club)s") % {"club": club.name},
            message=render_to_string("clubs/clubs/mail/invitation.txt", context),
            from_email=None,
            recipient_list=[email],
        )
        return invitation


def make_claim_code(*, club: Club, guest: Player, made_by: User) -> tuple[Invitation, str]:
    """Create a code for a guest; the user who accepts it becomes the guest.

    Only its digest is stored. It replaces an earlier code or invitation for the guest. The caller has
    checked that the guest is in the club. Raises ClubRefused for a player with an account.
    """
    groups = range(_CODE_GROUPS)
    code = "-".join("".join(secrets.choice(_CODE_ALPHABET) for _i in range(_CODE_GROUP)) for _g in groups)
    with transaction.atomic():
        _end_earlier_offers(lock_club(club), guest)
        terms = _terms(token=code, role=Role.GUEST, invited_by=made_by, guest=guest)
        return Invitation.objects.create(club=club, **terms), code


def _end_earlier_offers(club: Club, guest: Player | None) -> None:
    """Delete earlier invitations and codes for the guest.

    Raises ClubRefused for a player with an account.
    """
    if guest is None:
        return
    if guest.user_id is not None or guest.merged_into_id is not None or guest.erased_at is not None:
        raise ClubRefused(_("%(name)s has an account. Only guests need a claim code.") % {"name": guest.name})
    Invitation.objects.filter(club=club, guest=guest).delete()


def _terms(*, token: str, role: Role, invited_by: User, guest: Player | None) -> dict[str, Any]:
    return {
        "role": role,
        "guest": guest,
        "invited_by": invited_by,
        "token_digest": token_digest(token),
        "created_at": now(),
        "expires_at": now() + INVITATION_OPEN,
    }


def withdraw_invitation(*, club: Club, ref: str) -> None:
    """Withdraw an invitation. Raises Invitation.DoesNotExist."""
    Invitation.objects.get(club=club, ref=ref).delete()


def accept_invitation(*, token: str, user: User) -> Membership:
    """Accept an invitation's role, unless the user has a higher one.

    An invitation for a guest merges the guest into the user's player. Raises Invitation.DoesNotExist for an
    invalid or expired link, MergeRefused when the user cannot be that guest, NameRefused when another name
    in the club looks like the user's.
    """
    with transaction.atomic():
        found = Invitation.objects.open().get(token_digest=token_digest(token))
        # It locks the user, then the club, in the same order as renaming.
        player = player_of(user=user)
        club = lock_club(found.club)
        # Read again under the lock: the link may have been used or withdrawn since.
        invitation = Invitation.objects.open().get(pk=found.pk, token_digest=token_digest(token))
        same = [player, *([invitation.guest] if invitation.guest else [])]
        if not Membership.objects.in_club(club).filter(player=player).exists():
            refuse_look_alike(club=club, name=Person.objects.get(player=player).name, but=same)
        membership, created = Membership.objects.get_or_create(
            club=club, player=player, defaults={"role": invitation.role}
        )
        if not created and membership.role < invitation.role:
            membership.role = invitation.role
            membership.save(update_fields=["role"])
        invitation.delete()
        if invitation.guest is not None:
            merge_players(guest=invitation.guest, into=membership.player, club=club, by=invitation.invited_by)
            membership.refresh_from_db()
        _changed(club)
        return membership


def token_digest(token: str) -> str:
    """SHA-256 of a secret link, hexadecimal: what is stored of it."""
    return hashlib.sha256(token.encode()).hexdigest()


def lock_club(club: Club) -> Club:
    """Lock the club until the transaction ends, and return it.

    For every change of its members or their names.
    """
    return Club.objects.select_for_update(of=("self",)).get(pk=club.pk)


def _changed(club: Club) -> None:
    """Raise the club's version and publish it to open pages; return it."""
    club.version = publish_next(Club, club.pk)


def _keep_an_owner(club: Club, leaving: Membership) -> None:
    others = Membership.objects.in_club(club).owners().exclude(pk=leaving.pk)
    if leaving.role == Role.OWNER and not others.exists():
        raise LastOwnerRefused(club)


def _with_free_slug(club: Club) -> Club:
    """Save the club under the first free of "name", "name-2", "name-3"..."""
    base = slugify(club.name)[:_SLUG_LENGTH].strip("-") or "club"
    if base in RESERVED_SLUGS or looks_like_ref(base):
        base += "-club"
    number = 1
    while True:
        club.slug = base if number == 1 else f"{base}-{number}"
        if not Club.objects.filter(slug=club.slug).exists():
            try:
                with transaction.atomic():
                    club.save(force_insert=True)
            except IntegrityError:
                # A concurrent request took the slug; any other reason is a bug and is raised.
                if not Club.objects.filter(slug=club.slug).exists():
                    raise
            else:
                return club
        number += 1
