"""What tells whether a draw's page has changed since a browser got it, in one light query.

Every phone that follows an event asks this again and again. Compiling the same question with the query
builder takes twenty times as long as PostgreSQL needs to answer it, hence the statement in words; it is made
of the models' own names.
"""

from dataclasses import dataclass

from django.db import connection
from django.db.models import Model

from clubs.access import Viewer
from clubs.models import Club, Membership, Player, Role, User, Visibility
from tournaments.events.queries.visible import role_admits
from tournaments.models import Event, Flight, StageRow


@dataclass(frozen=True, slots=True)
class Glance:
    """A stage as it stands: its primary key and status, its event's version and name, the viewer's role."""

    stage: int
    status: str
    version: int
    name: str
    role: Role | None


def glance_at(viewer: Viewer, ref: str) -> Glance | None:
    """The stage with this ref for somebody who may know it, else None (one query)."""
    user = viewer if isinstance(viewer, User) else None
    with connection.cursor() as cursor:
        # Whoever is nobody has no role: PostgreSQL need not plan how to find it, each time anew.
        if user is None:
            cursor.execute(_QUESTION.format(role="NULL"), [ref])
        else:
            cursor.execute(_QUESTION.format(role=_ROLE), [user.pk, ref])
        row = cursor.fetchone()
    if row is None:
        return None
    stage, status, version, name, hidden, members_only, visibility, stored = row
    role = Role.OWNER if user and user.is_superuser else None if stored is None else Role(stored)
    public = visibility == Visibility.PUBLIC
    if not role_admits(role, hidden=hidden, members_only=members_only, public_club=public):
        return None
    return Glance(stage, status, version, name, role)


def _table(model: type[Model]) -> str:
    return connection.ops.quote_name(model._meta.db_table)


_ROLE = f"""
    (SELECT membership.role FROM {_table(Membership)} AS membership
        JOIN {_table(Player)} AS player ON player.id = membership.player_id
        WHERE membership.club_id = club.id AND player.user_id = %s LIMIT 1)
"""  # noqa: S608 - the tables' names are our own

_QUESTION = f"""
    SELECT stage.id, stage.status, event.version, event.name, event.hidden, event.members_only,
        club.visibility, {{role}}
    FROM {_table(StageRow)} AS stage
    JOIN {_table(Flight)} AS flight ON flight.id = stage.flight_id
    JOIN {_table(Event)} AS event ON event.id = flight.event_id
    JOIN {_table(Club)} AS club ON club.id = event.club_id
    WHERE stage.ref = %s
"""  # noqa: S608 - the tables' names are our own
