"""A partner for tests that need matches but no engine: run home, hit nobody, give up when far behind."""

from scoring.engines.checks import counts
from scoring.engines.gammonview.worth import CubeWorth, Worth
from scoring.engines.requests import Situation


class PipCounter:
    """Brings its rear checkers home and avoids to hit, so that games are short; doubles with a clear lead."""

    def plays(self, situation: Situation, results: list[str]) -> list[Worth]:
        return [Worth(-haste(result), 0.5, 0.1) for result in results]

    def to_roll(self, situation: Situation) -> Worth:
        lost = behind(situation.position) > 40
        return Worth(0.0, 0.0 if lost else 0.5, 0.0)

    def cube(self, situation: Situation) -> CubeWorth:
        lead = -behind(situation.position) / 100
        return CubeWorth(no_double=0.6, double_take=0.5 + lead, double_pass=0.7)


def behind(position: str) -> int:
    """How many pips the player who sees the position like this needs more than the other."""
    own, opponent = counts(position)
    mine = sum(point * count for point, count in enumerate(own))
    return mine - sum((25 - point) * count for point, count in enumerate(opponent))


def haste(position: str) -> float:
    """What is left to do: rear checkers count twice over, and so does every pip that a hit cost the other."""
    own, opponent = counts(position)
    mine = sum(point * point * count for point, count in enumerate(own)) / 20
    return mine + sum((25 - point) * count for point, count in enumerate(opponent)) / 2
