"""Live topics of events."""

from clubs.live import topics
from tournaments.events.queries.visible import may_know
from tournaments.models import Event


def event_topic(ref: str) -> topics.Topic | None:
    """The topic of an event and all its draws, for everyone who can see it."""
    found = Event.objects.select_related("club").filter(ref=ref).first()
    if found is None:
        return None
    return topics.Topic(found.version, lambda viewer: may_know(viewer, found))


topics.register(event_topic)
