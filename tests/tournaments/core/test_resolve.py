from random import Random

import pytest

from scoring.rules.endings import Ending
from tests.tournaments.core.fields import by_coin, field_of, play
from tournaments.core.brackets.bracket import MAIN, structural_faults
from tournaments.core.brackets.elimination import (
    DoubleOptions,
    KnockoutOptions,
    double_elimination,
    entry_rounds,
    knockout,
)
from tournaments.core.brackets.placing import table_places, table_reached
from tournaments.core.brackets.resolve import BracketStatus, require_ready, resolve
from tournaments.core.stages.errors import DrawRefused
from tournaments.core.stages.outcomes import Outcome
from tournaments.core.stages.seeding import SeatingOptions, seat
from tournaments.core.stages.slots import BYE, Empty, LoserOf, Seed, WinnerOf, pack, unpack


def seating(count):
    return seat(field_of(count), SeatingOptions(), Random(1))


def places(state, index=0):
    return {p.entrant: (p.first, p.last) for p in table_places(state, state.bracket.tables[index]).places}


@pytest.mark.parametrize(
    "slot", [BYE, Seed(1), Seed(700), WinnerOf(1), LoserOf(1), WinnerOf(80), LoserOf(99)]
)
def test_unpack_is_the_inverse_of_pack(slot):
    assert unpack(pack(slot)) == slot


def test_knockout_of_eight_is_the_golden_bracket():
    bracket = knockout(seating(8), KnockoutOptions(lengths=(7, 9, 11)))
    assert [bracket.slots(m) for m in range(1, 8)] == [
        (Seed(1), Seed(8)),
        (Seed(4), Seed(5)),
        (Seed(2), Seed(7)),
        (Seed(3), Seed(6)),
        (WinnerOf(1), WinnerOf(2)),
        (WinnerOf(3), WinnerOf(4)),
        (WinnerOf(5), WinnerOf(6)),
    ]
    assert [(r.number, r.length) for r in bracket.rounds] == [(1, 7), (2, 9), (3, 11)]
    assert places(play(bracket)) == {
        1: (1, 1), 2: (2, 2), 3: (3, 4), 4: (3, 4), 5: (5, 8), 6: (5, 8), 7: (5, 8), 8: (5, 8),
    }  # fmt: skip


def test_who_is_out_of_a_running_table_has_reached_the_places_of_his_round():
    bracket = knockout(seating(9), KnockoutOptions())
    played = play(bracket).results
    quarters, semis = (bracket.section(MAIN)[index].matches for index in (1, 2))
    reached = {}
    for kept in (quarters[0], semis[0]):
        state = resolve(bracket, {m: outcome for m, outcome in played.items() if m <= kept})
        places_now = table_reached(state, bracket.tables[0]).places
        reached[kept] = {place.entrant: place.text for place in places_now}
    assert set(reached[quarters[0]].values()) == {"9", "5–8"}
    assert sorted(reached[semis[0]].values()) == ["3–4", "5–8", "5–8", "5–8", "5–8", "9"]


def test_double_elimination_of_four_is_the_golden_bracket():
    bracket = double_elimination(seating(4), DoubleOptions())
    assert [bracket.slots(m) for m in range(1, 8)] == [
        (Seed(1), Seed(4)),
        (Seed(2), Seed(3)),
        (WinnerOf(1), WinnerOf(2)),
        (LoserOf(1), LoserOf(2)),
        (WinnerOf(4), LoserOf(3)),
        (WinnerOf(3), WinnerOf(5)),
        (WinnerOf(6), LoserOf(6)),
    ]
    assert bracket.reset == 7


@pytest.mark.parametrize("count", [2, 3, 5, 11, 16, 33, 128])
def test_double_elimination_gives_everybody_two_losses(count):
    state = play(double_elimination(seating(count), DoubleOptions()), winner=by_coin(Random(count)))
    assert state.complete
    losses = dict.fromkeys(range(1, count + 1), 0)
    for outcome in state.results.values():
        losses[outcome.loser] += 1
    champion = state.champion(state.bracket.tables[0])
    assert champion is not None
    assert losses.pop(champion) <= 1
    assert set(losses.values()) == {2}
    assert sorted(places(state)) == list(range(1, count + 1))


