"""What clients of the API may see of this app's own exceptions; imported when the app is ready."""

from clubs.http.problem_kinds import FORBIDDEN
from clubs.http.problems import register_problem
from scoring.helping.refusals import HelperNotAllowed
from scoring.rules.errors import ScoringError

register_problem(ScoringError)
register_problem(HelperNotAllowed, FORBIDDEN)
