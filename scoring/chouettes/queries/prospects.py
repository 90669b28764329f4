"""Each player's possible gain in the current game of a chouette, by result."""

from collections.abc import Mapping
from dataclasses import replace

from scoring.rules.chouette.costs import LedgerLine, settle_game
from scoring.rules.chouette.game import finish
from scoring.rules.chouette.game_state import TableGame
from scoring.rules.chouette.session_state import SessionState
from scoring.rules.endings import GameEnd
from scoring.rules.match import Win

WAYS = {f"{side}_{win.name.lower()}": (side == "box", win) for side in ("box", "team") for win in Win}
"""Results by name: whether the box wins, and the win."""


def prospects(state: SessionState) -> dict[str, Mapping[str, LedgerLine]]:
    """The ledger by player for each possible result of the game; empty between games.

    Unanswered doubles count as not offered.
    """
    if state.game is None:
        return {}
    game = _without_offers(state.game)
    stakes = {player: state.seat(player).stake for player in game.seating.players}
    found: dict[str, Mapping[str, LedgerLine]] = {}
    for way, (box_won, win) in WAYS.items():
        over = finish(game, box_won=box_won, win=win, how=GameEnd.BORNE_OFF)
        lines = settle_game(game.seating, over.results, stakes, options=game.options, payments=over.payments)
        found[way] = {line.player: line for line in lines}
    return found


def _without_offers(game: TableGame) -> TableGame:
    cubes = tuple(replace(cube, offered=None) for cube in game.cubes)
    return replace(game, cubes=cubes, must_beaver=None)
