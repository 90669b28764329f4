"""Random positions and rolls for tests: wild placements and positions from play."""

from random import Random

from hypothesis import strategies as st

from scoring.rules.dice import ALL_ROLLS, Roll
from scoring.rules.plays import legal_results
from scoring.rules.position import STARTING_POSITION, Position


def random_placement(random: Random) -> Position:
    """Checkers thrown on the board: bars, closed boards, bear-offs against contact, all of it."""
    home = random.choice((6, 6, 12, 24))
    own, opponent = [0] * 26, [0] * 26
    for _ in range(15):
        own[random.choice((0, 25, *range(1, home + 1), *range(1, home + 1)))] += 1
    free = [point for point in range(1, 26) if point == 25 or not own[25 - point]]
    pool = random.sample(free, random.randint(1, min(len(free), 8)))
    for _ in range(15):
        opponent[random.choice([0, *pool, *pool])] += 1
    return Position(tuple(own), tuple(opponent))


def random_roll(random: Random) -> Roll:
    """One of the 21 rolls, each as likely as the next."""
    return random.choice(ALL_ROLLS)


def random_walk(random: Random, turns: int) -> Position:
    """A position after ``turns`` random legal plays, over and over from the start."""
    position = STARTING_POSITION
    for _ in range(turns):
        results = legal_results(position, random_roll(random))
        if results:
            position = Position.from_packed(random.choice(sorted(results)))
        position = STARTING_POSITION if position.own[0] == 15 else position.flipped()
    return position


placements = st.integers(min_value=0, max_value=2**32).map(lambda seed: random_placement(Random(seed)))
walks = st.builds(
    lambda seed, turns: random_walk(Random(seed), turns), st.integers(0, 2**32), st.integers(0, 60)
)
positions = st.one_of(placements, walks)
rolls = st.sampled_from(ALL_ROLLS)
