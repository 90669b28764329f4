"""An engine's calls for one match, made again by a bare process: the peer of `bench analysis`.

`python -m deploy.engine_calls ENGINE PRESET record < request > calls` runs the cascade and writes the calls
that it makes, one JSON array a line. `python -m deploy.engine_calls ENGINE PRESET repeat < calls` makes them
and prints the processor seconds of this process and of the programs that it started.
"""

import json
import resource
import sys
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from importlib import import_module
from typing import Any

from scoring.codec import from_plain, to_plain
from scoring.engines.cascade import Evaluator, judged
from scoring.engines.presets import GAMMONVIEW, GNUBG, EnginePreset
from scoring.engines.requests import AnalysisRequest, CheckerQuestion, Situation

PRESETS: Mapping[str, Mapping[str, EnginePreset]] = {"gnubg": GNUBG, "gammonview": GAMMONVIEW}


class Recorder:
    """An evaluator that notes what it is asked; rollouts are not recorded."""

    def __init__(self, engine: Evaluator) -> None:
        self.engine = engine
        self.calls: list[tuple[str, Situation | CheckerQuestion, list[Any]]] = []

    def __getattr__(self, name: str) -> Callable[..., Any]:
        answer = getattr(self.engine, name)

        def noted(asked: Situation | CheckerQuestion, *arguments: Any) -> Any:
            self.calls.append((name, asked, list(arguments)))
            return answer(asked, *arguments)

        return noted


def opening(engine: str) -> Callable[[AnalysisRequest], AbstractContextManager[tuple[Evaluator, str]]]:
    """What starts the engine. Imported late: bgsage must not be loaded beside gnubg."""
    started: Callable[[AnalysisRequest], AbstractContextManager[tuple[Evaluator, str]]]
    started = import_module(f"scoring.engines.{engine}.evaluator").opened
    return started


def record(engine: str, preset: str) -> None:
    """Write the calls that the request on standard input leads to."""
    request: AnalysisRequest = from_plain(AnalysisRequest, json.load(sys.stdin), "request")
    with opening(engine)(request) as (evaluator, _version):
        recorder = Recorder(evaluator)
        for question in request.questions:
            judged(question, recorder, PRESETS[engine][preset])
    lines: list[Any] = [[request.jacoby, request.beavers]]
    lines += [[name, to_plain(asked), arguments] for name, asked, arguments in recorder.calls]
    sys.stdout.writelines(json.dumps(line) + "\n" for line in lines)


def repeat(engine: str, preset: str) -> None:
    """Make the calls on standard input and print what they cost."""
    jacoby, beavers = json.loads(sys.stdin.readline())
    calls = [json.loads(line) for line in sys.stdin]
    with opening(engine)(AnalysisRequest((), preset, jacoby, beavers)) as (evaluator, _version):
        for name, asked, arguments in calls:
            kind: type[Situation | CheckerQuestion] = CheckerQuestion if name == "screened" else Situation
            getattr(evaluator, name)(from_plain(kind, asked, name), *arguments)
    used = [resource.getrusage(whose) for whose in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    sys.stdout.write(f"{sum(each.ru_utime + each.ru_stime for each in used)}\n")


if __name__ == "__main__":
    {"record": record, "repeat": repeat}[sys.argv[3]](sys.argv[1], sys.argv[2])
