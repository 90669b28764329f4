"""GNU Backgammon where it is installed: its own analysis of a match, and what is refused."""

import json
import os
import signal
import subprocess
from dataclasses import replace

import pytest

from scoring.engines import registry
from scoring.engines.errors import EngineCrashed, EngineRefused
from scoring.engines.gnubg.evaluator import opened
from scoring.engines.gnubg.program import gnubg_path, missing
from scoring.engines.questions import request_for
from scoring.engines.registry import analyse, default_engine
from scoring.engines.requests import (
    AnalysisRequest,
    CheckerQuestion,
    CubeOwner,
    CubeQuestion,
    Response,
    Situation,
)
from scoring.notation.formats import read_match
from scoring.rules.dice import Roll
from scoring.rules.plays import legal_plays
from scoring.rules.position import Position
from scoring.rules.sides import Side
from tests.scoring.engines.sources import children_of
from tests.tiers import sized

START = "-b----E-C---eE---c-e----B-"
OPENING = CheckerQuestion("o", 1, 1, Side.WHITE, Situation(START), (3, 1), "-b---BD-B---eE---c-e----B-")
ASKED = CheckerQuestion("p", 1, 2, Side.BLACK, Situation(OPENING.played), (4, 1), "")
CUBE = CubeQuestion("c", 1, 2, Side.BLACK, Situation(START), True, Response.TAKE, "t", 3)


@pytest.fixture(autouse=True)
def _installed():
    """.ci/run installs gnubg. Without it these tests are left out and counted."""
    if gnubg_path() is None:
        pytest.skip("GNU Backgammon is not installed")


def judged(*questions, preset="estimate", **options):
    return analyse(AnalysisRequest(questions, preset), engine="gnubg", **options)


def test_a_play_a_position_and_a_cube_are_judged_in_one_run():
    result = judged(OPENING, ASKED, CUBE, preset="fast")
    assert (result.label.engine, result.label.preset) == ("gnubg", "fast@2")
    opening, asked, double, take = result.decisions
    assert (opening.error, opening.counted, opening.played) == (0.0, True, "8/5 6/5")
    assert (asked.error, asked.counted, asked.candidates[0].level) == (None, False, "2-ply")
    assert double.error > 0.2
    assert take.error == 0.0
    for decision in result.decisions:
        win, gammon, backgammon, lost, lost_backgammon = decision.candidates[0].probabilities
        assert 1 > win > gammon > backgammon > 0
        assert 1 - win > lost > lost_backgammon > 0
    assert 0 < opening.luck < 0.5
    assert result == judged(OPENING, ASKED, CUBE, preset="fast")


@pytest.mark.parametrize(
    ("situation", "dice", "extra"),
    [
        (Situation(OPENING.played, 2, CubeOwner.OWN), (4, 4), ""),
        (Situation(OPENING.played, 4, CubeOwner.OPPONENT, 3, 5), (6, 2), ""),
        (Situation(START, own_away=1, opponent_away=2, crawford=True), (2, 1), ""),
        (Situation("-aa---E-C---dE--ac-e----B-"), (4, 4), ""),  # hits, by one checker and by two
        (Situation("-ABBAC-------------bb-----"), (2, 1), ""),
        (Situation(START), (3, 1), "-b---AD-C---eE---cAe----A-"),  # a play that is not legal
    ],
)
@pytest.mark.parametrize("rules", [{}, {"jacoby": True, "beavers": True}])
def test_all_plays_in_one_call_are_worth_what_each_is_alone(situation, dice, extra, rules):
    question = CheckerQuestion("q", 1, 1, Side.WHITE, situation, dice, "")
    plays = legal_plays(Position.from_key(situation.position), Roll(*dice))
    results = [*(play.result.key for play in plays), *([extra] if extra else [])]
    with opened(AnalysisRequest((question,), "estimate", **rules)) as (engine, _version):
        together, alone = (
            engine.screened(question, results, 0),
            [engine.after(situation, [each], 0)[0] for each in results],
        )
    assert len(together) > 1
    for one, other in zip(together, alone, strict=True):
        assert one.equity == pytest.approx(other.equity, abs=1e-5)
        assert list(one.chances) == pytest.approx(list(other.chances), abs=1e-5)


