"""Marking a payment as paid from the summary, where a writer does not follow the log."""

from django.db import transaction

from scoring.chouettes.services.chouettes import lock_table, record, table_state
from scoring.chouettes.services.corrections import correct
from scoring.log.queries.writers import Author
from scoring.models import Chouette, SheetEvent
from scoring.rules.chouette.events import Nothing, PaymentMade
from scoring.rules.chouette.payments import Transfer
from scoring.sheets.services.entries import Entry, EntryRefused


def mark_paid(*, chouette: Chouette, author: Author, key: str, payment: Transfer) -> bool:
    """Record that a payment was made; False if it is recorded already and nothing more is due.

    A known ``key`` is not recorded again. Raises EntryRefused as ``record`` does.
    """
    event = PaymentMade(payment.payer, payment.receiver, payment.minor)
    with transaction.atomic():
        table = lock_table(chouette)
        try:
            record(chouette=chouette, author=author, after=table.sheet.head_seq, entries=[Entry(key, event)])
        except EntryRefused as refused:
            if refused.error.code == "not_due" and payment in table_state(table.sheet).paid:
                return False
            raise
    return True


def take_back_paid(*, chouette: Chouette, author: Author, key: str, seq: int, reason: str) -> bool:
    """Delete the payment that the event ``seq`` records; False if that is done already.

    Raises EntryRefused for an event that records none, and as ``correct`` does.
    """
    with transaction.atomic():
        table = lock_table(chouette)
        log = SheetEvent.objects.filter(sheet=table.sheet)
        if not log.filter(seq=seq, kind=PaymentMade.kind).exists() or log.filter(replaces=seq).exists():
            return False
        correct(
            chouette=chouette,
            author=author,
            after=table.sheet.head_seq,
            key=key,
            seq=seq,
            event=Nothing(),
            reason=reason,
        )
    return True
