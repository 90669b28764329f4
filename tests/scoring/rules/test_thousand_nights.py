"""Two thousand random nights: whatever is tried, taken back and corrected, ledgers sum to zero."""

from collections import Counter

import pytest

from scoring.rules.chouette_events import CHOUETTE_EVENT_TYPES
from tests.scoring.rules.random_nights import RandomNight

SEEDS = 8
NIGHTS = 250
STEPS = 50
KINDS = set(CHOUETTE_EVENT_TYPES) - {"chouette_start", "nothing"}


@pytest.mark.parametrize("block", range(SEEDS))
def test_any_night_sums_to_zero_and_is_its_log(block):
    done: Counter[str] = Counter()
    for number in range(NIGHTS):
        seed = block * NIGHTS + number
        night = RandomNight(seed)
        try:
            night.run(STEPS)
        except AssertionError as error:
            raise AssertionError(f"night {seed}, after {len(night.log)} events: {night.log}") from error
        done.update(night.done)
    # Nothing is left untried: every kind of event was accepted; corrections fit, do not fit, are refused.
    assert set(done) >= KINDS
    wanted = {"refused", "undo", "correction does not fit", "correction refused", "corrected game_over"}
    assert set(done) >= wanted
