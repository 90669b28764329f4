"""What clients of the API may see of this app's own exceptions; imported when the app is ready."""

from clubs.api.problems import CONFLICT, register_problem
from scoring.signals import ResultRefusedError
from tournaments.draws.errors import DrawError
from tournaments.prizes.money import PrizeRefused
from tournaments.services.events import DeskRefusedError
from tournaments.services.stages import StaleError

for refusal in (DrawError, PrizeRefused, DeskRefusedError, StaleError, ResultRefusedError):
    register_problem(refusal, CONFLICT)
