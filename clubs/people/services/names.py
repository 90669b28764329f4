"""Players under names that no other member can be mistaken for."""

from collections.abc import Iterable

from django.db import transaction
from django.utils.translation import gettext as _

from clubs.lookalikes import clean_name, look_alike, skeleton
from clubs.models import Club, Membership, Person, Player, User
from clubs.models.person import sort_key
from clubs.refusals import Refused


class NameRefused(Refused):
    """The name cannot be used here; the message says why and what to do."""


def checked_name(name: str) -> str:
    """The cleaned name. Raises NameRefused if it has no visible letter or digit."""
    cleaned = clean_name(name)
    if not any(letter.isalnum() for letter in cleaned):
        raise NameRefused(_("A name needs at least one letter. Type the name that others see."))
    return cleaned


@transaction.atomic
def register_player(*, name: str, user: User | None = None) -> Player:
    """Create a player with a name, for a user or a guest. Raises NameRefused."""
    name = checked_name(name)
    player = Player.objects.create(user=user)
    Person.objects.create(player=player, name=name)
    return player


@transaction.atomic
def player_of(*, user: User) -> Player:
    """The user's player, created if there is none (after ``createsuperuser``)."""
    # Locked, so that two requests of a new user do not both create one.
    User.objects.select_for_update(of=("self",)).get(pk=user.pk)
    found = Player.objects.filter(user=user).first()
    return found or register_player(name=user.email.partition("@")[0], user=user)


@transaction.atomic
def rename_person(*, user: User, name: str) -> Person:
    """Change the name of the user's player.

    Raises NameRefused for a blank name, and for one that looks like another name in the same club.
    """
    name = checked_name(name)
    player = player_of(user=user)
    # Locked, so that two users cannot take one name at once.
    clubs = Club.objects.select_for_update(of=("self",)).filter(memberships__player=player)
    for club in clubs.order_by("pk"):
        refuse_look_alike(club=club, name=name, but=[player])
    person, _created = Person.objects.update_or_create(player=player, defaults={"name": name})
    return person


def refuse_look_alike(*, club: Club, name: str, but: Iterable[Player] = ()) -> None:
    """Raise NameRefused for a name that looks like another one in the club.

    The caller has locked the club.
    """
    alike = Person.objects.filter(player__in=Membership.objects.in_club(club).values("player"))
    alike = alike.exclude(player__in=[player.pk for player in but])
    key = sort_key(clean_name(name))
    known = [*alike.filter(skeleton=skeleton(name)), *alike.filter(sort_key=key)]
    taken = next((person for person in known if look_alike(person.name, name)), None)
    if taken is not None:
        raise NameRefused(
            _("%(club)s has a member called %(name)s. Add a second name or a town to tell you apart.")
            % {"club": club.name, "name": taken.name}
        )
