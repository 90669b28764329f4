"""The default engine on real matches, and what it refuses. Golden values carry the label they belong to."""

import os
import signal
from dataclasses import replace

import pytest
from gvanalysis.match import analyze_ogxm
from gvformat.mat import mat_to_ogxm

from scoring.codec import to_plain
from scoring.engines.comparison import compare
from scoring.engines.errors import EngineCrashed, EngineDisagrees, EngineMemory, EngineRefused, EngineTimeout
from scoring.engines.process import run_lines
from scoring.engines.protocol import DEFAULT_MEMORY_LIMIT
from scoring.engines.registry import ENGINES, analyse
from scoring.engines.requests import (
    AnalysisRequest,
    CheckerQuestion,
    CubeOwner,
    CubeQuestion,
    Response,
    Situation,
)
from scoring.rules.sides import Side
from scoring.theory.decisions import DecisionKind, EngineLabel
from scoring.theory.performance import by_side
from tests.scoring.engines.sources import children_of, gammonview_questions
from tests.tiers import sized

LABEL = EngineLabel("gammonview", "3.1.0+bgsage-2.0.20260907", "estimate@1")
START = "-b----E-C---eE---c-e----B-"
OPENING = CheckerQuestion("o", 1, 1, Side.WHITE, Situation(START), (3, 1), "-b---BD-B---eE---c-e----B-")


def judged(*questions, preset="estimate", **options):
    return analyse(AnalysisRequest(questions, preset), **{"engine": "gammonview"} | options)


# file -> {player: (PR, counted decisions, counted cube decisions)}, computed with LABEL
GOLDEN = {
    "galaxy-8062348.txt": {"bb2106": (5.197928183608585, 18, 2), "lasse": (10.10744965225748, 17, 3)},
    "solnze-Lasse_3pt_studio.txt": {
        "Lasse": (5.022824726377924, 45, 2),
        "solnze": (7.432293214994233, 41, 4),
    },
}


@pytest.mark.parametrize("name", sized(["galaxy-8062348.txt"], [*GOLDEN]))
def test_two_short_matches_have_these_prs(shared_data, name):
    text = (shared_data / "matches" / name).read_text()
    questions, white, black = gammonview_questions(text)
    seen = []
    result = judged(*questions, on_progress=lambda done, total: seen.append((done, total)))

    assert result.label == LABEL
    sums = by_side(result.decisions)
    found = {
        player: (sums[side].pr, sums[side].counted, sums[side].cube_counted)
        for side, player in ((Side.WHITE, white), (Side.BLACK, black))
    }
    assert found == {player: pytest.approx(values, abs=0.001) for player, values in GOLDEN[name].items()}
    assert seen == [(done, len(questions)) for done in range(len(questions) + 1)]


@pytest.mark.long
def test_the_figures_are_those_of_gammonviews_own_run(shared_data):
    text = (shared_data / "matches" / "solnze-Lasse_3pt_studio.txt").read_text()
    questions, _, _ = gammonview_questions(text)
    sums = by_side(judged(*questions, preset="fast").decisions)
    whole = analyze_ogxm(
        mat_to_ogxm(text), preset="fast", threads=1, jobs=1, quiet=True, show_progress=False
    )["summary"]
    # The last roll, White's, was not played: the tool counts its luck, and we do not ask about it.
    for number, side, not_played in ((1, Side.WHITE, 1), (2, Side.BLACK, 0)):
        assert sums[side].pr == pytest.approx(whole[f"player{number}_pr"], abs=0.01)
        assert sums[side].luck == pytest.approx(whole[f"player{number}_total_luck"], abs=0.001)
        assert sums[side].luck_rolls == whole[f"player{number}_luck_rolls"] - not_played


def test_the_same_request_gives_the_same_answer():
    cube = CubeQuestion("c", 1, 2, Side.BLACK, Situation(START), doubled=False)
    assert judged(OPENING, cube) == judged(OPENING, cube)


def test_the_best_play_of_31_loses_nothing():
    (decision,) = judged(OPENING).decisions
    assert (decision.kind, decision.error, decision.counted, decision.legal) == (
        DecisionKind.CHECKER,
        0.0,
        True,
        True,
    )
    assert decision.best.played
    assert decision.best.position == OPENING.played
    assert len({c.position for c in decision.candidates}) == len(decision.candidates) == 10
    assert 0 < decision.luck < 0.5


