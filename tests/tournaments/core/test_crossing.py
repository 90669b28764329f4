from functools import cache

import pytest

from tournaments.core.brackets.bracket import Bracket, Table
from tournaments.core.brackets.crossing import best_delay, masks, position_bits, rematch_delays, survived
from tournaments.core.brackets.elimination import DoubleOptions, KnockoutOptions, double_elimination, knockout


@cache
def best_of_all_assignments(rounds_total, group, feeding, bit=0):
    """The best sum over every assignment of words to rounds that agree above this bit: all splits."""
    live = tuple(r for r in group if position_bits(rounds_total, r) > bit)
    if len(live) < 2:
        return 0
    best = 0
    for choice in range(1 << (len(live) - 1)):
        ones = tuple(r for i, r in enumerate(live) if choice >> i & 1)
        zeros = tuple(r for r in live if r not in ones)
        told_apart = sum(
            survived(feeding, max(a, b), position_bits(rounds_total, max(a, b)) - bit)
            for a in ones
            for b in zeros
        )
        below = best_of_all_assignments(rounds_total, ones, feeding, bit + 1)
        below += best_of_all_assignments(rounds_total, zeros, feeding, bit + 1)
        best = max(best, told_apart + below)
    return best


@pytest.mark.parametrize("total", range(2, 12))
def test_no_assignment_of_words_delays_rematches_longer(total):
    for feeding in range(1, total):
        assert best_delay(total, feeding) == best_of_all_assignments(total, tuple(range(feeding)), feeding)


def measured(bracket, section):
    return rematch_delays(bracket, "main", Table(section, bracket.section(section)))


@pytest.mark.parametrize(("entrants", "at_least"), [(8, 1), (32, 11), (128, 43), (256, 56), (1024, 120)])
def test_losers_side_delays_rematches_by_enumeration(entrants, at_least):
    delays = measured(double_elimination(range(1, entrants + 1), DoubleOptions()), "losers")
    total = entrants.bit_length() - 1
    assert len(delays) == total * (total - 1) // 2
    assert sum(delays.values()) == best_delay(total, total - 1) >= at_least


def test_crossing_beats_the_known_schemes():
    # 43, 56 and 120 are the best of four schemes in use, computed by enumeration.
    assert [best_delay(k, k - 1) for k in (5, 7, 8, 10)] == [11, 44, 73, 169]


def test_enumeration_sees_a_crossing_that_is_not_one():
    straight = double_elimination(range(1, 33), DoubleOptions())
    assert sum(measured(straight, "losers").values()) == 11
    b = list(straight.b)
    second_round = straight.section("main")[1].matches
    for place, match in zip([b.index(2 * m + 1) for m in second_round], reversed(second_round), strict=True):
        b[place] = 2 * match + 1
    worse = Bracket(straight.a, tuple(b), straight.rounds, straight.tables, straight.reset)
    assert sum(measured(worse, "losers").values()) < 11


@pytest.mark.parametrize("feeding", [1, 2, 3, 4])
def test_progressive_consolation_crosses_as_well(feeding):
    bracket = knockout(range(1, 65), KnockoutOptions(consolation="progressive", feeding=feeding))
    assert sum(measured(bracket, "consolation").values()) == best_delay(6, feeding)


def test_masks_stay_inside_their_round():
    for total in range(2, 18):
        for main_round, mask in enumerate(masks(total, total - 1)):
            assert mask < 1 << position_bits(total, main_round)
