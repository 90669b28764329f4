"""GNU Backgammon's `.sgf`: matches and money sessions, and what the file says beside the plays."""

import time

import pytest

from scoring.notation.annotations import Annotations, Program, Unit
from scoring.notation.formats import read_match
from scoring.notation.identity import match_digest
from scoring.notation.mat import read_mat
from scoring.notation.record import MatchRecord
from scoring.notation.sgf import read_sgf
from scoring.notation.sgf_reader import read_sgf_match
from scoring.rules.dice import Roll
from scoring.rules.errors import InvalidNotation
from scoring.rules.events import Beavered, Doubled, GameRecorded, MatchStarted, Passed, Resigned, Rolled
from scoring.rules.match import MatchScore
from scoring.rules.options import RuleOptions
from tests.scoring.sgf_files import EVEN, Cube, Play, act, game, money_session, roll, waiting
from tests.tiers import sized

OPENING = [roll("W", "31", "8/5 6/5"), roll("B", "64", "24/14")]


SLOW = 3.0
"""Seconds of processor for what takes a quarter of one."""


def read(text: str) -> MatchRecord:
    return read_match(text.encode())


def told_by(record: MatchRecord) -> Annotations:
    assert record.annotations is not None
    return record.annotations


def annotations(text: str) -> Annotations:
    return told_by(read(text))


def codes(record: MatchRecord) -> list[str]:
    return [flag.code for flag in record.flags]


def test_every_real_sgf_is_the_match_of_its_other_files(shared_data):
    for name in ("xg/test", "matches/charlot1-charlot2_7p"):
        record, same = (read_match((shared_data / f"{name}.{end}").read_bytes()) for end in ("sgf", "mat"))
        assert match_digest(record) == match_digest(same)
        assert record.flags == ()
        assert record.finished


def test_a_money_session_is_read_with_its_cube_and_resignation():
    record = read(money_session())
    assert (record.players, record.length) == (("Ana", "Bén"), 0)
    assert record.state.score == MatchScore(length=0, white=5, black=0, crawford=record.state.score.crawford)
    kinds = [type(event) for event in record.events]
    assert kinds.count(Doubled) == 2
    assert kinds.count(Passed) == kinds.count(Beavered) == kinds.count(Resigned) == 1
    assert Rolled(Roll(3, 3)) in record.events, "the roll on which Black resigned"
    [start] = [event for event in record.events if isinstance(event, MatchStarted)]
    assert start.options == RuleOptions(jacoby=True)
    assert record.flags == ()
    assert dict(record.tags)["EventDate"] == "2024-02-03"


def test_a_money_session_says_event_site_round_and_comments():
    told = annotations(money_session())
    assert told.program is Program.GNUBG
    assert dict(told.facts) == {
        "Event": "Winter night",
        "Site": "The cellar",
        "Round": "2",
        "Annotator": "Cleo",
    }
    assert told.remarks == ((0, "A friendly session"),)
    said = [(moment.comment, moment.dice, moment.answer) for moment in told.moments if moment.comment]
    assert said == [
        ("the best [opening] \\ of all", (3, 1), False),
        ("too early", None, False),
        ("and too timid", None, True),
    ]


def test_a_play_is_told_with_depth_chances_equity_and_luck():
    [first, *_] = annotations(money_session()).moments
    assert first.position == "-b----E-C---eE---c-e----B-"
    assert (first.dice, first.luck, first.unit) == ((3, 1), 0.15, Unit.EQUITY)
    assert [(option.action, option.equity, option.level) for option in first.options] == [
        ("8/5 6/5", 0.16, "2-ply"),
        ("24/20", -0.02, "2-ply"),
        ("13/9", -0.05, "2-ply"),
    ]
    assert first.options[0].probabilities == EVEN
    assert first.options[0].position == "-b---BD-B---eE---c-e----B-"


def test_a_luck_that_the_program_did_not_look_for_is_none():
    assert [m.luck for m in annotations(money_session()).moments if m.dice == (6, 6)] == []


def test_the_cubes_of_a_match_are_chances_and_those_of_money_equities():
    nodes = [*OPENING, roll("W", "42", "8/4 6/4", cube=Cube(0.53, 0.47))]
    [cube] = annotations(game(nodes, length=5)).moments
    assert (cube.unit, [option.equity for option in cube.options]) == (Unit.CHANCE, [0.53, 0.47, 1.0])
    [cube] = annotations(game(nodes)).moments
    assert (cube.unit, [option.action for option in cube.options]) == (
        Unit.EQUITY,
        ["no double", "double/take", "double/pass"],
    )


