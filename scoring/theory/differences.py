"""Two analyses of one match, decision by decision: where they differ first."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from scoring.theory.decisions import Decision

Key = tuple[str, str, str, int]


@dataclass(frozen=True, slots=True)
class Difference:
    """One decision as two labels judge it; both are of the same event, side and kind."""

    first: Decision
    second: Decision

    @property
    def size(self) -> float:
        """How far apart they are on what was lost, in normalised equity, >= 0."""
        return abs((self.first.error or 0.0) - (self.second.error or 0.0))

    @property
    def is_same_best(self) -> bool:
        """Whether both would have done the same."""
        best = [_done(each) for each in (self.first, self.second)]
        return best[0] == best[1]


def differences(first: Iterable[Decision], second: Iterable[Decision]) -> tuple[Difference, ...]:
    """The decisions that both judge and that differ in the loss or in what is best, largest first.

    Of equal differences those with another best play come first; ties stay in the order of play. What only
    one of the two judges is left out.
    """
    others = dict(_keyed(second))
    found = [Difference(each, others[key]) for key, each in _keyed(first) if key in others]
    differing = [each for each in found if round(each.size, 4) > 0.0 or not each.is_same_best]
    return tuple(sorted(differing, key=lambda each: (-round(each.size, 4), each.is_same_best)))


def _keyed(decisions: Iterable[Decision]) -> Iterable[tuple[Key, Decision]]:
    """Each decision with what it is about; several of one kind at one event are told apart by their order."""
    seen: Counter[tuple[str, str, str]] = Counter()
    for decision in decisions:
        about = (decision.ref, decision.side.value, decision.kind.value)
        yield (*about, seen[about]), decision
        seen[about] += 1


def _done(decision: Decision) -> str | None:
    """What is best, in a way that two engines share: the position after a play, the action of a cube."""
    best = decision.best
    return None if best is None else best.position or best.action
