"""Names of a pasted list, compared with the players of a club."""

from collections import defaultdict
from collections.abc import Collection, Mapping

from clubs.lookalikes import look_alike, skeleton
from clubs.models import Club, Membership, Person, Player
from clubs.models.person import NAME_LENGTH, sort_key
from clubs.people.search import members


def players_named(club: Club, names: Collection[str]) -> Mapping[str, list[Player]]:
    """Players of the club with these names by sort key, ignoring case and accents (one query)."""
    found: dict[str, list[Player]] = defaultdict(list)
    wanted = {sort_key(name) for name in names if len(name) <= NAME_LENGTH}
    for player in members(club).filter(person__sort_key__in=wanted).with_person().order_by("pk"):
        found[sort_key(player.name)].append(player)
    return found


def look_alikes(club: Club, names: Collection[str]) -> Mapping[str, str]:
    """Names of the club that these new names look like (one query)."""
    wanted = {skeleton(name): name for name in names if len(name) <= NAME_LENGTH}
    people = Person.objects.filter(
        skeleton__in=list(wanted), player__in=Membership.objects.in_club(club).values("player")
    )
    found = {person.skeleton: person.name for person in people}
    return {name: found[key] for key, name in wanted.items() if key in found and look_alike(found[key], name)}