def test_a_double_is_two_decisions_of_two_players():
    question = CubeQuestion("d", 1, 2, Side.BLACK, Situation(START), True, Response.TAKE, "t", 3)
    double, take = judged(question).decisions
    assert (double.side, double.kind, double.played, double.ply) == (
        Side.BLACK,
        DecisionKind.DOUBLE,
        "double",
        2,
    )
    assert (take.side, take.kind, take.played, take.ref, take.ply) == (
        Side.WHITE,
        DecisionKind.RESPONSE,
        "take",
        "t",
        3,
    )
    assert double.error > 0.1  # nobody doubles the starting position
    assert (take.error, take.best.action) == (0.0, "take")
    assert sum(c.played for c in double.candidates) == sum(c.played for c in take.candidates) == 1


@pytest.mark.long
def test_jacoby_changes_what_a_centred_cube_is_worth():
    blitz = Situation("b-BBBBC-B---e-----c-e---B-")  # two on the bar: many gammons
    question = CubeQuestion("c", 1, 2, Side.WHITE, blitz, doubled=False)
    played_on = []
    for jacoby in (True, False):
        request = AnalysisRequest((question,), "estimate", jacoby=jacoby)
        (decision,) = analyse(request, engine="gammonview").decisions
        played_on.append({c.action: c.equity for c in decision.candidates}["no double"])
    assert played_on[1] > played_on[0] + 0.1


def test_a_forced_play_and_a_dance_are_no_decisions():
    # 24/22 is the only play of 62 against points on 18 and 16 (docs/reference/rules.md, "Worked positions",
    # 9).
    forced = CheckerQuestion(
        "f", 1, 3, Side.WHITE, Situation("-" * 16 + "b-b" + "-" * 5 + "A-"), (6, 2), "-" * 16 + "b-b---A---"
    )
    shut = Situation("-" * 19 + "bbbbbb" + "A")
    dance = CheckerQuestion("d", 1, 4, Side.BLACK, shut, (6, 5), shut.position)
    for decision in judged(forced, dance).decisions:
        assert (decision.error, decision.counted, decision.legal) == (None, False, True)
        assert [c.played for c in decision.candidates] == [True]


@pytest.mark.parametrize(
    ("situation", "dice", "played"),
    [
        pytest.param(START, (3, 1), "-b----E-C---eE---c-e---A--", id="a-checker-vanished"),
        pytest.param(START, (3, 1), "-b---AD-C---eE---c-e----B-", id="half-a-play"),
        pytest.param("-" * 16 + "b-b" + "-" * 5 + "A-", (6, 2), "-" * 16 + "bAb-------", id="forced"),
    ],
)
def test_an_accepted_illegal_play_is_judged_and_not_counted(situation, dice, played):
    question = CheckerQuestion("i", 1, 1, Side.WHITE, Situation(situation), dice, played, legal=False)
    (decision,) = judged(question).decisions
    assert (decision.legal, decision.counted) == (False, False)
    assert decision.error >= 0
    assert [c.position for c in decision.candidates if c.played] == [played]


def test_a_verdict_on_legality_that_differs_from_ours_is_an_error():
    with pytest.raises(EngineDisagrees, match="legal"):
        judged(replace(OPENING, legal=False))
    with pytest.raises(EngineDisagrees, match="game 1, ply 1"):
        judged(replace(OPENING, played="-b---AD-C---eE---c-e----B-"))


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"position": "-b----E-C---eE---c-e----D-"}, "17 checkers"),
        ({"position": "-b----E-C---eE---c-e---"}, "26 characters"),
        ({"position": "-b----E-C---eE---c-e----?-"}, "is not a checker count"),
        ({"position": "A" + START[1:-3] + "A--"}, "on the other player's bar"),
        ({"position": "-b-----------------------" + "-"}, "borne off"),
        ({"position": "-------------------A------"}, "the opponent has borne off"),
        ({"position": "bBBBBBB" + "-" * 12 + "bbbbbb" + "B"}, "closed boards"),
        ({"cube": 3}, "power of two"),
        ({"cube": 0}, "power of two"),
        ({"owner": CubeOwner.OWN}, "owned cube"),
        ({"own_away": 3}, "is not a score"),
        ({"own_away": 26, "opponent_away": 3}, "needs 26 points"),
        ({"own_away": -1, "opponent_away": 2}, "is not a score"),
        ({"own_away": 1, "opponent_away": 1, "crawford": True}, "Crawford"),
        ({"own_away": 1, "opponent_away": 5, "crawford": True, "cube": 2}, "Crawford"),
    ],
)
def test_an_impossible_situation_is_refused_before_an_engine_starts(changed, reason):
    situation = replace(Situation(START), **changed)
    with pytest.raises(EngineRefused, match=reason) as caught:
        judged(replace(OPENING, situation=situation))
    assert caught.value.parameters["game"] == 1
    assert caught.value.parameters["ply"] == 1


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"dice": (7, 1)}, "dice"),
        ({"dice": (0, 1)}, "dice"),
        ({"dice": (True, 1)}, "dice"),
        ({"played": "-b----F-C---eE---c-e----B-"}, "adds checkers"),
        ({"played": "-a---BD-B---eE---c-e----B-"}, "opponent's checkers"),
        ({"played": "Ab---BD-B---eE---c-e----A-"}, "bar"),
    ],
)
def test_an_impossible_play_is_refused(changed, reason):
    with pytest.raises(EngineRefused, match=reason):
        judged(replace(OPENING, **changed))


