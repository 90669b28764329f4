"""Two players turn out to be one person: the guest is merged into the player who stays.

Apps above keep rows that name players. They register in ``ready()`` how to move them and how to put them
back; both are called in the merge's transaction, with both players locked. A move may refuse by raising
``MergeRefused``.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils.timezone import now
from django.utils.translation import gettext as _

from clubs.models import Club, Membership, Merge, Person, Player, Role, User
from clubs.models.merge import UNDO_WITHIN
from clubs.refusals import Refused

Moved = dict[str, Any]
Move = Callable[[Player, Player], Moved]
PutBack = Callable[[Player, Player, Moved], None]


@dataclass(frozen=True, slots=True)
class Mover:
    """``move(guest, into)`` returns, as JSON, what ``put_back(guest, into, moved)`` needs to undo it."""

    name: str
    move: Move
    put_back: PutBack


_MOVERS: dict[str, Mover] = {}


class MergeRefused(Refused):
    """These two cannot be one player; the message says why and is meant for the reader of a page."""


def on_merge(name: str, move: Move, put_back: PutBack) -> None:
    """Register what moves an app's rows in a merge and puts them back; ``name`` keeps its record."""
    _MOVERS[name] = Mover(name, move, put_back)


def merge_players(*, guest: Player, into: Player, club: Club | None = None, by: User | None = None) -> Merge:
    """Give all that ``guest`` has to ``into``; the guest's row stays and points there.

    The higher role and the higher title of the two are kept in each club. For 30 days :func:`undo_merge`
    puts everything back. Raises MergeRefused when the guest has a login, when one of them is gone
    already, or when an app cannot move what it keeps.
    """
    with transaction.atomic():
        guest, into = _locked(guest, into)
        _refuse_impossible(guest, into)
        moved = {mover.name: mover.move(guest, into) for mover in _MOVERS.values()}
        moved["memberships"] = _move_memberships(guest, into)
        person = Person.objects.filter(player=guest).first()
        merge = Merge.objects.create(
            club=club, guest=guest, into=into, name=person.name if person else "", moved=moved, by=by
        )
        Person.objects.filter(player=guest).delete()
        guest.merged_into = into
        guest.save(update_fields=["merged_into"])
        return merge


def undo_merge(*, merge: Merge) -> Player:
    """Take a merge apart: the guest is a player again and has what it had. Returns the guest.

    What came after the merge stays with the other player. Raises MergeRefused after 30 days, when it was
    undone already, and when the other player was merged or erased since.
    """
    with transaction.atomic():
        guest, into = _locked(merge.guest, merge.into)
        standing = Merge.objects.select_for_update(of=("self",)).filter(pk=merge.pk).first()
        if standing is None or guest.merged_into_id != into.pk:
            raise MergeRefused(_("This merge was already undone."))
        if standing.at <= now() - UNDO_WITHIN:
            raise MergeRefused(
                _("A merge can be undone for %(days)s days. This one is older.") % {"days": UNDO_WITHIN.days}
            )
        if into.merged_into_id is not None or into.erased_at is not None:
            raise MergeRefused(_("This merge cannot be undone: the player has since been merged or erased."))
        guest.merged_into = None
        guest.save(update_fields=["merged_into"])
        Person.objects.create(player=guest, name=standing.name or guest.ref)
        for mover in _MOVERS.values():
            mover.put_back(guest, into, standing.moved.get(mover.name, {}))
        _put_memberships_back(guest, into, standing.moved["memberships"])
        standing.delete()
        return guest


def forget_old_merges() -> int:
    """Delete the records of merges that can no longer be undone. Returns how many."""
    return Merge.objects.filter(at__lte=now() - UNDO_WITHIN).delete()[0]


def _locked(guest: Player, into: Player) -> tuple[Player, Player]:
    players = Player.objects.select_for_update().filter(pk__in=[guest.pk, into.pk]).order_by("pk")
    locked = {player.pk: player for player in players}
    return locked[guest.pk], locked[into.pk]


def _refuse_impossible(guest: Player, into: Player) -> None:
    if guest.pk == into.pk:
        raise MergeRefused(_("A player cannot be merged into themselves."))
    if guest.user_id is not None:
        raise MergeRefused(_("This player has an account. Only guests can be merged."))
    for player in (guest, into):
        if player.merged_into_id is not None or player.erased_at is not None:
            raise MergeRefused(
                _("One of the players was merged or erased just now. Reload the page and try again.")
            )


def _move_memberships(guest: Player, into: Player) -> Moved:
    """What the guest was in each club, and what the other player was there before."""
    kept = {m.club_id: m for m in Membership.objects.select_for_update().filter(player=into)}
    record = []
    for membership in Membership.objects.select_for_update().filter(player=guest).order_by("club"):
        mine = kept.get(membership.club_id)
        entry = {"club": membership.club_id, "guest": _plain(membership), "into": None, "after": None}
        if mine is None:
            membership.player = into
            membership.save(update_fields=["player"])
            entry["after"] = _plain(membership)
        else:
            entry["into"] = _plain(mine)
            mine.role = max(mine.role, membership.role)
            if (membership.title or 0) > (mine.title or 0):
                mine.title, mine.title_by = membership.title, membership.title_by
                mine.title_at = membership.title_at
            mine.save(update_fields=["role", "title", "title_by", "title_at"])
            entry["after"] = _plain(mine)
            membership.delete()
        record.append(entry)
    return {"clubs": record}


def _put_memberships_back(guest: Player, into: Player, moved: Moved) -> None:
    """The guest's memberships as they were; the other player's too, where nobody changed them since."""
    clubs = set(
        Club.objects.filter(pk__in=[entry["club"] for entry in moved["clubs"]]).values_list("pk", flat=True)
    )
    for entry in moved["clubs"]:
        if entry["club"] not in clubs:
            continue
        mine = Membership.objects.select_for_update().filter(club=entry["club"], player=into).first()
        if mine is not None and _plain(mine) == entry["after"]:
            if entry["into"] is None:
                mine.delete()
            else:
                _restore(mine, entry["into"])
                mine.save()
        back = Membership(club_id=entry["club"], player=guest)
        _restore(back, entry["guest"])
        back.save()


def _plain(membership: Membership) -> Moved:
    return {
        "role": int(membership.role),
        "title": membership.title,
        "title_by": membership.title_by_id,
        "title_at": membership.title_at and membership.title_at.isoformat(),
        "joined_at": membership.joined_at.isoformat(),
    }


def _restore(membership: Membership, plain: Moved) -> None:
    membership.role = Role(plain["role"])
    membership.title = plain["title"]
    membership.title_by = User.objects.filter(pk=plain["title_by"]).first()
    membership.title_at = datetime.fromisoformat(plain["title_at"]) if plain["title_at"] else None
    membership.joined_at = datetime.fromisoformat(plain["joined_at"])
