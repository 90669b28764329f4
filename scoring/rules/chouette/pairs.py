"""What passed between any two players in a game of chouette: cubes, extras, settlements, cubes taken over.

The ledger says what a game brought each player; this says from whom.
"""

from collections.abc import Iterator, Mapping

from scoring.rules.chouette.costs import LedgerLine, box_points, settle_game
from scoring.rules.chouette.options import ChouetteOptions
from scoring.rules.chouette.session_state import ScoredGame

Pairs = Mapping[tuple[str, str], int]


def points_between(game: ScoredGame) -> Pairs:
    """Points that the first of each pair won from the second; each pair stands there both ways round.

    A cube of the crew passes between who plays its team's side and the box, an extra between its two, a price
    between who pays and who gets it; an amount of nothing stands there too, for the two have met. What the
    box and its partner share with one another is not there: they are no opponents.

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
    """(who wins, from whom, how much) of every cube and every price."""
    for result in game.results:
        yield (
            result.against or game.seating.box,
            result.account or result.player,
            box_points(result, options),
        )
    for payment in game.payments:
        yield payment.receiver, payment.payer, payment.points


def _options_of(game: ScoredGame) -> ChouetteOptions:
    """Whether the game was played by Jacoby: as its ledger has it. A game does not keep its rules."""
    stakes = dict.fromkeys(game.seating.players, 0)
    options = ChouetteOptions(jacoby=True)
    lines = settle_game(game.seating, game.results, stakes, options=options, payments=game.payments)
    return options if _points(lines) == _points(game.ledger) else ChouetteOptions(jacoby=False)


def _points(lines: tuple[LedgerLine, ...]) -> list[int]:
    return [line.points for line in lines]
