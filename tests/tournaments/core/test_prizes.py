from datetime import date
from math import isclose, log2

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.core.prizes.calcutta import Lot, calcutta_pool, pay_calcutta
from tournaments.core.prizes.money import PrizeRefused, divide, percent
from tournaments.core.prizes.payouts import PERCENTAGES, Award, pay_places, pay_side_pool, record_deal, total
from tournaments.core.prizes.points import USBGF_2015, USBGF_2019, formula_on
from tournaments.core.prizes.pools import Fees, SidePool, require_eligible, split_pool, takings
from tournaments.core.standings.places import Place, share_places


@given(
    st.integers(0, 10**9),
    st.lists(st.integers(1, 100), min_size=1, max_size=20),
    st.sampled_from([1, 5, 100, 500]),
)
def test_parts_sum_to_the_whole_and_follow_the_weights(amount, weights, unit):
    parts = divide(amount, weights, unit=unit)
    assert sum(parts) == amount
    for part, weight in zip(parts, weights, strict=True):
        assert abs(part - amount * weight / sum(weights)) < 2 * unit + 1e-3


def test_cents_left_over_go_to_the_largest_remainders_better_place_first():
    assert divide(100, (50, 25, 25)) == (50, 25, 25)
    assert divide(101, (50, 25, 25)) == (51, 25, 25)
    assert divide(10, (1, 1, 1)) == (4, 3, 3)
    assert divide(1_050, (1, 1), unit=100) == (550, 500)
    assert divide(7, (0, 1)) == (0, 7)


def test_money_without_anybody_to_get_it_is_refused():
    with pytest.raises(PrizeRefused, match="cannot divide 5: there are no shares"):
        divide(5, ())
    with pytest.raises(PrizeRefused):
        divide(-1, (1,))
    assert divide(0, ()) == ()


@given(
    st.integers(0, 10**7),
    st.sampled_from(list(PERCENTAGES.values())),
    st.lists(st.integers(1, 4), min_size=1, max_size=12),
)
def test_payouts_sum_to_the_pool_to_the_cent(pool, percentages, group_sizes):
    groups, n = [], 0
    for size in group_sizes:
        groups.append(list(range(n + 1, n + size + 1)))
        n += size
    awards = pay_places(pool, percentages, share_places(groups))
    assert total(awards) == pool
    amounts = {a.entrant: a.amount for a in awards}
    for group in groups:
        shares = [amounts.get(n, 0) for n in group]
        assert max(shares) - min(shares) <= 1


def test_golden_payout_of_the_field_reference():
    places = share_places([[1], [2], [3, 4], [5, 6, 7, 8]])
    awards = pay_places(1_000_00, (40, 25, 25, 10), places)
    assert [(a.entrant, a.amount) for a in awards] == [(1, 400_00), (2, 250_00), (3, 175_00), (4, 175_00)]


def test_fewer_entrants_than_prizes_take_the_whole_pool():
    assert total(pay_places(90_00, (50, 30, 20), share_places([[1], [2]]))) == 90_00


def test_three_share_two_places():
    awards = pay_places(100, (60, 40), share_places([[1, 2, 3]]))
    assert [a.amount for a in awards] == [34, 33, 33]


@pytest.mark.parametrize("percentages", [(50, 40), (40, 60), (100, 0), (120, -20)])
def test_percentages_must_fall_and_make_a_hundred(percentages):
    with pytest.raises(PrizeRefused):
        pay_places(100, percentages, share_places([[1], [2]]))


def test_registration_is_kept_and_entry_fees_are_returned_at_their_rate():
    taken = takings(Fees(registration=25_00, entry=100_00, returned=90), 40, added=500_00, refunded=1)
    assert (taken.registration, taken.entry_fees) == (39 * 25_00, 39 * 100_00)
    assert taken.pool == 39 * 90_00 + 500_00
    assert taken.registration + taken.entry_fees + taken.added == taken.kept + taken.pool


@given(
    st.integers(0, 10**6),
    st.integers(0, 10**5),
    st.integers(0, 100),
    st.integers(0, 500),
    st.integers(0, 10**6),
)
def test_no_cent_of_the_takings_is_lost(registration, entry, returned, entries, added):
    taken = takings(Fees(registration, entry, returned), entries, added=added)
    assert taken.registration + taken.entry_fees + taken.added == taken.kept + taken.pool


def test_pool_is_split_over_the_events():
    assert split_pool(99_99, {"main": 70, "consolation": 20, "last chance": 10}) == {
        "main": 69_99, "consolation": 20_00, "last chance": 10_00,
    }  # fmt: skip
    with pytest.raises(PrizeRefused, match="add up to 90%"):
        split_pool(1, {"main": 60, "consolation": 30})


def test_side_pool_is_won_by_the_member_who_goes_furthest():
    pool = SidePool("B", fee=20_00, returned=80)
    main = share_places([[1], [2], [3, 4]])
    assert pay_side_pool(pool, {2, 3, 4}, [main]) == (Award(2, 48_00, "B"),)
    assert [a.amount for a in pay_side_pool(pool, {3, 4}, [main])] == [16_00, 16_00]


def test_side_pool_falls_to_the_next_stage_when_no_member_is_placed():
    pool = SidePool("B", fee=10_00)
    consolation = share_places([[9], [8]])
    assert pay_side_pool(pool, {8}, [share_places([[1], [2]]), consolation]) == (Award(8, 10_00, "B"),)
    with pytest.raises(PrizeRefused, match="no member of side pool B has a place"):
        pay_side_pool(pool, {5}, [consolation])
    assert pay_side_pool(pool, (), [consolation]) == ()


