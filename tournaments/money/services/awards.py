"""Prizes of a flight.

The main pool is paid by the places of the deciding stage, side pools to the best result, both among those who
have won a match.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from tournaments.core.brackets.bracket import MAIN
from tournaments.core.brackets.formats import Elimination
from tournaments.core.formats.table import format_of
from tournaments.core.play.winning import entrants_with_a_win, prize_places, winners_over_the_board
from tournaments.core.prizes.money import PrizeRefused
from tournaments.core.prizes.payouts import PERCENTAGES, Award, paid_places, pay_places, pay_side_pool
from tournaments.core.prizes.pools import Fees, Takings, split_pool, takings
from tournaments.core.prizes.satellites import ENTRY, satellite_prizes
from tournaments.core.stages.stage import Stage
from tournaments.core.standings.places import Place
from tournaments.events.eligibility import pools_of
from tournaments.models import EntrantRow, FeePayment, Flight, StageRow, StageStatus
from tournaments.stages.services.stages import load


@dataclass(frozen=True, slots=True)
class Ranking:
    """A ranking with prizes: places of entrants by key, and the size of the field.

    ``won`` are the entrants who won a match of it over the board; ``stage`` is the key of its stage where
    wins in the stages before count, too. ``first`` marks the main ranking of a first stage that feeds others.
    """

    name: str
    places: tuple[Place, ...]
    field: int
    won: frozenset[int] = frozenset()
    stage: int | None = None
    first: bool = False


@dataclass(frozen=True, slots=True)
class Purse:
    """A flight with the data that decides its prizes, loaded once.

    Its stages in order, its entrants' keys by ref, and the side pools of the drawn entrants who pay.
    """

    flight: Flight
    stages: tuple[StageRow, ...]
    keys: Mapping[str, int]
    pools_of: Mapping[int, Sequence[str]]

    @classmethod
    def of(cls, flight: Flight) -> "Purse":
        """Load a flight (two queries)."""
        return cls.among(flight, stages_in(flight), EntrantRow.objects.filter(flight=flight).with_draw())

    @classmethod
    def among(cls, flight: Flight, stages: Iterable[StageRow], entrants: Iterable[EntrantRow]) -> "Purse":
        """A flight whose stages and entrants, ``with_draw()``, are loaded (no query)."""
        keys: dict[str, int] = {}
        pools_of: dict[int, Sequence[str]] = {}
        for entrant in entrants:
            keys[entrant.ref] = entrant.pk
            if entrant.was_drawn and entrant.refunded_at is None and entrant.payment != FeePayment.FREE:
                pools_of[entrant.pk] = entrant.pools
        return cls(flight, tuple(stages), keys, pools_of)

    @property
    def takings(self) -> Takings:
        """Fees and where they go; free entries pay nothing."""
        fees = Fees(self.flight.registration_fee, self.flight.entry_fee, self.flight.returned)
        return takings(fees, len(self.pools_of), added=self.flight.added)

    @property
    def last(self) -> StageRow | None:
        """The stage that decides the main prizes."""
        return decisive(self.stages)

    @property
    def deciding(self) -> list[StageRow]:
        """Stages with paid places, in order.

        The last stage, stages with a share of the pool that are needed, and with side pools every drawn
        stage.
        """
        last = self.last
        return [stage for stage in self.stages if stage == last or self._pays(stage)]

    def _pays(self, stage: StageRow) -> bool:
        if stage.drawn_at is not None and self.flight.pools:
            return True
        return stage.name in self.flight.shares and stage.status != StageStatus.SKIPPED

    def awards(self, instead: Mapping[int, Stage] | None = None) -> tuple[Award, ...]:
        """Current prizes, entrants by key; empty before the last draw and without money.

        A prize takes a win (``tournaments.core.play.winning``). ``instead`` replaces stages (by key) for a
        preview. Raises PrizeRefused while no places are decided, and if no match was won.
        """
        last = self.last
        if last is None or last.drawn_at is None:
            return ()
        pool, side_pools = self.takings.pool, pools_of(self.flight.pools)
        if not pool and not side_pools:
            return ()
        drawn = [stage for stage in self.deciding if stage.drawn_at is not None]
        rankings = _rankings(last, drawn, self.keys, instead or {})
        won = [self._of_winners(ranking, instead or {}) for ranking in rankings]
        if pool and rankings[0].places and not won[0].places:
            raise PrizeRefused("nobody_won", "no entrant has won a match, so there is no prize")
        found: tuple[Award, ...] = ()
        for ranking, part in _parts(pool, self.flight.shares, won):
            if ranking.name == MAIN and self.flight.satellite_for is not None:
                found = (
                    *found,
                    *self._of_satellite(part, entry_price(self.flight.satellite_for), instead or {}),
                )
                continue
            found = (*found, *pay_places(part, self._table(ranking), ranking.places, source=ranking.name))
        for side_pool in side_pools:
            members = {pk for pk, keys in self.pools_of.items() if side_pool.key in keys}
            if _placed(rankings, members) and not _placed(won, members):
                continue  # no member has won a match: their fees go back
            found = (*found, *pay_side_pool(side_pool, members, _falling(won)))
        return found

    def _of_satellite(self, pool: int, price: int, instead: Mapping[int, Stage]) -> tuple[Award, ...]:
        """The main prizes as entries, and the rest in cash."""
        if not price:
            return ()
        prizes = satellite_prizes(pool, price, self.main_places(instead))
        entries = tuple(Award(pk, price, ENTRY) for pk in prizes.entries)
        return (*entries, *(Award(pk, amount, MAIN) for pk, amount in prizes.cash))

    def main_places(self, instead: Mapping[int, Stage] | None = None) -> tuple[Place, ...]:
        """Current places of the main ranking, of those who have won a match; empty before the last draw."""
        last = self.last
        if last is None or last.drawn_at is None:
            return ()
        main, *_others = _rankings(last, [last], self.keys, instead or {})
        return self._of_winners(main, instead or {}, most=main.field).places

    def _table(self, ranking: Ranking) -> Sequence[int]:
        """The percentages by place of a ranking."""
        own = tuple(self.flight.percentages) if ranking.name == MAIN else ()
        return own or PERCENTAGES[paid_places(ranking.field)]

    def _of_winners(
        self, ranking: Ranking, instead: Mapping[int, Stage], *, most: int | None = None
    ) -> Ranking:
        """The ranking of those who have won a match, in it or in a stage that led to it.

        Wins before it are looked up for the first ``most`` places, by default the paid ones.
        """
        most, won = len(self._table(ranking)) if most is None else most, ranking.won
        if any(place.first <= most and place.entrant not in won for place in ranking.places):
            before = (_value(stage, instead) for stage in self._leading_to(ranking.stage))
            won = won.union(
                *(
                    {self.keys[value.field[number - 1].ref] for number in winners_over_the_board(value)}
                    for value in before
                )
            )
        return replace(ranking, places=prize_places(ranking.places, won))

    def _leading_to(self, pk: int | None) -> Iterator[StageRow]:
        """The drawn stages that feed a stage, directly or through others."""
        reached = {stage.ref for stage in self.stages if stage.pk == pk}
        for stage in reversed(self.stages):
            if stage.drawn_at is not None and any(rule.into in reached for rule in stage.rules):
                reached.add(stage.ref)
                yield stage

    def amounts(self, instead: Mapping[int, Stage]) -> Mapping[int, int]:
        """Total prize of each entrant (by key); empty while no places are decided."""
        found: dict[int, int] = {}
        try:
            awards = self.awards(instead)
        except PrizeRefused:
            return found
        for award in awards:
            found[award.entrant] = found.get(award.entrant, 0) + award.amount
        return found


def stages_in(flight: Flight) -> list[StageRow]:
    """The stages of a flight in order, with their feeds (one query)."""
    rows = StageRow.objects.with_feeds().filter(flight=flight).select_related("flight__event__club")
    return list(rows.order_by("position"))


def entry_price(flight: Flight) -> int:
    """What an entry to a flight costs, in minor units."""
    return flight.registration_fee + flight.entry_fee


def _placed(rankings: Sequence[Ranking], members: Collection[int]) -> bool:
    return any(place.entrant in members for ranking in rankings for place in ranking.places)


def _value(stage: StageRow, instead: Mapping[int, Stage]) -> Stage:
    return instead[stage.pk] if stage.pk in instead else load(stage)


def _rankings(
    last: StageRow, stages: Sequence[StageRow], keys: Mapping[str, int], instead: Mapping[int, Stage]
) -> list[Ranking]:
    """Rankings of a flight: deciding stage first, then the others, latest first."""
    fed = {rule.into for stage in stages for rule in stage.rules}
    first = [stage for stage in stages if stage.ref not in fed and stage != last]
    others = [stage for stage in reversed(stages) if stage not in first and stage != last]
    found = list(_of_stage(last, keys, instead, deciding=True))
    for stage in others:
        found.extend(_of_stage(stage, keys, instead))
    for stage in first:
        main, *beside = _of_stage(stage, keys, instead)
        found.extend([replace(main, first=True), *beside])
    return found


def _parts(pool: int, shares: Mapping[str, int], rankings: Sequence[Ranking]) -> list[tuple[Ranking, int]]:
    """Amount of the pool for each ranking.

    The share of an empty table goes to the main table.

    If two have the same name (a stage may be called "main"), the first gets the share.
    """
    named: dict[str, Ranking] = {}
    for each in rankings:
        named.setdefault(each.name, each)
    own = {
        name: shares[name] for name, each in named.items() if name != MAIN and each.places and name in shares
    }
    parts = split_pool(pool, {MAIN: 100 - sum(own.values()), **own})
    return [(each, parts[name]) for name, each in named.items() if parts.get(name)]


def _falling(rankings: Sequence[Ranking]) -> list[tuple[Place, ...]]:
    """Places in the order that decides side pools; groups count as one ranking."""
    found: list[tuple[Place, ...]] = []
    groups: int | None = None
    for ranking in rankings:
        if not ranking.first or groups is None:
            groups = len(found) if ranking.first else groups
            found.append(ranking.places)
        else:
            found[groups] += ranking.places
    return found


def _of_stage(
    stage: StageRow, keys: Mapping[str, int], instead: Mapping[int, Stage], *, deciding: bool = False
) -> Iterator[Ranking]:
    """Rankings of a drawn stage: main, then any consolation and last chance."""
    value = _value(stage, instead)
    fmt = format_of(value.format)
    of = {number: keys[drawn.ref] for number, drawn in enumerate(value.field, 1)}
    yield Ranking(
        MAIN if deciding else stage.name,
        _by_key(fmt.places(value), of),
        len(value.field),
        frozenset(of[number] for number in entrants_with_a_win(value)),
        stage.pk,
    )
    if isinstance(fmt, Elimination):
        for table in fmt.bracket(value).tables[1:]:
            places = _by_key(fmt.table(value, table.name), of)
            name = table.name if deciding else f"{stage.name}, {table.name}"
            won = frozenset(of[number] for number in entrants_with_a_win(value, table.name))
            yield Ranking(name, places, len(places), won)


def _by_key(places: Sequence[Place], of: Mapping[int, int]) -> tuple[Place, ...]:
    return tuple(Place(of[place.entrant], place.first, place.last) for place in places)


def last_stage(flight: Flight) -> StageRow | None:
    """The stage that decides the prizes: the last one on the path of the best."""
    return decisive(
        list(flight.stages.with_feeds().select_related("flight__event__club").order_by("position"))
    )


def decisive(stages: Sequence[StageRow]) -> StageRow | None:
    """``last_stage`` among the stages of a flight in order (no query)."""
    by_ref = {each.ref: each for each in stages}
    found = stages[0] if stages else None
    while found is not None:
        onward = [by_ref[rule.into] for rule in found.rules if rule.into in by_ref]
        needed = next((each for each in onward if each.status != StageStatus.SKIPPED), None)
        if needed is None:
            return found
        found = needed
    return None
