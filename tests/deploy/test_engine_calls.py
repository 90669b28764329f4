"""The peer of the analysis bench makes exactly the calls that the cascade made."""

import json
import subprocess
import sys
from typing import Any

import pytest

from deploy.benches.analysis import SAMPLE, measured
from deploy.checkout import ROOT
from deploy.engine_calls import Recorder
from deploy.launch import needs_engines
from scoring.codec import to_plain
from scoring.engines.cascade import Value, judged
from scoring.engines.presets import GNUBG
from scoring.engines.requests import AnalysisRequest, CheckerQuestion, Situation
from scoring.rules.sides import Side

START = "-b----E-C---eE---c-e----B-"
OPENING = CheckerQuestion("o", 1, 1, Side.WHITE, Situation(START), (3, 1), "-b---BD-B---eE---c-e----B-")


class Still:
    """An engine that finds all positions the same."""

    def screened(self, question, results, depth):
        return self.after(question.situation, results, depth)

    def after(self, situation, results, depth):
        return [Value(0.25, (0.5, 0.1, 0.0, 0.1, 0.0)) for _ in results]


def test_a_recorder_answers_as_its_engine_and_notes_the_calls():
    engine: Any = Still()
    recorder: Any = Recorder(engine)
    assert judged(OPENING, recorder, GNUBG["fast"]) == judged(OPENING, engine, GNUBG["fast"])
    assert [(name, depth) for name, _situation, (_results, depth) in recorder.calls] == [
        ("screened", 0),
        ("after", 2),
    ]


@pytest.mark.long
def test_recorded_calls_are_made_again_by_a_bare_process():
    def run(what, given):
        command = [sys.executable, "-m", "deploy.engine_calls", "gammonview", "estimate", what]
        done = subprocess.run(command, input=given, capture_output=True, text=True, check=True, cwd=ROOT)
        return done.stdout

    calls = run("record", json.dumps(to_plain(AnalysisRequest((OPENING,), "estimate"))))
    assert [json.loads(line)[0] for line in calls.splitlines()[1:]] == ["screened"]
    assert float(run("repeat", calls)) > 0


@pytest.mark.long
def test_the_bench_measures_every_engine_on_real_files(shared_data):
    figures = list(measured([shared_data / SAMPLE[0], shared_data / SAMPLE[1]]))
    assert {figure.unit for figure in figures} == {"PR", "CPU s a match", "matches/h"}
    assert all(figure.value < 0.01 for figure in figures if figure.unit == "PR")


def test_agreement_with_files_needs_no_database():
    assert not needs_engines(["analysis_agreement", "a.xg"])
