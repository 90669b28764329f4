"""GNU Backgammon's adapter: how it judges given numbers, and where gnubg is installed, its own statistics."""

import json
import subprocess

import pytest

from scoring.engines.errors import EngineDisagrees, EngineRefused
from scoring.engines.gnubg import adapter
from scoring.engines.gnubg.adapter import judged, plays_of
from scoring.engines.gnubg.program import gnubg_path
from scoring.engines.questions import request_for
from scoring.engines.registry import analyse
from scoring.engines.requests import AnalysisRequest, CheckerQuestion, CubeQuestion, Response, Situation
from scoring.notation.formats import read_match
from scoring.rules.sides import Side
from scoring.theory.decisions import DecisionKind
from scoring.theory.performance import by_side

START = "-b----E-C---eE---c-e----B-"
OPENING = CheckerQuestion("o", 1, 1, Side.WHITE, Situation(START), (3, 1), "-b---BD-B---eE---c-e----B-")
CHANCES = [0.5, 0.15, 0.01, 0.12, 0.02]
installed = pytest.mark.skipif(gnubg_path() is None, reason="GNU Backgammon is not installed")


def rows(question, best, *, plies=2):
    """Numbers as the script sends them: the given play is best, every further one 0.05 worse."""
    plays = plays_of(question)
    order = sorted(range(len(plays)), key=lambda n: plays[n].result.key != best)
    return [
        {"index": n, "equity": 0.2 - 0.05 * place, "probabilities": CHANCES, "plies": plies}
        for place, n in enumerate(order)
    ]


def test_a_play_is_judged_against_the_best_of_its_depth():
    (right,) = judged(OPENING, rows(OPENING, OPENING.played))
    assert (right.error, right.counted, right.played) == (0.0, True, "8/5 6/5")
    assert right.candidates[0].played
    other = plays_of(OPENING)[0].result.key
    (wrong,) = judged(OPENING, rows(OPENING, other))
    assert wrong.error is not None
    assert wrong.error > 0
    assert [c.position for c in wrong.candidates if c.played] == [OPENING.played]
    assert len(wrong.candidates) in {10, 11}


def test_a_forced_play_and_a_dance_do_not_count():
    forced = CheckerQuestion(
        "f", 1, 3, Side.WHITE, Situation("-" * 16 + "b-b" + "-" * 5 + "A-"), (6, 2), "-" * 16 + "b-b---A---"
    )
    shut = "-" * 19 + "bbbbbb" + "A"
    dance = CheckerQuestion("d", 1, 4, Side.BLACK, Situation(shut), (6, 5), shut)
    for question in (forced, dance):
        (decision,) = judged(question, rows(question, question.played))
        assert (decision.error, decision.counted, decision.legal) == (None, False, True)


def test_an_illegal_play_is_judged_against_the_legal_ones_and_not_counted():
    played = "-b---AD-C---eE---cAe----A-"
    question = CheckerQuestion("i", 1, 1, Side.WHITE, Situation(START), (3, 1), played, legal=False)
    (decision,) = judged(question, rows(question, played))
    assert (decision.legal, decision.counted, decision.error) == (False, False, 0.0)
    assert decision.played == "24/18 6/5"


def test_a_play_that_gnubg_left_out_is_an_error():
    with pytest.raises(EngineDisagrees):
        judged(OPENING, [row for row in rows(OPENING, OPENING.played)[1:] if row["equity"] < 0.2])


def cube(doubled, response=None, *, no_double=0.4, take=0.6, passed=1.0):
    question = CubeQuestion("c", 1, 2, Side.WHITE, Situation(START), doubled, response, "r", 3)
    return judged(question, {"no_double": no_double, "take": take, "pass": passed, "probabilities": CHANCES})


@pytest.mark.parametrize(
    ("doubled", "values", "error", "counted"),
    [
        (False, {}, 0.2, True),
        (True, {}, 0.0, True),
        (False, {"no_double": 0.7}, 0.0, True),
        (False, {"no_double": 0.77}, 0.0, False),
        (True, {"no_double": 0.9}, 0.3, True),
        (False, {"take": 1.3}, 0.6, True),
        (True, {"take": 1.3}, 0.0, True),
    ],
)
def test_cubes_count_when_turned_or_close(doubled, values, error, counted):
    (decision,) = cube(doubled, **values)
    assert decision.error == pytest.approx(error)
    assert decision.counted is counted
    assert sum(c.played for c in decision.candidates) == 1


@pytest.mark.parametrize(
    ("response", "take", "error"),
    [
        (Response.TAKE, 0.6, 0.0),
        (Response.PASS, 0.6, 0.4),
        (Response.BEAVER, 1.2, 0.2),
        (Response.PASS, 1.2, 0.0),
    ],
)
def test_an_answer_always_counts_and_is_the_other_players(response, take, error):
    double, answer = cube(True, response, take=take)
    assert (double.kind, answer.kind, answer.side, answer.ref) == (
        DecisionKind.DOUBLE,
        DecisionKind.RESPONSE,
        Side.BLACK,
        "r",
    )
    assert answer.error == pytest.approx(error)
    assert answer.counted
    assert answer.candidates[0].equity == pytest.approx(max(-take, -1.0))


def test_without_gnubg_the_request_is_refused(monkeypatch):
    monkeypatch.setattr(adapter, "gnubg_path", lambda: None)
    with pytest.raises(EngineRefused, match="not installed"):
        analyse(AnalysisRequest((OPENING,), "0ply"), engine="gnubg")


def test_an_unknown_depth_is_refused():
    with pytest.raises(EngineRefused, match="2ply"):
        analyse(AnalysisRequest((OPENING,), "9ply"), engine="gnubg")


@installed
@pytest.mark.parametrize("plies", [0, 2])
def test_losses_and_counts_are_gnubgs_own(shared_data, tmp_path, plies):
    text = (shared_data / "matches" / "galaxy-8062348.txt").read_bytes()
    record = read_match(text)
    result = analyse(request_for(record.events, preset=f"{plies}ply"), engine="gnubg")
    assert (result.label.engine, result.label.preset) == ("gnubg", f"{plies}ply")
    sums = by_side(result.decisions)
    # gnubg calls the left column X when it imports a .mat file
    for side, its in zip((Side.WHITE, Side.BLACK), gnubgs_own(text, tmp_path, plies), strict=True):
        moves, cubes = its["moves"], its["cube"]
        cube_loss = sum(v for k, v in cubes.items() if k.startswith("err-") and k.endswith("-skill"))
        assert sums[side].checker_counted == moves["unforced-moves"]
        assert sums[side].checker_loss == pytest.approx(moves["error-skill"], abs=2e-3)
        assert sums[side].cube_counted == cubes["close-cube"]
        assert sums[side].cube_loss == pytest.approx(cube_loss, abs=2e-3)


def gnubgs_own(text, folder, plies):
    """gnubg's statistics of a match that it has imported and analysed itself."""
    (folder / "match.mat").write_bytes(text)
    (folder / "run.py").write_text(
        "import gnubg, json\n"
        "gnubg.command('set threads 1')\n"
        f"gnubg.command('set analysis chequerplay evaluation plies {plies}')\n"
        f"gnubg.command('set analysis cubedecision evaluation plies {plies}')\n"
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
