"""The entrants of an event with their players in one statement.

Written out: Django asks twice for them, and builds both queries for longer than the database answers.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from clubs.models import Person, Player
from clubs.models.columns import Columns, cache_many, cache_one, read
from tournaments.models import (
    EntrantMember,
    EntrantRow,
    EntrantState,
    Event,
    FeePayment,
    Flight,
    StageEntrant,
)

ENTRANT = (
    Columns(EntrantRow, "entrant"),
    Columns(EntrantMember, "member"),
    Columns(Player, "player"),
    Columns(Person, "person"),
)
PLAYERS_OF_ENTRANTS = f"""
    LEFT JOIN {EntrantMember._meta.db_table} AS member ON member.entrant_id = entrant.id
    LEFT JOIN {Player._meta.db_table} AS player ON player.id = member.player_id
    LEFT JOIN {Person._meta.db_table} AS person ON person.player_id = player.id
"""
_OF_DRAWS = f"FROM {StageEntrant._meta.db_table} AS drawn WHERE drawn.entrant_id = entrant.id"
_DRAWN = f"EXISTS (SELECT 1 {_OF_DRAWS})"
_NUMBERS = f"(SELECT json_object_agg(drawn.stage_id, drawn.number) {_OF_DRAWS})"
SELECT_ENTRANTS = f"SELECT {', '.join(each.text for each in ENTRANT)}, {_NUMBERS}"
"""``ENTRANT``, and the entrant's numbers by the key of the stage; null for one that was not drawn."""
_SHOWN = f"""
    {SELECT_ENTRANTS}
    FROM {EntrantRow._meta.db_table} AS entrant
        JOIN {Flight._meta.db_table} AS flight ON flight.id = entrant.flight_id {PLAYERS_OF_ENTRANTS}
    WHERE flight.event_id = %s AND (
        entrant.state <> '{EntrantState.WITHDRAWN}' OR {_DRAWN}
        OR entrant.payment IN ('{FeePayment.CASH}', '{FeePayment.TRANSFER}')
    )
    ORDER BY entrant.registered_at, entrant.id, member.position, member.id
"""
_ALL = f"""
    {SELECT_ENTRANTS}
    FROM {EntrantRow._meta.db_table} AS entrant
        JOIN {Flight._meta.db_table} AS flight ON flight.id = entrant.flight_id {PLAYERS_OF_ENTRANTS}
    WHERE flight.event_id = %s
    ORDER BY entrant.id, member.position, member.id
"""
_THESE = f"""
    {SELECT_ENTRANTS}
    FROM {EntrantRow._meta.db_table} AS entrant {PLAYERS_OF_ENTRANTS}
    WHERE entrant.id = ANY(%s)
    ORDER BY entrant.id, member.position, member.id
"""
_NUMBERED = f"""
    {SELECT_ENTRANTS}
    FROM {StageEntrant._meta.db_table} AS here
        JOIN {EntrantRow._meta.db_table} AS entrant ON entrant.id = here.entrant_id {PLAYERS_OF_ENTRANTS}
    WHERE here.stage_id = %s
    ORDER BY here.number, member.position, member.id
"""


def shown_entrants(event: Event) -> list[EntrantRow]:
    """The entrants of an event with their players and their numbers in draws (one query).

    In the order of registration; without those who withdrew before the draw and had not paid.
    """
    return list(with_their_players(read(_SHOWN, [event.pk], *ENTRANT)).values())


def every_entrant(event: Event) -> list[EntrantRow]:
    """All entrants of an event with their players and their numbers in draws (one query)."""
    return list(with_their_players(read(_ALL, [event.pk], *ENTRANT)).values())


def entrants_with_players(keys: Iterable[int]) -> dict[int, EntrantRow]:
    """The entrants with these primary keys, with their players and their numbers in draws (one query)."""
    return with_their_players(read(_THESE, [list(keys)], *ENTRANT))


def numbered_entrants(stage: int) -> dict[int, EntrantRow]:
    """The entrants of a stage, by its key, by number with their players (one query)."""
    found = with_their_players(read(_NUMBERED, [stage], *ENTRANT))
    return {numbers_of(entrant)[stage]: entrant for entrant in found.values()}


def with_their_players(rows: Iterable[Sequence[Any]]) -> dict[int, EntrantRow]:
    """Entrants by key with their players, from rows that ``SELECT_ENTRANTS`` begins."""
    found: dict[int, EntrantRow] = {}
    members: dict[int, list[EntrantMember]] = {}
    for entrant, member, player, person, numbers in rows:
        if entrant.pk not in found:
            found[entrant.pk] = entrant
            entrant.in_draw = numbers is not None  # as with_draw() annotates it
            entrant.drawn_as = {int(stage): number for stage, number in (numbers or {}).items()}
        held = members.setdefault(entrant.pk, [])
        if isinstance(member, EntrantMember) and isinstance(player, Player):
            member.player = player
            cache_one(player, "person", person)
            held.append(member)
    asked = EntrantMember.objects.none()
    for key, row in found.items():
        cache_many(row, "members", asked, members[key])
    return found


def numbers_of(entrant: EntrantRow) -> Mapping[int, int]:
    """The numbers of an entrant by the key of the stage. Load it as :func:`shown_entrants` does."""
    loaded: Any = entrant
    found: Mapping[int, int] = loaded.drawn_as
    return found
