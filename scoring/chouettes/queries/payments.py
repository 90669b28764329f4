"""The payments that settle a chouette: those made, and the fewest that settle what is left."""

from typing import Any

from django.db.models import Exists, OuterRef
from django.utils.translation import gettext as _

from scoring.chouettes.queries.lines import writer_of
from scoring.chouettes.queries.told import Told
from scoring.models import Sheet, SheetEvent
from scoring.rules.chouette.events import PaymentMade
from scoring.rules.chouette.payments import Transfer, payments_with


def is_for_money(table: Told) -> bool:
    """Whether there can be anything to pay: money is shown, and somebody has a stake or a balance."""
    state = table.state
    return table.seen.money_shown and (
        any(seat.stake for seat in state.seats) or any(state.unpaid.values()) or bool(state.paid)
    )


def payments_of(table: Told) -> list[dict[str, Any]]:
    """The payments that settle every balance, ``at`` an aware time; none where money is not shown.

    Those made have the ``seq`` of their log entry. One query if there are any.
    """
    if not table.seen.money_shown:
        return []
    state = table.state
    minor = {player: both[1] for player, both in state.balances.items()}
    rows = made_rows(table.seen.chouette.sheet) if state.paid else []
    return [
        _payment(table, each, None if made is None else rows[made])
        for each, made in payments_with(minor, state.paid)
    ]


def made_rows(sheet: Sheet) -> list[SheetEvent]:
    """The log's payments that stand, oldest first (one query)."""
    log = SheetEvent.objects.filter(sheet=sheet)
    deleted = log.filter(replaces=OuterRef("seq")).order_by()
    return list(log.filter(kind=PaymentMade.kind).exclude(Exists(deleted)).order_by("seq"))


def _payment(table: Told, each: Transfer, row: SheetEvent | None) -> dict[str, Any]:
    amount = table.money(each.minor)
    names = {
        "payer": table.names.get(each.payer, "?"),
        "receiver": table.names.get(each.receiver, "?"),
    }
    return {
        "payer": each.payer,
        "receiver": each.receiver,
        "minor": each.minor,
        "money": amount,
        "words": _("%(payer)s pays %(receiver)s %(amount)s") % {**names, "amount": amount},
        "sentence": _("%(payer)s pays %(receiver)s") % names,
        "paid": row is not None,
        "seq": row and row.seq,
        "by": writer_of(row, table.seen.players) if row else "",
        "at": row and row.at,
    }
