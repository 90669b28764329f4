"""What open pages hear of: events."""

from clubs import live
from clubs.access import may_see
from tournaments.models import Event


def event_topic(ref: str) -> live.Topic | None:
    """An event with all its draws: whoever may see its club."""
    found = Event.objects.select_related("club").filter(ref=ref).first()
    if found is None:
        return None
    return live.Topic(found.version, lambda viewer: may_see(viewer, found.club))


live.register(event_topic)