def test_unbeaten_finalist_needs_no_reset():
    state = play(double_elimination(seating(8), DoubleOptions()))
    assert state.status(state.bracket.size) is BracketStatus.NOT_NEEDED
    assert state.champion(state.bracket.tables[0]) == 1
    assert places(state)[2] == (2, 2)


def test_no_champion_is_declared_before_the_reset_final():
    bracket = double_elimination(seating(8), DoubleOptions())
    done = play(bracket).results
    final = bracket.size - 1
    upset = {m: o for m, o in done.items() if m < final} | {final: Outcome(2, 1)}
    state = resolve(bracket, upset)
    assert state.status(bracket.size) is BracketStatus.READY
    assert not state.complete
    assert state.champion(bracket.tables[0]) is None
    assert resolve(bracket, upset | {bracket.size: Outcome(2, 1)}).champion(bracket.tables[0]) == 2


def test_without_a_reset_one_final_decides():
    bracket = double_elimination(seating(8), DoubleOptions(reset=False))
    assert bracket.section("final")[-1].number == 1
    assert play(bracket, winner=max).champion(bracket.tables[0]) == 8


def test_bye_reaches_the_losers_side_before_its_round_is_played():
    bracket = double_elimination(seating(5), DoubleOptions())
    state = resolve(bracket, {})
    first = bracket.section("losers")[0]
    contents = [{state.a[m], state.b[m]} for m in first.matches]
    assert contents == [{Empty.BYE}] * 2
    assert {state.status(m) for m in first.matches} == {BracketStatus.EMPTY}
    second = bracket.section("losers")[1]
    contents = [{state.a[m], state.b[m]} for m in second.matches]
    assert {Empty.BYE, Empty.TO_BE_DECIDED} in contents
    assert {Empty.TO_BE_DECIDED} in contents


def test_the_three_empty_states_are_never_confused():
    bracket = knockout((1, 0, 2, 3, 4, 5, 6, 7), KnockoutOptions())
    state = resolve(bracket, {}, gone={3})
    assert (state.b[1], state.status(1)) == (Empty.BYE, BracketStatus.BYE)
    assert (state.status(2), state.winner[2], state.loser[2]) == (BracketStatus.WALKOVER, 2, Empty.WITHDRAWN)
    assert (state.a[6], state.status(6)) == (Empty.TO_BE_DECIDED, BracketStatus.WAITING)


def test_double_no_show_advances_nobody_and_drops_nobody():
    bracket = double_elimination(seating(8), DoubleOptions())
    state = resolve(bracket, {1: Outcome(1, 8, Ending.DOUBLE_NO_SHOW), 2: Outcome(4, 5)})
    following = bracket.winner_goes_to(1)
    assert following is not None
    assert (state.a[following], state.status(following), state.winner[following]) == (
        -2,
        BracketStatus.WALKOVER,
        4,
    )
    done = play(bracket, results=dict(state.results))
    assert done.complete
    assert {m for m in done.results if {1, 8} & {done.results[m].winner, done.results[m].loser}} == {1}
    assert places(done)[1] == places(done)[8] == (6, 8)


def test_walkover_and_retirement_let_the_loser_play_on():
    bracket = knockout(seating(4), KnockoutOptions(consolation="simple"))
    results = {1: Outcome(1, 4, Ending.NO_SHOW), 2: Outcome(2, 3, Ending.RETIRED)}
    state = resolve(bracket, results)
    (consolation,) = bracket.section("consolation")[0].matches
    assert {state.a[consolation], state.b[consolation]} == {4, 3}
    assert state.status(consolation) is BracketStatus.READY


