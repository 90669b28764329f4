"""Problems for a page that is behind or a correction that does not fit."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.db import IntegrityError

from clubs.http.problem_kinds import CONFLICT
from clubs.http.problems import Problem, ProblemError, told
from scoring.sheets.services.entries import ConflictRefused
from scoring.sheets.services.refolds import CorrectionRefused


def misfit(error: CorrectionRefused, lines: Sequence[Mapping[str, Any]], reason: str) -> ProblemError:
    """A problem with the first later event that no longer fits; ``lines`` start there."""
    broken = {"seq": error.seq, "line": lines[0] if lines else None, "reason": reason}
    return told(error, members={"does_not_fit": broken})


def overtaken(
    error: ConflictRefused | IntegrityError, members: Mapping[str, Any], *, at_once: str
) -> ProblemError:
    """A conflict with the current state; ``at_once`` is the text for two equal entries at once."""
    if isinstance(error, ConflictRefused):
        return told(error, members=members)
    return ProblemError(Problem(CONFLICT, at_once, code=ConflictRefused.code, members=members))
