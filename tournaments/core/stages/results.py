"""The results of a stage as games, from which ``standings`` makes tables."""

from scoring.rules.endings import Ending
from tournaments.core.stages.outcomes import Outcome
from tournaments.core.stages.pairings import Pairing
from tournaments.core.stages.stage import Left as LeftEvent
from tournaments.core.stages.stage import Paired, Returned, RoundWithdrawn, Stage, TieSettled
from tournaments.core.standings.games import Game, Results, arrange, without_early_leavers
from tournaments.core.standings.tables import TableOptions, TieOrder, known_tie_break
from tournaments.core.standings.tie_breaks import Context, draw_lot


def games_of(stage: Stage) -> tuple[Game, ...]:
    """Every decided pairing of the stage.

    In a round robin a rest scores nothing; elsewhere a bye is a win.
    """
    bye = 0.0 if stage.format == "round_robin" else 1.0
    found: list[Game] = []
    for pairing in stage.pairings.values():
        if pairing.is_playoff:
            continue
        outcome = stage.outcomes.get(pairing.number)
        if pairing.is_bye:
            found.append(Game(pairing.round, pairing.a, None, (bye, 0.0), played=False))
        elif outcome is not None:
            found.append(_game(pairing, outcome))
    return tuple(found)


def _game(pairing: Pairing, outcome: Outcome) -> Game:
    if outcome.ended is Ending.DOUBLE_NO_SHOW:
        return Game(pairing.round, pairing.a, pairing.b, (0.0, 0.0), played=False)
    first = outcome.winner == pairing.a
    points = outcome.points if first or outcome.points is None else (outcome.points[1], outcome.points[0])
    return Game(pairing.round, pairing.a, pairing.b, (float(first), float(not first)), points, outcome.played)


def left_after(stage: Stage) -> dict[int, int]:
    """Number of published rounds at departure, by entrant who left."""
    rounds = 0
    found: dict[int, int] = {}
    for entry in stage.log:
        match entry:
            case Paired(pairings):
                rounds = max(rounds, *(p.round for p in pairings), 0)
            case LeftEvent(entrant):
                found[entrant] = rounds
            case RoundWithdrawn(number):
                rounds = number - 1
                found = {entrant: min(at, rounds) for entrant, at in found.items()}
            case Returned(entrant):
                found.pop(entrant, None)
    return found


def stage_results(stage: Stage) -> Results:
    """All results of a stage, early leavers of a round robin taken out."""
    games, left = games_of(stage), left_after(stage)
    if stage.format == "round_robin":
        games = without_early_leavers(games, left)
    return arrange(range(1, len(stage.field) + 1), games, left)


def decisions_of(stage: Stage, results: Results, options: TableOptions) -> list[TieOrder]:
    """The decisions on ties that can count, in order; a playoff counts once all its matches are over."""
    context = Context(results, options.adjust_unplayed, options.lot_seed)
    found = []
    for settled in stage.settled:
        match settled.how:
            case "tie_break":
                by = known_tie_break(settled.key)
                values = by.values(context, settled.tied)
                found.append(TieOrder(by.key, values, by.lower_is_better))
            case "lot":
                found.append(TieOrder("lot", draw_lot(settled.seed, settled.tied), lower_is_better=True))
            case "playoff":
                wins = playoff_wins(stage, settled)
                if wins is not None:
                    found.append(TieOrder("playoff", wins))
    return found


def playoff_wins(stage: Stage, settled: TieSettled) -> dict[int, float] | None:
    """The matches each entrant won in a playoff; None while one of them is not over."""
    wins = dict.fromkeys(settled.tied, 0.0)
    for pairing in settled.pairings:
        outcome = stage.outcomes.get(pairing.number)
        if outcome is None:
            return None
        if outcome.advances is not None:
            wins[outcome.advances] += 1
    return wins