def test_disqualified_entrant_leaves_both_brackets():
    bracket = double_elimination(seating(8), DoubleOptions())
    results = {1: Outcome(1, 8, Ending.DISQUALIFIED)}
    state = resolve(bracket, results, gone={8})
    dropped = bracket.loser_goes_to(1)
    assert dropped is not None
    assert (
        state.present(state.a[dropped]) == Empty.WITHDRAWN
        or state.present(state.b[dropped]) == Empty.WITHDRAWN
    )
    done = play(bracket, gone={8}, results=results)
    assert done.complete
    assert all(8 not in (o.winner, o.loser) for m, o in done.results.items() if m != 1)


def test_what_was_played_before_a_withdrawal_stands():
    bracket = knockout(seating(8), KnockoutOptions())
    results = {1: Outcome(1, 8), 2: Outcome(4, 5), 5: Outcome(1, 4)}
    state = resolve(bracket, results, gone={1})
    assert state.status(5) is BracketStatus.DECIDED
    done = play(bracket, gone={1}, results=results)
    assert done.champion(bracket.tables[0]) == 2
    assert places(done)[1] == (2, 2)


def test_withdrawn_before_his_first_match_shares_the_last_place():
    done = play(knockout(seating(4), KnockoutOptions()), gone={1})
    assert places(done) == {2: (1, 1), 4: (2, 2), 1: (3, 4), 3: (3, 4)}


def test_outcome_for_entrants_who_are_not_there_counts_for_nothing():
    bracket = knockout(seating(4), KnockoutOptions())
    state = resolve(bracket, {1: Outcome(4, 1), 2: Outcome(2, 3), 3: Outcome(1, 2)})
    assert state.stale == (3,)
    assert state.status(3) is BracketStatus.READY
    assert state.champion(bracket.tables[0]) is None


def test_result_is_refused_while_an_entrant_is_missing_or_for_somebody_else():
    state = resolve(knockout(seating(4), KnockoutOptions()), {})
    with pytest.raises(DrawRefused, match="match 3 is waiting"):
        require_ready(state, 3, Outcome(1, 2))
    with pytest.raises(DrawRefused, match="between 1 and 4, not 1 and 3"):
        require_ready(state, 1, Outcome(1, 3))
    with pytest.raises(DrawRefused, match="match 9 does not exist: this draw has 3"):
        require_ready(state, 9, Outcome(1, 3))


def test_progressive_consolation_states_which_losers_enter_where():
    bracket = knockout(seating(32), KnockoutOptions(consolation="progressive"))
    assert entry_rounds(bracket, "consolation") == (("main", 1, 1), ("main", 2, 2), ("main", 3, 4))


def test_last_chance_is_fed_by_the_consolation():
    bracket = knockout(seating(16), KnockoutOptions(consolation="progressive", last_chance=2))
    assert entry_rounds(bracket, "last chance") == (("consolation", 1, 1), ("consolation", 2, 1))
    state = play(bracket, winner=by_coin(Random(4)))
    assert state.complete
    assert [t.name for t in bracket.tables] == ["main", "consolation", "last chance"]


@pytest.mark.parametrize("options", [
    {"consolation": "simple"},
    {"consolation": "progressive"},
    {"consolation": "progressive", "feeding": 1, "third_place": True},
    {"consolation": "progressive", "last_chance": 1},
])  # fmt: skip
@pytest.mark.parametrize("count", [5, 6, 7, 8, 9, 17, 31, 64, 100, 128])
def test_every_knockout_is_a_graph_that_ends(count, options):
    bracket = knockout(seating(count), KnockoutOptions(**options))
    assert list(structural_faults(bracket)) == []
    state = play(bracket, winner=by_coin(Random(count)))
    assert state.complete
    assert all(state.champion(table) for table in bracket.tables[:1])
    assert state.stale == ()


def test_third_place_match_is_between_the_losing_semi_finalists():
    state = play(knockout(seating(8), KnockoutOptions(third_place=True)))
    assert places(state, 1) == {3: (1, 1), 4: (2, 2)}