def test_side_pool_falls_on_when_no_member_came_far_enough():
    pool = SidePool("B", fee=10_00, within=2)
    main, consolation = share_places([[1], [2], [3, 4]]), share_places([[4], [3]])
    assert [a.entrant for a in pay_side_pool(pool, {2, 4}, [main, consolation])] == [2]
    assert [a.entrant for a in pay_side_pool(pool, {3, 4}, [main, consolation])] == [4]
    assert [a.entrant for a in pay_side_pool(pool, {3, 4}, [main])] == [3, 4]


def test_tiers_and_rating_limits():
    tier = SidePool("C", fee=50_00, needs="B", rating_below=1600)
    require_eligible(tier, rating=1599.9, pools_entered=("A", "B"))
    for rating, entered, code in [
        (1500, ("A",), "needs_pool"),
        (1600, ("B",), "rating"),
        (None, ("B",), "rating"),
    ]:
        with pytest.raises(PrizeRefused) as refusal:
            require_eligible(tier, rating=rating, pools_entered=entered)
        assert refusal.value.code == code


def test_deal_replaces_prizes_and_keeps_their_sum():
    awards = (*pay_places(100_00, (60, 40), share_places([[1], [2]])), Award(1, 5_00, "B"))
    deal = record_deal(awards, {1: 52_00, 2: 48_00})
    assert total(deal) == total(awards)
    assert Award(1, 5_00, "B") in deal
    with pytest.raises(
        PrizeRefused, match="the deal adds up to 9900, but the prizes it replaces add up to 10000"
    ):
        record_deal(awards, {1: 51_00, 2: 48_00})
    with pytest.raises(PrizeRefused):
        record_deal(awards, {1: 101_00, 2: -1_00})


def test_calcutta_pays_buyers_and_what_was_bought_back():
    lots = (
        Lot(1, (1,), 300_00, ((1, 50),)),
        Lot(2, (2,), 200_00),
        Lot(3, (3, 4), 100_00, ((3, 10), (4, 20))),
    )
    assert calcutta_pool(lots, rake=5) == 570_00
    first, field = pay_calcutta(lots, share_places([[5], [1], [3], [2, 4]]), (70, 30), rake=5)
    assert (first.buyer, first.entrants) == (199_50, ((1, 199_50),))
    assert (field.buyer, field.entrants) == (119_70, ((3, 17_10), (4, 34_20)))
    assert (lots[2].divided(100_00).buyer, lots[0].divided(1).buyer) == (70_00, 1)


@given(
    st.lists(
        st.tuples(st.integers(1, 10**6), st.integers(0, 100), st.integers(1, 3)), min_size=1, max_size=8
    ),
    st.integers(0, 100),
    st.integers(0, 4),
)
def test_what_lots_bring_in_is_paid_out_or_raked(sold, rake, behind):
    lots: list[Lot] = []
    number = 0
    for price, back, size in sold:
        entrants = tuple(range(number, number + size))
        number += size
        lots.append(Lot(len(lots), entrants, price, ((entrants[0], back),) if back else ()))
    owed = [lot.divided(lot.price) for lot in lots]
    assert sum(parts.amount for parts in owed) == sum(lot.price for lot in lots)
    places = share_places([[n] for n in range(1000, 1000 + behind)] + [[n] for n in range(number)])
    paid = pay_calcutta(lots, places, (50, 30, 20), rake=rake)
    kept = sum(parts.amount for parts in owed) - sum(parts.amount for parts in paid)
    assert kept == percent(sum(lot.price for lot in lots), rake)


@pytest.mark.parametrize(
    ("lots", "code"),
    [
        ((Lot(1, (1,), 0),), "lot_price"),
        ((Lot(1, (1,), 1), Lot(2, (1,), 1)), "lot_twice"),
        ((Lot(1, (1, 1), 1),), "lot_twice"),
        ((Lot(1, (), 1),), "lot_empty"),
        ((Lot(1, (1,), 1, ((2, 10),)),), "buy_back_entrant"),
        ((Lot(1, (1, 2), 1, ((1, 60), (2, 60))),), "buy_back"),
    ],
)
def test_lots_that_cannot_be_sold_are_refused(lots, code):
    with pytest.raises(PrizeRefused) as refused:
        calcutta_pool(lots)
    assert refused.value.code == code


def test_usbgf_points_of_both_editions():
    first = Place(1, 1, 1)
    assert USBGF_2019.match_win(event_weight=1, division=1, length=9) == 1
    assert isclose(USBGF_2019.placement(first, event_weight=1, division=1, players=64), 0.6 * 6)
    assert isclose(USBGF_2015.placement(first, event_weight=1, division=1, players=64), 6)
    assert isclose(
        USBGF_2019.placement(Place(3, 3, 4), event_weight=1, division=2, players=32), 0.7 * 3 * 0.4165
    )
    assert isclose(
        USBGF_2015.placement(Place(3, 3, 4), event_weight=1, division=3, players=32),
        0.5 * 5 * (1 / 2 + 1 / 3) / 2,
    )
    assert isclose(
        USBGF_2019.placement(Place(7, 7, 7), event_weight=1, division=1, players=100), 0.6 * log2(100) / 6
    )


def test_the_formula_of_the_day_counts():
    assert formula_on(date(2018, 12, 31)) is USBGF_2015
    assert formula_on(date(2019, 1, 1)) is USBGF_2019
    with pytest.raises(PrizeRefused):
        formula_on(date(2015, 4, 30))
    with pytest.raises(PrizeRefused):
        USBGF_2019.match_win(event_weight=1, division=0, length=9)


def test_percentages_round_half_up():
    assert (percent(25, 50), percent(33, 1), percent(50, 1)) == (13, 0, 1)
