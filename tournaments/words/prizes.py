"""Refusals of prizes and side pools in the reader's language, by code."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.utils.translation import gettext as _

from clubs.formats.money import money
from tournaments.core.prizes.money import PrizeRefused


@contextmanager
def in_prize_words(currency: str) -> Iterator[None]:
    """Translate a PrizeRefused raised inside, with amounts in ``currency``; the code stays."""
    try:
        yield
    except PrizeRefused as refused:
        raise PrizeRefused(refused.code, _sentence(refused, currency), **refused.params) from refused


def _sentence(refused: PrizeRefused, currency: str) -> str:
    params = refused.params
    match refused.code:
        case "needs_pool":
            return _("Side pool %(pool)s requires side pool %(needs)s.") % params
        case "rating" if params["rating"] is None:
            return (
                _("Side pool %(pool)s is for ratings under %(limit).0f. Unrated players cannot enter it.")
                % params
            )
        case "rating":
            return _("Side pool %(pool)s is for ratings under %(limit).0f, not %(rating).0f.") % params
        case "deal_sum":
            amounts = {key: money(int(str(params[key])), currency) for key in ("before", "after")}
            return _("The deal adds up to %(after)s, but these prizes add up to %(before)s.") % amounts
        case "nobody_placed" if "pool" in params:
            return _("No member of side pool %(pool)s has a place yet.") % params
        case "nobody_placed":
            return _("No places are decided yet.")
        case _other:
            return str(refused)
