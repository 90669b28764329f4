"""What clients of the API may see of this app's own exceptions; imported when the app is ready."""

from clubs.http.problem_kinds import CONFLICT
from clubs.http.problems import register_problem
from scoring.files.services.aliases import ClaimWaitsError
from scoring.rules.errors import ScoringError
from scoring.sheets.services.claims import ClaimRefusedError
from scoring.sheets.services.entries import ConflictError
from scoring.sheets.services.refolding import CorrectionDoesNotFitError
from scoring.sheets.services.results import ConfirmationRefusedError

register_problem(ScoringError)
register_problem(ConflictError, CONFLICT)
register_problem(CorrectionDoesNotFitError, CONFLICT)
register_problem(ClaimRefusedError, CONFLICT)
register_problem(ConfirmationRefusedError, CONFLICT)
register_problem(ClaimWaitsError, CONFLICT)
