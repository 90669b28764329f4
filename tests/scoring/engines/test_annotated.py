"""A file's own analysis, put to the decisions of its match and counted as its program counts."""

import re
from dataclasses import replace

import pytest

from scoring.engines.annotated import Annotated, annotated
from scoring.notation.formats import read_match
from scoring.notation.record import MatchRecord
from scoring.rules.sides import Side
from scoring.theory.decisions import Decision, DecisionKind
from scoring.theory.performance import by_game, by_side
from tests.scoring.sgf_files import Cube, Play, act, game, money_session, roll

# eXtreme Gammon's own rates of these matches, White's and Black's.
XG_RATES = {
    "charlot1-charlot2_7p": (0.40, 0.42),
    "match_with_comment": (6.51, 6.78),
    "ronde1_7p": (3.66, 3.61),
    "test": (7.84, 13.97),
}


def put(record: MatchRecord) -> Annotated:
    assert record.annotations is not None
    return annotated(record.annotations, record.events, [str(n) for n in range(len(record.events))])


@pytest.mark.parametrize("name", XG_RATES)
def test_the_rates_are_those_that_extreme_gammon_shows(shared_data, name):
    told = put(read_match((shared_data / "xg" / f"{name}.xg").read_bytes()))
    assert tuple(round(sums.pr or 0, 2) for sums in by_side(told.decisions).values()) == XG_RATES[name]


def test_the_losses_are_those_that_gnu_backgammon_states_for_each_game(shared_data):
    """``GS`` states the sums of each game: of plays after ``M:``, of the cube by kind after ``C:``."""
    data = (shared_data / "xg" / "test.sgf").read_bytes()
    sums = by_game(put(read_match(data)).decisions)
    stated = re.findall(r"GS\[M:([^]]*)\]\[C:([^]]*)\]", data.decode())
    assert len(stated) == len(sums) == 7
    for (plays, cubes), sides in zip(stated, sums.values(), strict=True):
        of_plays = [float(word) for word in plays.split()[-4:]]
        of_cubes = [float(word) for word in cubes.split()[-24:]]
        for at, side in enumerate(Side):
            assert sides[side].checker_loss == pytest.approx(of_plays[2 * at], abs=0.001)
            # Losses of White and Black follow one another, each as an equity and as a chance.
            assert sides[side].cube_loss == pytest.approx(
                sum(of_cubes[12 * at : 12 * at + 12 : 2]), abs=0.002
            )


def test_every_judged_moment_of_a_real_file_has_its_decision(shared_data):
    for name, unplayed in (("charlot1-charlot2_7p", 0), ("match_with_comment", 3), ("ronde1_7p", 2)):
        told = put(read_match((shared_data / "xg" / f"{name}.xg").read_bytes()))
        assert told.left_out == unplayed, "rolls on which somebody resigned were looked at, too"
        assert [d.ref for d in told.decisions] == sorted((d.ref for d in told.decisions), key=int)


def cubes(text: str) -> list[Decision]:
    return [decision for decision in put(read_match(text.encode())).decisions if decision.kind.is_cube]


def test_the_cube_of_a_money_game_and_both_who_decide():
    held, double, answer, beavered, take = cubes(money_session())
    assert (held.side, held.played, held.error, held.counted) == (Side.BLACK, "no double", 0.0, False)
    assert (double.side, double.played) == (Side.WHITE, "double")
    assert double.error == pytest.approx(0.05)
    assert (answer.side, answer.kind, answer.played) == (Side.BLACK, DecisionKind.RESPONSE, "pass")
    assert answer.error == pytest.approx(0.5)
    assert [(c.action, c.equity, c.played) for c in answer.candidates] == [
        ("take", -0.5, False),
        ("pass", -1, True),
    ]
    assert (beavered.played, take.played) == ("double", "beaver")


def test_the_chances_of_a_match_become_equities_of_its_score():
    """At 2-away 2-away a win of the cube wins 1-away 2-away (67.736%, Kazaross-XG2), a loss the rest."""
    nodes = [
        roll("W", "31", "8/5 6/5"),
        roll("B", "64", "24/14", cube=Cube(0.5, 0.4)),
    ]
    [held] = cubes(game(nodes, length=2, rules="Crawford"))
    values = {candidate.action: candidate.equity for candidate in held.candidates}
    assert values["no double"] == pytest.approx(0.0, abs=0.0001)
    assert values["double/take"] == pytest.approx((0.4 - 0.5) / (0.67736 - 0.5), abs=0.001)
    assert values["double/pass"] == 1.0


def test_a_score_beyond_the_table_leaves_the_cube_out():
    nodes = [roll("W", "31", "8/5 6/5"), roll("B", "64", "24/14", cube=Cube(0.5, 0.4))]
    told = put(read_match(game(nodes, length=64, rules="Crawford").encode()))
    assert (told.decisions, told.left_out) == ((), 1)


def test_the_play_that_was_made_is_marked_and_its_loss_told():
    nodes = [roll("W", "31", "24/20", plays=[Play("8/5 6/5", 0.16), Play("24/20", -0.02)], luck=0.1)]
    [play] = put(read_match(game(nodes).encode())).decisions
    assert (play.played, play.counted, play.luck) == ("24/20", True, 0.1)
    assert play.error == pytest.approx(0.18)
    assert [candidate.played for candidate in play.candidates] == [False, True]


def test_a_forced_play_counts_for_nothing():
    nodes = [roll("W", "31", "8/5 6/5", plays=[Play("8/5 6/5", 0.16)])]
    [play] = put(read_match(game(nodes).encode())).decisions
    assert (play.error, play.counted) == (None, False)


def test_what_was_judged_stays_with_its_position_when_the_match_is_told_otherwise(shared_data):
    """The same analysis, put to the sheet of a file that has the players in the other columns."""
    data = (shared_data / "xg" / "test.xg").read_bytes()
    record = read_match(data)
    nodes = [roll("B", "31", "8/5 6/5"), roll("W", "64", "24/14"), act("B", "double"), act("W", "drop")]
    other = read_match(game(nodes, result="B+1", length=7).encode())
    assert put(replace(other, annotations=record.annotations)).decisions == ()
    assert put(record).left_out == 3
    swapped = game(
        [
            roll("W", "31", "8/5 6/5", plays=[Play("8/5 6/5", 0.2), Play("24/20", 0.1)]),
            roll("B", "64", "24/14"),
        ]
    )
    turned = read_match(game([roll("B", "31", "8/5 6/5"), roll("W", "64", "24/14")]).encode())
    [play] = put(replace(turned, annotations=read_match(swapped.encode()).annotations)).decisions
    assert (play.side, play.error) == (Side.BLACK, 0.0)