@pytest.mark.parametrize(
    ("count", "options", "code"),
    [
        (8, {"consolation": "progressive", "feeding": -1}, "feeding_out_of_range"),
        (8, {"last_chance": 1}, "last_chance_out_of_range"),
        (8, {"consolation": "simple", "last_chance": -1}, "last_chance_out_of_range"),
    ],
)
def test_sections_that_cannot_be_are_refused(count, options, code):
    with pytest.raises(DrawRefused) as refusal:
        knockout(seating(count), KnockoutOptions(**options))
    assert refusal.value.code == code


def test_seating_must_be_a_power_of_two():
    with pytest.raises(DrawRefused, match="3 positions"):
        knockout((1, 2, 3), KnockoutOptions())


def test_leaving_later_changes_nothing_that_a_bye_or_a_walkover_had_led_to():
    bracket = knockout((1, 0, 2, 3, 4, 5, 6, 7), KnockoutOptions())
    results = {2: Outcome(2, 3), 3: Outcome(4, 5), 4: Outcome(6, 7), 5: Outcome(1, 2)}
    assert resolve(bracket, results, gone={1}).stale == ()
    walked = {3: Outcome(4, 5), 4: Outcome(6, 7), 6: Outcome(4, 6)}
    state = resolve(bracket, walked, gone={2})
    assert (state.winner[2], state.winner[5]) == (3, -1)
    results = walked | {5: Outcome(3, 1)}
    after = resolve(bracket, results, gone={2, 3})
    assert after.stale == ()
    assert after.winner[5] == 3
    assert after.champion(bracket.tables[0]) == 4


def slots_of(bracket, section):
    return [tuple(bracket.slots(m)) for r in bracket.section(section) for m in r.matches]


def test_simple_consolation_of_eight_is_the_golden_bracket():
    bracket = knockout(seating(8), KnockoutOptions(consolation="simple"))
    assert slots_of(bracket, "consolation") == [
        (LoserOf(1), LoserOf(2)),
        (LoserOf(3), LoserOf(4)),
        (WinnerOf(8), WinnerOf(9)),
    ]
    state = play(bracket)
    assert places(state, 1) == {5: (1, 1), 6: (2, 2), 7: (3, 4), 8: (3, 4)}


def test_progressive_consolation_of_sixteen_is_the_golden_bracket():
    bracket = knockout(seating(16), KnockoutOptions(consolation="progressive", last_chance=1))
    assert slots_of(bracket, "consolation") == [
        (LoserOf(1), LoserOf(2)),
        (LoserOf(3), LoserOf(4)),
        (LoserOf(5), LoserOf(6)),
        (LoserOf(7), LoserOf(8)),
        (WinnerOf(16), LoserOf(11)),
        (WinnerOf(17), LoserOf(12)),
        (WinnerOf(18), LoserOf(9)),
        (WinnerOf(19), LoserOf(10)),
        (WinnerOf(20), WinnerOf(21)),
        (WinnerOf(22), WinnerOf(23)),
        (WinnerOf(24), WinnerOf(25)),
    ]
    assert slots_of(bracket, "last chance") == [
        (LoserOf(16), LoserOf(17)),
        (LoserOf(18), LoserOf(19)),
        (WinnerOf(27), WinnerOf(28)),
    ]
    state = play(bracket)
    assert [e for e, place in places(state, 1).items() if place == (1, 1)] == [5]
    assert [e for e, place in places(state, 2).items() if place == (1, 1)] == [13]


def test_ready_bracket_of_three_gives_the_best_seed_the_bye():
    state = resolve(double_elimination(seating(3), DoubleOptions()), {})
    assert [(m, state.status(m)) for m in (1, 2, 3)] == [
        (1, BracketStatus.BYE),
        (2, BracketStatus.READY),
        (3, BracketStatus.WAITING),
    ]
    assert state.winner[1] == 1
