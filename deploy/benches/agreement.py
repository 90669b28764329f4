"""The fast move generator against the tests' slow one, on random positions."""

import time
from collections.abc import Iterator
from random import Random

from deploy.figures import Figure
from scoring.rules.plays import dice_to_play, legal_positions
from tests.scoring.rules.brute_force import brute_force
from tests.scoring.rules.positions import random_placement, random_roll, random_walk

POSITIONS = 200_000
SEED = 7


def run() -> Iterator[Figure]:
    random = Random(SEED)  # noqa: S311 - a reproducible sample
    began = time.monotonic()
    differing = 0
    for number in range(POSITIONS):
        position = random_placement(random) if number % 2 else random_walk(random, 1 + number % 30)
        roll = random_roll(random)
        ours = dice_to_play(position, roll), {result.key for result in legal_positions(position, roll)}
        differing += ours != brute_force(position, roll)
    if differing:
        raise RuntimeError(f"the generators differ on {differing} of {POSITIONS} positions (seed {SEED})")
    yield Figure("agreement, differing positions", differing, "positions", size=POSITIONS)
    yield Figure("agreement, time", time.monotonic() - began, "s", size=POSITIONS)
