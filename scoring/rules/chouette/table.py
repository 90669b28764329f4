"""Dispatch of a chouette game's events to their transitions."""

from collections.abc import Callable, Mapping
from typing import Any

from scoring.rules.chouette import events
from scoring.rules.chouette import game as table
from scoring.rules.chouette.events import ChouetteEvent
from scoring.rules.chouette.game_state import TableGame

TABLE_EVENTS: Mapping[type[Any], Callable[[TableGame, Any], TableGame]] = {
    events.OpeningTied: lambda game, e: table.tie(game, doubled=e.doubled),
    events.Offered: lambda game, e: table.offer(game, by=e.by, keys=e.cubes),
    events.Answered: lambda game, e: table.answer(game, by=e.by, takes=e.takes, passes=e.passes),
    events.CubeBeavered: lambda game, e: table.beaver(game, by=e.by, key=e.cube),
    events.CubeRaccooned: lambda game, e: table.raccoon(game, by=e.by, key=e.cube),
    events.ExtraTaken: lambda game, e: table.hold_extra(game, payer=e.payer, holder=e.holder),
    events.RefusedExtra: lambda game, e: table.refuse_extra(game, payer=e.payer, holder=e.holder),
    events.CubeSettled: lambda game, e: table.settle_cube(game, key=e.cube, points=e.points),
    events.CubeTakenOver: lambda game, e: table.take_over(game, key=e.cube, by=e.by, points=e.points),
    events.GameOver: lambda game, e: table.finish(game, box_won=e.box_won, win=e.win, how=e.ended),
}
"""Transitions by event type, for events of a game."""


def apply_to_table(game: TableGame, event: ChouetteEvent) -> TableGame:
    """The game after an event of the session.

    Events of other kinds leave it unchanged.

    Raises :class:`~scoring.rules.errors.IllegalAction` for an event not possible now.
    """
    change = TABLE_EVENTS.get(type(event))
    return game if change is None else change(game, event)
