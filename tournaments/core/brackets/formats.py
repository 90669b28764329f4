"""Knockout and double elimination as formats.

The stage's order is the seating, its pairings are the bracket's matches.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from random import Random
from typing import Any

from tournaments.core.brackets.bracket import MAIN, Bracket, Table, structural_faults
from tournaments.core.brackets.changes import admit_late, byes_open_to_late_entry
from tournaments.core.brackets.correction import Correction, what_if
from tournaments.core.brackets.crossing import best_delay, rematch_delays
from tournaments.core.brackets.elimination import DoubleOptions, KnockoutOptions, double_elimination, knockout
from tournaments.core.brackets.first_edition import first_double_elimination, first_knockout
from tournaments.core.brackets.placing import TablePlaces, final_places, table_places
from tournaments.core.brackets.resolve import BracketStatus, Resolution, resolve, resolve_again
from tournaments.core.brackets.shape import shape_faults
from tournaments.core.stages.bans import bans_of
from tournaments.core.stages.entrants import Entrant, Field, check_field
from tournaments.core.stages.errors import DrawRefused
from tournaments.core.stages.format import Fault, UsualFormat
from tournaments.core.stages.kept import Kept
from tournaments.core.stages.outcomes import Outcome
from tournaments.core.stages.pairings import Pairing, Reason
from tournaments.core.stages.seating_checks import seating_faults
from tournaments.core.stages.seeding import seat
from tournaments.core.stages.stage import Paired, Stage
from tournaments.core.standings.places import Place


class Elimination(UsualFormat, ABC):
    """Common base of the bracket formats."""

    key: str
    version = 2
    minimum = 2
    options: type[Any]
    losers_section: str

    def __init__(self) -> None:
        # One result asks for the state of the same two stages a dozen times.
        self._resolved = Kept[Resolution](_same_state)

    @abstractmethod
    def bracket(self, stage: Stage) -> Bracket:
        """The graph of the stage's seating, as the version that drew it builds it."""

    def draw(self, field: Field, options: Any, rng: Random) -> tuple[int, ...]:
        check_field(field, minimum=self.minimum)
        return seat(field, options, rng)

    def resolution(self, stage: Stage) -> Resolution:
        """The state of every match. Shared between callers: treat it as frozen."""
        if (known := self._resolved.of(stage)) is not None:
            return known
        bracket, gone = self.bracket(stage), stage.gone.keys()
        near = [found for found in self._resolved.values if found.bracket is bracket and found.gone == gone]
        found = resolve_again(near[0], stage.outcomes) if near else resolve(bracket, stage.outcomes, gone)
        return self._resolved.keep(stage, found)

    def drawn_with(self, field: Field, options: Any) -> Any:
        """Families of forbidden pairs sit in different halves, quarters or eighths."""
        listed = any(each.never or each.avoid for each in field)
        return replace(options, forbidden="parts") if listed else options

    def due(self, stage: Stage) -> tuple[Pairing, ...]:
        state = self.resolution(stage)
        found: list[Pairing] = []
        for index, round_ in enumerate(state.bracket.rounds, 1):
            for match in round_.matches:
                a, b = state.a[match], state.b[match]
                if a <= 0 or b <= 0:
                    continue
                published = stage.pairings.get(match)
                if published is not None and published.a == a and published.b == b:
                    continue
                if state.status(match) is BracketStatus.READY:
                    found.append(Pairing(match, index, a, b, (Reason("bracket"),), round_.length))
        return tuple(found)

    def finished(self, stage: Stage) -> bool:
        return self.resolution(stage).complete

    def places(self, stage: Stage) -> tuple[Place, ...]:
        """The final ranking: the main table, places 3 and 4 from the third-place match where there is one."""
        return _with_open(final_places(self.resolution(stage)))

    def reached(self, stage: Stage) -> tuple[Place, ...]:
        """The places to show: quarter-final losers are 5–8 even while others play."""
        return _with_open(final_places(self.resolution(stage), reached=True))

    def table(self, stage: Stage, name: str) -> tuple[Place, ...]:
        """The places of one table; entrants still in it share the places above.

        None where byes alone decide it: an entrant who met no one has won nothing.

        Raises:
            DrawRefused: ``no_such_table``.
        """
        state = self.resolution(stage)
        table = state.bracket.table(name)
        return _with_open(table_places(state, table)) if _has_match(state, table) else ()

    def locked(self, stage: Stage, pairing: int) -> tuple[int, ...]:
        """The dependent matches that have an outcome."""
        reported = stage.outcomes.get(pairing)
        if reported is None or pairing in self.resolution(stage).stale:
            return ()
        turned = Outcome(reported.drops or reported.loser, reported.advances or reported.winner)
        bracket = self.bracket(stage)
        return what_if(bracket, stage.outcomes, Correction(pairing, turned), gone=stage.gone).locked

    def admit(self, stage: Stage, entrant: Entrant) -> tuple[int, ...]:
        """Give a late entrant the place of a bye that has not been played.

        Rather one that changes no pairing that is published.
        """
        state = self.resolution(stage)
        number, field = len(stage.field) + 1, (*stage.field, entrant)
        disturbing: tuple[int, ...] | None = None
        bans, forbidden = bans_of(field), 0
        for position in byes_open_to_late_entry(state, stage.order):
            if bans.forbids(number, stage.order[position ^ 1]):
                forbidden = stage.order[position ^ 1]
                continue
            order = admit_late(state, stage.order, number, position)
            if stage.version == 1:
                return order
            after = replace(stage, field=field, order=order, late=stage.late + 1)
            then = resolve(self.bracket(after), stage.outcomes, stage.gone.keys())
            if not set(then.stale) <= set(state.stale):
                continue  # a loser's opponent would be another in a match that has been played
            if all((then.a[p.number], then.b[p.number]) == (p.a, p.b) for p in stage.open_pairings()):
                return order
            disturbing = disturbing or order
        if disturbing is None and forbidden:
            raise DrawRefused(
                "forbidden_bye",
                f"the only bye left is against entrant {forbidden}, whom {entrant.ref} must never meet",
                ref=entrant.ref,
                entrant=forbidden,
            )
        if disturbing is None:
            raise DrawRefused("no_open_bye", "no bye is left for a late entrant", ref=entrant.ref)
        return disturbing

    def require_return(self, stage: Stage, entrant: int) -> None:
        """Refuse a return once a match that depends on a walkover has been played."""
        before = self.resolution(stage)
        after = resolve(before.bracket, stage.outcomes, stage.gone.keys() - {entrant})
        for match in after.stale:
            if match not in before.stale:
                raise DrawRefused(
                    "place_taken",
                    f"entrant {entrant} cannot be reinstated: match {match} was played since the walkover",
                    entrant=entrant,
                    match=match,
                )

    def judge_draw(self, stage: Stage) -> Iterator[Fault]:
        bracket = self.bracket(stage)
        yield from (Fault("graph", sentence) for sentence in structural_faults(bracket))
        yield from seating_faults(stage.field, stage.order, stage.options)
        known = stage.version == 1  # drawn before byes were compacted, and played so
        yield from (replace(f, severity="warning") if known else f for f in shape_faults(bracket))
        # Byes by lot may have moved losers of the first round to others' places.
        yield from self.crossing_faults(bracket, first=int(not known and stage.options.byes == "lot"))

    def crossing_faults(self, bracket: Bracket, *, first: int = 0) -> Iterator[Fault]:
        """Report a rematch that another crossing would have delayed, by enumeration.

        Of those who met in main round ``first`` (from 0) or later.
        """
        rounds = bracket.section(self.losers_section)
        if not rounds:
            return
        delays = rematch_delays(bracket, MAIN, Table(self.losers_section, rounds))
        total = len(bracket.section(MAIN))
        feeding = 1 + max((later for _, later in delays), default=0)
        least = best_delay(total, feeding, first)
        found = sum(delay for (met, _later), delay in delays.items() if met >= first)
        if found < least:
            yield Fault("crossing", f"rematches come {found} rounds late in all; a crossing reaches {least}")

    def judge(self, before: Stage, paired: Paired) -> Iterator[Fault]:
        state = self.resolution(before)
        for pairing in paired.pairings:
            if pairing.number > state.bracket.size or pairing.is_bye:
                yield Fault("no_such_match", f"match {pairing.number} is not a match of this bracket")
                continue
            a, b = state.a[pairing.number], state.b[pairing.number]
            if (pairing.a, pairing.b) != (a, b):
                message = f"match {pairing.number} is between {a} and {b}, not {pairing.a} and {pairing.b}"
                yield Fault("wrong_entrants", message)
            elif state.status(pairing.number) is not BracketStatus.READY:
                status = state.status(pairing.number)
                yield Fault("not_ready", f"match {pairing.number} was called while it was {status}")


