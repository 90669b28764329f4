"""Names in match files and their players: claims, assignments and merges.

A name that is new to a club becomes an unclaimed player, who is not in the club. Members can claim it, and a
director decides; only an invitation or claim code for the guest needs no director
(``clubs.clubs.services.clubs``). A merge can be undone.
"""

from collections.abc import Iterable
from datetime import datetime

from django.db import transaction
from django.utils.timezone import now
from django.utils.translation import gettext as _

from clubs.lookalikes import clean_name
from clubs.models import Club, Person, Player, User
from clubs.models.person import NAME_LENGTH, sort_key
from clubs.people.services.merges import MergeRefused, Moved, merge_players
from clubs.refusals import Refused
from scoring.models import Alias, Chouette, ChouettePlayer, Match, Seat, SidePlay
from scoring.ratings.services.ratings import ask_for_update

NAMELESS = "?"
"""The name of a player whose name in a file is empty or invisible."""

KEY_LENGTH = 4 * NAME_LENGTH
"""Longest key of a folded name; one letter can fold to eighteen."""


class ClaimWaitsRefused(Refused):
    """Another player's claim to the name is waiting for a director.

    The message is translated.
    """


def player_named(*, club: Club, name: str) -> Player:
    """The club's player for a name in a file; a new unclaimed player for a new name.

    An unclaimed player is not in the club until claimed or added by a director. Call it in a transaction: the
    club is locked while a player is created, so that a name has one player.
    """
    known = known_names(club=club, names=[name])
    if not known:
        Club.objects.select_for_update(no_key=True).get(pk=club.pk)
        known = known_names(club=club, names=[name])
    return player_among(known, club=club, name=name)


def known_names(*, club: Club, names: Iterable[str]) -> dict[str, Alias]:
    """The club's aliases for these names, by key (one query)."""
    keys = [_key(_in_files(name)) for name in names]
    found = Alias.objects.in_club(club).filter(key__in=keys).select_related("player__person")
    return {alias.key: alias for alias in found}


def player_among(known: dict[str, Alias], *, club: Club, name: str) -> Player:
    """``player_named`` with the club locked and its aliases loaded.

    Adds new names to ``known``.
    """
    name = _in_files(name)
    key = _key(name)
    if key not in known:
        player = Player.objects.create()
        Person.objects.create(player=player, name=name)
        known[key] = Alias.objects.create(club=club, name=name, key=key, player=player)
    return known[key].player


def _in_files(name: str) -> str:
    """A name as the club stores it."""
    return clean_name(name)[:NAME_LENGTH].rstrip() or NAMELESS


def _key(name: str) -> str:
    return sort_key(name)[:KEY_LENGTH]


def claim_name(*, alias: Alias, player: Player) -> Alias:
    """Claim a name for a player; a director decides. Idempotent.

    Raises MergeRefused if the name already belongs to a player or the two have met; ClaimWaitsRefused while
    another player's claim is open.
    """
    with transaction.atomic():
        alias = _locked(alias)
        if alias.confirmed_at is not None:
            raise _settled_already(alias)
        if alias.claimed_by_id not in {None, player.pk}:
            raise ClaimWaitsRefused(
                _("Someone else has claimed “%(name)s”. A director must decide that claim first.")
                % {"name": alias.name}
            )
        refuse_if_they_met(alias.player, player)
        alias.claimed_by = player
        alias.save(update_fields=["claimed_by"])
        return alias


def confirm_claim(*, alias: Alias, player: Player | None = None, by: User | None = None) -> Alias:
    """Assign a name to ``player``, by default the one who claimed it.

    The name's guest is merged into that player, with all matches. Raises MergeRefused, also if the name has
    been assigned to another player: undo that merge first.
    """
    with transaction.atomic():
        alias = _locked(alias)
        chosen = player or alias.claimed_by
        if chosen is None:
            raise MergeRefused(_("No player has claimed “%(name)s”.") % {"name": alias.name})
        if alias.player_id != chosen.pk:
            if alias.confirmed_at is not None:
                raise _settled_already(alias)
            merge_players(guest=alias.player, into=chosen, club=alias.club, by=by)
            alias.refresh_from_db()
        alias.player, alias.claimed_by, alias.confirmed_at = chosen, None, alias.confirmed_at or now()
        alias.save(update_fields=["player", "claimed_by", "confirmed_at"])
        return alias


