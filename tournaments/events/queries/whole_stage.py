"""A stage with flight, event and club, and an event with its club, in one hand-written statement each.

Every result asks for it, every page of an event, and every phone that follows a draw.
"""

from django.db import connection
from django.db.transaction import TransactionManagementError

from clubs.models import Club, Membership, Player
from clubs.models.columns import Columns, read
from tournaments.models import Event, Feed, Flight, StageRow
from tournaments.models.stage import FOLLOWED
from tournaments.models.stage_details import RULES


def _followed(path: str) -> list[str]:
    """The columns that following needs of the model at this path from the stage."""
    return [name.removeprefix(path) for name in FOLLOWED if name.startswith(path)]


_JOINED = f"""
    FROM {StageRow._meta.db_table} AS stage
        JOIN {Flight._meta.db_table} AS flight ON flight.id = stage.flight_id
        JOIN {Event._meta.db_table} AS event ON event.id = flight.event_id
        JOIN {Club._meta.db_table} AS club ON club.id = event.club_id
"""

_WHOLE = (
    Columns(StageRow, "stage"),
    Columns(Flight, "flight"),
    Columns(Event, "event"),
    Columns(Club, "club"),
)
_FOR_UPDATE = f"""
    SELECT {", ".join(each.text for each in _WHOLE)}, (
        SELECT json_agg(json_build_object('kind', kind, 'amount', amount, 'into', target.ref) ORDER BY number)
        FROM {Feed._meta.db_table} AS feed
            JOIN {StageRow._meta.db_table} AS target ON target.id = feed.into_id
        WHERE feed.stage_id = stage.id
    ) {_JOINED} WHERE stage.id = %s
    FOR NO KEY UPDATE OF stage
"""  # noqa: S608 - names of our own

_NEEDED = (
    Columns(StageRow, "stage", only=_followed("")),
    Columns(Flight, "flight", only=["event"]),
    Columns(Event, "event", only=["club", *_followed("flight__event__")]),
    Columns(Club, "club", only=_followed("flight__event__club__")),
)

_EVENT = (Columns(Event, "event"), Columns(Club, "club"))
_ROLE = f"""(
    SELECT member.role
    FROM {Membership._meta.db_table} AS member
        JOIN {Player._meta.db_table} AS player ON player.id = member.player_id
    WHERE member.club_id = event.club_id AND player.user_id = %s LIMIT 1
)"""  # noqa: S608 - names of our own
_TO_KNOW = f"""
    SELECT {", ".join(each.text for each in _EVENT)}, {_ROLE}
    FROM {Event._meta.db_table} AS event JOIN {Club._meta.db_table} AS club ON club.id = event.club_id
    WHERE event.ref = %s
"""  # noqa: S608 - names of our own


_TO_FOLLOW = f"""
    SELECT {", ".join(each.text for each in _NEEDED)}, {_ROLE} {_JOINED} WHERE stage.ref = %s
"""


def event_to_know(ref: str, user: int) -> tuple[Event | None, int | None]:
    """The event with its club, and the role in it of a user (by primary key); None for an unknown event."""
    for event, club, role in read(_TO_KNOW, [user, ref], *_EVENT):
        event.club = club
        return event, role
    return None, None


def stage_for_update(pk: int) -> StageRow:
    """The stage with flight, event, club and feeds, locked for the transaction.

    Raises Stage.DoesNotExist, and TransactionManagementError outside a transaction.
    """
    if not connection.in_atomic_block:
        raise TransactionManagementError("a stage can be locked only inside a transaction")
    for stage, flight, event, club, rules in read(_FOR_UPDATE, [pk], *_WHOLE):
        setattr(stage, RULES, rules or [])
        return _joined(stage, flight, event, club)
    raise StageRow.DoesNotExist(f"stage {pk} no longer exists")


def stage_to_follow(ref: str, user: int | None = None) -> tuple[StageRow | None, int | None]:
    """The stage with the columns in ``FOLLOWED``, and a user's role in its club.

    None for an unknown stage; ``user`` is a primary key.
    """
    for stage, flight, event, club, role in read(_TO_FOLLOW, [user, ref], *_NEEDED):
        return _joined(stage, flight, event, club), role
    return None, None


def _joined(stage: StageRow, flight: Flight, event: Event, club: Club) -> StageRow:
    stage.flight, flight.event, event.club = flight, event, club
    return stage
