"""Chouette: zero-sum ledgers, and who sits where next."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.rules.chouette.costs import CubeResult, Payment, Seating, next_seating, settle_game
from scoring.rules.chouette.options import BoxKeeps, ChouetteOptions, NewBox
from scoring.rules.endings import GameEnd
from scoring.rules.errors import InvalidValue
from scoring.rules.match import Win

TABLE = Seating("box", ("cap", "two", "three"))
STAKES = {"box": 10, "cap": 10, "two": 10, "three": 10, "four": 10, "mate": 10}
STANDARD = ChouetteOptions()


def result(player, *, box_won, win=Win.SINGLE, cube=1, ended=GameEnd.BORNE_OFF, turned=True):
    return CubeResult(player, box_won, win, cube, ended, turned)


def results(**box_won):
    return [result(player, box_won=won) for player, won in box_won.items()]


def points(ledger):
    return {line.player: line.points for line in ledger}


def test_each_crew_player_settles_the_own_cube_with_the_box():
    played = [
        result("two", box_won=True, cube=2, ended=GameEnd.PASS),
        result("cap", box_won=False, win=Win.GAMMON, cube=4),
        result("three", box_won=False, win=Win.GAMMON, cube=2),
    ]
    ledger = settle_game(TABLE, played, STAKES, options=STANDARD)
    assert points(ledger) == {"box": -10, "cap": 8, "two": -2, "three": 4}
    assert [line.minor for line in ledger] == [-100, 80, -20, 40]


def test_jacoby_is_asked_of_each_cube_by_itself():
    played = [
        result("cap", box_won=True, win=Win.GAMMON, cube=2),
        result("two", box_won=True, win=Win.GAMMON, turned=False),
        result("three", box_won=True, win=Win.GAMMON, turned=False),
    ]
    assert points(settle_game(TABLE, played, STAKES, options=STANDARD))["box"] == 6
    without = replace(STANDARD, jacoby=False)
    assert points(settle_game(TABLE, played, STAKES, options=without))["box"] == 8


def test_a_partner_has_half_and_the_odd_point_stays_with_the_box():
    table = Seating("box", ("cap", "two", "three", "four"), "mate")
    lost = results(cap=False, two=False, three=False, four=True)
    played = [replace(lost[0], cube=4), *lost[1:]]
    assert points(settle_game(table, played, STAKES, options=STANDARD)) == {
        "box": -3, "mate": -2, "cap": 4, "two": 1, "three": 1, "four": -1,
    }  # fmt: skip
    won = [replace(one, box_won=not one.box_won) for one in played]
    ledger = points(settle_game(table, won, STAKES, options=STANDARD))
    assert (ledger["box"], ledger["mate"]) == (3, 2)


@pytest.mark.parametrize(
    ("stakes", "box", "mate"),
    [
        ({}, 200, 100),
        # Of 441 the odd point is 40, the lowest stake of the crew; 401 is halved, the odd unit stays, too.
        ({"cap": 181, "three": 40}, 241, 200),
        ({"four": 0}, 100, 100),
    ],
)
def test_money_follows_the_odd_point(stakes, box, mate):
    table = Seating("box", ("cap", "two", "three", "four"), "mate")
    hundred = dict.fromkeys(table.players, 100) | stakes
    won = results(cap=True, two=True, three=False, four=True)
    won[1] = replace(won[1], cube=2)
    for one, sign in ((won, 1), ([replace(each, box_won=not each.box_won) for each in won], -1)):
        ledger = {line.player: line.minor for line in settle_game(table, one, hundred, options=STANDARD)}
        assert (ledger["box"], ledger["mate"]) == (sign * box, sign * mate)


def test_an_extra_is_paid_beside_the_board_at_the_lower_stake():
    ledger = settle_game(
        TABLE,
        results(cap=True, two=True, three=True),
        STAKES | {"two": 4},
        options=STANDARD,
        payments=[Payment("two", "cap", 1)],
    )
    assert points(ledger) == {"box": 3, "cap": 0, "two": -2, "three": -1}
    assert [line.minor for line in ledger] == [24, -6, -8, -10]


def test_the_box_that_beats_the_captain_stays_and_the_captain_goes_to_the_bottom():
    after = next_seating(TABLE, results(cap=True, two=False, three=False), STANDARD)
    assert after == Seating("box", ("two", "three", "cap"))


def test_a_captain_who_wins_becomes_the_box_and_the_old_box_goes_to_the_bottom():
    after = next_seating(TABLE, results(cap=False, two=True, three=True), STANDARD)
    assert after == Seating("cap", ("two", "three", "box"))


def test_the_partner_stays_with_the_box_or_sits_above_it_at_the_bottom():
    table = Seating("box", ("cap", "two", "three", "four"), "mate")
    stays = next_seating(table, results(cap=True, two=True, three=True, four=True), STANDARD)
    assert (stays.partner, stays.captain) == ("mate", "two")
    leaves = next_seating(table, results(cap=False, two=True, three=True, four=True), STANDARD)
    assert leaves == Seating("cap", ("two", "three", "four", "mate", "box"))


def test_the_box_may_keep_by_its_net_result():
    options = replace(STANDARD, box_keeps=BoxKeeps.NET_NOT_NEGATIVE)
    assert next_seating(TABLE, results(cap=False, two=True, three=True), options).box == "box"
    assert next_seating(TABLE, results(cap=True, two=False, three=False), options).box == "two"


def test_a_box_that_came_out_even_has_no_negative_net():
    options = replace(STANDARD, box_keeps=BoxKeeps.NET_NOT_NEGATIVE)
    table = Seating("box", ("cap", "two"))
    assert next_seating(table, results(cap=False, two=True), options).box == "box"


def test_one_point_of_the_box_is_too_few_to_halve():
    table = Seating("box", ("cap", "two", "three", "four"), "mate")
    won = results(cap=True, two=True, three=False, four=True)
    even = [*won[:3], replace(won[3], cube=1, box_won=False)]
    assert points(settle_game(table, even, STAKES, options=STANDARD))["mate"] == 0
    by_one = [replace(won[0], cube=2), *won[1:3], replace(won[3], box_won=False)]
    ledger = points(settle_game(table, by_one, STAKES, options=STANDARD))
    assert (ledger["box"], ledger["mate"]) == (1, 0)


def test_two_crew_players_are_enough():
    assert Seating("box", ("cap", "two")).players == ("box", "cap", "two")


def test_the_box_may_keep_by_the_last_active_cube():
    options = replace(STANDARD, box_keeps=BoxKeeps.LAST_ACTIVE_CUBE)
    assert next_seating(TABLE, results(cap=False, two=True, three=True), options).box == "box"
    beaten = results(cap=True, two=True, three=False)
    assert next_seating(TABLE, beaten, options) == Seating("three", ("cap", "two", "box"))
    by_captain = replace(options, new_box=NewBox.CAPTAIN)
    assert next_seating(TABLE, beaten, by_captain) == Seating("cap", ("two", "three", "box"))


ALL = results(cap=True, two=True, three=True)
SETTLE = [
    (TABLE, results(cap=True, two=True), STAKES, STANDARD, (), "each of cap, two, three needs one result"),
    (TABLE, results(cap=True, two=True, box=True), STAKES, STANDARD, (), "needs one result"),
    (TABLE, ALL, {}, STANDARD, (), "box cannot have a stake of None per point"),
    (TABLE, ALL, STAKES | {"two": -1}, STANDARD, (), "two cannot have a stake of -1"),
    (TABLE, ALL, STAKES | {"two": 1.5}, STANDARD, (), "cannot have a stake of 1.5"),
    (
        TABLE,
        [*results(cap=True, two=True), result("three", box_won=True, win=Win.GAMMON, ended=GameEnd.PASS)],
        STAKES, STANDARD, (), "a pass is a single game, not a gammon",
    ),
    (
        TABLE, [*results(cap=True, two=True), result("three", box_won=True, cube=3)],
        STAKES, STANDARD, (), "a cube cannot show 3",
    ),
    (
        TABLE, results(cap=True, two=True, three=False),
        STAKES, ChouetteOptions(multi_cube=False), (), "a crew with one cube has one result, not 2",
    ),
    (
        TABLE, [*ALL, replace(result("two", box_won=True), against="nobody")],
        STAKES, STANDARD, (), "nobody is not at this table",
    ),
    (
        TABLE, results(cap=True, two=True, three=True),
        STAKES, STANDARD, [Payment("two", "nobody", 1)], "nobody is not at this table",
    ),
    (
        TABLE, results(cap=True, two=True, three=True),
        STAKES, STANDARD, [Payment("two", "two", 1)], "two cannot pay themselves",
    ),
    (
        TABLE, results(cap=True, two=True, three=True),
        STAKES, STANDARD, [Payment("two", "cap", 0)], "0 points cannot be paid",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("table", "played", "stakes", "options", "payments", "text"), SETTLE)
def test_a_game_that_cannot_be_settled_is_refused_by_its_value(
    table, played, stakes, options, payments, text
):
    with pytest.raises(InvalidValue, match=text):
        settle_game(table, played, stakes, options=options, payments=payments)


def test_a_team_with_one_cube_shares_its_result():
    options = ChouetteOptions(multi_cube=False)
    ledger = settle_game(TABLE, results(cap=True, two=True, three=True), STAKES, options=options)
    assert points(ledger)["box"] == 3


@pytest.mark.parametrize("crew", [("two",), ("two", "two"), ("two", "box")])
def test_a_table_has_three_players_or_more_each_in_one_seat(crew):
    with pytest.raises(InvalidValue):
        Seating("box", crew)


def test_a_partner_leaves_a_crew_of_two_or_more():
    with pytest.raises(InvalidValue, match="a crew needs at least 2 players, not 1"):
        Seating("box", ("cap",), "mate")


@given(
    st.integers(2, 8),
    st.booleans(),
    st.lists(
        st.tuples(st.booleans(), st.sampled_from(Win), st.sampled_from([1, 2, 4, 8]), st.booleans()),
        min_size=8,
        max_size=8,
    ),
    st.lists(st.integers(0, 500), min_size=10, max_size=10),
    st.lists(st.tuples(st.integers(0, 1), st.integers(1, 9)), max_size=4),
)
def test_every_ledger_sums_to_zero(crew, partner, games, stakes, paid):
    names = tuple(f"crew{number}" for number in range(crew))
    mate = "mate" if partner and crew >= 4 else None
    table = Seating("box", names, mate)
    played = [
        CubeResult(name, won, win, cube, GameEnd.BORNE_OFF, turned)
        for name, (won, win, cube, turned) in zip(names, games, strict=False)
    ]
    payments = [Payment(names[which], names[1 - which], amount) for which, amount in paid]
    ledger = settle_game(
        table, played, dict(zip(table.players, stakes, strict=False)), options=STANDARD, payments=payments
    )
    assert sum(line.points for line in ledger) == 0
    assert sum(line.minor for line in ledger) == 0
    assert [line.player for line in ledger] == list(table.players)
    for keeps in BoxKeeps:
        after = next_seating(table, played, replace(STANDARD, box_keeps=keeps))
        assert sorted(after.players) == sorted(table.players)
