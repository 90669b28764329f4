"""Side pools as lines of text, and what their rules say."""

from collections.abc import Sequence
from decimal import Decimal

from django.utils.translation import gettext as _

from clubs.formats.money import typed_money
from scoring.drawing.figures import rating_limit
from tournaments.core.prizes.money import PrizeRefused
from tournaments.core.prizes.pools import SidePool

NEEDS, UNDER, TOP = "needs", "under", "top"
"""The words that begin a rule in a line: a pool that is needed, a rating limit, a place to reach."""


def pool_from_line(line: str, *, digits: int, dearest: int, longest: int) -> SidePool | None:
    """Read ``name; fee; % paid out`` and any rules after it; None if the line says something else.

    Fees have ``digits`` decimals and cost at most ``dearest`` minor units; names have at most ``longest``
    letters.
    """
    cells = [cell.strip() for cell in line.split(";")]
    try:
        fee = Decimal(cells[1]).scaleb(digits)
        # Asked before it is made whole: a short line may name a number of a million digits.
        if not cells[0] or not 0 <= fee <= dearest or fee != int(fee):
            return None
        rest = cells[2:]
        returned = int(rest.pop(0)) if rest and not _is_rule(rest[0]) else 100
        needs, below, within = _rules(rest)
        return SidePool(cells[0][:longest], int(fee), returned, needs, below, within)
    except (IndexError, ValueError, ArithmeticError, PrizeRefused):
        return None


def pool_line(pool: SidePool, currency: str) -> str:
    """A side pool as the line that ``pool_from_line`` reads."""
    cells = [pool.key, typed_money(pool.fee, currency), str(pool.returned)]
    if pool.needs is not None:
        cells.append(f"{NEEDS} {pool.needs}")
    if pool.rating_below is not None:
        cells.append(f"{UNDER} {pool.rating_below:g}")
    if pool.within is not None:
        cells.append(f"{TOP} {pool.within}")
    return "; ".join(cells)


def pools_fault(pools: Sequence[SidePool]) -> tuple[str, str] | None:
    """Code and message of what is wrong with these side pools together, or None."""
    names = [pool.key for pool in pools]
    if len(set(names)) < len(names):
        return "pool_twice", _("Two side pools have the same name.")
    for number, pool in enumerate(pools):
        if pool.needs is not None and pool.needs not in names[:number]:
            words = {"pool": pool.key, "needs": pool.needs}
            return "pool_needs", _("%(pool)s needs %(needs)s, which must come before it.") % words
    return None


def pool_rules(pool: SidePool) -> list[str]:
    """The rules of a side pool in the reader's language."""
    said = []
    if pool.needs is not None:
        said.append(_("needs %(pool)s") % {"pool": pool.needs})
    if pool.rating_below is not None:
        said.append(_("ratings under %(limit)s") % {"limit": rating_limit(pool.rating_below)})
    if pool.within is not None:
        said.append(_("top %(places)s of a draw") % {"places": pool.within})
    if pool.returned < 100:
        said.append(_("%(percent)s%% paid out") % {"percent": pool.returned})
    return said


def _is_rule(cell: str) -> bool:
    return cell.partition(" ")[0] in {NEEDS, UNDER, TOP}


def _rules(cells: Sequence[str]) -> tuple[str | None, float | None, int | None]:
    """The pool that is needed, the rating limit and the place. Raises ValueError for another cell."""
    needs: str | None = None
    below: float | None = None
    within: int | None = None
    for cell in cells:
        word, _blank, value = cell.partition(" ")
        match word:
            case "needs" if value.strip():
                needs = value.strip()
            case "under" if 0 < float(value) < 10_000:
                below = float(value)
            case "top" if 1 <= int(value) <= 10_000:
                within = int(value)
            case _other:
                raise ValueError(cell)
    return needs, below, within
