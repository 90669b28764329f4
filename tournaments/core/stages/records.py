"""Each entrant's record in a stage that is paired round by round."""

from collections.abc import Callable
from dataclasses import dataclass, field

from scoring.rules.endings import Ending
from tournaments.core.stages.outcomes import Outcome
from tournaments.core.stages.pairings import Pairing
from tournaments.core.stages.stage import Stage


@dataclass(slots=True)
class Record:
    """What one entrant has done so far.

    ``score`` counts a win, an unplayed win and a bye as 1 each; rounds missed count 0. ``floats`` has one
    sign a round: +1 met a lower score, -1 a higher one, by the scores that the round was paired by. ``met``
    counts pairings against each opponent that were not double no-shows.
    """

    entrant: int
    wins: int = 0
    losses: int = 0
    byes: int = 0
    unplayed_wins: int = 0
    missed: int = 0
    met: dict[int, int] = field(default_factory=dict)
    floats: list[int] = field(default_factory=list)

    @property
    def score(self) -> int:
        return self.wins + self.byes

    @property
    def matches(self) -> int:
        return self.wins + self.losses


def nobody(_round: int) -> frozenset[int]:
    return frozenset()


def records(stage: Stage, ahead: Callable[[int], frozenset[int]] = nobody) -> dict[int, Record]:
    """The record of every entrant of the field, those who left included.

    ``ahead`` names the entrants who were paired with a virtual point in a round: it decides who floated.
    """
    found = {n: Record(n, missed=stage.missed.get(n, 0)) for n in range(1, len(stage.field) + 1)}
    rounds: dict[int, list[Pairing]] = {}
    for pairing in stage.pairings.values():
        if pairing.is_playoff:
            continue
        rounds.setdefault(pairing.round, []).append(pairing)
    for number in sorted(rounds):
        virtual = ahead(number)
        scores = {n: record.score + (n in virtual) for n, record in found.items()}
        for pairing in rounds[number]:
            a = found[pairing.a]
            if pairing.is_bye:
                a.byes += 1
                a.floats.append(1)  # a bye is the longest way down
                continue
            b = found[pairing.b]
            sign = (scores[pairing.a] > scores[pairing.b]) - (scores[pairing.a] < scores[pairing.b])
            a.floats.append(sign)
            b.floats.append(-sign)
            _count(a, b, stage.outcomes.get(pairing.number))
    return found


def _count(a: Record, b: Record, outcome: Outcome | None) -> None:
    if outcome is None or outcome.ended is not Ending.DOUBLE_NO_SHOW:
        a.met[b.entrant] = a.met.get(b.entrant, 0) + 1
        b.met[a.entrant] = b.met.get(a.entrant, 0) + 1
    if outcome is None:
        return
    if outcome.ended is Ending.DOUBLE_NO_SHOW:
        a.losses += 1
        b.losses += 1
        return
    winner, loser = (a, b) if outcome.winner == a.entrant else (b, a)
    winner.wins += 1
    winner.unplayed_wins += not outcome.played
    loser.losses += 1
