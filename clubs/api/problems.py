"""What clients of the API may see of this app's own exceptions; imported when the app is ready."""

from clubs.clubs.services.clubs import RefusedError
from clubs.clubs.services.erasing import ErasureRefusedError
from clubs.http.problem_kinds import CONFLICT
from clubs.http.problems import register_problem
from clubs.people.services.merging import MergeRefusedError
from clubs.people.services.naming import NameRefusedError

register_problem(RefusedError, CONFLICT)
register_problem(ErasureRefusedError, CONFLICT)
register_problem(NameRefusedError, CONFLICT)
register_problem(MergeRefusedError, CONFLICT)
