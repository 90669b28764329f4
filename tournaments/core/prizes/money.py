"""Amounts in minor units (cents), divided without losing a cent."""

from collections.abc import Sequence
from fractions import Fraction


class PrizeRefused(Exception):
    """A payout that is not possible.

    ``code`` and ``params`` let an interface translate the message.
    """

    def __init__(self, code: str, message: str, **params: object) -> None:
        super().__init__(message)
        self.code = code
        self.params = params


def divide(total: int, weights: Sequence[int], *, unit: int = 1) -> tuple[int, ...]:
    """Divide an amount by weights; the parts add up to the amount exactly.

    Largest-remainder method, the only rounding rule of this package: each part is rounded down to a multiple
    of ``unit``, and the remaining units go one each to the parts with the largest remainders, the earlier
    part first among equals. A rest smaller than a unit goes to the first part.

    Raises:
        PrizeRefused: ``negative``, or ``no_weights`` for an amount without any weight.

    >>> divide(100_00, (40, 25, 25, 10)), divide(100, (1, 1, 1)), divide(1_000, (1, 1, 1), unit=100)
    ((4000, 2500, 2500, 1000), (34, 33, 33), (400, 300, 300))
    """
    if total < 0 or unit < 1 or any(weight < 0 for weight in weights):
        raise PrizeRefused("negative", f"cannot divide {total} by {list(weights)} in units of {unit}")
    whole = sum(weights)
    if whole == 0:
        if total:
            raise PrizeRefused("no_weights", f"cannot divide {total}: there are no shares", total=total)
        return tuple(0 for _ in weights)
    units, rest = divmod(total, unit)
    exact = [Fraction(units * weight, whole) for weight in weights]
    parts = [int(share) for share in exact]
    # By largest remainder, the earlier part first among equals; a part without weight gets nothing.
    order = sorted(range(len(parts)), key=lambda i: (parts[i] - exact[i], i))
    for i in order[: units - sum(parts)]:
        parts[i] += 1
    amounts = [part * unit for part in parts]
    if rest:
        amounts[next(i for i, weight in enumerate(weights) if weight)] += rest
    return tuple(amounts)


def percent(amount: int, percentage: int) -> int:
    """A percentage of an amount, rounded half up to the minor unit.

    >>> percent(12345, 80), percent(25, 50)
    (9876, 13)
    """
    return (2 * amount * percentage + 100) // 200
