"""The decided places of a draw."""

from collections.abc import Sequence

from tournaments.core.standings.places import Place
from tournaments.stages.queries.stage_picture import TO_COME, Picture


def decided_places(picture: Picture) -> Sequence[Place]:
    """All places; during a bracket only of entrants out of all its parts."""
    if not picture.is_bracket or picture.stage.status == "finished":
        return picture.places
    cells = [cell for part in picture.sections for column in part.columns for cell in column.cells]
    coming = [cell for cell in cells if cell.state in TO_COME]
    still_in = {mark.number for cell in coming for mark in (cell.a, cell.b) if not mark.gone}
    return [
        place
        for place in picture.places
        if place.entrant not in still_in and (place.first > 1 or place.last == 1)
    ]
