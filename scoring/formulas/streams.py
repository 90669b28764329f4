"""Ratings of a large list: a log folded in bounded memory, and a correction followed through it.

``replayed`` folds a log that is read as a stream: each result moves the standings of its two players. A
``Correction`` needs no fold: where a result changes, only its players' later matches change, and those of
their opponents from then on. It walks the links of the stored log (who met whom), asks for the stored numbers
of the matches that it reaches, and yields those that change. Each stored match holds what its players had
before it, so each is a snapshot to begin at.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from typing import NamedTuple

from scoring.formulas.elo import EloFormula, Exchange

LogKey = tuple[datetime, str]

CHUNK = 2000
"""Links that are read at once, and the most matches whose numbers are asked for at once."""


Link = tuple[datetime, str, int, int, int]
"""A match of the stored log: its place (played_at, ref), the match, who won and who lost. A plain tuple: a
hundred thousand of them are looked at for a correction, and few are more than looked at."""


class Rated(NamedTuple):
    """A final result that rates. Players and match are keys; the place in the log is (played_at, ref)."""

    match: int
    ref: str
    played_at: datetime
    length: int
    winner: int
    loser: int

    @property
    def place(self) -> LogKey:
        return (self.played_at, self.ref)


@dataclass(slots=True)
class RatingStanding:
    """Where a player stands while a log is folded; ``last_played`` is None where that was not looked up."""

    rating: float
    experience: int = 0
    matches: int = 0
    last_played: datetime | None = None


class Moved(NamedTuple):
    """What a match did to its two players; ``chance`` is the winner's before it, ``number`` counts from 1."""

    match: int
    ref: str
    played_at: datetime
    length: int
    weight: float
    chance: float
    winner: int
    loser: int
    winner_k: float
    loser_k: float
    winner_before: float
    winner_after: float
    loser_before: float
    loser_after: float
    winner_experience: int
    loser_experience: int
    winner_number: int
    loser_number: int


class Stored(NamedTuple):
    """The stored numbers of a match from which everything else in its rows follows."""

    length: int
    winner_before: float
    loser_before: float
    winner_experience: int
    loser_experience: int
    winner_number: int
    loser_number: int


Standings = dict[int, RatingStanding]


def replayed(log: Iterable[Rated], standings: Standings, *, formula: EloFormula) -> Iterator[Moved]:
    """Fold a log, in its order, into ``standings``; yields what each match did."""
    exchange = formula.exchange()
    for rated in log:
        winner = standings.get(rated.winner)
        if winner is None:
            winner = standings[rated.winner] = RatingStanding(formula.start)
        loser = standings.get(rated.loser)
        if loser is None:
            loser = standings[rated.loser] = RatingStanding(formula.start)
        yield _moved(rated, winner, loser, exchange)


