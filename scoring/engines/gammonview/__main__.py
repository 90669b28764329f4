"""The child, `python -m scoring.engines.gammonview --parent PID --memory BYTES`: see scoring.engines.process.

Standard input: an `AnalysisRequest` as plain data of `scoring.codec`. Standard output, one object a line:
`{"answer": [decision, ...]}` for every question in order, then `{"done": {"label", "cpu_seconds"}}`; or
`{"failure": {"kind", "text", "parameters"}}`.
"""

import json
import os
import resource
import sys
from typing import Any

from scoring.codec import from_plain, to_plain
from scoring.engines.checks import check_request
from scoring.engines.containment import enter
from scoring.engines.errors import EngineError
from scoring.engines.gammonview.judge import Judge
from scoring.engines.requests import AnalysisRequest


def main() -> int:
    """Answer one request; 0 if every question was answered or the failure was reported."""
    answers = enter("scoring.engines.gammonview", __doc__)

    def say(message: dict[str, Any]) -> None:
        os.write(answers, json.dumps(message, allow_nan=False).encode() + b"\n")

    try:
        answer_all(json.load(sys.stdin), say=say)
    except MemoryError:
        say({"failure": {"kind": "memory", "text": "out of memory"}})
    except EngineError as error:
        say(
            {
                "failure": {
                    "kind": error.code.removeprefix("engine_"),
                    "text": str(error),
                    "parameters": plain(error),
                }
            }
        )
    return 0


def answer_all(document: dict[str, Any], *, say: Any) -> None:
    """Judge every question of the request's document and say the answers as they come."""
    request: AnalysisRequest = from_plain(AnalysisRequest, document, "request")
    check_request(request)
    judge = Judge.for_request(request)
    for question in request.questions:
        say({"answer": to_plain(judge.answer(question))})
    used = resource.getrusage(resource.RUSAGE_SELF)
    say({"done": {"label": to_plain(judge.label), "cpu_seconds": used.ru_utime + used.ru_stime}})


def plain(error: EngineError) -> dict[str, Any]:
    """The error's parameters as far as JSON holds them."""
    return {
        name: value if isinstance(value, int | str | None) else repr(value)
        for name, value in error.parameters.items()
    }


if __name__ == "__main__":
    sys.exit(main())
