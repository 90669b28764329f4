"""Deletion of expired data."""

from django.contrib.sessions.models import Session
from django.utils.timezone import now

from clubs.http.idempotency import forget_old_keys
from clubs.mail.services import erase_old_mail
from clubs.models import ApiToken, Invitation
from clubs.people.services.merges import forget_old_merges
from clubs.work.backups import forget_old_backups


def tidy() -> dict[str, int]:
    """Delete expired data; return the number of rows by kind."""
    return {
        "mail": erase_old_mail(),
        "merges": forget_old_merges(),
        "invitations": Invitation.objects.filter(expires_at__lt=now()).delete()[0],
        "sessions": Session.objects.filter(expire_date__lt=now()).delete()[0],
        "idempotency keys": forget_old_keys(),
        "backups": forget_old_backups(),
        "tokens": ApiToken.objects.filter(expires_at__lt=now()).delete()[0],
    }