def _same_state(known: Stage, stage: Stage) -> bool:
    """Whether two stages have the same bracket, outcomes and absentees."""
    return (
        (known.order is stage.order or known.order == stage.order)
        and (known.version, known.late) == (stage.version, stage.late)
        and known.options == stage.options
        and known.gone == stage.gone
        and known.outcomes == stage.outcomes
    )


def _has_match(state: Resolution, table: Table) -> bool:
    """Whether two entrants meet in the table, or still may; a walkover is a match."""
    unplayed = {BracketStatus.BYE, BracketStatus.EMPTY, BracketStatus.NOT_NEEDED}
    return any(state.status(match) not in unplayed for each in table.rounds for match in each.matches)


# After most results of a large draw the same ones are in and the same ones out.
@lru_cache(maxsize=16)
def _with_open(found: TablePlaces) -> tuple[Place, ...]:
    return (*(Place(n, 1, len(found.open)) for n in found.open), *found.places)


# A graph follows from its seating and options alone and never changes; one result asks for it many times.
_knockout_of = lru_cache(maxsize=16)(knockout)
_double_of = lru_cache(maxsize=16)(double_elimination)
_first_knockout_of = lru_cache(maxsize=16)(first_knockout)
_first_double_of = lru_cache(maxsize=16)(first_double_elimination)


class Knockout(Elimination):
    """Single elimination, with third place, consolation and last chance by option."""

    key = "knockout"
    options = KnockoutOptions
    losers_section = "consolation"

    def draw(self, field: Field, options: KnockoutOptions, rng: Random) -> tuple[int, ...]:
        seating = super().draw(field, options, rng)
        knockout(seating, options)  # refuses a last chance without a consolation
        return seating

    def bracket(self, stage: Stage) -> Bracket:
        if stage.version == 1:
            return _first_knockout_of(stage.order, stage.options)
        return _knockout_of(stage.order, stage.options, len(stage.field) - stage.late)


class DoubleElimination(Elimination):
    """Out at the second loss."""

    key = "double"
    options = DoubleOptions
    losers_section = "losers"

    def bracket(self, stage: Stage) -> Bracket:
        if stage.version == 1:
            return _first_double_of(stage.order, stage.options)
        return _double_of(stage.order, stage.options, len(stage.field) - stage.late)
