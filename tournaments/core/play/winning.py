"""Who has won a match, and so can be in a prize.

A prize of a ranking takes a match won over the board among its matches: a bye is no win, nor is a walkover
(docs/reference/tournaments.md, "Prizes").
"""

from collections.abc import Collection, Sequence
from itertools import groupby

from tournaments.core.brackets.bracket import MAIN
from tournaments.core.brackets.formats import Elimination
from tournaments.core.formats.table import format_of
from tournaments.core.stages.outcomes import Outcome
from tournaments.core.stages.stage import Stage
from tournaments.core.standings.places import Place, share_places


def entrants_with_a_win(stage: Stage, table: str = MAIN) -> frozenset[int]:
    """The entrants who won a match over the board in a table; a stage without a bracket has one table.

    If no match of the main table was won over the board, those who won one by forfeit.

    Raises:
        DrawRefused: ``no_such_table``.
    """
    outcomes = _outcomes(stage, table)
    won = frozenset(outcome.winner for outcome in outcomes if outcome.played)
    if won or table != MAIN:
        return won
    return frozenset(outcome.winner for outcome in outcomes if outcome.advances is not None)


def winners_over_the_board(stage: Stage) -> frozenset[int]:
    """The entrants who won any match of the stage over the board."""
    return frozenset(outcome.winner for outcome in stage.outcomes.values() if outcome.played)


def _outcomes(stage: Stage, table: str) -> Sequence[Outcome]:
    chosen = format_of(stage.format)
    if not isinstance(chosen, Elimination):
        return list(stage.outcomes.values())
    state = chosen.resolution(stage)
    inside = {match for r in state.bracket.table(table).rounds for match in r.matches}
    return [o for match, o in stage.outcomes.items() if match in inside and match not in state.stale]


def prize_places(places: Sequence[Place], won: Collection[int]) -> tuple[Place, ...]:
    """The places of those who have won a match; the others make room.

    >>> places = share_places([[1], [2], [3, 4], [5]])
    >>> [(p.entrant, p.text) for p in prize_places(places, {1, 2, 4, 5})]
    [(1, '1'), (2, '2'), (4, '3'), (5, '4')]
    """
    kept = sorted((p for p in places if p.entrant in won), key=lambda p: (p.first, p.entrant))
    return share_places([[p.entrant for p in group] for _first, group in groupby(kept, lambda p: p.first)])
