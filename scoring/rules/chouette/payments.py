"""The fewest payments that settle a night of chouette."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from scoring.rules.errors import InvalidValue

MOST_EXACT = 14
"""Up to so many open balances the fewest payments are found; it takes 2 to that power steps."""


@dataclass(frozen=True, slots=True)
class Transfer:
    """``payer`` gives ``receiver`` so many minor units."""

    payer: str
    receiver: str
    minor: int


def settling_payments(balances: Mapping[str, int]) -> tuple[Transfer, ...]:
    """Payments after which everybody's balance is zero, as few as can be.

    ``balances`` are minor units, positive for who is to get. Players who owe each other nothing in sum settle
    among themselves: n players need n - 1 payments, and one less for every further group that sums to zero.
    With more than :data:`MOST_EXACT` open balances they are settled as one group, which may take more.

    Raises :class:`InvalidValue` for balances that do not sum to zero.

    >>> for t in settling_payments({"ana": 300, "jon": -200, "eva": -100, "leo": 50, "mia": -50}):
    ...     print(t.payer, t.receiver, t.minor)
    mia leo 50
    jon ana 200
    eva ana 100
    """
    if sum(balances.values()) != 0:
        raise InvalidValue("balances", "balances sum to {total}, not 0", total=sum(balances.values()))
    open_ones = [player for player, minor in balances.items() if minor]
    if len(open_ones) > MOST_EXACT:
        return _within(open_ones, balances)
    groups = _most_groups([balances[player] for player in open_ones])
    return tuple(
        transfer
        for group in sorted(groups, key=len)
        for transfer in _within([open_ones[index] for index in group], balances)
    )


def _most_groups(amounts: Sequence[int]) -> list[list[int]]:
    """The indices split into as many groups as can be, each with a sum of zero."""
    size = 1 << len(amounts)
    total = [0] * size
    most = [0] * size
    came = [0] * size
    for mask in range(1, size):
        low = mask & -mask
        total[mask] = total[mask ^ low] + amounts[low.bit_length() - 1]
        left = mask
        best = -1
        while left:
            bit = left & -left
            left ^= bit
            if most[mask ^ bit] > best:
                best, came[mask] = most[mask ^ bit], bit
        most[mask] = best + (total[mask] == 0)
    groups: list[list[int]] = []
    mask = size - 1
    while mask:
        if total[mask] == 0:
            groups.append([])
        groups[-1].append(came[mask].bit_length() - 1)
        mask ^= came[mask]
    return groups


def _within(players: Sequence[str], balances: Mapping[str, int]) -> tuple[Transfer, ...]:
    """Settle one group, the largest debt against the largest credit: one payment less than it has players."""
    left = {player: balances[player] for player in players}
    found = []
    while left:
        receiver = max(left, key=lambda player: left[player])
        payer = min(left, key=lambda player: left[player])
        minor = min(left[receiver], -left[payer])
        found.append(Transfer(payer, receiver, minor))
        left[receiver] -= minor
        left[payer] += minor
        left = {player: amount for player, amount in left.items() if amount}
    return tuple(found)
