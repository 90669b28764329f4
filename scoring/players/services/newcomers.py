"""New players at a chouette table: club players or unclaimed guests."""

from collections.abc import Mapping
from dataclasses import dataclass

from clubs.access import role_of
from clubs.lookalikes import clean_name
from clubs.models import Club, Player
from clubs.people.services.names import NameRefused, refuse_look_alike, register_player
from clubs.refs import looks_like_ref
from scoring.log.queries.writers import Author
from scoring.models import Chouette, ChouettePlayer
from scoring.rules.codec import check_text
from scoring.rules.errors import IllegalAction, InvalidValue

LONGEST_NAME = 100
MOST_NAMED = 60


@dataclass(frozen=True, slots=True)
class Newcomer:
    """A new player: the ``ref`` of a club player or the ``name`` of a guest."""

    name: str = ""
    ref: str = ""


def seat_newcomers(chouette: Chouette, newcomers: Mapping[str, Newcomer], author: Author) -> None:
    """Create the table's players for new refs in its log.

    The refs are the writer's own, so that a scorer without a line can go on with somebody who has just come.
    Call it in the transaction that writes their joining, before the table is locked: a club comes before its
    tables in every lock. Only an author with a role in the club finds its players by their refs.

    Raises InvalidValue for a ref or a name that cannot be, IllegalAction for somebody who sits there already
    and for a table that has seen too many.
    """
    club = Club.objects.select_for_update(no_key=True).get(pk=chouette.club_id)
    known = set(
        ChouettePlayer.objects.filter(ref__in=newcomers, chouette=chouette).values_list("ref", flat=True)
    )
    for ref, newcomer in newcomers.items():
        if ref not in known:
            _check_ref(ref)
            seat_player(chouette, _player_of(club, newcomer, author), ref=ref)


def seat_player(chouette: Chouette, player: Player, **fields: object) -> ChouettePlayer:
    """Add a player to the table. Raises IllegalAction if seated or the table is full."""
    rows = ChouettePlayer.objects.filter(chouette=chouette)
    if rows.filter(player=player).exists():
        raise IllegalAction("knows_already", "{player} already has a seat at this table", player=player.name)
    if rows.count() >= MOST_NAMED:
        raise IllegalAction("many", "a chouette can have at most {most} players", most=MOST_NAMED)
    return ChouettePlayer.objects.create(chouette=chouette, player=player, **fields)


def checked_name(name: str) -> str:
    """A guest's stripped name. Raises InvalidValue if empty, too long, unprintable."""
    check_text(name, where="name")
    stripped = clean_name(name)
    if not 1 <= len(stripped) <= LONGEST_NAME or not any(letter.isalnum() for letter in stripped):
        raise InvalidValue(
            "name", "{name!r} is not a name of 1 to {most} letters", name=name, most=LONGEST_NAME
        )
    return stripped


def unclaimed_guest(club: Club, name: str) -> Player:
    """Create an unclaimed player known only at a table.

    The caller holds the club. Raises InvalidValue for a name that cannot be, and for one that looks like that
    of somebody in the club.
    """
    name = checked_name(name)
    try:
        refuse_look_alike(club=club, name=name)
    except NameRefused as refused:
        raise InvalidValue("name_taken", "{reason}", reason=str(refused)) from refused
    return register_player(name=name)


def _player_of(club: Club, newcomer: Newcomer, author: Author) -> Player:
    if not newcomer.ref:
        return unclaimed_guest(club, newcomer.name)
    found = None
    if author.user is not None and role_of(author.user, club) is not None:
        players = Player.objects.current().with_person()
        found = players.filter(ref=newcomer.ref, memberships__club=club).first()
    if found is None:
        raise InvalidValue("no_such_player", "there is no player {ref} in the club", ref=newcomer.ref)
    return found


def _check_ref(ref: str) -> None:
    if not looks_like_ref(ref):
        raise InvalidValue("ref", "{ref!r} is not a ref for a player at a table", ref=ref)
    if ChouettePlayer.objects.filter(ref=ref).exists():
        raise InvalidValue("ref_used", "{ref} is already used at another table", ref=ref)
