"""Two who append to one log at once, whichever log it is."""

import pytest

from scoring.log.services.chains import LogOvertakenError, append, chain_damage
from tests.races import at_once
from tests.tournaments.log.test_event_logs import LOGS, again, another


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("log", LOGS)
def test_of_two_at_once_that_hold_no_lock_one_appends(log):
    owner = log()
    one, other = again(owner), again(owner)
    entries = another(one), another(other)
    outcomes = at_once(lambda: append(one, [entries[0]]), lambda: append(other, [entries[1]]))
    assert sum(isinstance(each, LogOvertakenError) for each in outcomes) == 1
    assert again(owner).head_seq == owner.head_seq + 1
    assert chain_damage(again(owner)) is None
