"""What clients of the API may see of this app's own exceptions; imported when the app is ready."""

from clubs.http.problem_kinds import CONFLICT
from clubs.http.problems import register_problem
from tournaments.core.prizes.money import PrizeRefused
from tournaments.core.stages.errors import DrawError

register_problem(DrawError, CONFLICT)
register_problem(PrizeRefused, CONFLICT)
