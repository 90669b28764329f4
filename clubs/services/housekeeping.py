"""What is kept for a while only, and erased afterwards."""

from django.contrib.sessions.models import Session
from django.utils.timezone import now

from clubs.models import ApiToken, Invitation
from clubs.services.backups import forget_old_backups
from clubs.services.idempotency import forget_old_keys
from clubs.services.mail import erase_old_mail
from clubs.services.merging import forget_old_merges


def tidy() -> dict[str, int]:
    """Erase what has had its time; how many rows of each kind."""
    return {
        "mail": erase_old_mail(),
        "merges": forget_old_merges(),
        "invitations": Invitation.objects.filter(expires_at__lt=now()).delete()[0],
        "sessions": Session.objects.filter(expire_date__lt=now()).delete()[0],
        "idempotency keys": forget_old_keys(),
        "backups": forget_old_backups(),
        "tokens": ApiToken.objects.filter(expires_at__lt=now()).delete()[0],
    }
