"""Refusals of prizes and side pools in the reader's language, by code."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.utils.translation import gettext as _

from clubs.formats.money import money
from scoring.drawing.figures import rating, rating_limit
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
            words = {"pool": params["pool"], "limit": rating_limit(float(str(params["limit"])))}
            return (
                _("Side pool %(pool)s is for ratings under %(limit)s. Unrated players cannot enter it.")
                % words
            )
        case "rating":
            words = {"pool": params["pool"], "limit": rating_limit(float(str(params["limit"])))}
            words["rating"] = rating(float(str(params["rating"])))
            return _("Side pool %(pool)s is for ratings under %(limit)s, not %(rating)s.") % words
        case "deal_sum":
            amounts = {key: money(int(str(params[key])), currency) for key in ("before", "after")}
            return _("The deal adds up to %(after)s, but these prizes add up to %(before)s.") % amounts
        case "nobody_placed" if "pool" in params:
            return _("No member of side pool %(pool)s has a place yet.") % params
        case "nobody_won":
            return _("No entrant has won a match, so there is no prize. Refund the fees.")
        case "nobody_placed":
            return _("No places are decided yet.")
        case _other:
            return _of_auction(refused)


def _of_auction(refused: PrizeRefused) -> str:
    match refused.code:
        case "lot_price":
            return _("The price of a lot must be more than 0.")
        case "buy_back_entrant":
            return _("Only the entrants of a lot can buy back a part of it.")
        case "buy_back":
            return _("At most %(most)s%% of a lot can be bought back, not %(percent)s%%.") % refused.params
        case "percentages":
            return _("Prizes by place must not increase, and must add up to 100%.")
        case "rake":
            return _("A rake is from 0 to 100%%, not %(rake)s%%.") % refused.params
        case _other:
            return str(refused)
