"""Ratings recomputed forward over the result log, from the beginning or from any snapshot.

Reverse updates do not work: a corrected result changes the probability of every later match of both players.
So the log of final results, ordered by (played_at, ref), is the truth, and ratings are a fold over it. The
same floats come out whether the fold starts at the beginning or at a snapshot taken anywhere on the way.
"""

import json
import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from types import MappingProxyType
from typing import Any

from scoring.formulas.elo import EloFormula
from scoring.formulas.errors import InvalidResult, InvalidSnapshot, LogOutOfOrder

LogKey = tuple[datetime, str]


@dataclass(frozen=True, slots=True)
class RatedResult:
    """A final result of the log. Players are opaque ids; `played_at` carries a time zone; `length` >= 1."""

    ref: str
    played_at: datetime
    length: int
    winner: str
    loser: str

    def __post_init__(self) -> None:
        if self.winner == self.loser:
            raise InvalidResult(
                f"result {self.ref}: {self.winner} cannot play himself", ref=self.ref, player=self.winner
            )
        if self.length < 1:
            raise InvalidResult(
                f"result {self.ref}: a {self.length} point match cannot be rated",
                ref=self.ref,
                length=self.length,
            )
        if self.played_at.tzinfo is None:
            raise InvalidResult(
                f"result {self.ref}: {self.played_at} has no time zone",
                ref=self.ref,
                played_at=self.played_at,
            )

    @property
    def key(self) -> LogKey:
        """The place in the log: (played_at, ref)."""
        return (self.played_at, self.ref)


@dataclass(frozen=True, slots=True)
class Standing:
    """One player's place: rating, experience in points of match length, rated matches, the last of them."""

    rating: float
    experience: int = 0
    matches: int = 0
    last_played: datetime | None = None


@dataclass(frozen=True, slots=True)
class PlayerChange:
    """What one match did to one player, with the arithmetic.

    `probability` is this player's chance to win before the match, `k` his own, and
    `after == before + change`, where `change = +/- 4 * k * sqrt(weight) * (1 - P(winner))`.
    """

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
    """What one match did to both players; `weight` is the effective length that the formula used."""

    ref: str
    played_at: datetime
    length: int
    weight: float
    winner: PlayerChange
    loser: PlayerChange

    @property
    def players(self) -> tuple[PlayerChange, PlayerChange]:
        """Winner first."""
        return (self.winner, self.loser)


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The standings after the result at `upto` (None: before the first), by one formula (key@version)."""

    formula: str
    upto: LogKey | None = None
    standings: Mapping[str, Standing] = field(default_factory=lambda: MappingProxyType({}))

    @classmethod
    def beginning(cls, formula: EloFormula) -> "Snapshot":
        """The empty list: everybody is at the formula's start."""
        return cls(formula=formula_label(formula))

    def to_json(self) -> str:
        """Canonical text: equal snapshots give equal text, and floats survive to the last bit."""
        upto = None if self.upto is None else [_stamp(self.upto[0]), self.upto[1]]
        standings = {
            player: [
                s.rating,
                s.experience,
                s.matches,
                None if s.last_played is None else _stamp(s.last_played),
            ]
            for player, s in self.standings.items()
        }
        document = {"formula": self.formula, "upto": upto, "standings": standings}
        return json.dumps(document, sort_keys=True, separators=(",", ":"), allow_nan=False)

    @classmethod
    def from_json(cls, text: str) -> "Snapshot":
        """Read `to_json` back; raises InvalidSnapshot."""
        try:
            document = json.loads(text)
            upto = document["upto"]
            return cls(
                formula=str(document["formula"]),
                upto=None if upto is None else (datetime.fromisoformat(upto[0]), str(upto[1])),
                standings=MappingProxyType({p: _standing(s) for p, s in document["standings"].items()}),
            )
        except (ValueError, KeyError, TypeError, IndexError, AttributeError) as error:
            raise InvalidSnapshot(f"not a rating snapshot: {error!r}", reason=repr(error)) from error


@dataclass(frozen=True, slots=True)
class Replay:
    """Every change in log order, the snapshots asked for, and the snapshot at the end of the log."""

    changes: tuple[RatingChange, ...]
    snapshots: tuple[Snapshot, ...]
    end: Snapshot


