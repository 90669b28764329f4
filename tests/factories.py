"""Rows for tests, with only what the database demands; a test names what it cares about."""

from typing import Any

from factory.declarations import Sequence, SubFactory
from factory.django import DjangoModelFactory
from factory.helpers import post_generation

from clubs.models import Club, Membership, Openness, Person, Player, Role, User


class UserFactory(DjangoModelFactory[User]):
    """A login with the password "backgammon", and no player."""

    class Meta:
        model = User

    email = Sequence(lambda n: f"user{n}@example.org")

    @classmethod
    def _create(cls, model_class: type[User], *args: Any, **fields: Any) -> User:
        return User.objects.create_user(**{"password": "backgammon", **fields})


class PlayerFactory(DjangoModelFactory[Player]):
    """A player with a name (``name="Ana"``) and no login; ``user=UserFactory()`` adds one."""

    class Meta:
        model = Player
        skip_postgeneration_save = True

    @post_generation
    def name(self: Player, create: bool, extracted: str | None, **kwargs: Any) -> None:
        Person.objects.create(player=self, name=extracted or f"Player {self.pk}")


class ClubFactory(DjangoModelFactory[Club]):
    """A public club with no members, which shows its lists to everyone and ranks everybody at once."""

    class Meta:
        model = Club

    slug = Sequence(lambda n: f"club-{n}")
    name = Sequence(lambda n: f"Club {n}")
    lists_open_to = Openness.EVERYONE
    ranked_from = 0


class MembershipFactory(DjangoModelFactory[Membership]):
    """A member of a new club; ``player__user=...`` gives the player a login."""

    class Meta:
        model = Membership

    club = SubFactory(ClubFactory)
    player = SubFactory(PlayerFactory)
    role = Role.MEMBER


def member(club: Club, role: Role = Role.MEMBER, *, name: str | None = None) -> User:
    """A new user with a player in the club."""
    user = UserFactory.create()
    MembershipFactory.create(club=club, player=PlayerFactory.create(user=user, name=name), role=role)
    return user
