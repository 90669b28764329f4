"""Errors of analyses; `code` and `parameters` are stable, texts for developers."""


class EngineError(Exception):
    """Base of all failures of an engine run."""

    code = "engine_error"

    def __init__(self, message: str, **parameters: object) -> None:
        super().__init__(message)
        self.parameters = parameters


class EngineRefused(EngineError):
    """The request was not analysed: an impossible position, an unknown preset, rules the engine lacks."""

    code = "engine_refused"


class EngineTimeout(EngineError):
    """The time limit passed; the engine's process group was killed. `parameters["seconds"]` is the limit."""

    code = "engine_timeout"


class EngineMemory(EngineError):
    """The engine wanted more than its memory limit. `parameters["limit"]` is in bytes."""

    code = "engine_memory"


class EngineCrashed(EngineError):
    """The engine's process ended without an answer.

    `parameters["signal"]` names the signal (`SIGSEGV`) or is None, `parameters["status"]` is the exit status
    or None, `parameters["detail"]` the end of what it wrote to standard error.
    """

    code = "engine_crashed"


class EngineDisagrees(EngineError):
    """The engine's answer is not about what was sent: another play, another legality, a missing decision."""

    code = "engine_disagrees"


class EngineCancelled(EngineError):
    """The caller's `cancelled()` said so; the engine's process group was killed."""

    code = "engine_cancelled"
