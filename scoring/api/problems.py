"""What clients of the API may see of this app's own exceptions; imported when the app is ready."""

from clubs.http.problems import register_problem
from scoring.rules.errors import ScoringError

register_problem(ScoringError)