class RatingCorrection:
    """Corrects a stored rating log after some of its results changed.

    ``changed`` has for each of these matches what it is now, or None when it does not rate. ``stored`` gives
    the numbers of some stored matches (at most ``CHUNK``), ``entered`` where a player stood before a match
    that is new at its place (keys: match and player); who is not in it had not played. ``standings`` are
    those of everybody who was moved, once ``moved`` is exhausted.
    """

    def __init__(
        self,
        changed: Mapping[int, Rated | None],
        *,
        stored: Callable[[Sequence[int]], Mapping[int, Stored]],
        entered: Mapping[tuple[int, int], RatingStanding],
        formula: EloFormula,
    ) -> None:
        self.standings: Standings = {}
        self._changed = changed
        self._stored = stored
        self._entered = entered
        self._start = formula.start
        self._exchange = formula.exchange()
        self._reached: set[int] = set()

    def moved(self, links: Iterable[Link]) -> Iterator[Moved]:
        """The matches of the log that differ from what is stored, in order, and all that are new.

        ``links`` is the stored log from the first change on, where it was or where it is now.
        """
        new = sorted((rated for rated in self._changed.values() if rated), key=_place)
        waiting = iter(links)
        begun = 0
        while chunk := list(islice(waiting, CHUNK)):
            end = bisect_right(new, chunk[-1][:2], lo=begun, key=_place)
            yield from self._through(chunk, new[begun:end])
            begun = end
        yield from self._through([], new[begun:])

    def _through(self, chunk: Sequence[Link], new: Sequence[Rated]) -> Iterator[Moved]:
        steps = self._reached_in(chunk, new)
        numbers = self._stored([step[2] for step in steps if not isinstance(step, Rated)])
        for step in steps:
            if isinstance(step, Rated):
                winner, loser = self._entering(step, step.winner), self._entering(step, step.loser)
                yield _moved(step, winner, loser, self._exchange)
                continue
            played_at, ref, match, won, lost = step
            was = numbers[match]
            winner = self._before(won, was.winner_before, was.winner_experience, was.winner_number)
            loser = self._before(lost, was.loser_before, was.loser_experience, was.loser_number)
            if match in self._changed:
                continue  # this is where it stood: from here on its players are without it
            rated = Rated(match, ref, played_at, was.length, won, lost)
            moved = _moved(rated, winner, loser, self._exchange)
            if _numbers(moved) != was:
                yield moved

    def _reached_in(self, chunk: Sequence[Link], new: Sequence[Rated]) -> list[Link | Rated]:
        """Matches to recompute here: changed ones and later ones of affected players."""
        steps: list[Link | Rated] = []
        reached, changed = self._reached, self._changed
        log: Sequence[Link | Rated] = sorted([*chunk, *new], key=_place) if new else chunk
        for step in log:
            if isinstance(step, Rated):
                match, winner, loser = step.match, step.winner, step.loser
            else:
                _at, _ref, match, winner, loser = step
            if winner in reached or loser in reached or match in changed:
                reached.add(winner)
                reached.add(loser)
                steps.append(step)
        return steps

    def _entering(self, rated: Rated, player: int) -> RatingStanding:
        """A player before a match that is new at its place."""
        standing = self.standings.get(player)
        if standing is None:
            standing = self._entered.get((rated.match, player)) or RatingStanding(self._start)
            self.standings[player] = standing
        return standing

    def _before(self, player: int, rating: float, experience: int, number: int) -> RatingStanding:
        """A player before a stored match: as moved until here, or as stored with it."""
        standing = self.standings.get(player)
        if standing is None:
            standing = self.standings[player] = RatingStanding(rating, experience, number - 1)
        return standing


def _moved(rated: Rated, winner: RatingStanding, loser: RatingStanding, exchange: Exchange) -> Moved:
    match, ref, played_at, length, won, lost = rated
    winner_before, winner_experience = winner.rating, winner.experience
    loser_before, loser_experience = loser.rating, loser.experience
    weight, chance, winner_k, loser_k, gain, loss = exchange(
        winner_before, winner_experience, loser_before, loser_experience, length
    )
    winner.rating += gain
    loser.rating -= loss
    winner.experience += length
    loser.experience += length
    winner.matches += 1
    loser.matches += 1
    winner.last_played = loser.last_played = played_at
    fields = (
        match,
        ref,
        played_at,
        length,
        weight,
        chance,
        won,
        lost,
        winner_k,
        loser_k,
        winner_before,
        winner.rating,
        loser_before,
        loser.rating,
        winner_experience,
        loser_experience,
        winner.matches,
        loser.matches,
    )
    return tuple.__new__(Moved, fields)  # Moved(...) goes through a function of eighteen arguments


def _numbers(moved: Moved) -> Stored:
    return Stored(
        moved.length,
        moved.winner_before,
        moved.loser_before,
        moved.winner_experience,
        moved.loser_experience,
        moved.winner_number,
        moved.loser_number,
    )


def _place(step: Link | Rated) -> LogKey:
    return step.place if isinstance(step, Rated) else step[:2]
