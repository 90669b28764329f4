"""A bracket that is resolved from its last state is what it is when it is resolved from nothing."""

from random import Random

import pytest

from scoring.rules.endings import Ending
from tests.tournaments.core.fields import field_of
from tournaments.core.brackets.bracket import Bracket, Table
from tournaments.core.brackets.elimination import DoubleOptions, KnockoutOptions, double_elimination, knockout
from tournaments.core.brackets.placing import table_places
from tournaments.core.brackets.resolve import Resolution, resolve, resolve_again
from tournaments.core.stages.errors import DrawRefused
from tournaments.core.stages.outcomes import Outcome
from tournaments.core.stages.seeding import SeatingOptions, seat
from tournaments.core.stages.slots import Empty

BRACKETS = {
    "knockout": lambda order: knockout(order, KnockoutOptions(third_place=True)),
    "consolation": lambda order: knockout(order, KnockoutOptions(consolation="progressive")),
    "double": lambda order: double_elimination(order, DoubleOptions()),
    "last chance": lambda order: double_elimination(order, DoubleOptions(last_chance=1)),
}


def bracket_of(name: str, players: int) -> Bracket:
    return BRACKETS[name](seat(field_of(players), SeatingOptions(), Random(1)))


def others(state: Resolution, rng: Random, *, no_shows: bool) -> dict[int, Outcome]:
    """The results with one of them added, turned round or taken back."""
    results = dict(state.results)
    ready = list(state.ready())
    what = rng.random()
    if ready and (what < 0.7 or not results):
        match = rng.choice(ready)
        winner, loser = rng.sample((state.a[match], state.b[match]), 2)
        ended = Ending.DOUBLE_NO_SHOW if no_shows and rng.random() < 0.15 else Ending.PLAYED
        results[match] = Outcome(winner, loser, ended)
    elif results:
        match = rng.choice(list(results))
        was = results.pop(match)
        if what < 0.9:
            results[match] = Outcome(was.loser, was.winner, was.ended)
    return results


@pytest.mark.parametrize("name", BRACKETS)
@pytest.mark.parametrize("gone", [(), (3,), (2, 3, 6, 7)], ids=len)
def test_a_state_that_follows_is_the_state_that_is_resolved_from_nothing(
    name: str, gone: tuple[int, ...]
) -> None:
    bracket, rng = bracket_of(name, 11), Random(f"{name}{gone}")
    for _play in range(20):
        state = resolve(bracket, {}, gone)
        for _step in range(40):
            results = others(state, rng, no_shows=True)
            if rng.random() < 0.2:
                results = others(resolve(bracket, results, gone), rng, no_shows=True)
            state = resolve_again(state, results)
            assert state == resolve(bracket, results, gone)


def test_the_second_final_is_played_when_a_correction_changes_who_was_unbeaten() -> None:
    bracket = double_elimination((1, 4, 2, 3), DoubleOptions())
    semifinals = {1: Outcome(1, 4), 2: Outcome(2, 3)}
    one = semifinals | {3: Outcome(1, 2), 4: Outcome(4, 3), 5: Outcome(2, 4), 6: Outcome(1, 2)}
    other = semifinals | {3: Outcome(2, 1), 4: Outcome(4, 3), 5: Outcome(1, 4), 6: Outcome(1, 2)}
    before, wanted = resolve(bracket, one), resolve(bracket, other)
    assert (before.complete, wanted.complete) == (True, False)
    assert resolve_again(before, other) == wanted


def test_an_outcome_outside_the_bracket_is_refused() -> None:
    state = resolve(bracket_of("double", 4), {})
    with pytest.raises(DrawRefused, match="match 99 does not exist: this draw has 7"):
        resolve_again(state, {99: Outcome(1, 2)})


def put_out(state: Resolution, table: Table) -> dict[int, int | None]:
    """The round of the table in which each entrant lost the last match; None who may still play."""
    found: dict[int, int | None] = {}
    for index, round_ in enumerate(table.rounds):
        for match in round_.matches:
            for entrant in {state.a[match], state.b[match]} - set(Empty):
                lost = state.winner[match] not in (entrant, Empty.TO_BE_DECIDED)
                found[entrant] = index if lost else None
    return found


@pytest.mark.parametrize("name", BRACKETS)
def test_places_are_told_by_the_last_match_of_each_entrant(name: str) -> None:
    bracket, rng = bracket_of(name, 13), Random(name)
    for _play in range(5):
        state = resolve(bracket, {})
        for _step in range(60):
            state = resolve_again(state, others(state, rng, no_shows=False))
            for table in bracket.tables:
                out, found = put_out(state, table), table_places(state, table)
                champion = state.champion(table)
                if champion is not None:
                    out[champion] = len(table.rounds)
                rounds = {entrant: index for entrant, index in out.items() if index is not None}
                ahead = len(out) - len(rounds)
                assert set(found.open) == out.keys() - rounds.keys()
                assert {place.entrant for place in found.places} == rounds.keys()
                for place in found.places:
                    own = rounds[place.entrant]
                    better = ahead + sum(index > own for index in rounds.values())
                    shared = sum(index == own for index in rounds.values())
                    assert (place.first, place.last) == (better + 1, better + shared)
