"""Rounds that beaten entrants feed, wave by wave.

Losers' side, progressive consolation and last chance are built alike.
"""

from collections.abc import Sequence

from tournaments.core.brackets.bracket import Builder, losers, winners
from tournaments.core.brackets.crossing import masks


def feeding_waves(main: Sequence[Sequence[int]], feeding: int) -> list[list[int]]:
    """The losers of the first ``feeding`` main rounds, each wave in the order in which it enters."""
    crossing = masks(len(main), feeding)
    # First-round losers meet each other: their mask moves pairs, not single entrants.
    shifts = [mask << 1 if r == 0 else mask for r, mask in enumerate(crossing)]
    return [crossed(losers(main[r]), shift) for r, shift in enumerate(shifts)]


def play_waves(
    builder: Builder, section: str, waves: Sequence[Sequence[int]], lengths: Sequence[int] = ()
) -> list[list[int]]:
    """Build the section that the waves of packed slots enter, down to one winner. Returns its rounds.

    Wave 0 plays first. Each later wave meets the survivors one to one in an entry round, as soon as there are
    as few survivors as new entrants; between entry rounds survivors halve.

    A wave larger than the survivors first halves itself, which happens only when a director feeds unequal
    rounds.
    """
    rounds: list[list[int]] = []
    standing = list(waves[0])

    def halve(codes: list[int]) -> list[int]:
        rounds.append(builder.play(section, codes, lengths))
        return winners(rounds[-1])

    for wave in waves[1:]:
        entering = list(wave)
        while len(standing) > len(entering):
            standing = halve(standing)
        while len(entering) > len(standing):
            entering = halve(entering)
        rounds.append(builder.meet(section, standing, entering, lengths))
        standing = winners(rounds[-1])
    while len(standing) > 1:
        standing = halve(standing)
    return rounds


def crossed(codes: Sequence[int], mask: int) -> list[int]:
    """The wave with the entrant of position ``i`` moved to ``i ^ mask``."""
    return [codes[i ^ mask] for i in range(len(codes))]
