"""What is kept for a while only, and erased afterwards."""

from datetime import timedelta

from django.contrib.sessions.models import Session
from django.utils.timezone import now

from clubs.models import IdempotencyKey, Invitation
from clubs.services.mail import erase_old_mail

# A client that repeats a request later than this gets it done a second time.
IDEMPOTENCY_KEPT = timedelta(days=7)


def tidy() -> dict[str, int]:
    """Erase what has had its time; how many rows of each kind."""
    return {
        "mail": erase_old_mail(),
        "invitations": Invitation.objects.filter(expires_at__lt=now()).delete()[0],
        "sessions": Session.objects.filter(expire_date__lt=now()).delete()[0],
        "idempotency keys": IdempotencyKey.objects.filter(created_at__lt=now() - IDEMPOTENCY_KEPT).delete()[
            0
        ],
    }
