"""Visibility of events."""

from django.db.models import Q

from clubs.access import Viewer, role_of
from clubs.models import Role, User, Visibility
from scoring.log.queries.visible import clubs_of, clubs_seen_by
from tournaments.models import Event
from tournaments.models.event import EventQuerySet


def may_know(viewer: Viewer, event: Event) -> bool:
    """Whether the viewer can see the event. Load its club along."""
    return role_may_know(role_of(viewer, event.club), event)


def role_may_know(role: Role | None, event: Event) -> bool:
    """The same for a role in the event's club."""
    public = event.club.visibility == Visibility.PUBLIC
    return role_admits(role, hidden=event.hidden, members_only=event.members_only, public_club=public)


def role_admits(role: Role | None, *, hidden: bool, members_only: bool, public_club: bool) -> bool:
    """The rule: hidden events for directors, others for members.

    Everyone can see an event if neither it nor its club is closed.
    """
    if hidden:
        return role is not None and role >= Role.DIRECTOR
    return role is not None or (public_club and not members_only)


def events_seen_by(viewer: Viewer) -> EventQuerySet:
    """The events that the viewer can see, as a query set."""
    if isinstance(viewer, User) and viewer.is_superuser:
        return Event.objects.all()
    known = Q(club__in=clubs_seen_by(viewer).values("pk"), hidden=False, members_only=False)
    if isinstance(viewer, User):
        known |= Q(club__in=clubs_of(viewer).values("pk"), hidden=False)
        known |= Q(club__in=clubs_of(viewer, least=Role.DIRECTOR).values("pk"))
    return Event.objects.filter(known)
