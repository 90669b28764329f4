"""How far an engine's error rates are from those of the analysis that a match file brings.

Measured over the decisions that count by the file's own numbers (`scoring.theory.counting`), so that both
rates are of the same decisions. `own` is the engine's rate over the decisions that count by its own numbers,
as a page shows it. Source: docs/engineers/analysis.md, "Agreement".
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from scoring.engines.annotated import annotated
from scoring.engines.questions import request_for
from scoring.engines.registry import analyse
from scoring.notation.formats import read_match
from scoring.rules.errors import InvalidNotation
from scoring.rules.sides import Side
from scoring.theory.decisions import Decision
from scoring.theory.performance import PR_FACTOR, by_side


@dataclass(frozen=True, slots=True)
class Rates:
    """One player's rates in one match: the file's, the engine's over the same decisions, and its own.

    All are PRs, None without a counted decision; ``counted`` is the number of the file's counted decisions
    that the engine judged, too.
    """

    player: str
    file: float | None
    engine: float | None
    own: float | None
    counted: int

    @property
    def difference(self) -> float | None:
        """The engine's rate less the file's."""
        return None if self.engine is None or self.file is None else self.engine - self.file


@dataclass(frozen=True, slots=True)
class Agreement:
    """Both players' rates in one match, the engine's label, and its processor time in seconds."""

    label: str
    ratings: tuple[Rates, ...]
    cpu_seconds: float


def agreement(content: bytes, *, engine: str, preset: str) -> Agreement:
    """Analyse the match of a file and hold the rates against its own analysis.

    Raises InvalidNotation for a file that cannot be read or has no analysis, and the errors of
    `scoring.engines.errors`.
    """
    record = read_match(content)
    refs = [str(number) for number, _ in enumerate(record.events, 1)]
    told = annotated(record.annotations, record.events, refs).decisions if record.annotations else ()
    if not told:
        raise InvalidNotation("no_analysis", "the file has no analysis to compare with")
    result = analyse(request_for(record.events, preset=preset, refs=refs), engine=engine)
    names = dict(zip(Side, record.players, strict=True))
    ratings = tuple(_rates(names[side], side, told, result.decisions) for side in Side)
    return Agreement(str(result.label), ratings, result.cpu_seconds)


def distance(agreements: Iterable[Agreement]) -> Mapping[str, float | int | None]:
    """The mean distance and bias over all ratings, and the mean processor time of a match in seconds."""
    all_of_them = list(agreements)
    differences = [
        rating.difference for each in all_of_them for rating in each.ratings if rating.difference is not None
    ]
    own = [
        rating.own - rating.file
        for each in all_of_them
        for rating in each.ratings
        if rating.own is not None and rating.file is not None
    ]
    seconds = [each.cpu_seconds for each in all_of_them]
    return {
        "ratings": len(differences),
        "distance": _mean([abs(each) for each in differences]),
        "bias": _mean(differences),
        "own_distance": _mean([abs(each) for each in own]),
        "own_bias": _mean(own),
        "cpu_s": _mean(seconds),
    }


def _rates(player: str, side: Side, told: Sequence[Decision], judged: Sequence[Decision]) -> Rates:
    ours = {(decision.ref, decision.kind): decision for decision in judged if decision.side is side}
    counted = [
        (decision, ours[decision.ref, decision.kind])
        for decision in told
        if decision.side is side and decision.counted and (decision.ref, decision.kind) in ours
    ]
    return Rates(
        player,
        _rate([decision.error or 0.0 for decision, _ in counted]),
        _rate([decision.error or 0.0 for _, decision in counted]),
        by_side(judged)[side].pr,
        len(counted),
    )


def _rate(losses: Sequence[float]) -> float | None:
    return PR_FACTOR * sum(losses) / len(losses) if losses else None


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None
