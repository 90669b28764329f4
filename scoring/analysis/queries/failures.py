"""Why an analysis failed, in words for those who wait for it."""

from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from scoring.engines.errors import (
    EngineCrashed,
    EngineDisagrees,
    EngineMemory,
    EngineRefused,
    EngineTimeout,
)

_REASONS: dict[str, str | Promise] = {
    EngineTimeout.code: _("One decision took too long."),
    EngineMemory.code: _("The engine ran out of memory."),
    EngineCrashed.code: _("The engine stopped unexpectedly."),
    EngineDisagrees.code: _("The engine’s answer does not fit the match."),
    EngineRefused.code: _("The engine cannot analyse this match."),
    "corrected": _("The match was corrected meanwhile."),
}


def reason_of(error: str) -> str:
    """The reason in the error that a row of work keeps, whose code stands before its colon."""
    code = error.partition(":")[0]
    reason = _REASONS.get(code)
    return gettext("The worker was stopped.") if reason is None else str(reason)
