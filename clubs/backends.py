"""Django's way of sending mail, led into ``OutgoingMail`` (``EMAIL_BACKEND``)."""

from collections.abc import Sequence

from django.core.mail import EmailMessage
from django.core.mail.backends.base import BaseEmailBackend

from clubs.services.mail import keep_mail
from clubs.tasks import wake


class OutgoingMailBackend(BaseEmailBackend):
    """Keeps messages in the caller's transaction and wakes a worker when it commits."""

    def send_messages(self, email_messages: Sequence[EmailMessage]) -> int:
        addressed = [message for message in email_messages if message.recipients()]
        for message in addressed:
            wake(keep_mail(message))
        return len(addressed)
