"""Position and value of a chouette's cubes, as data and in words."""

from typing import Any

from django.utils.translation import gettext as _

from scoring.rules.chouette.game_state import Half, TableCube
from scoring.rules.endings import GameEnd


def cube_of(cube: TableCube) -> dict[str, Any]:
    """A cube's position and value as data."""
    owner = "middle"
    if cube.owner is Half.BOX:
        owner = cube.against or "box"
    elif cube.owner is Half.TEAM:
        owner = "team" if cube.against is None else cube.holder
    offered = cube.offered and {"by": cube.offered.value, "value": cube.value * 2}
    return {
        "key": cube.key,
        "player": cube.player,
        "against": cube.against,
        "holder": cube.holder,
        "value": cube.value,
        "owner": owner,
        "offered": offered,
        "state": _cube_state(cube),
    }


def _cube_state(cube: TableCube) -> str:
    if cube.result is not None:
        if cube.result.agreed is not None:
            return "settled"
        return "passed" if cube.result.ended is GameEnd.PASS else "over"
    if cube.offered is not None:
        return "offered"
    return "in_game" if cube.turned else "open"


def cube_words(name: str, cube: TableCube, state: str) -> str:
    values = {"name": name, "value": cube.value, "double": cube.value * 2}
    words = {
        "settled": _("%(name)s: settled"),
        "passed": _("%(name)s: passed at %(value)s"),
        "over": _("%(name)s: over at %(value)s"),
        "offered": _("%(name)s: doubled to %(double)s"),
    }
    if state in words:
        return words[state] % values
    if cube.owner is None:
        return _("%(name)s: %(value)s in the middle") % values
    box = _("%(name)s: %(value)s on the box’s side") % values
    return box if cube.owner is Half.BOX else _("%(name)s: %(value)s with the crew") % values
