"""Outgoing mail, stored in the transaction that causes it, sent by a worker."""

from datetime import timedelta

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils.translation import gettext_lazy as _

from clubs.models.work import Work, WorkStatus


class Delivery(models.TextChoices):
    SMTP = "smtp", _("Accepted by the mail server")
    OUTBOX = "outbox", _("Not sent: no mail server configured")


class OutgoingMail(Work):
    """An RFC 5322 message. Personal data: the row is erased after ``RETENTION``."""

    TASK = "clubs.deliver_mail"
    NAME = _("Mail")
    MAX_ATTEMPTS = 20
    LEASE = timedelta(seconds=45)

    recipients = ArrayField(models.EmailField(max_length=320))
    sender = models.CharField(max_length=320)
    subject = models.TextField()
    text = models.TextField()
    message = models.BinaryField()
    message_id = models.CharField(max_length=255, unique=True)
    delivery = models.CharField(max_length=6, choices=Delivery.choices, blank=True)

    class Meta(Work.Meta):
        constraints = [
            *Work.Meta.constraints,
            models.CheckConstraint(
                condition=models.Q(status=WorkStatus.DONE, delivery__in=Delivery.values)
                | (~models.Q(status=WorkStatus.DONE) & models.Q(delivery="")),
                name="mail_done_says_how",
            ),
        ]

    def __str__(self) -> str:
        return self.message_id