def test_rollouts_and_the_formats_before_version_three_are_read():
    five, seven = "0.5 0.1 0.01 0.1 0.01", "0.5 0.1 0.01 0.1 0.01 0.02 0.03"
    rolled = f"hefe X ver 3 Score 0.05 0.04 Trials 1296 Output {seven} StdDev {seven} SK 0 RC 1"
    old = f"xumj E {five} 0.01 1C 0 1 0.0"
    node = f";W[31hefe]A[0][{rolled}][{old}]"
    [play] = annotations(game([node])).moments
    assert [(option.equity, option.level, option.interval) for option in play.options] == [
        (0.05, "rollout of 1296", 0.0588),  # 1.96 standard errors
        (0.01, "1-ply", None),
    ]
    [play] = annotations(game([node], length=5)).moments
    assert play.options[0].interval is None  # in a match the deviation is that of a chance
    of_both = f"NoDouble Output {seven} StdDev {seven} DoubleTake Output {seven} StdDev {seven}"
    for told in (
        f"X ver 3 Eq Trials 36 {of_both} SK 0",
        f"E 0 0 0 0 2C 0 1 0.0 {seven} {seven}",
        f"E ver 2 2C 0 1 0.0 0 {seven} {seven}",
    ):
        nodes = [*OPENING, f";W[31hefe]DA[{told}]"]
        [cube] = annotations(game(nodes)).moments
        assert [option.equity for option in cube.options] == [0.03, 0.03, 1.0]
        level, interval = ("rollout of 36", 0.0588) if told.startswith("X") else ("2-ply", None)
        assert (cube.options[0].level, cube.options[0].interval) == (level, interval)


@pytest.mark.parametrize("number", ["nan", "inf", "-inf", "1e400", "7", "-0.5", "x", ""])
def test_a_number_that_cannot_be_one_costs_its_analysis_and_not_the_match(number):
    spoilt = (number, *EVEN[1:])
    nodes = [
        roll("W", "31", "8/5 6/5", plays=[Play("8/5 6/5", 0.1, spoilt), Play("24/20", 0.0)]),
        roll("B", "64", "24/14", plays=[Play("24/14", 0.1)], cube=Cube(0.0, 0.0, spoilt)),
    ]
    record = read(game(nodes, result="W+1R", length=1))
    assert record.finished
    assert [(flag.code, flag.detail) for flag in record.flags] == [("analysis_damaged", "2")]
    assert [moment.dice for moment in told_by(record).moments] == [(6, 4)]


@pytest.mark.parametrize("equity", ["nan", "inf", "1e9", "-1001"])
def test_an_equity_that_cannot_be_one_costs_its_analysis(equity):
    nodes = [roll("W", "31", "8/5 6/5", plays=[Play("8/5 6/5", equity)])]
    record = read(game(nodes, result="W+1R", length=1))
    assert [flag.code for flag in record.flags] == ["analysis_damaged"]
    assert not told_by(record).is_analysed


@pytest.mark.parametrize("moves", ["zz", "aa?", "hehehehehe" * 9, "xy", "A" * 2_000_000])
def test_a_play_that_cannot_be_costs_its_analysis(moves):
    text = game([f";W[31hefe]A[0][{moves} E ver 3 0.5 0 0 0 0 0.1 2C 0 1 0 1]"], result="W+1R", length=1)
    record = read(text)
    assert [flag.code for flag in record.flags] == ["analysis_damaged"]


def test_more_plays_than_any_program_keeps_are_cut_off():
    one = "hefe E ver 3 0.5 0 0 0 0 0.1 2C 0 1 0 1"
    [play] = annotations(game([f";W[31hefe]A[0]{f'[{one}]' * 5_000}"])).moments
    assert len(play.options) == 32


def test_a_match_with_crawford_game_and_a_result_alone():
    first = game(OPENING, result="W+2R", length=3, rules="Crawford")
    second = game([], result="B+1", length=3, number=1, score=(2, 0), rules="Crawford:CrawfordGame")
    third = game([act("W", "x")], result="W+1", length=3, number=2, score=(2, 1), rules="Crawford")
    record = read(first + second + third)
    assert record.finished
    assert (record.state.score.white, record.state.score.black) == (3, 1)


def test_the_match_is_found_again_in_mat():
    mat = b" 3 point match\n\n Game 1\n Ana : 0                         Ben : 0\n"
    mat += b"  1) 31: 8/5 6/5                  64: 24/14\n"
    mat += b"  2)  Doubles => 2                 Drops\n      Wins 1 point\n"
    text = game([*OPENING, act("W", "double"), act("B", "drop")], result="W+1", length=3, rules="Crawford")
    assert match_digest(read(text)) == match_digest(read_mat(mat))


