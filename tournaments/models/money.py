"""The cash box of an event."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.timezone import now

from clubs.models.ref import RefModel
from tournaments.models.event import Event


class CashClosing(RefModel):
    """One closing of an event's cash box, in minor units.

    ``starting`` is the change put in at the start, ``expected`` that and all cash received, less all cash
    paid out; ``counted`` is what was in the box. ``unsettled`` is the number of accounts that were open. The
    box is closed until ``reopened_at``.
    """

    event = models.ForeignKey(Event, on_delete=models.PROTECT, related_name="cash_closings")
    starting = models.PositiveBigIntegerField(default=0)
    expected = models.BigIntegerField()
    counted = models.PositiveBigIntegerField()
    unsettled = models.PositiveIntegerField(default=0)
    closed_at = models.DateTimeField(default=now)
    closed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    reopened_at = models.DateTimeField(null=True, blank=True)
    reopened_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["event"], condition=Q(reopened_at=None), name="cash_box_closed_once"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.counted} of {self.expected}"

    @property
    def difference(self) -> int:
        """Counted minus expected."""
        return self.counted - self.expected
