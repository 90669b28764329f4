"""Merges a guest into another player who is the same person.

Apps above keep rows that name players. They register in ``ready()`` how to move them and how to put them
back; both are called in the merge's transaction, with both players locked. A move can refuse by raising
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
    """``move(guest, into)`` returns, as JSON, what ``put_back`` needs to undo it."""

    name: str
    move: Move
    put_back: PutBack


_MOVERS: dict[str, Mover] = {}


class MergeRefused(Refused):
    """These two players cannot be merged; the message is shown to the user."""


def on_merge(name: str, move: Move, put_back: PutBack) -> None:
    """Register how an app's rows move in a merge and back; ``name`` keys its record."""
    _MOVERS[name] = Mover(name, move, put_back)


def merge_players(*, guest: Player, into: Player, club: Club | None = None, by: User | None = None) -> Merge:
    """Move everything of ``guest`` to ``into``; the guest's row points there.

    In each club the higher role and title of the two are kept. :func:`undo_merge` can undo it for 30 days.
    Raises MergeRefused when the guest has an account, when either was merged or erased, or when an app
    cannot move its rows.
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
    """Undo a merge and return the guest, a player again with its rows.

    What came after the merge stays with the other player. Raises MergeRefused after 30 days, when it was
    already undone, and when the other player has since been merged or erased.
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
    """Delete the records of merges that can no longer be undone; return how many."""
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
    """Move the guest's memberships; return both players' as they were."""
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
    """Restore the guest's memberships.

    The other player's are restored too, unless changed since.
    """
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
