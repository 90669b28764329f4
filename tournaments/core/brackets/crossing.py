"""Where losers of the main bracket enter the losers' side.

Two who met meet again as late as possible. The loser of match ``i`` of main round ``r`` enters at position
``i ^ mask[r]``, where the mask is ``r`` with its bits in reverse: every second round swaps halves, every
second pair of rounds swaps quarters inside them, and so on. Two who met in main round ``r`` and both fall,
the later one in round ``s``, are then kept apart by the highest bit in which the masks of ``r`` and ``s``
differ, that is by the lowest bit in which ``r`` and ``s`` differ.

This is an optimum, not a recipe. Follow one path from a first-round match to the final: each round on it has
one entry position, so any crossing whatever (not only an XOR) is, along that path, an assignment of words to
rounds; and the least delay over all paths is at most the delay along one. XOR masks make all paths alike, so
the best assignment of words is the best crossing. The tests search all assignments up to 2,048 entrants and
find no better sum.
"""

from collections import defaultdict
from collections.abc import Iterator

from tournaments.core.brackets.bracket import Bracket, Table
from tournaments.core.stages.slots import WinnerOf


def position_bits(rounds_total: int, main_round: int) -> int:
    """Bits of an entry position.

    First-round losers are paired with each other, so they sit like the second round's.
    """
    return rounds_total - 1 - max(main_round, 1)


def masks(rounds_total: int, feeding: int) -> tuple[int, ...]:
    """The XOR mask of each of the first ``feeding`` main rounds (from 0).

    The bracket has ``2 ** rounds_total`` positions.

    >>> [f"{mask:b}" for mask in masks(5, 4)]
    ['0', '100', '1', '1']
    """
    return tuple(_reversed(r, position_bits(rounds_total, r)) for r in range(feeding))


def _reversed(number: int, bits: int) -> int:
    return sum((number >> i & 1) << (bits - 1 - i) for i in range(bits))


def best_delay(rounds_total: int, feeding: int, first: int = 0) -> int:
    """The largest possible sum of losers'-side rounds survived before a rematch.

    Summed over pairs of feeding main rounds from ``first`` on.

    >>> [best_delay(k, k - 1) for k in (5, 7, 8, 10)]
    [11, 44, 73, 169]
    """
    total = 0
    for later in range(feeding):
        bits = position_bits(rounds_total, later)
        for earlier in range(first, later):
            agreed = ((earlier ^ later) & -(earlier ^ later)).bit_length() - 1
            total += survived(feeding, later, bits - agreed)
    return total


def survived(feeding: int, later: int, halvings: int) -> int:
    """Rounds that a loser of main round ``later`` survives before the rematch.

    The ``halvings``-th halving brings the rematch. Between two halvings there is an entry round, as long as
    main rounds still feed.
    """
    return 0 if halvings <= 0 else halvings + min(halvings - 1, feeding - 1 - later)


def rematch_delays(bracket: Bracket, section: str, table: Table) -> dict[tuple[int, int], int]:
    """Fewest rounds survived before a rematch, by enumeration of the graph.

    For main rounds r < s (from 0): the fewest rounds of ``table`` that the later loser survives before a
    rematch with the opponent beaten in round r. Knows nothing of masks: it follows every loser's path, so it
    can judge any crossing. A pair whose paths never join is left out.
    """
    level = {m: index for index, r in enumerate(table.rounds) for m in r.matches}
    paths = {
        m: _path(bracket, bracket.loser_goes_to(m), level)
        for r in bracket.section(section)
        for m in r.matches
    }
    delays: dict[tuple[int, int], int] = defaultdict(lambda: bracket.size)
    rounds = {m: index for index, r in enumerate(bracket.section(section)) for m in r.matches}
    for match, path in paths.items():
        for later in _ancestors(bracket, match, rounds):
            shared = set(path) & set(paths[later])
            if shared:
                delay = level[min(shared, key=level.__getitem__)] - level[paths[later][0]]
                key = (rounds[match], rounds[later])
                delays[key] = min(delays[key], delay)
    return dict(delays)


def _path(bracket: Bracket, match: int | None, inside: dict[int, int]) -> list[int]:
    path = []
    while match is not None and match in inside:
        path.append(match)
        match = bracket.winner_goes_to(match)
    return path


def _ancestors(bracket: Bracket, match: int, inside: dict[int, int]) -> Iterator[int]:
    following = bracket.winner_goes_to(match)
    while following is not None and following in inside:
        if WinnerOf(match) in bracket.slots(following):
            yield following
        match, following = following, bracket.winner_goes_to(following)