def formula_label(formula: EloFormula) -> str:
    """What a snapshot says of its formula: key and version."""
    return f"{formula.key}@{formula.version}"


def replay(
    results: Iterable[RatedResult],
    *,
    formula: EloFormula,
    start: Snapshot | None = None,
    snapshot_every: int | None = None,
) -> Replay:
    """Fold the log into ratings.

    Args:
        results: strictly increasing by (played_at, ref), all after `start.upto`.
        formula: how a match moves two ratings.
        start: where to begin; None is the empty list.
        snapshot_every: also keep a snapshot after every so many results.

    Raises LogOutOfOrder, and InvalidSnapshot if `start` was made by another formula. Time and memory are
    linear in the log; a snapshot costs the number of players.

    >>> from datetime import UTC, datetime
    >>> from scoring.formulas.elo import FIBS
    >>> log = [RatedResult("m1", datetime(2026, 1, 1, tzinfo=UTC), 7, "ann", "bob")]
    >>> [round(p.change, 4) for p in replay(log, formula=FIBS).changes[0].players]
    [26.4575, -26.4575]
    """
    begin = Snapshot.beginning(formula) if start is None else start
    if begin.formula != formula_label(formula):
        raise InvalidSnapshot(
            f"the snapshot was made by {begin.formula}, not by {formula_label(formula)}",
            snapshot=begin.formula,
            formula=formula_label(formula),
        )
    if snapshot_every is not None and snapshot_every < 1:
        raise ValueError(f"snapshot_every must be 1 or more, not {snapshot_every}")
    standings = dict(begin.standings)
    changes: list[RatingChange] = []
    snapshots: list[Snapshot] = []
    upto = begin.upto
    for result in _in_order(results, after=begin.upto):
        changes.append(_rate(result, standings, formula))
        upto = result.key
        if snapshot_every is not None and len(changes) % snapshot_every == 0:
            snapshots.append(_snapshot(formula, upto, standings))
    return Replay(tuple(changes), tuple(snapshots), _snapshot(formula, upto, standings))


def rate(result: RatedResult, winner: Standing, loser: Standing, *, formula: EloFormula) -> RatingChange:
    """What one result does to two standings: the arithmetic of a single match."""
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
        ref=result.ref,
        played_at=result.played_at,
        length=result.length,
        weight=weight,
        winner=moved(result.winner, winner, chance, winner_k, gain),
        loser=moved(result.loser, loser, 1.0 - chance, loser_k, -loss),
    )


def snapshot_before(snapshots: Iterable[Snapshot], key: LogKey) -> Snapshot | None:
    """The latest of these snapshots before the result at `key`; None: replay from the beginning."""
    earlier = [s for s in snapshots if s.upto is None or s.upto < key]
    return max(earlier, key=lambda s: (s.upto is not None, s.upto or key), default=None)


def _rate(result: RatedResult, standings: dict[str, Standing], formula: EloFormula) -> RatingChange:
    newcomer = Standing(rating=formula.start)
    players = (result.winner, result.loser)
    before = [standings.get(player, newcomer) for player in players]
    change = rate(result, before[0], before[1], formula=formula)
    for standing, moved in zip(before, change.players, strict=True):
        standings[moved.player] = Standing(
            moved.after, moved.experience_after, standing.matches + 1, result.played_at
        )
    return change


def _in_order(results: Iterable[RatedResult], *, after: LogKey | None) -> Iterator[RatedResult]:
    last = after
    for result in results:
        if last is not None and result.key <= last:
            raise LogOutOfOrder(
                f"result {result.ref} of {result.played_at} does not come after {last[1]} of {last[0]}",
                ref=result.ref,
                after=last[1],
            )
        last = result.key
        yield result


def _snapshot(formula: EloFormula, upto: LogKey | None, standings: Mapping[str, Standing]) -> Snapshot:
    return Snapshot(formula_label(formula), upto, MappingProxyType(dict(standings)))


def _standing(row: Any) -> Standing:
    rating, experience, matches, last_played = row
    if not math.isfinite(rating):
        raise ValueError(f"rating {rating} is not finite")
    return Standing(
        float(rating),
        int(experience),
        int(matches),
        None if last_played is None else datetime.fromisoformat(last_played),
    )


def _stamp(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat()
