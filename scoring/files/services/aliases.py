"""Whom the names in match files mean: players by confirmed aliases, otherwise unclaimed players.

A name that is new to a club becomes an unclaimed player, who does not belong to the club. Its people may say
"this is me": a director decides. Only the invitation or claim code made out to the guest needs nobody
else (``clubs.clubs.services.clubs``). What a merge moved can be put back.
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
from scoring.models import Alias, Chouette, ChouettePlayer, Match, Seat
from scoring.ratings.services.ratings import ask_for_update

NAMELESS = "?"
"""The name of a player for whom a file has none that anybody sees."""

KEY_LENGTH = 4 * NAME_LENGTH
"""Characters of a folded name that tell it from others; some letters fold to eighteen."""


class ClaimWaitsRefused(Refused):
    """Somebody else's claim to the name waits for a director; the message is for the reader of a page."""


def player_named(*, club: Club, name: str) -> Player:
    """The player whom a name in a file means in this club; a new player when nobody is known by it.

    A new one is unclaimed: no guest of the club until claimed, or until a director says so. Call it in a
    transaction: the club is locked while a player is made, so that a name has one.
    """
    known = known_names(club=club, names=[name])
    if not known:
        Club.objects.select_for_update(no_key=True).get(pk=club.pk)
        known = known_names(club=club, names=[name])
    return player_among(known, club=club, name=name)


def known_names(*, club: Club, names: Iterable[str]) -> dict[str, Alias]:
    """What the club knows of these names, by key (one query)."""
    keys = [_key(_in_files(name)) for name in names]
    found = Alias.objects.in_club(club).filter(key__in=keys).select_related("player__person")
    return {alias.key: alias for alias in found}


def player_among(known: dict[str, Alias], *, club: Club, name: str) -> Player:
    """``player_named`` for a caller who holds the club and asked what it knows; a new name is put there."""
    name = _in_files(name)
    key = _key(name)
    if key not in known:
        player = Player.objects.create()
        Person.objects.create(player=player, name=name)
        known[key] = Alias.objects.create(club=club, name=name, key=key, player=player)
    return known[key].player


def _in_files(name: str) -> str:
    """A name as the club keeps it."""
    return clean_name(name)[:NAME_LENGTH].rstrip() or NAMELESS


def _key(name: str) -> str:
    return sort_key(name)[:KEY_LENGTH]


def claim_name(*, alias: Alias, player: Player) -> Alias:
    """The player says that a name means them; a director decides, whatever hangs on the name.

    Claiming twice changes nothing. Raises MergeRefused when it cannot be true: the name is somebody's
    already, or the two met; ClaimWaitsRefused while a director has to decide about somebody else's claim.
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
    """A director's word on whom a name means: the player named here, or the one who claimed it.

    The guest who stood for the name is merged into that player, with all matches. Raises MergeRefused,
    also where the name means another player by now: undo that merge first.
    """
    with transaction.atomic():
        alias = _locked(alias)
        chosen = player or alias.claimed_by
        if chosen is None:
            raise MergeRefused(_("Nobody has claimed “%(name)s”.") % {"name": alias.name})
        if alias.player_id != chosen.pk:
            if alias.confirmed_at is not None:
                raise _settled_already(alias)
            merge_players(guest=alias.player, into=chosen, club=alias.club, by=by)
            alias.refresh_from_db()
        alias.player, alias.claimed_by, alias.confirmed_at = chosen, None, alias.confirmed_at or now()
        alias.save(update_fields=["player", "claimed_by", "confirmed_at"])
        return alias


def refuse_claim(*, alias: Alias) -> None:
    """The name does not mean the one who claimed it; it stays with its guest."""
    Alias.objects.filter(pk=alias.pk, confirmed_at=None).update(claimed_by=None)


def _locked(alias: Alias) -> Alias:
    """The name as it stands, for a change.

    The club comes first: an import holds it from looking a name up until it has seated the player, and must
    not seat a guest who is merged away in between.
    """
    Club.objects.select_for_update(no_key=True).get(pk=alias.club_id)
    names = Alias.objects.select_for_update(of=("self",)).select_related("player", "claimed_by")
    return names.get(pk=alias.pk)


def _settled_already(alias: Alias) -> MergeRefused:
    return MergeRefused(_("“%(name)s” already belongs to a player.") % {"name": alias.name})


def refuse_if_they_met(guest: Player, into: Player) -> None:
    """Raises MergeRefused when the two sat in one match or at one table: one person cannot."""
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
    """The guest's seats, names and ratings go to the player who stays; returns what moved.

    Raises MergeRefused when the two met.
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
    at_tables.update(player=into)
    names.update(player=into, claimed_by=None)
    # From now on they mean somebody: nobody else claims them.
    names_of_into = Alias.objects.filter(pk__in=[pk for pk, _at in moved["names"]], confirmed_at=None)
    names_of_into.update(confirmed_at=now())
    Alias.objects.filter(claimed_by=guest).update(claimed_by=None)
    _rate_again(moved["seats"])
    return moved


def put_matches_back(guest: Player, into: Player, moved: Moved) -> None:
    """Undo :func:`move_matches`, but for claims: a claim that turned out wrong is refused."""
    Seat.objects.filter(pk__in=moved["seats"], player=into).update(player=guest)
    ChouettePlayer.objects.filter(pk__in=moved["at_tables"], player=into).update(player=guest)
    for pk, confirmed_at in moved["names"]:
        Alias.objects.filter(pk=pk, player=into).update(
            player=guest, confirmed_at=confirmed_at and datetime.fromisoformat(confirmed_at)
        )
    _rate_again(moved["seats"])


def _rate_again(seats: list[int]) -> None:
    """Ask the lists for a replay of the final matches in which these seats are."""
    for match in Match.objects.final().filter(seats__pk__in=seats).select_related("club").order_by("pk"):
        ask_for_update(match=match)
