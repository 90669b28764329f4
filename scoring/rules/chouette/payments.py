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


def after_payments(balances: Mapping[str, int], paid: Sequence[Transfer]) -> dict[str, int]:
    """The balances that are left once these payments are made; they sum to what they summed to before."""
    left = dict(balances)
    for each in paid:
        left[each.payer] = left.get(each.payer, 0) + each.minor
        left[each.receiver] = left.get(each.receiver, 0) - each.minor
    return left


def payments_with(
    balances: Mapping[str, int], paid: Sequence[Transfer]
) -> tuple[tuple[Transfer, int | None], ...]:
    """The payments made and the fewest that settle what is left, each with its index in ``paid`` or None.

    Making a payment that is asked for leaves the others as they are: only payments that no longer belong to
    one solution, since a game or a correction followed, stand first and by themselves.

    >>> night = {"ana": 300, "jon": -200, "eva": -100}
    >>> for each, made in payments_with(night, [Transfer("eva", "ana", 100)]):
    ...     print(each.payer, each.minor, made)
    jon 200 None
    eva 100 0
    >>> corrected = {"ana": 50, "jon": -50, "eva": 0}
    >>> for each, made in payments_with(corrected, [Transfer("eva", "ana", 100)]):
    ...     print(each.payer, each.receiver, each.minor, made)
    eva ana 100 0
    ana eva 50 None
    jon eva 50 None
    """
    # A solution has fewer payments than players: earlier ones cannot all belong to it.
    first = max(0, len(paid) - len(balances))
    for settled in range(first, len(paid)):
        plan = settling_payments(after_payments(balances, paid[:settled]))
        made: dict[Transfer, int] = {}
        for index in range(settled, len(paid)):
            made.setdefault(paid[index], index)
        if len(made) == len(paid) - settled and made.keys() <= set(plan):
            return (*_made(paid[:settled]), *((each, made.get(each)) for each in plan))
    plan = settling_payments(after_payments(balances, paid))
    return (*_made(paid), *((each, None) for each in plan))


def _made(paid: Sequence[Transfer]) -> tuple[tuple[Transfer, int | None], ...]:
    return tuple((each, index) for index, each in enumerate(paid))


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