@pytest.mark.parametrize(
    ("situation", "response", "reason"),
    [
        (Situation(START, 2, CubeOwner.OPPONENT), None, "opponent owns"),
        (Situation(START, 1, CubeOwner.CENTRED, 1, 3, crawford=True), None, "Crawford"),
        (Situation(START), Response.TAKE, "is not an answer to a double"),
    ],
)
def test_an_impossible_cube_action_is_refused(situation, response, reason):
    with pytest.raises(EngineRefused, match=reason):
        judged(CubeQuestion("c", 1, 2, Side.WHITE, situation, doubled=False, response=response))


def test_the_child_refuses_for_itself():
    forged = to_plain(AnalysisRequest((OPENING,), "estimate"))
    forged["questions"][0]["situation"]["position"] = "-b----E-C---eE---c-e----D-"
    lines = list(
        run_lines(ENGINES["gammonview"].child, [], forged, time_limit=60, memory_limit=DEFAULT_MEMORY_LIMIT)
    )
    assert [line["failure"]["kind"] for line in lines] == ["refused"]


def test_an_unknown_preset_or_engine_is_refused():
    with pytest.raises(EngineRefused, match="estimate"):
        judged(OPENING, preset="infinite")
    with pytest.raises(EngineRefused, match="gammonview"):
        judged(OPENING, engine="deep thought")


@pytest.mark.long
def test_an_analysis_over_its_time_is_stopped():
    others = set(children_of(os.getpid()))
    with pytest.raises(EngineTimeout):
        judged(*[replace(OPENING, played="", dice=(4, 1))] * 200, preset="rollout", time_limit=2.0)
    assert set(children_of(os.getpid())) <= others


def test_an_analysis_over_its_memory_is_stopped():
    with pytest.raises(EngineMemory) as caught:
        judged(OPENING, memory_limit=64 * 1024**2)
    assert caught.value.parameters["limit"] == 64 * 1024**2


def test_a_child_killed_in_the_middle_is_a_crash():
    others = set(children_of(os.getpid()))

    def kill_after_two(done, total):
        if done == 2:
            for pid in set(children_of(os.getpid())) - others:
                os.kill(pid, signal.SIGKILL)

    with pytest.raises(EngineCrashed) as caught:
        judged(*[OPENING] * 200, on_progress=kill_after_two)
    assert caught.value.parameters["signal"] == "SIGKILL"


def test_answers_must_be_about_their_questions():
    (right,) = judged(OPENING).decisions
    assert compare([OPENING], [[right]]) == (right,)
    other_play = tuple(replace(c, played=not c.played) for c in right.candidates[:2])
    for wrong in (
        [],
        [[right], [right]],
        [[replace(right, ply=9)]],
        [[replace(right, candidates=other_play)]],
    ):
        with pytest.raises(EngineDisagrees):
            compare([OPENING], wrong)


def test_chances_of_a_position_that_no_game_brings_are_told_as_they_can_be():
    """The network finds more backgammons than gammons here, by .008."""
    closed_out = Situation("-c----A------------bbbbbbN")
    dance = CheckerQuestion("q", 1, 5, Side.WHITE, closed_out, (6, 5), closed_out.position)
    _win, _gammon, _backgammon, lost, lost_backgammon = judged(dance).decisions[0].candidates[0].probabilities
    assert lost_backgammon == lost > 0.9
