"""The places of a draw that say something."""

from collections.abc import Sequence

from tournaments.core.standings.places import Place
from tournaments.stages.queries.stage_picture import Picture


def told_places(picture: Picture) -> Sequence[Place]:
    """All places; of a bracket that is being played those of whoever is out: the others share "1 to 12"."""
    if not picture.is_bracket or picture.stage.status == "finished":
        return picture.places
    return [place for place in picture.places if place.first > 1 or place.last == 1]
