"""The loop of a helper: claim questions, compute them, answer, until it is stopped."""

import random
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from time import monotonic
from typing import Any

from scoring.codec import from_plain, to_plain
from scoring.engines.errors import EngineCancelled, EngineError
from scoring.engines.registry import analyse
from scoring.engines.requests import AnalysisRequest, CubeQuestion, Question
from scoring.helper import PROTOCOL
from scoring.helper.pauses import BackOff
from scoring.helper.server import Refusal, Server, Unreachable
from scoring.rules.errors import ScoringError
from scoring.theory.decisions import Decision

LONGEST_RUN = 4 * 3600.0
"""Seconds after which the engine is stopped."""
ANSWER_TRIES = 8
"""Times that an answer is sent while the server cannot be reached."""
STOPPED, BAD_TOKEN, OUTDATED, REFUSED = 0, 2, 3, 4
"""Exit statuses."""
_UNAUTHORISED = 401
_HEARTBEAT_TIMEOUT = 10.0
_USUAL_REST = 60.0
RESTS = {
    "helper_waiting": 300.0,
    "helper_paused": 900.0,
    "not_a_member": 900.0,
    "helper_label": 900.0,
    "helpers_off": 3600.0,
}
"""Seconds until a refusal can have changed, by its code."""
FATAL = {"helper_outdated": OUTDATED, "no_midpoint": REFUSED, "redirected": REFUSED}
"""Exit statuses of refusals that do not change by waiting."""

Say = Callable[..., None]
"""Called with the name of an event and its values."""


@dataclass(slots=True)
class HelperLoop:
    """One process of a helper; several share the server, ``stop`` and ``say``."""

    server: Server
    labels: Sequence[str]
    stop: threading.Event
    say: Say
    once: bool = False
    pauses: BackOff = field(default_factory=lambda: BackOff(random.random))

    def run(self) -> int:
        """Work until stopped, or one time with ``once``; the exit status."""
        while not self.stop.is_set():
            try:
                worked = self._once()
            except Refusal as refusal:
                status = self._refused(refusal)
                if status is not None:
                    return status
            except Unreachable as error:
                self._rest_after(error)
            else:
                if self.once and worked is not None:
                    return STOPPED
        return STOPPED

    def _once(self) -> bool | None:
        """One claim: True if it was worked on, False if nothing waits, None if it went back."""
        claimed = self.server.post("claims/", {"protocol": PROTOCOL, "labels": list(self.labels)})
        lease = claimed.get("lease")
        if not isinstance(lease, dict):
            self.pauses.reset()
            self.say("nothing_waits")
            if not self.once:
                self.stop.wait(_seconds(claimed.get("ask_again_seconds")))
            return False
        return _Work(self, lease).done()

    def _refused(self, refusal: Refusal) -> int | None:
        self.say("refused", code=refusal.code, text=str(refusal))
        if refusal.status == _UNAUTHORISED:
            return BAD_TOKEN
        if refusal.code in FATAL:
            return FATAL[refusal.code]
        if self.once:
            return REFUSED
        self.stop.wait(RESTS.get(refusal.code, _USUAL_REST))
        return None

    def _rest_after(self, error: Unreachable) -> None:
        seconds = self.pauses.next(at_least=error.after)
        self.say("unreachable", text=str(error), again_in=round(seconds, 1))
        self.stop.wait(seconds)


class _Work:
    """One lease, from its questions to its answer."""

    def __init__(self, runner: HelperLoop, lease: Mapping[str, Any]) -> None:
        self.runner, self.server, self.say = runner, runner.server, runner.say
        self.ref, self.label = str(lease.get("ref")), str(lease.get("label"))
        self.engine = str(lease.get("engine"))
        self.request: Any = lease.get("request")
        self.every = _seconds(lease.get("heartbeat_seconds"), usual=20.0)
        self.answered, self.lost = 0, False
        self.last = monotonic()

    def done(self) -> bool | None:
        """True if it was answered or lost; None if it went back."""
        try:
            request: AnalysisRequest = from_plain(AnalysisRequest, self.request, "request")
        except ScoringError as error:
            self._release(failed=True, why=str(error))
            return None
        self.say("claimed", lease=self.ref, questions=len(request.questions), label=self.label)
        began = monotonic()
        try:
            result = analyse(
                request,
                engine=self.engine,
                time_limit=LONGEST_RUN,
                on_progress=self._progress,
                cancelled=self._cancelled,
            )
        except EngineCancelled:
            if self.lost:
                return True
            self._release(failed=False, why="stopped")
            return None
        except EngineError as error:
            self._release(failed=True, why=f"{error.code}: {error}")
            self.runner.stop.wait(self.runner.pauses.next())
            return None
        if str(result.label) != self.label:
            self._release(failed=True, why=f"the engine of this computer is now {result.label}")
            return None
        answers = [to_plain(each) for each in by_question(request.questions, result.decisions)]
        self._answer(
            {"label": str(result.label), "cpu_seconds": result.cpu_seconds, "answers": answers},
            seconds=monotonic() - began,
        )
        return True

    def _progress(self, done: int, _total: int) -> None:
        self.answered = done

    def _cancelled(self) -> bool:
        """Sends the heartbeats; stops the engine when the helper is stopped or the lease is lost."""
        if not self.runner.stop.is_set() and monotonic() - self.last >= self.every:
            self.last = monotonic()
            try:
                body = {"done": self.answered}
                self.server.post(f"leases/{self.ref}/heartbeat/", body, timeout=_HEARTBEAT_TIMEOUT)
            except Unreachable as error:
                self.say("unreachable", text=str(error), again_in=self.every)
            except Refusal as refusal:
                self.lost = True
                self.say("lost", lease=self.ref, code=refusal.code, text=str(refusal))
        return self.lost or self.runner.stop.is_set()

    def _answer(self, body: dict[str, Any], *, seconds: float) -> None:
        for _attempt in range(ANSWER_TRIES):
            try:
                told = self.server.post(f"leases/{self.ref}/answer/", body)
            except Unreachable as error:
                self.runner._rest_after(error)
            except Refusal as refusal:
                self.say("lost", lease=self.ref, code=refusal.code, text=str(refusal))
                return
            else:
                self.runner.pauses.reset()
                status, reason = told.get("status"), told.get("reason")
                self.say("answered", lease=self.ref, status=status, reason=reason, seconds=round(seconds, 1))
                return
        self.say("lost", lease=self.ref, text="the answer could not be sent")

    def _release(self, *, failed: bool, why: str) -> None:
        self.say("released", lease=self.ref, why=why[:500])
        try:
            self.server.post(f"leases/{self.ref}/release/", {"failed": failed})
        except (Unreachable, Refusal) as error:
            # It goes to others when it runs out.
            self.say("not_released", lease=self.ref, text=str(error))


def by_question(questions: Sequence[Question], decisions: Sequence[Decision]) -> Iterator[list[Decision]]:
    """The decisions of each question: two of a double that was answered, else one."""
    rest = iter(decisions)
    for question in questions:
        answered = isinstance(question, CubeQuestion) and question.response is not None
        yield [next(rest) for _ in range(2 if answered else 1)]


def _seconds(value: Any, *, usual: float = _USUAL_REST) -> float:
    return min(3600.0, max(1.0, float(value))) if isinstance(value, int | float) else usual
