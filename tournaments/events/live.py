"""What open pages hear of: events."""

from clubs import live
from tournaments.events.queries.visible import may_know
from tournaments.models import Event


def event_topic(ref: str) -> live.Topic | None:
    """An event with all its draws: whoever may know it."""
    found = Event.objects.select_related("club").filter(ref=ref).first()
    if found is None:
        return None
    return live.Topic(found.version, lambda viewer: may_know(viewer, found))


live.register(event_topic)
