"""The cash box of an event, and the Calcutta auction of a flight."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.timezone import now
from django.utils.translation import gettext_lazy as _

from clubs.models import Player
from clubs.models.ref import RefModel
from tournaments.models.event import EntrantRow, Event, FeePayment, Flight
from tournaments.models.stage import PaidHow


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


class Auction(RefModel):
    """The Calcutta auction of a flight, open until ``closed_at``.

    ``rake`` is what the club keeps, ``most_back`` how much of a lot its entrants can buy back, both in
    percent; ``percentages`` are the prizes by place.
    """

    flight = models.OneToOneField(Flight, on_delete=models.PROTECT, related_name="auction")
    rake = models.PositiveSmallIntegerField(_("rake"), default=0)
    most_back = models.PositiveSmallIntegerField(_("buy-back"), default=50)
    percentages = models.JSONField(default=list)
    opened_at = models.DateTimeField(default=now)
    closed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(rake__lte=100), name="auction_rake_at_most_all"),
            models.CheckConstraint(condition=Q(most_back__lte=100), name="auction_back_at_most_all"),
        ]

    def __str__(self) -> str:
        return f"auction of {self.flight_id}"


class AuctionLot(RefModel):
    """One entrant or several, sold as one. ``price`` is the hammer price in minor units, 0 until sold.

    ``payment`` is the buyer's, for the part that was not bought back.
    """

    auction = models.ForeignKey(Auction, on_delete=models.CASCADE, related_name="lots")
    number = models.PositiveSmallIntegerField()
    buyer = models.ForeignKey(Player, null=True, blank=True, on_delete=models.PROTECT, related_name="lots")
    price = models.PositiveBigIntegerField(default=0)
    payment = models.CharField(max_length=10, choices=FeePayment.choices, default=FeePayment.OPEN)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["auction", "number"], name="lot_number_once"),
            models.CheckConstraint(
                condition=Q(price=0, buyer=None) | (Q(price__gt=0) & Q(buyer__isnull=False)),
                name="lot_sold_to_a_buyer",
            ),
            models.CheckConstraint(
                condition=Q(payment__in=[FeePayment.OPEN, FeePayment.CASH, FeePayment.TRANSFER]),
                name="lot_payment_known",
            ),
        ]

    def __str__(self) -> str:
        return f"lot {self.number} of {self.auction_id}"

    @property
    def is_sold(self) -> bool:
        return self.buyer_id is not None

    @property
    def titles(self) -> list[str]:
        """The names of its entrants. Load them along: this must not query."""
        return [each.entrant.title for each in self.entrants.all()]


class LotEntrant(RefModel):
    """An entrant of a lot, and the percentage of it that the entrant bought back."""

    lot = models.ForeignKey(AuctionLot, on_delete=models.CASCADE, related_name="entrants")
    entrant = models.OneToOneField(EntrantRow, on_delete=models.PROTECT, related_name="lot_place")
    bought_back = models.PositiveSmallIntegerField(default=0)
    payment = models.CharField(max_length=10, choices=FeePayment.choices, default=FeePayment.OPEN)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(bought_back__lte=100), name="lot_bought_back_at_most_all"),
            models.CheckConstraint(
                condition=Q(payment__in=[FeePayment.OPEN, FeePayment.CASH, FeePayment.TRANSFER]),
                name="buy_back_payment_known",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.entrant_id} in {self.lot_id}"


class LotPrize(RefModel):
    """The payout of a lot to its buyer, or to an ``entrant`` who bought back, in minor units."""

    lot = models.ForeignKey(AuctionLot, on_delete=models.CASCADE, related_name="prizes")
    entrant = models.ForeignKey(
        EntrantRow, null=True, blank=True, on_delete=models.PROTECT, related_name="lot_prizes"
    )
    amount = models.PositiveBigIntegerField()
    paid_at = models.DateTimeField(null=True, blank=True)
    paid_how = models.CharField(max_length=10, choices=PaidHow.choices, blank=True)
    paid_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["lot", "entrant"], name="lot_prize_once", nulls_distinct=False),
        ]

    def __str__(self) -> str:
        return f"{self.amount} of {self.lot_id}"
