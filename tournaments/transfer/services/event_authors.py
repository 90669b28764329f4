"""Who wrote the rows of an event's file: out as refs of players, in as logins, or as players without one.

An author is known by the ref alone and only among the people of the club and of the event. Whoever else has
the ref here is somebody else's member: the author then is a new guest of the name that the file has. Who was
erased here stays nameless.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from django.db import models
from django.utils.timezone import now

from clubs.models import Club, Membership, Person, Player, Role, User
from clubs.models.person import NAME_LENGTH
from clubs.refs import looks_like_ref
from tournaments.models import Event, WrittenElsewhere

Place = tuple[str, int, str]
"""Where an author stands: the row's table and key, and the column."""


def columns_of(model: type[models.Model]) -> tuple[str, ...]:
    """The columns of a model that name a login."""
    found = [field.name for field in model._meta.concrete_fields if field.related_model is User]
    return tuple(sorted(found))


def authors_elsewhere(event: Event) -> dict[Place, WrittenElsewhere]:
    """The event's authors without a login here (one query)."""
    rows = WrittenElsewhere.objects.filter(event=event).select_related("player__person")
    return {(row.table, row.row, row.field): row for row in rows}


def author_ref(row: Any, column: str, elsewhere: Mapping[Place, WrittenElsewhere]) -> str | None:
    """The ref of who wrote a row, None for nobody or a login without a player. Load ``<column>__player``."""
    login = getattr(row, column)
    if login is not None:
        player = getattr(login, "player", None)
        return None if player is None else str(player.ref)
    found = elsewhere.get((row._meta.model_name, row.pk, column))
    return None if found is None else found.ref


def newcomer(club: Club, ref: str | None, name: str | None) -> Player:
    """A guest of the club under a ref (None: a new one); without a name it is somebody who was erased."""
    if ref is not None and not looks_like_ref(ref):
        raise ValueError(f"{ref!r} is no player")
    named = {} if ref is None else {"ref": ref}
    if name is None:
        return Player.objects.create(erased_at=now(), **named)
    player = Player.objects.create(**named)
    Person.objects.create(player=player, name=str(name)[:NAME_LENGTH])
    Membership.objects.create(club=club, player=player, role=Role.GUEST)
    return player


def forget_authors(keys: Iterable[int], *, of: type[models.Model]) -> None:
    """Forget who did elsewhere what rows of a model said: they are gone, or say it no longer."""
    WrittenElsewhere.objects.filter(table=str(of._meta.model_name), row__in=list(keys)).delete()


class Authors:
    """The authors of a file's rows, found or made as rows need them.

    ``known`` are the players (by key) who are in the event here or wrote its rows by their logins.
    """

    def __init__(
        self, club: Club, names: Mapping[str, str], event: Event | None, known: Iterable[int]
    ) -> None:
        self._club, self._names = club, names
        self._elsewhere = {} if event is None else authors_elsewhere(event)
        self._by_ref = {row.ref: row.player for row in self._elsewhere.values()}
        self._here = set(known)

    def sign(self, row: models.Model, column: str, ref: str | None) -> None:
        """Write the login of an author on a new row, where the author has one."""
        player = None if ref is None else self._player(ref)
        setattr(row, f"{column}_id", None if player is None else player.user_id)

    def note(self, event: Event, row: models.Model, column: str, ref: str | None) -> None:
        """Keep who wrote a row that has its key, where the author has no login."""
        place = (str(row._meta.model_name), row.pk, column)
        if ref is None or getattr(row, f"{column}_id") is not None:
            WrittenElsewhere.objects.filter(table=place[0], row=place[1], field=place[2]).delete()
            self._elsewhere.pop(place, None)
            return
        player = self._player(ref)
        self._elsewhere[place], _new = WrittenElsewhere.objects.update_or_create(
            table=place[0],
            row=place[1],
            field=place[2],
            defaults={"event": event, "ref": ref, "player": player},
        )

    def known(self, row: models.Model, column: str) -> bool:
        """Whether it is known here who wrote a row."""
        place = (str(row._meta.model_name), row.pk, column)
        return getattr(row, f"{column}_id") is not None or place in self._elsewhere

    def _player(self, ref: str) -> Player:
        if ref not in self._by_ref:
            self._by_ref[ref] = self._found(ref)
        return self._by_ref[ref]

    def _found(self, ref: str) -> Player:
        name = self._names.get(ref)
        player = Player.objects.select_related("merged_into").filter(ref=ref).first()
        if player is None:
            return newcomer(self._club, ref, name)
        player = player.merged_into or player
        if player.erased_at is not None:
            # The file was written before: the name that it has is not to come back.
            return player
        if player.pk in self._here or Membership.objects.filter(club=self._club, player=player).exists():
            return player
        return newcomer(self._club, None, name)