def refuse_claim(*, alias: Alias) -> None:
    """Reject the claim to a name; it stays with its guest."""
    Alias.objects.filter(pk=alias.pk, confirmed_at=None).update(claimed_by=None)


def _locked(alias: Alias) -> Alias:
    """Lock and reload a name, its club first.

    An import holds the club's lock from looking a name up to seating the player, and must not seat a guest
    merged in between.
    """
    Club.objects.select_for_update(no_key=True).get(pk=alias.club_id)
    names = Alias.objects.select_for_update(of=("self",)).select_related("player", "claimed_by")
    return names.get(pk=alias.pk)


def _settled_already(alias: Alias) -> MergeRefused:
    return MergeRefused(_("“%(name)s” already belongs to a player.") % {"name": alias.name})


def refuse_if_they_met(guest: Player, into: Player) -> None:
    """Refuse to merge two players who played in the same match or chouette.

    Raises MergeRefused.
    """
    met = Match.objects.filter(seats__player=guest).filter(seats__player=into).first()
    if met is not None:
        raise MergeRefused(
            _("They cannot be the same player: both played in match %(match)s.") % {"match": met.ref}
        )
    shared = Chouette.objects.filter(players__player=guest).filter(players__player=into).first()
    if shared is not None:
        raise MergeRefused(
            _("They cannot be the same player: both played in the chouette “%(table)s”.")
            % {"table": shared.title}
        )


def move_matches(guest: Player, into: Player) -> Moved:
    """Move the guest's seats, names and ratings to the player; returns what moved.

    Raises MergeRefused if the two have met.
    """
    refuse_if_they_met(guest, into)
    seats = Seat.objects.filter(player=guest)
    at_tables = ChouettePlayer.objects.filter(player=guest)
    names = Alias.objects.filter(player=guest)
    moved: Moved = {
        "seats": list(seats.values_list("pk", flat=True)),
        "at_tables": list(at_tables.values_list("pk", flat=True)),
        "names": [[name.pk, name.confirmed_at and name.confirmed_at.isoformat()] for name in names],
    }
    seats.update(player=into)
    SidePlay.objects.filter(player=guest).update(player=into)
    at_tables.update(player=into)
    names.update(player=into, claimed_by=None)
    # The names now belong to a player, so no one else can claim them.
    names_of_into = Alias.objects.filter(pk__in=[pk for pk, _at in moved["names"]], confirmed_at=None)
    names_of_into.update(confirmed_at=now())
    Alias.objects.filter(claimed_by=guest).update(claimed_by=None)
    _rate_again(moved["seats"])
    return moved


def put_matches_back(guest: Player, into: Player, moved: Moved) -> None:
    """Undo :func:`move_matches`, except for claims, which count as rejected."""
    Seat.objects.filter(pk__in=moved["seats"], player=into).update(player=guest)
    SidePlay.objects.filter(side__seats__in=moved["seats"], player=into).update(player=guest)
    ChouettePlayer.objects.filter(pk__in=moved["at_tables"], player=into).update(player=guest)
    for pk, confirmed_at in moved["names"]:
        Alias.objects.filter(pk=pk, player=into).update(
            player=guest, confirmed_at=confirmed_at and datetime.fromisoformat(confirmed_at)
        )
    _rate_again(moved["seats"])


def _rate_again(seats: list[int]) -> None:
    """Request rating updates for the final matches of these seats."""
    for match in Match.objects.final().filter(seats__pk__in=seats).select_related("club").order_by("pk"):
        ask_for_update(match=match)
