"""Outgoing mail for the outbox page."""

from django.db.models import Q, QuerySet

from clubs.http.lists import PAGE, Page
from clubs.models import OutgoingMail


def outbox_page(*, after: str = "", size: int = PAGE) -> Page[OutgoingMail]:
    """A page of outgoing mail, newest first, after the message ``after``."""
    mail: QuerySet[OutgoingMail] = OutgoingMail.objects.all()
    last = mail.filter(ref=after).first() if after else None
    if last is not None:
        earlier = Q(queued_at__lt=last.queued_at) | Q(pk__lt=last.pk)
        mail = mail.filter(earlier, queued_at__lte=last.queued_at)
    rows = list(mail.defer("message").order_by("-queued_at", "-pk")[: size + 1])
    return Page(rows[:size], rows[size - 1].ref if len(rows) > size else "")