@pytest.mark.parametrize("node", [";AE[a:y]AW[a][b]AB[x]PL[W]", ";CV[4]", ";CP[b]"])
def test_a_position_or_cube_set_by_hand_keeps_the_result_and_says_so(node):
    record = read(game([*OPENING, node, roll("W", "21", "24/21")], result="B+2", length=5))
    assert codes(record)[0] == "rest_unread"
    assert record.state.score.black == 2
    assert any(isinstance(event, GameRecorded) for event in record.events)


def test_automatic_doubles_keep_the_result():
    record = read(game(OPENING, result="B+2", head="CV[2]"))
    assert "rest_unread" in codes(record)
    assert record.state.score.black == 2


def test_lines_and_flags_are_the_files_own():
    text = game([*OPENING, "\n\n\n" + roll("W", "21", "24/13").strip()], length=5)
    record = read(text)
    assert [flag.line for flag in record.flags if flag.code == "illegal_accepted"] == [6]


def test_a_file_that_breaks_off_is_read_as_far_as_it_goes():
    whole = money_session()
    record = read(whole[: whole.index("RE[W+4R]")])
    assert codes(record)[0] == "cut_off"
    assert record.state.score.white == 1
    assert read(whole[: whole.index("too early") + 4]).players == ("Ana", "Bén")


@pytest.mark.parametrize(
    ("text", "refusal"),
    [
        ("(;GM[1]FF[4];B[aa])", "GM.1. is not backgammon"),
        ("(;GM[6]RU[Nackgammon];W[31hefe])", "nackgammon is not backgammon"),
        ("(;GM[6]MI[length:5])", "no plays and no results"),
        ("(;", "no plays and no results"),
        ("(;GM[6]\0)", "a zero byte"),
        ("(;GM[6]MI[length:99999];W[31hefe])", "99999"),
    ],
)
def test_what_is_no_match_of_backgammon_is_refused(text, refusal):
    with pytest.raises(InvalidNotation, match=refusal):
        read(text)


@pytest.mark.parametrize("mark", ["\n", "\r", "\x0b", "\x0c", "\x1c", "\x85", "\u2028"])
def test_what_stands_in_a_node_never_becomes_lines_of_the_record(mark):
    """A roll that is none, and one that waits, with the heading of another game in it."""
    hidden = f"77{mark} Game 2{mark} X : 9   Y : 0{mark}"
    for node in (f";W[{hidden}]", f";PL[W]DI[7{mark}]", f";W[31a{mark}b]"):
        record = read(game([*OPENING, node], result="W+1R", length=5))
        assert [game.number for game in record.state.games] == [1]
        assert max(record.lines) <= 5


def test_another_match_in_the_file_is_said_and_not_read():
    text = game(OPENING, result="W+1R", length=1) + game(
        OPENING, result="B+1R", length=1, players=("Cleo", "Dan")
    )
    record = read(text)
    assert codes(record) == ["more_matches"]
    assert record.players == ("Ana", "Ben")


def test_only_the_main_line_of_variations_is_read():
    tree = "(;GM[6]MI[length:1];W[31hefe](;B[64ak](;W[21xvvu])(;W[66xr]))(;B[55lvlv]))"
    [nodes] = read_sgf(tree).games
    assert [node.properties.get("W", node.properties.get("B")) for node in nodes[1:]] == [
        ("31hefe",),
        ("64ak",),
        ("21xvvu",),
    ]


def test_nesting_has_no_limit_of_its_own():
    text = game(OPENING, result="W+1R", length=1)
    nested = "(" + text.strip().replace("\n;", "\n(;") + ")" * 100_000
    assert read(nested.replace("((;", "(;")).finished
    assert len(read_sgf("(;" * 150_000).games[0]) == 150_000
    assert read_sgf("(;C[" + "\\" * 2_000_001 + "]").cut_off == 1


@pytest.mark.parametrize(
    "text", ["(" + ";" * 200_002, *sized([], ["(" * 2_000_001, "(;GM[6]" + "C[a]" * 1_000_001])]
)
def test_a_file_of_more_values_than_any_match_has_is_refused(text):
    with pytest.raises(InvalidNotation, match="more than 200000 nodes or 2000000 values"):
        read_sgf(text)


