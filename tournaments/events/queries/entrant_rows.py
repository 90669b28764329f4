"""The entrants of an event with their players in one statement.

Written out: Django asks twice for them, and builds both queries for longer than the database answers.
"""

from collections.abc import Iterable, Sequence

from django.db.models import Model

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
_DRAWN = f"EXISTS (SELECT 1 FROM {StageEntrant._meta.db_table} AS drawn WHERE drawn.entrant_id = entrant.id)"  # noqa: S608 - names of our own
_SHOWN = f"""
    SELECT {", ".join(each.text for each in ENTRANT)}, {_DRAWN}
    FROM {EntrantRow._meta.db_table} AS entrant
        JOIN {Flight._meta.db_table} AS flight ON flight.id = entrant.flight_id {PLAYERS_OF_ENTRANTS}
    WHERE flight.event_id = %s AND (
        entrant.state <> '{EntrantState.WITHDRAWN}' OR {_DRAWN}
        OR entrant.payment IN ('{FeePayment.CASH}', '{FeePayment.TRANSFER}')
    )
    ORDER BY entrant.registered_at, entrant.id, member.position, member.id
"""  # noqa: S608 - names of our own


def shown_entrants(event: Event) -> list[EntrantRow]:
    """The entrants of an event with their players, and whether each was drawn (one query).

    In the order of registration; without those who withdrew before the draw and had not paid.
    """
    drawn: dict[int, bool] = {}

    def rows() -> Iterable[Sequence[Model]]:
        for *row, in_draw in read(_SHOWN, [event.pk], *ENTRANT):
            drawn[row[0].pk] = in_draw
            yield row

    entrants = with_their_players(rows())
    for key, entrant in entrants.items():
        entrant.in_draw = drawn[key]  # type: ignore[attr-defined] # as with_draw() annotates it
    return list(entrants.values())


def with_their_players(rows: Iterable[Sequence[Model]]) -> dict[int, EntrantRow]:
    """Entrants by key with their players, from rows of ``ENTRANT``."""
    found: dict[int, EntrantRow] = {}
    members: dict[int, list[EntrantMember]] = {}
    for entrant, member, player, person in rows:
        assert isinstance(entrant, EntrantRow)  # noqa: S101 - for the types
        found.setdefault(entrant.pk, entrant)
        held = members.setdefault(entrant.pk, [])
        if isinstance(member, EntrantMember) and isinstance(player, Player):
            member.player = player
            cache_one(player, "person", person)
            held.append(member)
    asked = EntrantMember.objects.none()
    for key, row in found.items():
        cache_many(row, "members", asked, members[key])
    return found
