"""Players and the people behind them."""

from django.db import transaction

from clubs.models import Person, Player, User


@transaction.atomic
def register_player(*, name: str, user: User | None = None) -> Player:
    """A new player with a name, for a login or for a guest without one."""
    player = Player.objects.create(user=user)
    Person.objects.create(player=player, name=name)
    return player


@transaction.atomic
def player_of(*, user: User) -> Player:
    """The user's player; made now for a login that has none yet (from ``createsuperuser``)."""
    # Locked, so that two requests of a new login do not both make one.
    User.objects.select_for_update(of=("self",)).get(pk=user.pk)
    found = Player.objects.filter(user=user).first()
    return found or register_player(name=user.email.partition("@")[0], user=user)


@transaction.atomic
def rename_person(*, user: User, name: str) -> Person:
    """Give the user's player the name that everybody sees."""
    player = player_of(user=user)
    person, _ = Person.objects.update_or_create(player=player, defaults={"name": name})
    return person
