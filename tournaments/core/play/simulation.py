"""Simulate an event with players of given strength.

Players have given strength, and everything goes wrong that does on a real day.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import Random

from scoring.formulas.elo import FIBS
from scoring.rules.endings import Ending
from tournaments.core.formats.table import format_of
from tournaments.core.play import acts
from tournaments.core.rounds.format import RoundsFormat
from tournaments.core.stages.entrants import Entrant
from tournaments.core.stages.errors import DrawRefused
from tournaments.core.stages.outcomes import Gone, Outcome
from tournaments.core.stages.pairings import Pairing
from tournaments.core.stages.stage import Entry, Paired, Reported, Stage

DEFAULT_LENGTH = 7
MOST_STEPS = 10_000


@dataclass(frozen=True, slots=True)
class Mishaps:
    """Probabilities of mishaps: leaving, returning, correcting.

    Of leaving and returning per entrant and round, of the others per pairing or round.
    """

    leave: float = 0.0
    come_back: float = 0.0
    late: float = 0.0
    disqualify: float = 0.0
    walkover: float = 0.0
    double_no_show: float = 0.0
    correct: float = 0.0


QUIET = Mishaps()
ROUGH = Mishaps(0.02, 0.3, 0.3, 0.002, 0.02, 0.01, 0.05)
"""A worse day than most: about one withdrawal in fifty entrants a round, late entries, corrections and
no-shows.
"""


@dataclass(frozen=True, slots=True)
class World:
    """Playing strength by ref on the FIBS scale; 1500 for refs not listed."""

    strength: Mapping[str, float]
    rng: Random
    mishaps: Mishaps = QUIET
    pace: float = 1.0
    """The chance that an open match ends in one step; below 1 entrants get free one after another."""

    def outcome(self, stage: Stage, pairing: Pairing) -> Outcome:
        """A match between two entrants, won with the FIBS probability for its length.

        Source: docs/reference/ratings.md, "The FIBS formula".
        """
        draw = self.rng.random()
        if draw < self.mishaps.double_no_show:
            return Outcome(pairing.a, pairing.b, Ending.DOUBLE_NO_SHOW)
        length = pairing.length or DEFAULT_LENGTH
        a, b = (self.strength.get(stage.field[n - 1].ref, 1500.0) for n in (pairing.a, pairing.b))
        first = self.rng.random() < FIBS.probability(a, b, length)
        winner, loser = (pairing.a, pairing.b) if first else (pairing.b, pairing.a)
        if draw < self.mishaps.double_no_show + self.mishaps.walkover:
            return Outcome(winner, loser, Ending.NO_SHOW)
        return Outcome(winner, loser, points=(length, self.rng.randrange(length)))


def play_event(
    stage: Stage,
    world: World,
    *,
    rounds: int | None = None,
    watch: Callable[[Stage, Stage], None] | None = None,
) -> Stage:
    """Play a drawn stage to its end, or for ``rounds`` steps of publishing and playing.

    ``watch`` is shown the stage before and after each publication.

    Raises:
        RuntimeError: the event does not end, which would be a bug of its format.
    """
    chosen = format_of(stage.format)
    for _ in range(MOST_STEPS if rounds is None else rounds):
        published = _published(stage)
        if published is stage and not stage.open_pairings():
            if chosen.finished(stage):
                return acts.close(stage)
            raise RuntimeError(f"{stage.format}: nothing is due, nothing is open, and it is not finished")
        if watch is not None and published is not stage:
            watch(stage, published)
        stage = _upsets(_play_open(published, world), world)
    if rounds is not None:
        return stage
    raise RuntimeError(f"{stage.format}: not finished after {MOST_STEPS} steps")


def _published(stage: Stage) -> Stage:
    """The stage with the pairings that are due.

    A round that forbidden pairs or absences block is played all the same: the director will have to change
    them.
    """
    if acts.too_few_attend(stage):
        for entrant in sorted(stage.absent):
            stage = acts.join_round(stage, entrant)
    chosen, published = format_of(stage.format), acts.publish(stage)
    if published is stage and isinstance(chosen, RoundsFormat) and (proposed := chosen.proposed(stage)):
        return stage.after(Paired(proposed, by_hand=True))
    return published


def _play_open(stage: Stage, world: World) -> Stage:
    ending = [p for p in stage.open_pairings() if world.pace >= 1.0 or world.rng.random() < world.pace]
    played: list[Entry] = [Reported(p.number, world.outcome(stage, p)) for p in ending]
    return stage.after(*played)


def _upsets(stage: Stage, world: World) -> Stage:
    """Corrections, withdrawals, returns and late entries between two rounds."""
    mishaps, rng = world.mishaps, world.rng
    if mishaps == QUIET:
        return stage
    for number in [n for n in stage.outcomes if rng.random() < mishaps.correct]:
        old = stage.outcomes[number]
        turned = Outcome(old.loser, old.winner)
        if not acts.locked_by(stage, number, turned):
            stage = acts.report(stage, number, turned)
    for entrant in stage.present:
        if rng.random() < mishaps.leave:
            stage = acts.leave(stage, entrant)
        elif rng.random() < mishaps.disqualify:
            stage = acts.leave(stage, entrant, Gone.DISQUALIFIED)
    for entrant, how in list(stage.gone.items()):
        if how is Gone.WITHDRAWN and rng.random() < mishaps.come_back:
            stage = _come_back(stage, entrant)
    if rng.random() < mishaps.late:
        try:
            stage = acts.enter_late(stage, Entrant(f"late{len(stage.field) + 1}", rating=1500.0))
        except DrawRefused:
            return stage  # the format has no place left
    return stage


def _come_back(stage: Stage, entrant: int) -> Stage:
    try:
        return acts.come_back(stage, entrant)
    except DrawRefused:
        return stage  # others have played on the walkover


def strong_field(count: int, rng: Random, *, mean: float = 1600.0, spread: float = 150.0) -> dict[str, float]:
    """Strengths of ``count`` players p1, p2, ..., p1 the strongest.

    They are drawn from a normal distribution on the FIBS scale.
    """
    drawn = sorted((rng.gauss(mean, spread) for _ in range(count)), reverse=True)
    return {f"p{n}": value for n, value in enumerate(drawn, 1)}
