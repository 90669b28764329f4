"""What clients of the API may see of this app's own exceptions; imported when the app is ready."""

from clubs.http.problem_kinds import CONFLICT
from clubs.http.problems import register_problem
from scoring.signals import ResultRefusedError
from tournaments.core.prizes.money import PrizeRefused
from tournaments.core.stages.errors import DrawError
from tournaments.events.services.events import DeskRefusedError
from tournaments.log.services import StaleError

for refusal in (DrawError, PrizeRefused, DeskRefusedError, StaleError, ResultRefusedError):
    register_problem(refusal, CONFLICT)
