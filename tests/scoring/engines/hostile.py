"""An engine that is as bad as the preset that it is asked for, spoken to like a real one.

`HOSTILE` is the engine. Its answers are well formed and worthless; each preset but `honest` breaks something.
"""

import json
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from itertools import repeat
from typing import Any

from scoring.codec import from_plain, to_plain
from scoring.engines.adapter import EngineProcess
from scoring.engines.containment import enter
from scoring.engines.decisions import CubeValues, double_decision, play_decision, response_decision
from scoring.engines.presets import EnginePreset
from scoring.engines.requests import AnalysisRequest, CheckerQuestion, Question
from scoring.rules.dice import Roll
from scoring.rules.plays import legal_plays
from scoring.rules.position import Position
from scoring.theory.decisions import Candidate, Decision, EngineLabel

NAME = "hostile"
CHANCES = (0.5, 0.1, 0.01, 0.1, 0.01)
Message = dict[str, Any]
"""One line; a text is written as it is."""


def judged(question: Question) -> list[Decision]:
    """Decisions that nothing is wrong with, and nothing right."""
    if isinstance(question, CheckerQuestion):
        return [_play(question)]
    values = CubeValues(0.3, 0.2, 1.0)
    doubled = values.doubled if question.doubled else values.no_double
    decisions = [double_decision(question, values, CHANCES, "0-ply", values.no_double - doubled)]
    if question.response is not None:
        error = 0.8 if question.response == "pass" else 0.0
        decisions.append(response_decision(question, values, CHANCES, "0-ply", error))
    return decisions


def _play(question: CheckerQuestion) -> Decision:
    before = Position.from_key(question.situation.position)
    results = [play.result.key for play in legal_plays(before, Roll(*question.dice))] or [before.key]
    candidates = [
        Candidate(f"play {place}", 0.3 - place / 100, CHANCES, "0-ply", key, played=key == question.played)
        for place, key in enumerate(results)
    ]
    made = next(each for each in candidates if each.played)
    error = round(0.3 - made.equity, 4) if len(candidates) > 1 else None
    return play_decision(question, candidates, error, legal=True)


def honest(request: AnalysisRequest) -> Iterator[Message | str]:
    for question in request.questions:
        yield {"answer": to_plain(judged(question))}
    label = EngineLabel(NAME, "1", request.preset)
    yield {"done": {"label": to_plain(label), "cpu_seconds": 0.1}}


def lying(change: Callable[[Message], Message | str]) -> Callable[[AnalysisRequest], Iterator[Message | str]]:
    """All answers right but the last, which ``change`` makes wrong."""

    def answers(request: AnalysisRequest) -> Iterator[Message | str]:
        *right, last, done = list(honest(request))
        yield from right
        assert isinstance(last, dict)
        yield change(last)
        yield done

    return answers


def of_candidate(**fields: Any) -> Callable[[AnalysisRequest], Iterator[Message | str]]:
    def change(message: Message) -> Message:
        decision = message["answer"][0]
        decision["candidates"][0] |= fields
        return {"answer": [decision, *message["answer"][1:]]}

    return lying(change)


def of_decision(**fields: Any) -> Callable[[AnalysisRequest], Iterator[Message | str]]:
    return lying(lambda message: {"answer": [message["answer"][0] | fields, *message["answer"][1:]]})


def without(field: str) -> Callable[[AnalysisRequest], Iterator[Message | str]]:
    def change(message: Message) -> Message:
        del message["answer"][0][field]
        return message

    return lying(change)


def crashing(request: AnalysisRequest) -> Iterator[Message | str]:
    yield next(honest(request))
    os.kill(os.getpid(), signal.SIGSEGV)


def hanging(request: AnalysisRequest) -> Iterator[Message | str]:
    yield next(honest(request))
    time.sleep(600)


def silent(request: AnalysisRequest) -> Iterator[Message | str]:
    yield from list(honest(request))[:-1]


def endless(request: AnalysisRequest) -> Iterator[Message | str]:
    while True:
        yield next(honest(request))


def endless_line(_request: AnalysisRequest) -> Iterator[Message | str]:
    return repeat("x" * 65_536)


def endless_errors(_request: AnalysisRequest) -> Iterator[Message | str]:
    sys.stderr.writelines(repeat("x" * 65_536))
    return iter(())


def said(message: Message | str) -> Callable[[AnalysisRequest], Iterator[Message | str]]:
    return lambda _request: iter([message])


MODES: dict[str, Callable[[AnalysisRequest], Iterator[Message | str]]] = {
    "honest": honest,
    "crashes": crashing,
    "hangs": hanging,
    "ends_early": silent,
    "answers_without_end": endless,
    "writes_a_gigabyte": endless_line,
    "warns_without_end": endless_errors,
    "answers_a_list": said("[]\n"),
    "nests": said("[" * 100_000 + "\n"),
    "fails_in_no_way": said({"failure": 7}),
    "fails_unnamed": said({"failure": {"text": "why"}}),
    "is_done_with_nothing": said({"done": []}),
    "names_another_engine": said({"done": {"label": {"engine": "x", "version": "1", "preset": "p"}}}),
    "refers_elsewhere": of_decision(ref="elsewhere"),
    "judges_another_side": of_decision(side="nobody"),
    "loses_less_than_nothing": of_decision(error=-1.0),
    "says_nan": lying(lambda message: json.dumps(message).replace("0.3", "NaN") + "\n"),
    "says_infinity": lying(lambda message: json.dumps(message).replace("0.3", "1e999") + "\n"),
    "says_text": of_candidate(equity="0.3"),
    "orders_wrongly": of_candidate(equity=-0.9),
    "says_impossible_chances": of_candidate(probabilities=[1.5, 0.1, 0.0, 0.1, 0.0]),
    "says_rising_chances": of_candidate(probabilities=[0.5, 0.6, 0.0, 0.1, 0.0]),
    "plays_illegally": of_candidate(position="-" * 25 + "A"),
    "says_unstorable_words": of_candidate(action="8/5\0"),
    "leaves_out_a_field": without("candidates"),
    "adds_a_field": of_decision(more=1),
}
HOSTILE = EngineProcess(
    NAME,
    "tests.scoring.engines.hostile",
    {name: EnginePreset(name, 1, screen=0) for name in MODES},
    lambda: "",
)


def main() -> None:
    answers = os.fdopen(os.dup(1), "w")  # what is no JSON, too
    enter("tests.scoring.engines.hostile", __doc__)
    request: AnalysisRequest = from_plain(AnalysisRequest, json.load(sys.stdin), "request")
    for message in MODES[request.preset](request):
        answers.write(message if isinstance(message, str) else json.dumps(message) + "\n")
        answers.flush()


if __name__ == "__main__":
    main()