def test_a_game_that_is_over_is_won():
    last = CheckerQuestion("l", 1, 9, Side.WHITE, Situation("-A----------------------a-"), (2, 1), "")
    (decision,) = judged(last).decisions
    assert decision.candidates[0].equity == pytest.approx(1.0)
    assert decision.candidates[0].probabilities[0] == 1.0


SHORT, LONGER = "galaxy-8062348.txt", "solnze-Lasse_3pt_studio.txt"


@pytest.mark.long
@pytest.mark.parametrize("name", sized([SHORT], [SHORT, LONGER]))
def test_losses_are_gnubgs_own(shared_data, tmp_path, name):
    text = (shared_data / "matches" / name).read_bytes()
    decisions = analyse(request_for(read_match(text).events, preset="estimate"), engine="gnubg").decisions
    # gnubg calls the left column X when it imports a .mat file
    for side, its in zip((Side.WHITE, Side.BLACK), gnubgs_own(text, tmp_path), strict=True):
        moves, cubes = its["moves"], its["cube"]
        lost = [decision for decision in decisions if decision.side is side and decision.error is not None]
        plays = [decision.error or 0.0 for decision in lost if not decision.kind.is_cube]
        cube_loss = sum(v for k, v in cubes.items() if k.startswith("err-") and k.endswith("-skill"))
        assert len(plays) == moves["unforced-moves"]
        assert sum(plays) == pytest.approx(moves["error-skill"], abs=2e-3)
        assert sum(each.error or 0.0 for each in lost if each.kind.is_cube) == pytest.approx(
            cube_loss, abs=2e-3
        )


def test_a_gnubg_that_is_killed_is_a_crash():
    others = set(children_of(os.getpid()))

    def kill_after_two(done, total):
        if done == 2:
            for child in set(children_of(os.getpid())) - others:
                for pid in children_of(child):
                    os.kill(pid, signal.SIGKILL)

    with pytest.raises(EngineCrashed, match="gnubg exited before finishing"):
        judged(*[OPENING] * 400, on_progress=kill_after_two)


def test_without_gnubg_the_request_is_refused_and_the_other_engine_chosen(monkeypatch):
    monkeypatch.setenv("PATH", "/nowhere")
    monkeypatch.setattr("scoring.engines.gnubg.program.PLACES", ())
    assert "install the package gnubg" in missing()
    with pytest.raises(EngineRefused, match="not installed"):
        judged(OPENING)
    assert default_engine() == "gammonview"


def test_gnubg_is_preferred_where_it_is_installed():
    assert default_engine() == "gnubg"
    assert registry.installed_engines() == ("gnubg", "gammonview")


def test_an_unknown_preset_is_refused():
    with pytest.raises(EngineRefused, match="estimate, fast, deep"):
        judged(OPENING, preset="9ply")


def gnubgs_own(text, folder):
    """gnubg's statistics of a match that it has imported and analysed itself."""
    (folder / "match.mat").write_bytes(text)
    (folder / "run.py").write_text(
        "import gnubg, json\n"
        "gnubg.command('set threads 1')\n"
        "gnubg.command('set analysis chequerplay evaluation plies 0')\n"
        "gnubg.command('set analysis cubedecision evaluation plies 0')\n"
        "gnubg.command('import mat match.mat')\n"
        "gnubg.command('analyse match')\n"
        "stats = gnubg.match(1, 0, 1, 0)['stats']\n"
        "open('stats.json', 'w').write(json.dumps([stats['X'], stats['O']]))\n"
    )
    command = [str(gnubg_path()), "-t", "-q", "-r", "-p", "run.py"]
    subprocess.run(
        command, cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, check=True, timeout=120
    )
    return json.loads((folder / "stats.json").read_text())


@pytest.mark.long
def test_a_cube_above_64_is_judged_as_one_of_64():
    def with_cube(value):
        situation = Situation(START, value, CubeOwner.OWN, 25, 25)
        return judged(replace(OPENING, situation=situation), replace(CUBE, situation=situation)).decisions

    assert with_cube(4096) == with_cube(64)
