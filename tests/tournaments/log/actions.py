"""The actions of which the log is held against: each service with what it does, in a world of its own."""

from collections.abc import Callable

from clubs.models import User
from tournaments.models import Event

Case = Callable[[], tuple[Event, User]]
CASES: dict[str, Case] = {}


def noted(*names: str) -> Callable[[Case], Case]:
    """The action notes what this service did, as the last that happens in it."""

    def keep(case: Case) -> Case:
        CASES.update(dict.fromkeys(names, case))
        return case

    return keep
