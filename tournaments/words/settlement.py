"""Items of an account in the reader's language."""

from collections.abc import Iterator, Mapping
from typing import Any

from django.utils.translation import gettext as _

from clubs.formats.money import money, signed_money
from clubs.formats.numbers import percent
from tournaments.core.prizes.settlement import Item, ItemKind
from tournaments.words.written import pool_name


def item_words(item: Item) -> str:
    """What an item is for, e.g. "Entry fee"."""
    match item.kind:
        case ItemKind.REGISTRATION:
            return _("Registration fee")
        case ItemKind.ENTRY:
            return _("Entry fee")
        case ItemKind.POOL:
            return _("Side pool %(pool)s") % {"pool": item.key}
        case ItemKind.REFUND:
            return _("Refund of fees")
        case ItemKind.PRIZE:
            return _("Prize: %(pool)s") % {"pool": pool_name(item.key)}
        case ItemKind.LOT:
            return _("Lot %(number)s") % {"number": item.key}
        case ItemKind.BUY_BACK:
            return _("Buy-back of lot %(number)s") % {"number": item.key}
        case ItemKind.PAYOUT:
            return _("Payout of lot %(number)s") % {"number": item.key}


def way_words(how: str) -> str:
    """How an item was paid; "open" if it was not."""
    ways = {"cash": _("cash"), "transfer": _("transfer"), "kind": _("in kind"), "": _("open")}
    return ways.get(how, how)


def settled_in_log(body: Mapping[str, Any]) -> Iterator[str]:
    """How an account was settled, for the event's log."""
    amount = money(abs(body["net"]), body["currency"])
    yield (_("%(amount)s collected") if body["net"] < 0 else _("%(amount)s paid out")) % {"amount": amount}
    yield way_words(body["how"])


def closed_in_log(body: Mapping[str, Any]) -> Iterator[str]:
    """A closing of the cash box, for the event's log."""
    currency = body["currency"]
    yield _("counted %(amount)s") % {"amount": money(body["counted"], currency)}
    difference = signed_money(body["counted"] - body["expected"], currency)
    yield _("difference %(amount)s") % {"amount": difference}


def lot_in_log(body: Mapping[str, Any]) -> Iterator[str]:
    """A lot and its price or buy-back, for the event's log."""
    if "lot" in body:
        yield _("lot %(number)s") % {"number": body["lot"]}
    if body.get("price"):
        yield money(body["price"], body["currency"])
    if "percent" in body:
        yield percent(body["percent"] / 100)
    if "total" in body:
        yield money(body["total"], body["currency"])
