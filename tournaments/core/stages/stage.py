"""A stage as a value: the draw and everything since, in order.

A stage is a fold of its log. Formats read it; ``play.acts`` appends to it. The same field, options, seed and
log give the same stage, which is how ``proof.check`` proves a draw.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from dataclasses import field as made_by
from hashlib import sha256
from random import Random
from typing import Any, Literal

from tournaments.core.stages.entrants import Entrant
from tournaments.core.stages.errors import DrawRefused
from tournaments.core.stages.outcomes import Gone, Outcome
from tournaments.core.stages.pairings import Pairing


@dataclass(frozen=True, slots=True)
class Paired:
    """Pairings were published. ``by_hand`` when the director made them instead of the algorithm."""

    pairings: tuple[Pairing, ...]
    by_hand: bool = False


@dataclass(frozen=True, slots=True)
class Reported:
    """A pairing's outcome was reported, corrected or (``None``) undone.

    ``decided`` records that a director changed it although it was locked.
    """

    pairing: int
    outcome: Outcome | None
    decided: bool = False


@dataclass(frozen=True, slots=True)
class Left:
    """An entrant left: withdrawn or disqualified."""

    entrant: int
    how: Gone


@dataclass(frozen=True, slots=True)
class Returned:
    """An entrant is back; missed rounds stay missed.

    ``taken_back``: the departure was a mistake and is undone, as nothing was played on it.
    """

    entrant: int
    taken_back: bool = False


@dataclass(frozen=True, slots=True)
class Entered:
    """A late entrant got the next number; ``order`` is the draw order including it."""

    entrant: Entrant
    order: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Replaced:
    """Another entrant took over a number before it had begun a match."""

    number: int
    entrant: Entrant


@dataclass(frozen=True, slots=True)
class Closed:
    """The stage was declared finished, with these winners (several when the first place is shared)."""

    winners: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class LotSealed:
    """A lot among entrants who are level was announced: the hash of its seed, which stays secret."""

    tied: tuple[int, ...]
    seed_hash: str


@dataclass(frozen=True, slots=True)
class TieSettled:
    """A director's decision on entrants who are level, by number in ascending order.

    ``how``: a further tie-break (its ``key``), a lot (its ``seed``, sealed before) or a playoff (its
    ``pairings``: everyone in it meets everyone once).
    """

    tied: tuple[int, ...]
    how: Literal["tie_break", "lot", "playoff"]
    key: str = ""
    seed: str = ""
    pairings: tuple[Pairing, ...] = ()


@dataclass(frozen=True, slots=True)
class KeptApart:
    """The list of forbidden pairs changed: from now on exactly these entrants have this label.

    ``never``: they must not be paired; otherwise they are kept apart where possible. No entrants: the label
    is gone.
    """

    label: str
    entrants: tuple[int, ...] = ()
    never: bool = False


@dataclass(frozen=True, slots=True)
class RoundMissed:
    """An entrant will be absent from the next round, and from no other.

    ``taken_back``: they were to be absent, and play it after all.
    """

    entrant: int
    taken_back: bool = False


@dataclass(frozen=True, slots=True)
class RoundWithdrawn:
    """The last round was withdrawn before any of its matches had begun, as if it had not been published."""

    round: int


@dataclass(frozen=True, slots=True)
class TieReopened:
    """The last decision on these entrants, or the lot announced for them, was undone."""

    tied: tuple[int, ...]


Entry = (
    Paired
    | Reported
    | Left
    | Returned
    | Entered
    | Replaced
    | Closed
    | LotSealed
    | TieSettled
    | TieReopened
    | KeptApart
    | RoundMissed
    | RoundWithdrawn
)


@dataclass(frozen=True, slots=True)
class PublishedRound:
    """What the last round has changed: its ``pairings``, who had been ``absent``, who ``missed`` it."""

    pairings: tuple[int, ...]
    absent: frozenset[int]
    missed: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Stage:
    """The state after the log.

    ``field[n - 1]`` is entrant n. ``order`` is what the draw decided: the seating of a bracket (0 for a bye),
    the ranking of a Swiss, the numbers of a round-robin table. ``late`` is how many of the field came after
    the draw, the last of it; ``missed`` the rounds in which an absent entrant was not paired, or that were
    published before a late entry; ``absent`` are the absent ones of the next round. ``rounds`` is how many
    are published; ``last`` is what the last one has changed, None where several were published at once, or
    match by match. ``settled`` are the decisions on ties in order, ``sealed`` the lots announced and not
    yet drawn.
    """

    format: str
    version: int
    options: Any
    seed: str
    field: tuple[Entrant, ...]
    order: tuple[int, ...]
    log: tuple[Entry, ...] = ()
    pairings: Mapping[int, Pairing] = made_by(default_factory=dict)
    outcomes: Mapping[int, Outcome] = made_by(default_factory=dict)
    gone: Mapping[int, Gone] = made_by(default_factory=dict)
    missed: Mapping[int, int] = made_by(default_factory=dict)
    absent: frozenset[int] = frozenset()
    closed: bool = False
    rounds: int = 0
    late: int = 0
    last: PublishedRound | None = None
    settled: tuple[TieSettled, ...] = ()
    sealed: tuple[LotSealed, ...] = ()

    @property
    def seed_hash(self) -> str:
        """The hash shown before the draw, so that the seed cannot be chosen after it."""
        return seed_hash(self.seed)

    def random(self, purpose: str) -> Random:
        """The random stream for one purpose, such as a round; streams do not disturb each other."""
        return Random(f"{self.seed}/{purpose}")  # noqa: S311 - a reproducible draw, not a secret

    @property
    def next_number(self) -> int:
        return max(self.pairings, default=0) + 1

    @property
    def present(self) -> tuple[int, ...]:
        """The entrants who have not left, by number."""
        return tuple(n for n in range(1, len(self.field) + 1) if n not in self.gone)

    @property
    def attending(self) -> tuple[int, ...]:
        """The entrants of the next round, by number."""
        return tuple(n for n in self.present if n not in self.absent)

    def open_pairings(self) -> tuple[Pairing, ...]:
        """Published pairings without an outcome; a bye needs none."""
        return tuple(p for n, p in self.pairings.items() if n not in self.outcomes and not p.is_bye)

    def begun(self, entrant: int) -> bool:
        """Whether the entrant has an outcome in a pairing."""
        return any(entrant in (o.winner, o.loser) for o in self.outcomes.values())

    def after(self, *entries: Entry) -> "Stage":
        """The stage with these entries appended to its log.

        Raises:
            DrawRefused: ``no_such_pairing``, ``wrong_entrants``, ``unknown_entrant``, ``already_left``,
                ``not_away``, ``disqualified``, ``paired_twice``, ``no_such_round`` or ``not_withdrawable``.
                Nothing of a refused batch is kept.
        """
        if not entries:
            return self
        fold = _Fold(self)
        for entry in entries:
            fold.take(entry)
        return fold.stage(self, entries)


def seed_hash(seed: str) -> str:
    return sha256(seed.encode()).hexdigest()


class _Fold:
    """The mutable copy that one batch of entries is folded into."""

    def __init__(self, stage: Stage) -> None:
        self.field = list(stage.field)
        self.order = stage.order
        self.pairings = dict(stage.pairings)
        self.outcomes = dict(stage.outcomes)
        self.gone = dict(stage.gone)
        self.missed = dict(stage.missed)
        self.absent = stage.absent
        self.rounds = stage.rounds
        self.late = stage.late
        self.last = stage.last
        self.closed = stage.closed
        self.settled = stage.settled
        self.sealed = stage.sealed

    def stage(self, before: Stage, entries: Iterable[Entry]) -> Stage:
        return replace(
            before,
            field=tuple(self.field),
            order=self.order,
            log=(*before.log, *entries),
            pairings=self.pairings,
            outcomes=self.outcomes,
            gone=self.gone,
            missed=self.missed,
            absent=self.absent,
            closed=self.closed,
            rounds=self.rounds,
            late=self.late,
            last=self.last,
            settled=self.settled,
            sealed=self.sealed,
        )

    def take(self, entry: Entry) -> None:
        match entry:
            case Paired(pairings):
                self._pair(pairings)
            case Reported(number, outcome):
                self._report(number, outcome)
            case Left(entrant, how):
                self._leave(entrant, how)
            case Returned(entrant, taken_back):
                self._return(entrant, taken_back=taken_back)
            case Entered(entrant, order):
                self._enter(entrant, order)
            case Replaced(number, entrant):
                self._replace(number, entrant)
            case Closed():
                self.closed = True
            case LotSealed() | TieSettled() | TieReopened():
                self._take_tie(entry)
            case KeptApart(label, entrants, never):
                self._keep_apart(label, entrants, never=never)
            case RoundWithdrawn(number):
                self._withdraw(number)
            case RoundMissed(entrant, taken_back):
                self._known(entrant)
                self.absent = self.absent - {entrant} if taken_back else self.absent | {entrant}

    def _enter(self, entrant: Entrant, order: tuple[int, ...]) -> None:
        self.field.append(entrant)
        self.late += 1
        self.order = order
        self.missed[len(self.field)] = self.rounds
        if self.last is not None:
            self.last = replace(self.last, missed=(*self.last.missed, len(self.field)))

    def _replace(self, number: int, entrant: Entrant) -> None:
        self._known(number)
        self.field[number - 1] = entrant
        self.absent -= {number}
        if self.last is not None:
            self.last = replace(self.last, absent=self.last.absent - {number})

    def _take_tie(self, entry: LotSealed | TieSettled | TieReopened) -> None:
        match entry:
            case LotSealed():
                self.sealed = (*self.sealed, entry)
            case TieSettled(tied, _, _, _, pairings):
                self._settle(tied, pairings)
                self.settled = (*self.settled, entry)
            case TieReopened(tied):
                self._reopen(tied)

    def _keep_apart(self, label: str, entrants: tuple[int, ...], *, never: bool) -> None:
        for number in entrants:
            self._known(number)
        one = frozenset({label})
        for number, entrant in enumerate(self.field, 1):
            if label in entrant.never or label in entrant.avoid or number in entrants:
                strict, lax = entrant.never - one, entrant.avoid - one
                if number in entrants and never:
                    strict |= one
                elif number in entrants:
                    lax |= one
                self.field[number - 1] = replace(entrant, never=strict, avoid=lax)

    def _known(self, entrant: int) -> None:
        if not 1 <= entrant <= len(self.field):
            raise DrawRefused("unknown_entrant", f"there is no entrant {entrant}", entrant=entrant)

    def _pair(self, pairings: tuple[Pairing, ...]) -> None:
        playing: dict[int, set[int]] = {}
        # No format leaves so many rounds empty: the number was changed in a file.
        last = self.rounds + len(pairings) + len(self.field)
        for pairing in pairings:
            if not 1 <= pairing.round <= last:
                raise DrawRefused(
                    "no_such_round", f"round {pairing.round} cannot follow", round=pairing.round
                )
            both = [n for n in (pairing.a, pairing.b) if n != 0]
            busy = playing.setdefault(pairing.round, set())
            for entrant in both:
                self._known(entrant)
                if entrant in busy:
                    raise DrawRefused(
                        "paired_twice",
                        f"entrant {entrant} is paired twice in round {pairing.round}",
                        entrant=entrant,
                        round=pairing.round,
                    )
                busy.add(entrant)
            self.pairings[pairing.number] = pairing
            stale = self.outcomes.get(pairing.number)
            if stale is not None and not stale.between(pairing.a, pairing.b):
                del self.outcomes[pairing.number]
        newest = max((p.round for p in pairings), default=0)
        if newest > self.rounds and len(playing) == 1:
            missing = (self.gone.keys() | self.absent) - playing[newest]
            for absent in missing:
                self.missed[absent] = self.missed.get(absent, 0) + 1
            numbers = tuple(pairing.number for pairing in pairings)
            self.last = PublishedRound(numbers, self.absent, tuple(sorted(missing)))
            self.absent = frozenset()
        else:
            self.last = None
        self.rounds = max(self.rounds, newest)

    def _withdraw(self, number: int) -> None:
        last = self.last
        if last is None or number != self.rounds or any(n in self.outcomes for n in last.pairings):
            raise DrawRefused("not_withdrawable", f"round {number} cannot be withdrawn", round=number)
        for pairing in last.pairings:
            del self.pairings[pairing]
        for entrant in last.missed:
            self.missed[entrant] -= 1
            if not self.missed[entrant]:
                del self.missed[entrant]
        self.absent |= last.absent
        self.rounds, self.last = number - 1, None

    def _settle(self, tied: tuple[int, ...], pairings: tuple[Pairing, ...]) -> None:
        """Publish a playoff beside the rounds; a lot that was announced is drawn or no longer needed."""
        for pairing in pairings:
            for entrant in (pairing.a, pairing.b):
                self._known(entrant)
            self.pairings[pairing.number] = pairing
        self.sealed = tuple(lot for lot in self.sealed if lot.tied != tied)

    def _reopen(self, tied: tuple[int, ...]) -> None:
        if any(lot.tied == tied for lot in self.sealed):
            self.sealed = tuple(lot for lot in self.sealed if lot.tied != tied)
            return
        last = next((each for each in reversed(self.settled) if each.tied == tied), None)
        if last is None:
            raise DrawRefused("not_settled", f"there is no decision on {list(tied)} to undo", tied=tied)
        self.settled = tuple(each for each in self.settled if each is not last)
        for pairing in last.pairings:
            self.pairings.pop(pairing.number, None)
            self.outcomes.pop(pairing.number, None)

    def _report(self, number: int, outcome: Outcome | None) -> None:
        pairing = self.pairings.get(number)
        if pairing is None or pairing.is_bye:
            raise DrawRefused("no_such_pairing", f"there is no pairing {number} to report", pairing=number)
        if outcome is None:
            self.outcomes.pop(number, None)
        elif outcome.between(pairing.a, pairing.b):
            self.outcomes[number] = outcome
        else:
            raise DrawRefused(
                "wrong_entrants",
                f"pairing {number} is between {pairing.a} and {pairing.b}, "
                f"not {outcome.winner} and {outcome.loser}",
                pairing=number,
            )

    def _leave(self, entrant: int, how: Gone) -> None:
        self._known(entrant)
        onward = self.gone.get(entrant) is Gone.LEFT_DRAW and how is Gone.WITHDRAWN
        if entrant in self.gone and how is not Gone.DISQUALIFIED and not onward:
            raise DrawRefused("already_left", f"entrant {entrant} has already withdrawn", entrant=entrant)
        self.gone[entrant] = how

    def _return(self, entrant: int, *, taken_back: bool) -> None:
        if entrant not in self.gone:
            raise DrawRefused("not_away", f"entrant {entrant} has not withdrawn", entrant=entrant)
        if self.gone[entrant] is Gone.DISQUALIFIED and not taken_back:
            raise DrawRefused("disqualified", f"entrant {entrant} was disqualified", entrant=entrant)
        del self.gone[entrant]
