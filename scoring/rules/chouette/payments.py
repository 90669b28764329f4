"""The fewest payments that settle a chouette."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from scoring.rules.errors import InvalidValue

MOST_EXACT = 14
"""Most open balances for an exact solution, which takes 2 to that power steps."""


@dataclass(frozen=True, slots=True)
class Transfer:
    """A payment of minor units from ``payer`` to ``receiver``."""

    payer: str
    receiver: str
    minor: int


def settling_payments(balances: Mapping[str, int]) -> tuple[Transfer, ...]:
    """The fewest payments after which every balance is zero.

    ``balances`` are minor units, positive for money to receive. n players need n - 1 payments, and one fewer
    for each further group whose balances sum to zero. More than :data:`MOST_EXACT` open balances are settled
    as one group, which can take more payments.

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
    """Split the indices into as many zero-sum groups as possible."""
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
    """Settle a group of n with n - 1 payments, largest debt to largest credit."""
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