def test_a_roll_that_nobody_played_at_the_end_of_an_unfinished_game_is_left_out():
    record = read(game([*OPENING, waiting("W", "31")], length=5))
    assert codes(record) == ["unfinished"]


@pytest.mark.parametrize(
    "analysis",
    [
        "A[0][hefe E ver 3 0.5 0.1]",
        "A[0][hefe X ver 3 Trials 36]",
        "A[0][hefe E ver 3 0.5 0 0 0 0 0.1 deep]",
        "DA[X ver 3 Eq Trials 36 Output 0.5 0 0 0 0 0 0]",
    ],
)
def test_an_analysis_that_lacks_a_part_is_counted_as_damaged(analysis):
    record = read(game([f";W[31hefe]{analysis}"], length=1))
    assert [(flag.code, flag.detail) for flag in record.flags if flag.code == "analysis_damaged"] == [
        ("analysis_damaged", "1")
    ]


def test_the_end_of_a_money_session_is_no_decision():
    told = annotations(game([*OPENING, act("W", "double"), act("B", "drop", comment="no result follows")]))
    assert [moment.comment for moment in told.moments] == ["no result follows"]


def test_a_result_without_points_and_an_unknown_fact_of_a_match_say_nothing():
    record = read(game(OPENING, result="W+0", length=3).replace("[game:0]", "[game:0][table:two]"))
    assert (record.length, codes(record)) == (3, ["unfinished"])


def test_what_holds_no_game_is_refused_by_its_line():
    with pytest.raises(InvalidNotation, match=r"line 2: unexpected '\]'"):
        read_sgf("\n]")
    with pytest.raises(InvalidNotation, match="line 1: the file has no games"):
        read_sgf_match(b"(")


def test_a_position_that_was_set_up_without_a_result_says_what_is_missing():
    setup = ";AE[a:y]AW[a][b]AB[x]"
    for text in (game([setup]), game([setup, "PL[B]"], length=7), game([], head="CV[2]")):
        with pytest.raises(
            InvalidNotation, match=r"^line \d+: the position was set up by hand, and the game has no"
        ):
            read(text)
    assert str(read(game([setup], result="W+2")).state.score) == "2-0"
    played = game(OPENING, result="W+1", length=5) + game([setup], length=5, number=1, score=(1, 0))
    assert codes(read(played)) == ["rest_unread", "unfinished"]


def test_a_cube_that_is_turned_without_end_ends_the_reading():
    """Failed with ValueError: Exceeds the limit (4300 digits) for integer string conversion."""
    begun = time.process_time()
    record = read(game([*OPENING, *[act("W", "double")] * 15_000]))
    assert time.process_time() - begun < SLOW, "it took 5 seconds: each row was held against all before it"
    assert "rest_unread" in codes(record)
    assert len(record.events) < 10


@pytest.mark.parametrize(
    ("source", "annotator", "stated", "levels"),
    [
        ("Midpoint", "Midpoint gvbg 2.0 expert@1 Kazaross-XG2", "gvbg 2.0 expert@1 Kazaross-XG2", True),
        ("Midpoint:0.2", "Midpoint gnubg 1.08.003 plain", "gnubg 1.08.003 plain", True),
        # Another program saved it since, or somebody else annotated it.
        ("GNU Backgammon:1.08.003", "Midpoint gvbg 2.0 expert@1 Kazaross-XG2", "", True),
        ("Midpoint", "Ana", "", True),
        ("Midpoint", "Midpoint gvbg 2.0", "", False),
        ("Midpoint", f"Midpoint gvbg 2.0 {'x' * 110}", "", False),
    ],
)
def test_a_file_of_ours_states_its_label_and_the_depths_that_the_format_cannot_say(
    source, annotator, stated, levels
):
    plays = [Play("8/5 6/5", 0.16, depth="0C"), Play("13/9", -0.05)]
    named = ("LV[rollout of 1296][XG Roller\\]]", "LD[rollout]") if levels else ("LV[one for two]", "")
    opening = roll("W", "31", "8/5 6/5", plays=plays) + named[0]
    cube = act("B", "double", cube=Cube(0.1, -0.2, depth="0C")) + named[1]
    text = game([opening, cube], head=f"AN[{annotator}]").replace("GNU Backgammon:1.08.003", source)
    told = annotations(text)
    assert (told.program, told.stated) == (Program.STATED if stated else Program.GNUBG, stated)
    words = [["rollout of 1296", "XG Roller]"], ["rollout"] * 3]
    depths = [[option.level for option in moment.options] for moment in told.moments]
    assert depths == (words if levels else [["0-ply", "2-ply"], ["0-ply"] * 3])
