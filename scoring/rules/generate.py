"""The quick answer to "what can this roll lead to": resulting positions as packed numbers.

A position is one whole number with a byte for each slot (:attr:`Position.packed`), so a move is an addition:
one checker leaves a byte and enters another, and a hit moves one of the opponent's bytes to the opponent's
bar. ``MOVES[die][source]`` and ``HITS[target]`` hold those additions.  Three ways of collecting results share
them:

* a double: the same die level by level, sources never rising, so that no order is tried twice;
* two dice with no checker on the bar and none able to bear off: every pair of moves, plus each checker moved
  twice;
* anything else: one die after the other, both ways round.

:mod:`scoring.rules.plays` says the same rules move by move; tests hold the two against each other and against
a brute-force generator.
"""

from itertools import compress

from scoring.rules.dice import Roll
from scoring.rules.position import BAR, OFF, Position

_SLOT_BITS = 8
_DOWN = range(BAR, OFF, -1)


def _own(slot: int) -> int:
    return 1 << _SLOT_BITS * slot


def _opposing(point: int) -> int:
    """One opposing checker on ``point`` of the player on roll."""
    return 1 << _SLOT_BITS * (26 + 25 - point)


MOVES = tuple(
    tuple(_own(max(source - die, OFF)) - _own(source) if source else 0 for source in range(26))
    for die in range(7)
)
HITS = tuple(_opposing(0) - _opposing(target) for target in range(25))


def generate(position: Position, roll: Roll) -> tuple[int, set[int]]:
    """How many dice a legal play uses, and the packed distinct results (none when nothing can be moved).

    The results are in the frame of the player who moved (not flipped).
    """
    own = position.own
    enemy = position.opponent[::-1]  # enemy[p] checkers stand on point p of the player on roll
    if roll.high == roll.low:
        return _double(position.packed, own, enemy, roll.high)
    if own[BAR] or sum(own[7:]) < 2:
        return _one_by_one(position.packed, roll.high, roll.low)
    return _pairs(position.packed, own, enemy, roll.high, roll.low)


def _pairs(
    packed: int, own: tuple[int, ...], enemy: tuple[int, ...], high: int, low: int
) -> tuple[int, set[int]]:
    """Two different dice, nobody on the bar, and too many checkers outside to bear off this turn."""
    results: set[int] = set()
    add = results.add
    with_high: list[tuple[int, int, int]] = []
    with_low: list[tuple[int, int, int]] = []
    for source in compress(_DOWN, own[:OFF:-1]):
        for die, other, moves in ((high, low, with_high), (low, high, with_low)):
            target = source - die
            if target <= 0 or enemy[target] > 1:
                continue
            moved = MOVES[die][source]
            hit = enemy[target] and target
            if hit:
                moved += HITS[target]
            moves.append((source, moved, hit))
            onward = target - other
            if onward > 0 and enemy[onward] < 2:
                add(packed + moved + MOVES[other][target] + (HITS[onward] if enemy[onward] else 0))
    for source, moved, hit in with_high:
        base = packed + moved
        alone = source if own[source] == 1 else 0
        for second, also, hit_too in with_low:
            if second != alone:
                # two checkers that land on the same blot hit it once
                add(base + also - HITS[hit] if hit and hit == hit_too else base + also)
    if results:
        return 2, results
    single = {packed + moved for _, moved, _ in with_high or with_low}
    return (1 if single else 0), single


def _one_by_one(packed: int, high: int, low: int) -> tuple[int, set[int]]:
    """Two different dice, in either order, every rule looked at for every move."""
    after_high = _steps(packed, high)
    after_low = _steps(packed, low)
    results: set[int] = set()
    for step in after_high:
        results.update(_steps(step, low))
    for step in after_low:
        results.update(_steps(step, high))
    if results:
        return 2, results
    single = set(after_high or after_low)
    return (1 if single else 0), single


def _double(packed: int, own: tuple[int, ...], enemy: tuple[int, ...], die: int) -> tuple[int, set[int]]:
    """The same die up to four times, sources never rising: each set of moves is met once."""
    moves = MOVES[die]
    counts = list(own)
    used = 0
    entry = BAR - die
    while counts[BAR] and used < 4 and enemy[entry] < 2:
        packed += moves[BAR] + (HITS[entry] if enemy[entry] and not counts[entry] else 0)
        counts[BAR] -= 1
        counts[entry] += 1
        used += 1
    if not counts[BAR]:
        sources = _sources_of_double(counts, enemy, die)
        for left in range(4 - used, 0, -1):
            results = _same_die(packed, counts, enemy, die, sources, left)
            if results:
                return used + left, results
    return used, {packed} if used else set()


def _sources_of_double(counts: list[int], enemy: tuple[int, ...], die: int) -> list[int]:
    """The points, highest first, that hold or may be given a checker which ``die`` can then move on."""
    sources = []
    reached = list(counts)
    for source in range(24, 0, -1):
        if reached[source]:
            target = source - die
            if target <= 0:
                sources.append(source)
            elif enemy[target] < 2:
                sources.append(source)
                reached[target] = 1
    return sources


def _same_die(
    packed: int, counts: list[int], enemy: tuple[int, ...], die: int, sources: list[int], left: int
) -> set[int]:
    """Results of exactly ``left`` moves by ``die``, sources never rising from one move to the next."""
    moves = MOVES[die]
    gains = list(moves)
    outfield = [source for source in sources if source > die]
    for source in outfield:
        if enemy[source - die] and not counts[source - die]:
            gains[source] += HITS[source - die]
    results: set[int] = set()

    def walk(left: int, first: int, packed: int, outside: int) -> None:
        if left == 1 and outside:
            # the quick way for most results: with a checker outside the last move bears nothing off
            results.update([packed + gains[source] for source in outfield[first:] if counts[source]])
            return
        for index in range(first, len(sources)):
            source = sources[index]
            if not counts[source]:
                continue
            target = source - die
            if target <= 0:
                if outside or (target and any(counts[source + 1 : 7])):
                    continue
                target = OFF
            gain = gains[source]
            if left == 1:
                results.add(packed + gain)
                continue
            gains[source] = moves[source]  # a blot is hit once
            counts[source] -= 1
            counts[target] += 1
            walk(left - 1, index, packed + gain, outside - 1 if source > 6 >= target else outside)
            counts[source] += 1
            counts[target] -= 1
            gains[source] = gain

    walk(left, 0, packed, sum(counts[7:]))
    return results


def _steps(packed: int, die: int) -> list[int]:
    """Every result of one checker moved by ``die``."""
    raw = packed.to_bytes(52, "little")
    moves = MOVES[die]
    if raw[BAR]:
        target = BAR - die
        standing = raw[51 - target]
        if standing > 1:
            return []
        return [packed + moves[BAR] + (HITS[target] if standing else 0)]
    found: list[int] = []
    highest = 0
    for source in compress(_DOWN, raw[BAR:OFF:-1]):
        highest = highest or source
        target = source - die
        if target > 0:
            standing = raw[51 - target]
            if standing < 2:
                found.append(packed + moves[source] + (HITS[target] if standing else 0))
        elif highest > 6:
            return found
        elif target == 0 or source == highest:
            found.append(packed + moves[source])
    return found
