"""Ratings folded over a log of results, one after the other: the reference that streams are held against."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime

from scoring.formulas.elo import EloFormula


@dataclass(frozen=True, slots=True)
class RatedResult:
    """A final result. Players are opaque ids."""

    ref: str
    played_at: datetime
    length: int
    winner: str
    loser: str


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a player stands after the results so far."""

    rating: float
    experience: int = 0
    matches: int = 0
    last_played: datetime | None = None


@dataclass(frozen=True, slots=True)
class PlayerChange:
    """What one result does to one of its players."""

    player: str
    before: float
    after: float
    change: float
    probability: float
    k: float
    experience_before: int
    experience_after: int


@dataclass(frozen=True, slots=True)
class RatingChange:
    """What one result does to both."""

    length: int
    weight: float
    winner: PlayerChange
    loser: PlayerChange

    @property
    def players(self) -> tuple[PlayerChange, PlayerChange]:
        return self.winner, self.loser


@dataclass
class Folded:
    """The change of each result in their order, and where everybody stands at the end."""

    changes: list[RatingChange] = field(default_factory=list)
    standings: dict[str, Standing] = field(default_factory=dict)


def fold_results(results: Iterable[RatedResult], *, formula: EloFormula) -> Folded:
    """Fold results that are in the order of (played_at, ref)."""
    folded = Folded()
    newcomer = Standing(formula.start)
    for result in results:
        before = [folded.standings.get(player, newcomer) for player in (result.winner, result.loser)]
        change = rate(result, *before, formula=formula)
        folded.changes.append(change)
        for standing, moved in zip(before, change.players, strict=True):
            folded.standings[moved.player] = Standing(
                moved.after, moved.experience_after, standing.matches + 1, result.played_at
            )
    return folded


def rate(result: RatedResult, winner: Standing, loser: Standing, *, formula: EloFormula) -> RatingChange:
    """The arithmetic of a single match."""
    weight, chance, winner_k, loser_k, gain, loss = formula.exchange()(
        winner.rating, winner.experience, loser.rating, loser.experience, result.length
    )

    def moved(player: str, standing: Standing, probability: float, k: float, change: float) -> PlayerChange:
        return PlayerChange(
            player=player,
            before=standing.rating,
            after=standing.rating + change,
            change=change,
            probability=probability,
            k=k,
            experience_before=standing.experience,
            experience_after=standing.experience + result.length,
        )

    return RatingChange(
        length=result.length,
        weight=weight,
        winner=moved(result.winner, winner, chance, winner_k, gain),
        loser=moved(result.loser, loser, 1.0 - chance, loser_k, -loss),
    )
