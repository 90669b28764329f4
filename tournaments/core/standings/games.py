"""What standings are computed from: games between entrants by number, byes included."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Game:
    """One round of one pairing.

    ``score`` is what each side gets in the table: 1 and 0, or a half each where draws exist. ``points`` are
    match points, ``None`` when unknown. ``b`` is ``None`` for a bye. ``played`` is false for walkovers and
    byes. Where sides differ, ``b`` is the second one (black in chess).
    """

    round: int
    a: int
    b: int | None
    score: tuple[float, float]
    points: tuple[int, int] | None = None
    played: bool = True


@dataclass(frozen=True, slots=True)
class SideOfGame:
    """A game as one entrant sees it."""

    round: int
    opponent: int | None
    score: float
    played: bool
    second: bool = False
    margin: int | None = None
    won_points: int | None = None


@dataclass(frozen=True, slots=True)
class Results:
    """All games of a table, arranged by entrant.

    ``rounds`` is the number of rounds played. ``left_after`` gives for each entrant who withdrew the last
    round in which they took part. All scores are multiples of a half, so floats are exact.
    """

    entrants: tuple[int, ...]
    sides: Mapping[int, tuple[SideOfGame, ...]]
    rounds: int
    left_after: Mapping[int, int] = field(default_factory=dict)

    def score(self, entrant: int) -> float:
        return sum(side.score for side in self.sides[entrant])


def arrange(
    entrants: Sequence[int], games: Iterable[Game], left_after: Mapping[int, int] | None = None
) -> Results:
    """Arrange games by entrant.

    Raises:
        KeyError: a game names an entrant who is not in the table.
    """
    sides: dict[int, list[SideOfGame]] = {n: [] for n in entrants}
    rounds = 0
    for game in games:
        rounds = max(rounds, game.round)
        margin = None if game.points is None else game.points[0] - game.points[1]
        own, others = game.points or (None, None)
        sides[game.a].append(
            SideOfGame(game.round, game.b, game.score[0], game.played, margin=margin, won_points=own)
        )
        if game.b is not None:
            other = None if margin is None else -margin
            sides[game.b].append(
                SideOfGame(
                    game.round,
                    game.a,
                    game.score[1],
                    game.played,
                    second=True,
                    margin=other,
                    won_points=others,
                )
            )
    return Results(
        tuple(entrants), {n: tuple(found) for n, found in sides.items()}, rounds, dict(left_after or {})
    )


def without_early_leavers(games: Sequence[Game], left_after: Mapping[int, int]) -> tuple[Game, ...]:
    """The games of a round robin that count after withdrawals.

    An entrant who left with less than half of their games played is removed with all games; after at least
    half, those games stand and the rest are unplayed wins of the opponents. Source: FIDE Handbook C.05
    (general regulations for round robins), the rule on players who complete less than half.
    """
    scheduled: dict[int, int] = {}
    played: dict[int, int] = {}
    for game in games:
        for n in (game.a, game.b):
            if n is not None and game.b is not None:
                scheduled[n] = scheduled.get(n, 0) + 1
                played[n] = played.get(n, 0) + game.played
    annulled = {n for n in left_after if 2 * played.get(n, 0) < scheduled.get(n, 0)}
    return tuple(g for g in games if g.a not in annulled and g.b not in annulled)
