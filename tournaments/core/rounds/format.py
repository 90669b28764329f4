"""Common base of formats that pair all remaining entrants round by round."""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from random import Random
from typing import Any, Generic, TypeVar

from tournaments.core.matching.round_plan import Plan, judge
from tournaments.core.rounds.acceleration import enough_rounds
from tournaments.core.stages.bans import forbidden_in
from tournaments.core.stages.entrants import Entrant, Field, check_field
from tournaments.core.stages.errors import DrawRefused
from tournaments.core.stages.format import Fault, UsualFormat
from tournaments.core.stages.outcomes import Gone
from tournaments.core.stages.pairings import Pairing
from tournaments.core.stages.records import Record, records
from tournaments.core.stages.seeding import rank
from tournaments.core.stages.stage import Paired, Stage
from tournaments.core.standings.places import Place, share_places

P = TypeVar("P", bound=Plan)

SEEDINGS = ("rating", "hand", "lot")


class RoundsFormat(UsualFormat, ABC, Generic[P]):
    """A round is due when the one before has all its outcomes; its pairing is one optimisation.

    Where each pairing of a round has a forbidden pair in it, nothing is due until the list changes:
    ``proposed`` has the pairing with the fewest.
    """

    key: str
    version = 1
    minimum = 2
    options: type[Any]
    absences = False
    """Whether entrants can be absent from a round without withdrawing; rounds then wait for a director."""

    @abstractmethod
    def plan(self, stage: Stage) -> P:
        """The next round as it will be optimised."""

    @abstractmethod
    def explain(self, plan: P, i: int, j: int, number: int, stage: Stage) -> Pairing:
        """The pairing of two nodes of the plan, with its reasons."""

    def check_options(self, options: Any) -> None:
        """Refuse invalid options, naming the value.

        Raises:
            DrawRefused: ``no_rounds``, ``no_length``, ``seeding`` or what a format adds.
        """
        if options.rounds is not None and options.rounds < 1:
            raise DrawRefused("no_rounds", f"{options.rounds} rounds: at least 1", rounds=options.rounds)
        if options.length is not None and options.length < 1:
            raise DrawRefused(
                "no_length", f"matches to {options.length} points: at least 1", length=options.length
            )
        if options.seeding not in SEEDINGS:
            raise DrawRefused(
                "seeding",
                f"there is no seeding {options.seeding!r}; choose from {', '.join(SEEDINGS)}",
                seeding=options.seeding,
            )

    def draw(self, field: Field, options: Any, rng: Random) -> tuple[int, ...]:
        check_field(field, minimum=self.minimum)
        self.check_options(options)
        return tuple(rank(field, options.seeding, rng))

    def due(self, stage: Stage) -> tuple[Pairing, ...]:
        found = self.proposed(stage)
        return () if forbidden_in(stage.field, found) else found

    def proposed(self, stage: Stage) -> tuple[Pairing, ...]:
        """The best pairing of the round that is due, whether or not forbidden pairs meet in it."""
        if stage.open_pairings() or self.finished(stage) or len(stage.attending) < 2:
            return ()
        plan, number = self.plan(stage), stage.next_number
        return tuple(
            self.explain(plan, i, j, number + k, stage) for k, (i, j) in enumerate(plan.best().pairs)
        )

    def standing(self, stage: Stage) -> list[Record]:
        """The records of those present, by score, then in the order of the draw."""
        found = records(stage)
        seed = {n: index for index, n in enumerate(stage.order)}
        return sorted((found[n] for n in stage.present), key=lambda r: (-r.score, seed[r.entrant]))

    def rounds_planned(self, stage: Stage) -> int:
        """The rounds asked for, or enough for one unbeaten entrant: ceil(log2(entrants))."""
        rounds: int | None = stage.options.rounds
        return rounds if rounds is not None else enough_rounds(len(stage.field))

    def finished(self, stage: Stage) -> bool:
        if stage.open_pairings():
            return False
        return len(stage.present) < 2 or stage.rounds >= self.rounds_planned(stage)

    def places(self, stage: Stage) -> tuple[Place, ...]:
        """By score alone; tie-breaks are the event's choice, see ``formats.tables.stage_table``.

        Disqualified come last.
        """
        return places_by_score(stage)

    def locked(self, stage: Stage, pairing: int) -> tuple[int, ...]:
        """Every pairing of a later published round was made on this result."""
        this = stage.pairings[pairing].round
        return tuple(n for n, p in stage.pairings.items() if p.round > this)

    def admit(self, stage: Stage, entrant: Entrant) -> tuple[int, ...]:
        """A late entrant joins the next round, last in order, scoring 0 before."""
        if stage.rounds and self.finished(stage):
            raise DrawRefused("finished", "the last round is over: no more entries", ref=entrant.ref)
        return (*stage.order, len(stage.field) + 1)

    def require_return(self, stage: Stage, entrant: int) -> None:
        """Nothing depends on an absence: the entrant rejoins from now on."""

    def judge_draw(self, stage: Stage) -> Iterator[Fault]:
        yield from order_faults(stage)

    def judge(self, before: Stage, paired: Paired) -> Iterator[Fault]:
        yield from round_faults(before, paired)
        if len(before.attending) > 1:
            yield from judge(self.plan(before), paired.pairings, by_hand=paired.by_hand)


def places_by_score(stage: Stage) -> tuple[Place, ...]:
    """Places by score, shared by equal scores; disqualified entrants last."""
    groups: dict[tuple[bool, int], list[int]] = {}
    for entrant, record in records(stage).items():
        key = (stage.gone.get(entrant) is Gone.DISQUALIFIED, -record.score)
        groups.setdefault(key, []).append(entrant)
    return share_places(groups[key] for key in sorted(groups))


def round_faults(before: Stage, paired: Paired) -> Iterator[Fault]:
    """Report a round published twice, too early or on unconfirmed results."""
    for pairing in before.open_pairings():
        yield Fault("round_open", f"a round was paired while pairing {pairing.number} was in progress")
    again = {p.round for p in paired.pairings} - {before.rounds + 1}
    if again:
        yield Fault("round_again", f"round {min(again)} was paired again: its byes would count twice")
    unconfirmed = sorted(n for n, outcome in before.outcomes.items() if not outcome.confirmed)
    if unconfirmed:
        yield Fault("unconfirmed", f"paired on unconfirmed results of pairings {unconfirmed}", "warning")


def order_faults(stage: Stage) -> Iterator[Fault]:
    """Check that the draw order contains every entrant once."""
    if sorted(stage.order) != list(range(1, len(stage.field) + 1)):
        yield Fault("seated", f"the draw order {list(stage.order)} does not contain every entrant once")
