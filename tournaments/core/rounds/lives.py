"""Lives: paired round by round, out at the n-th loss.

Pairing order (docs/reference/tournaments.md, "Lives"): no second bye until all remaining have had one; the
bye to the worst record; closest records meet; fewest meetings. End rules after MoreSwiss (same section), see
``LivesOptions``.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

from tournaments.core.matching.lives_plan import LivesPlan, plan_lives
from tournaments.core.matching.round_plan import judge
from tournaments.core.rounds.format import RoundsFormat, round_faults
from tournaments.core.rounds.lives_state import final_key, follow, is_playoff
from tournaments.core.rounds.swiss import bye_reasons
from tournaments.core.stages.bans import bans_of
from tournaments.core.stages.entrants import Entrant
from tournaments.core.stages.errors import DrawRefused
from tournaments.core.stages.format import Fault
from tournaments.core.stages.pairings import Pairing, Reason
from tournaments.core.stages.protection import partners
from tournaments.core.stages.records import Record, records
from tournaments.core.stages.seeding import Protect
from tournaments.core.stages.slots import BYE
from tournaments.core.stages.stage import Paired, Stage
from tournaments.core.standings.places import Place, share_places


@dataclass(frozen=True, slots=True)
class LivesOptions:
    """How a lives event is run.

    ``lives``: out at this many losses. ``meetings``: ``"after_records"`` pairs closest records first and then
    those who met least; ``"before_records"`` avoids rematches first. A round missed by leaving and coming
    back, or by coming late, costs a life unless ``missed_round_costs_life`` is off: sitting out must not save
    lives.

    ``paid_places``: once no more than this many are left, all left are paid and those just eliminated are
    not. From then on entrants on their last life are paid and leave after each round, equal records sharing,
    until one player has more than one life; ``keep_last_lives`` keeps the best of them in when that avoids a
    bye. ``None`` plays on until one is left. With ``playoff``, three left with equal records play a
    three-player playoff, bye by lot.
    """

    lives: int = 3
    meetings: Literal["after_records", "before_records"] = "after_records"
    missed_round_costs_life: bool = True
    paid_places: int | None = None
    keep_last_lives: bool = False
    playoff: bool = True
    seeding: Literal["rating", "hand", "lot"] = "lot"
    protect: tuple[Protect, ...] = ()
    length: int | None = None


class Lives(RoundsFormat[LivesPlan]):
    key = "lives"
    options = LivesOptions

    def check_options(self, options: Any) -> None:
        if options.lives < 1:
            raise DrawRefused("no_lives", f"{options.lives} lives: at least 1", lives=options.lives)
        if options.paid_places is not None and options.paid_places < 1:
            raise DrawRefused(
                "no_paid_places", f"{options.paid_places} paid places: at least 1, or leave it out"
            )

    def proposed(self, stage: Stage) -> tuple[Pairing, ...]:
        if stage.open_pairings() or self.finished(stage):
            return ()
        playoff = self._playoff(stage)
        return self._playoff_round(stage, playoff) if playoff else super().proposed(stage)

    def plan(self, stage: Stage) -> LivesPlan:
        options: LivesOptions = stage.options
        return plan_lives(
            self.standing(stage),
            follow(stage).lost,
            partners(stage.field, options.protect),
            bans_of(stage.field),
            meetings_first=options.meetings == "before_records",
        )

    def standing(self, stage: Stage) -> list[Record]:
        """The records of those still playing, best first.

        Fewest lives lost, then most wins, then in the order of the draw.
        """
        found, state = records(stage), follow(stage)
        seed = {n: index for index, n in enumerate(stage.order)}
        return sorted(
            (found[n] for n in state.playing),
            key=lambda r: (state.lost[r.entrant], -r.score, seed[r.entrant]),
        )

    def _playoff(self, stage: Stage) -> list[int]:
        """The entrants of the next playoff round, empty when there is none."""
        state = follow(stage)
        if any(is_playoff(p) for p in stage.pairings.values()):
            return list(state.playing)
        if not stage.options.playoff or len(state.playing) != 3 or stage.rounds == 0:
            return []
        same = len({(state.lost[n], state.score[n]) for n in state.playing}) == 1
        return list(state.playing) if same else []

    def _playoff_round(self, stage: Stage, entrants: list[int]) -> tuple[Pairing, ...]:
        round_number, number = stage.rounds + 1, stage.next_number
        reason, length = (Reason("playoff"),), stage.options.length
        if len(entrants) == 2:
            return (Pairing(number, round_number, entrants[0], entrants[1], reason, length),)
        stage.random(f"playoff {round_number}").shuffle(entrants)
        a, b, resting = entrants
        return (
            Pairing(number, round_number, a, b, reason, length),
            Pairing(number + 1, round_number, resting, BYE, reason),
        )

    def explain(self, plan: LivesPlan, i: int, j: int, number: int, stage: Stage) -> Pairing:
        one, round_number = plan.records[i], stage.rounds + 1
        if j == len(plan.records):
            return Pairing(number, round_number, one.entrant, BYE, bye_reasons(one))
        other = plan.records[j]
        apart = plan.lost[other.entrant] - plan.lost[one.entrant]
        same = apart == 0 and one.score == other.score
        reasons = [Reason("same_record") if same else Reason("closest_record", value=abs(apart))]
        if met := one.met.get(other.entrant, 0):
            reasons.append(Reason("rematch_unavoidable", value=met))
        if plan.bans.avoids(one.entrant, other.entrant):
            reasons.append(Reason("apart_unavoidable"))
        if other.entrant in plan.apart[one.entrant]:
            reasons.append(Reason("protection_unavoidable"))
        return Pairing(number, round_number, one.entrant, other.entrant, tuple(reasons), stage.options.length)

    def finished(self, stage: Stage) -> bool:
        return not stage.open_pairings() and len(follow(stage).playing) < 2

    def places(self, stage: Stage) -> tuple[Place, ...]:
        """The ranking; equals share.

        Those left by record, then those paid on their last life, then by round of elimination.
        """
        state = follow(stage)
        groups: dict[tuple[int, ...], list[int]] = {}
        for n in range(1, len(stage.field) + 1):
            groups.setdefault(final_key(stage, state, n), []).append(n)
        return share_places(groups[key] for key in sorted(groups))

    def in_the_money(self, stage: Stage) -> tuple[Place, ...]:
        """The paid places.

        Those of all who were left when no more were than paid places, and of nobody else.

        Empty before that, and in an event without ``paid_places``. Choose the prize table by their number:
        those eliminated in the round before get nothing, even where fewer are left than there are paid
        places.
        """
        money = follow(stage).money
        return tuple(place for place in self.places(stage) if place.entrant in money)

    def admit(self, stage: Stage, entrant: Entrant) -> tuple[int, ...]:
        """A late entrant joins the next round with at least one life left."""
        costs = stage.rounds if stage.options.missed_round_costs_life else 0
        if costs >= stage.options.lives:
            message = f"{stage.rounds} rounds are played: a late entrant would have no lives left"
            lives = stage.options.lives
            raise DrawRefused("too_late", message, ref=entrant.ref, rounds=stage.rounds, lives=lives)
        return super().admit(stage, entrant)

    def judge(self, before: Stage, paired: Paired) -> Iterator[Fault]:
        playing = follow(before).playing
        yield from round_faults(before, paired)
        if len(playing) <= 3 and all(is_playoff(p) for p in paired.pairings):
            yield from judge_playoff(playing, paired.pairings)
        elif len(playing) > 1:
            yield from judge(self.plan(before), paired.pairings, by_hand=paired.by_hand)


def judge_playoff(playing: tuple[int, ...], pairings: tuple[Pairing, ...]) -> Iterator[Fault]:
    """Check that all remaining entrants are in the playoff once; the bye is by lot."""
    sides = sorted(n for p in pairings for n in ((p.a,) if p.is_bye else (p.a, p.b)))
    if sides != sorted(playing):
        yield Fault("playoff", f"the playoff is between {list(playing)}, not {sides}")
