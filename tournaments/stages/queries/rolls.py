"""The shared rolls of a team match with duplicate dice."""

from itertools import islice

from tournaments.core.stages.duplicate_dice import rolls
from tournaments.models import PairingRow

ROLLS_A_GAME = 80


def rolls_of(pairing: PairingRow) -> list[list[tuple[int, int]]]:
    """The rolls of each game in order; empty without duplicate dice.

    They follow from a seed of their own, which is shown once the stage is over: the draw's is public before
    the first roll. A match to n points has at most 2n - 1 games. Load the stage along.
    """
    stage = pairing.stage
    if not stage.duplicate_dice:
        return []
    games = range(1, 2 * pairing.length)
    return [list(islice(rolls(stage.dice_seed, pairing.number, game), ROLLS_A_GAME)) for game in games]
