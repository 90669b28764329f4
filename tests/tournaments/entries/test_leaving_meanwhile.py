"""Somebody leaves a bracket while results come in: everybody's word is written."""

from collections.abc import Callable
from random import Random
from time import sleep

import pytest

from clubs.models import Role, User
from scoring.sheets.services.decisions import DirectedResult
from tests.factories import member
from tests.races import at_once
from tests.tournaments.factories import an_event, drawn, open_pairings
from tournaments.desk.services.departures import leave
from tournaments.desk.services.results import report_result
from tournaments.models import PairingRow

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.parametrize("seed", range(4))
def test_who_leaves_waits_for_nobody_who_waits_for_the_draw(seed):
    rng = Random(seed)
    event = an_event(8, format_key="double")
    director = member(event.club, Role.DIRECTOR)
    first, *others = open_pairings(drawn(event))
    reports = [reported(row, director, after=rng.random() * 0.08) for row in others]
    said = at_once(*reports, lambda: leave(entrant=first.a, user=director))
    assert said == [None] * 4


def reported(row: PairingRow, director: User, *, after: float) -> Callable[[], None]:
    """The director reports that the first of the two won, some seconds after the others began."""

    def report() -> None:
        sleep(after)
        report_result(pairing=row, decision=DirectedResult("white", (3, 0)), user=director)

    return report
