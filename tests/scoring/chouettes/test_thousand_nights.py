"""Random nights (2,000 in the long run): whatever is tried, undone and corrected, ledgers sum to zero."""

from collections import Counter

import pytest

from scoring.rules.chouette.events import CHOUETTE_EVENT_TYPES
from scoring.rules.chouette.pairs import points_between
from tests.scoring.chouettes.random_nights import RandomNight
from tests.tiers import sized

SEEDS = sized(1, 8)
NIGHTS = sized(60, 250)
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


def test_what_passed_between_all_is_what_the_ledger_says():
    for seed in range(100):
        night = RandomNight(seed)
        night.run(50)
        for game in night.state.games:
            found = points_between(game)
            sums = dict.fromkeys(game.seating.players, 0)
            for (one, _other), points in found.items():
                sums[one] += points
            told = {line.player: line.points for line in game.ledger}
            both = {game.seating.box, game.seating.partner}
            assert all(sums[name] == told[name] for name in told if name not in both)
            together = [name for name in told if name in both]
            assert sum(sums[name] for name in together) == sum(told[name] for name in together)
