"""``manage.py demo --clear``: the one deletion of records in Midpoint.

Records are never deleted: they are evidence of what people did. The demo is evidence of nothing: its club is
marked as invented from the start, and everything in it says so on every page. Deleted is everything that
depends on a demo club, found by following every foreign key to it, and the players who were only ever there.
A player with an account stays, and so does everyone who played elsewhere.
"""

from collections import defaultdict
from collections.abc import Iterable

from allauth.account.models import EmailAddress
from django.db import models, transaction
from django.db.models import ProtectedError, Q

from clubs.models import Club, Membership, Note, OutgoingMail, Person, Player, User
from deploy.demo.club import EMAILS
from scoring.models import ChouettePlayer, Seat

Rows = dict[type[models.Model], set[int]]


def clear_demo() -> dict[str, int]:
    """Delete the demo clubs and everything in them; return rows by table."""
    gone: dict[str, int] = {}
    with transaction.atomic():
        clubs = set(Club.objects.select_for_update().filter(is_demo=True).values_list("pk", flat=True))
        people = _players_of(clubs)
        theirs = _dependents(Club, clubs)
        notes = _notes_of(theirs)
        _delete(theirs, gone)
        _count(gone, Note, Note.objects.filter(pk__in=notes).delete()[0])
        for player in Player.objects.filter(pk__in=people).order_by("-merged_into_id", "pk"):
            _forget(player, gone)
        for user in User.objects.filter(email__in=EMAILS):
            if not Player.objects.filter(user=user).exists():
                EmailAddress.objects.filter(user=user).delete()
                _count(gone, User, 1)
                user.delete()
        mails, _ = OutgoingMail.objects.filter(recipients__overlap=list(EMAILS)).delete()
        _count(gone, OutgoingMail, mails)
    return {table: rows for table, rows in gone.items() if rows}


def _players_of(clubs: set[int]) -> set[int]:
    """Players of the clubs without an account, and guests merged into them."""
    there = Q(pk__in=Membership.objects.filter(club__in=clubs).values("player"))
    there |= Q(pk__in=Seat.objects.filter(match__club__in=clubs).values("player"))
    there |= Q(pk__in=ChouettePlayer.objects.filter(chouette__club__in=clubs).values("player"))
    found = set(
        Player.objects.filter(there)
        .filter(Q(user=None) | Q(user__email__in=EMAILS))
        .values_list("pk", flat=True)
    )
    newest = found
    while newest:
        merged = Player.objects.filter(merged_into__in=newest).values_list("pk", flat=True)
        newest = set(merged) - found
        found |= newest
    return found


def _forget(player: Player, gone: dict[str, int]) -> None:
    """Delete a player and name, unless something outside the demo refers to them."""
    try:
        with transaction.atomic():
            Person.objects.filter(player=player).delete()
            player.delete()
    except ProtectedError:
        return
    _count(gone, Player, 1)


def _dependents(model: type[models.Model], keys: set[int]) -> Rows:
    """Every row that depends on these, directly or not, by a protecting key."""
    found: Rows = defaultdict(set)
    found[model] |= keys
    waiting = [(model, keys)]
    while waiting:
        model, keys = waiting.pop()
        for related, field in _references_to(model):
            rows = related._base_manager.filter(**{f"{field.name}__in": keys})
            fresh = set(rows.values_list("pk", flat=True)) - found[related]
            if fresh:
                found[related] |= fresh
                waiting.append((related, fresh))
    return found


def _notes_of(rows: Rows) -> set[int]:
    """The texts that these rows refer to; texts refer to nothing."""
    found: set[int] = set()
    for model, keys in rows.items():
        for field in model._meta.concrete_fields:
            if field.related_model is Note:
                kept = model._base_manager.filter(pk__in=keys).exclude(**{field.name: None})
                found |= set(kept.values_list(field.attname, flat=True))
    return found


def _references_to(
    model: type[models.Model],
) -> Iterable[tuple[type[models.Model], models.ForeignKey[models.Model]]]:
    # Hidden ones too: a foreign key without a name on this side refers all the same.
    for relation in model._meta.get_fields(include_hidden=True):
        if isinstance(relation, models.ManyToOneRel) and relation.on_delete is not models.SET_NULL:
            yield relation.related_model, relation.field


def _delete(found: Rows, gone: dict[str, int]) -> None:
    """Delete the rows in order of dependency."""
    left = {model: keys for model, keys in found.items() if keys}
    while left:
        free = [
            model
            for model in left
            if not any(related in left and related is not model for related, _ in _references_to(model))
        ]
        if not free:
            raise RuntimeError(f"these tables refer to each other in a circle: {sorted(map(str, left))}")
        for model in free:
            deleted, _ = model._base_manager.filter(pk__in=left.pop(model)).delete()
            _count(gone, model, deleted)


def _count(gone: dict[str, int], model: type[models.Model], rows: int) -> None:
    name = str(model._meta.verbose_name_plural)
    gone[name] = gone.get(name, 0) + rows
