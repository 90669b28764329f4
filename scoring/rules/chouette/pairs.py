"""Points between each two players of a chouette game.

The ledger has each player's gain; this has the opponents it came from.
"""

from collections.abc import Iterator, Mapping

from scoring.rules.chouette.costs import LedgerLine, box_points, settle_game
from scoring.rules.chouette.options import ChouetteOptions
from scoring.rules.chouette.session_state import ScoredGame

Pairs = Mapping[tuple[str, str], int]


def points_between(game: ScoredGame) -> Pairs:
    """Points that the first player of each pair won from the second.

    Each pair in both orders.

    A crew cube counts between its holder and the box, an extra between its two players, a payment between
    payer and receiver; pairs that met at 0 points are included. The split between the box and its partner is
    not: they are not opponents.

    >>> from scoring.rules.chouette.events import GameBegun, GameOver, Joined, PlacesAgreed, SessionStarted
    >>> from scoring.rules.chouette.session import replay_session
    >>> from scoring.rules.match import Win
    >>> names = ("ana", "jon", "eva")
    >>> log = [SessionStarted(ChouetteOptions()), *(Joined(name, 1) for name in names), PlacesAgreed(names),
    ...        GameBegun(), GameOver(box_won=True, win=Win.SINGLE)]
    >>> pairs = points_between(replay_session(log).games[0])
    >>> pairs["ana", "jon"], pairs["jon", "ana"], ("jon", "eva") in pairs
    (1, -1, False)
    """
    found: dict[tuple[str, str], int] = {}
    for winner, loser, points in _flows(game, _options_of(game)):
        found[winner, loser] = found.get((winner, loser), 0) + points
        found[loser, winner] = found.get((loser, winner), 0) - points
    return found


def _flows(game: ScoredGame, options: ChouetteOptions) -> Iterator[tuple[str, str, int]]:
    """(winner, loser, points) of every cube and payment."""
    for result in game.results:
        yield (
            result.against or game.seating.box,
            result.account or result.player,
            box_points(result, options),
        )
    for payment in game.payments:
        yield payment.receiver, payment.payer, payment.points


def _options_of(game: ScoredGame) -> ChouetteOptions:
    """Options with the game's Jacoby rule, inferred from its ledger.

    A scored game has no options.
    """
    stakes = dict.fromkeys(game.seating.players, 0)
    options = ChouetteOptions(jacoby=True)
    lines = settle_game(game.seating, game.results, stakes, options=options, payments=game.payments)
    return options if _points(lines) == _points(game.ledger) else ChouetteOptions(jacoby=False)


def _points(lines: tuple[LedgerLine, ...]) -> list[int]:
    return [line.points for line in lines]
