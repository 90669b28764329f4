"""Forms of a Calcutta auction: its terms, the sale of a lot, buy-backs and field lots."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from clubs.currency import minor_digits
from clubs.models import Club
from clubs.people.fields import PersonOrGuestField, look_among_members
from tournaments.calcutta.queries import LotLine
from tournaments.models import AuctionLot, FeePayment
from tournaments.money.amounts import typed_amount

PAYMENTS = [
    (FeePayment.OPEN.value, gettext_lazy("not paid")),
    (FeePayment.CASH.value, gettext_lazy("cash")),
    (FeePayment.TRANSFER.value, gettext_lazy("transfer")),
]
LONGEST_TABLE = 100


class AuctionForm(forms.Form):
    """Rake, buy-back and payout table, in percent."""

    rake = forms.IntegerField(label=gettext_lazy("Rake (%)"), min_value=0, max_value=100, initial=0)
    most_back = forms.IntegerField(
        label=gettext_lazy("Buy-back (%)"),
        min_value=0,
        max_value=100,
        initial=50,
        help_text=gettext_lazy("How much of a lot its entrants can buy back."),
    )
    percentages = forms.CharField(
        label=gettext_lazy("Payouts by place (%)"),
        max_length=LONGEST_TABLE,
        help_text=gettext_lazy("Percentages that add up to 100, such as 50, 30, 20"),
    )

    def clean_percentages(self) -> tuple[int, ...]:
        text = self.cleaned_data["percentages"]
        parts = text.replace(",", " ").replace(";", " ").split()
        if not all(part.isascii() and part.isdecimal() and len(part) < 4 for part in parts):
            raise ValidationError(
                _("“%(typed)s” is not a list of percentages.") % {"typed": text}, code="table"
            )
        return tuple(int(part) for part in parts)


class SaleForm(forms.Form):
    """The buyer of a lot, who can be a new guest, and the hammer price."""

    buyer = PersonOrGuestField(label=gettext_lazy("Buyer"))
    price = forms.CharField(label=gettext_lazy("Hammer price"), max_length=20)
    payment = forms.ChoiceField(label=gettext_lazy("Payment"), choices=PAYMENTS, required=False)

    def __init__(self, club: Club, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._digits = minor_digits(club.currency)
        self.fields["price"].widget.attrs |= {"inputmode": "decimal", "autocomplete": "off"}
        look_among_members(self, ("buyer",), club)

    def clean_price(self) -> int:
        typed = self.cleaned_data["price"]
        amount = typed_amount(typed, self._digits)
        if amount is None:
            raise ValidationError(_("“%(typed)s” is not an amount.") % {"typed": typed}, code="amount")
        return amount

    def payment_made(self) -> FeePayment:
        return FeePayment(self.cleaned_data["payment"] or FeePayment.OPEN)


class BuyBackForm(forms.Form):
    """What an entrant of a lot bought back."""

    entrant = forms.ChoiceField(label=gettext_lazy("Entrant"))
    percent = forms.IntegerField(label=gettext_lazy("Bought back (%)"), min_value=0, max_value=100)
    payment = forms.ChoiceField(label=gettext_lazy("Payment"), choices=PAYMENTS, required=False)

    def __init__(self, lot: AuctionLot, *args: Any, **options: Any) -> None:
        options["prefix"] = "back"
        super().__init__(*args, **options)
        choices = [(each.entrant.ref, each.entrant.title) for each in lot.entrants.all()]
        self.fields["entrant"] = forms.ChoiceField(label=gettext_lazy("Entrant"), choices=choices)

    def payment_made(self) -> FeePayment:
        return FeePayment(self.cleaned_data["payment"] or FeePayment.OPEN)


class FieldLotForm(forms.Form):
    """Unsold lots that become one field lot."""

    def __init__(self, lines: Sequence[LotLine], *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["lots"] = forms.MultipleChoiceField(
            label=gettext_lazy("Lots"),
            choices=[(line.row.ref, f"{line.row.number}. {', '.join(line.row.titles)}") for line in lines],
            widget=forms.CheckboxSelectMultiple,
        )
