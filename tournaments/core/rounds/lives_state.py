"""The state of a lives event, round by round: in, out and paid."""

from dataclasses import dataclass, field

from scoring.rules.endings import Ending
from tournaments.core.stages.outcomes import Gone
from tournaments.core.stages.pairings import Pairing
from tournaments.core.stages.stage import Stage


@dataclass(slots=True)
class LivesState:
    """After the last complete round.

    ``lost``: lives lost by entrant. ``out``: entrants without a life, or beaten in the playoff, with the
    round it happened in. ``cashed``: entrants paid on their last life, with the round after which they left.
    """

    lost: dict[int, int]
    score: dict[int, int]
    out: dict[int, int] = field(default_factory=dict)
    cashed: dict[int, int] = field(default_factory=dict)
    playing: tuple[int, ...] = ()
    money: frozenset[int] = frozenset()


def is_playoff(pairing: Pairing) -> bool:
    return any(reason.code == "playoff" for reason in pairing.reasons)


def follow(stage: Stage) -> LivesState:
    """Fold the complete rounds of a lives event. Options are ``lives.LivesOptions``."""
    numbers = range(1, len(stage.field) + 1)
    missed = stage.missed if stage.options.missed_round_costs_life else {}
    state = LivesState({n: missed.get(n, 0) for n in numbers}, dict.fromkeys(numbers, 0))
    rounds: dict[int, list[Pairing]] = {}
    last_round = dict.fromkeys(numbers, 0)
    for pairing in stage.pairings.values():
        rounds.setdefault(pairing.round, []).append(pairing)
        for n in (pairing.a, pairing.b):
            last_round[n] = max(last_round.get(n, 0), pairing.round)
    for number in sorted(rounds):
        for pairing in rounds[number]:
            _count(stage, state, pairing)
        for n in numbers:
            if n not in state.out and state.lost[n] >= stage.options.lives:
                state.out[n] = number
        # Somebody who was paired again had not been paid, whatever a later withdrawal would make of it.
        _cash(stage, state, number, {n for n in numbers if last_round[n] > number})
    away = stage.gone.keys() | state.out.keys() | state.cashed.keys()
    state.playing = tuple(n for n in numbers if n not in away and state.lost[n] < stage.options.lives)
    return state


def _count(stage: Stage, state: LivesState, pairing: Pairing) -> None:
    if pairing.is_bye:
        state.score[pairing.a] += 1
        return
    outcome = stage.outcomes.get(pairing.number)
    if outcome is None:
        return
    if outcome.ended is Ending.DOUBLE_NO_SHOW:
        state.lost[outcome.winner] += 1
    else:
        state.score[outcome.winner] += 1
    state.lost[outcome.loser] += 1
    if is_playoff(pairing):
        state.out.setdefault(outcome.loser, pairing.round)


def _cash(stage: Stage, state: LivesState, number: int, paired_later: set[int]) -> None:
    """Pay and release entrants on their last life, once all left are in the money."""
    options = stage.options
    if options.paid_places is None:
        return
    # Entrants who were paired later had not left yet, even if they have since.
    there = [n for n in state.lost if n not in stage.gone or n in paired_later]
    alive = [n for n in there if n not in state.out and n not in state.cashed]
    if len(alive) + len(state.cashed) > options.paid_places:
        return
    state.money = state.money or frozenset(alive)
    last = [n for n in alive if state.lost[n] >= options.lives - 1 and n not in paired_later]
    strong = len(alive) - len(last)
    if strong == 0:
        return  # all are on their last life: they play for the places
    if options.keep_last_lives and strong > 1 and strong % 2 and last:
        seed = {n: index for index, n in enumerate(stage.order)}
        last.remove(min(last, key=lambda n: (-state.score[n], seed[n])))
    state.cashed.update(dict.fromkeys(last, number))


def final_key(stage: Stage, state: LivesState, entrant: int) -> tuple[int, ...]:
    """Sorts entrants into places: equal keys share."""
    score = state.score[entrant]
    if stage.gone.get(entrant) is Gone.DISQUALIFIED:
        return (3,)
    if entrant in state.playing:
        return (0, state.lost[entrant], -score)
    if entrant in state.cashed:
        return (1, state.lost[entrant], -score)
    last = max((p.round for p in stage.pairings.values() if entrant in (p.a, p.b)), default=0)
    return (2, -state.out.get(entrant, last), -score)
