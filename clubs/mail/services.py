"""Outgoing mail: stored in the transaction that causes it, sent by a worker.

Without a mail server (``EMAIL_URL`` unset) a message stays here and the outbox page shows it to site
administrators. With one, the content of a message is erased as soon as the server has accepted it.

If the worker dies just as a server accepts a message, the server gets it again under the same Message-ID:
SMTP has no transaction that spans both sides. Nothing is lost, and on our side nothing is done twice.
"""

import smtplib
from collections.abc import Sequence
from datetime import timedelta
from email.message import Message
from email.utils import make_msgid, parseaddr

from django.conf import settings
from django.core.mail import EmailMessage
from django.core.mail.backends.smtp import EmailBackend
from django.core.mail.message import sanitize_address
from django.db.models import Q
from django.utils.timezone import now

from clubs.models import Delivery, OutgoingMail, WorkStatus
from clubs.work.services import ask_again, claim, fail, finish, heartbeat

# Messages in the outbox and those that could not be sent are erased after this.
RETENTION = timedelta(days=14)


def keep_mail(message: EmailMessage) -> OutgoingMail:
    """Store a message in the caller's transaction; the caller wakes the worker."""
    sender = sanitize_address(message.from_email, "utf-8")
    message_id = message.extra_headers.setdefault("Message-ID", make_msgid(domain=_domain(sender)))
    complete: Message = message.message()
    return OutgoingMail.objects.create(
        recipients=list(dict.fromkeys(sanitize_address(to, "utf-8") for to in message.recipients())),
        sender=sender,
        subject=" ".join(str(message.subject).split()),
        text=str(message.body),
        message=complete.as_bytes(linesep="\r\n"),  # type: ignore[call-arg]
        message_id=message_id,
    )


def deliver(*, ref: str) -> WorkStatus | None:
    """Send one queued message; return its state afterwards.

    None when there is nothing to do.
    """
    mail = claim(OutgoingMail, ref=ref)
    if mail is None:
        return None
    if not settings.EMAIL_URL:
        with finish(mail) as kept:
            kept.delivery = Delivery.OUTBOX
        return WorkStatus.DONE
    try:
        refused = _hand_over(mail)
    except (OSError, smtplib.SMTPException) as error:
        return fail(mail, error=_reason(error), final=_is_final(error))
    with finish(mail) as sent:
        sent.delivery, sent.message, sent.text = Delivery.SMTP, b"", ""
        sent.error = refused
    return WorkStatus.DONE


def send_kept(mail: OutgoingMail) -> bool:
    """Send a message stored while no mail server was configured; False if impossible."""
    if not settings.EMAIL_URL:
        return False
    kept = OutgoingMail.objects.filter(pk=mail.pk, status=WorkStatus.DONE, delivery=Delivery.OUTBOX)
    return bool(ask_again(kept, delivery=""))


def erase_mail(mail: OutgoingMail) -> bool:
    """Delete a message; False while it is being sent, when it stays."""
    return bool(OutgoingMail.objects.filter(pk=mail.pk).exclude(status=WorkStatus.RUNNING).delete()[0])


def erase_old_mail() -> int:
    """Delete messages older than ``RETENTION`` that are not queued; return how many."""
    ended = ~Q(status__in=[WorkStatus.QUEUED, WorkStatus.RUNNING])
    return OutgoingMail.objects.filter(ended, queued_at__lt=now() - RETENTION).delete()[0]


def _hand_over(mail: OutgoingMail) -> str:
    """Send the message to the mail server; return its refusals as text.

    Raises as smtplib does.
    """
    backend = EmailBackend(fail_silently=False)
    try:
        backend.open()
        # Connecting may have taken most of the lease; the message itself takes at most four time-outs.
        heartbeat(mail)
        server: smtplib.SMTP = backend.connection  # type: ignore[assignment]
        refused = server.sendmail(parseaddr(mail.sender)[1], _envelope(mail.recipients), bytes(mail.message))
    finally:
        backend.close()
    return "; ".join(f"{to}: {code} {_text(answer)}" for to, (code, answer) in refused.items())


def _domain(address: str) -> str:
    return parseaddr(address)[1].rpartition("@")[2]


def _envelope(recipients: Sequence[str]) -> list[str]:
    return [parseaddr(recipient)[1] for recipient in recipients]


def _is_final(error: Exception) -> bool:
    """Whether retrying is useless (5xx: RFC 5321, section 4.2.1)."""
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        return all(code >= 500 for code, _ in error.recipients.values())
    # A refused login is a configuration error, not the message's: keep retrying.
    if isinstance(error, smtplib.SMTPAuthenticationError):
        return False
    return isinstance(error, smtplib.SMTPResponseException) and error.smtp_code >= 500


def _reason(error: Exception) -> str:
    if isinstance(error, smtplib.SMTPRecipientsRefused):
        return "; ".join(f"{to}: {code} {_text(answer)}" for to, (code, answer) in error.recipients.items())
    if isinstance(error, smtplib.SMTPResponseException):
        return f"{error.smtp_code} {_text(error.smtp_error)}"
    return f"{type(error).__name__}: {error}"


def _text(answer: bytes | str) -> str:
    return answer.decode(errors="replace") if isinstance(answer, bytes) else answer
