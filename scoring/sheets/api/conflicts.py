"""What a writer is told whose page is behind, or whose correction does not fit: of a sheet and of a table."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.db import IntegrityError

from clubs.http.problem_kinds import CONFLICT
from clubs.http.problems import Problem, ProblemError, told
from scoring.sheets.services.entries import ConflictRefused
from scoring.sheets.services.refolds import CorrectionRefused


def misfit(error: CorrectionRefused, lines: Sequence[Mapping[str, Any]], reason: str) -> ProblemError:
    """The first later event that does not fit any more; ``lines`` are the log from it on."""
    broken = {"seq": error.seq, "line": lines[0] if lines else None, "reason": reason}
    return told(error, members={"does_not_fit": broken})


def overtaken(
    error: ConflictRefused | IntegrityError, members: Mapping[str, Any], *, at_once: str
) -> ProblemError:
    """What stands now; ``at_once`` are the words where two have written the same at the same moment."""
    if isinstance(error, ConflictRefused):
        return told(error, members=members)
    return ProblemError(Problem(CONFLICT, at_once, code=ConflictRefused.code, members=members))
