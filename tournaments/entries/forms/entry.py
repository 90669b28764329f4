"""The form with everything a director can change of an entry."""

import json
from collections.abc import Sequence
from typing import Any, cast

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from clubs.currency import minor_digits
from clubs.formats.money import money, typed_money
from clubs.people.name_fields import email_address
from tournaments.core.prizes.dues import Dues, price
from tournaments.core.prizes.pools import Fees
from tournaments.entries.services.entry_changes import EntryValues, present_values
from tournaments.events.eligibility import eligibility_of, pools_of
from tournaments.models import PAID_BY, EntrantRow, EntrantState, FeePayment, Flight
from tournaments.money.amounts import typed_amount

HIGHEST_RATING = 10_000
HIGHEST_SEED = 9_999
WAYS = ("cash", "transfer")
FEES = (*WAYS, "free")


class EntryForm(forms.Form):
    """Team name, division, seed, rating, club, email, fees and side pools of an entry.

    Fees are typed as what was paid in cash and what by transfer. ``closed`` says why side pools cannot
    change, ``drawn`` whether the draw has used seed and rating.
    """

    name = forms.CharField(
        label=gettext_lazy("Team name"),
        max_length=60,
        required=False,
        help_text=gettext_lazy("Blank = the names of the players"),
    )
    flight = forms.ChoiceField(label=gettext_lazy("Division"))
    seed = forms.IntegerField(
        label=gettext_lazy("Seed"),
        required=False,
        min_value=1,
        max_value=HIGHEST_SEED,
        help_text=gettext_lazy("Seeds come before ratings in a draw by rating or by hand."),
    )
    rating = forms.FloatField(
        label=gettext_lazy("Rating"), required=False, min_value=0, max_value=HIGHEST_RATING, localize=True
    )
    from_club = forms.CharField(label=gettext_lazy("Club"), max_length=60, required=False)
    cash = forms.CharField(label=gettext_lazy("Paid in cash"), max_length=20, required=False)
    transfer = forms.CharField(label=gettext_lazy("Paid by transfer"), max_length=20, required=False)
    free = forms.BooleanField(label=gettext_lazy("Free entry"), required=False)

    def __init__(
        self,
        entrant: EntrantRow,
        dues: Dues,
        *args: Any,
        drawn: bool = False,
        closed: str = "",
        **options: Any,
    ) -> None:
        self.entrant, self.dues = entrant, dues
        self.currency = entrant.flight.event.club.currency
        options.setdefault("initial", self._initial())
        super().__init__(*args, **options)
        self.fields["email"] = email_address()
        self.fields["email"].required = False
        self.fields["email"].help_text = _("Only directors see it.")
        flights = list(entrant.flight.event.flights.order_by("position"))
        self.flights = {flight.ref: flight for flight in flights}
        if len(flights) > 1:
            choice: Any = self.fields["flight"]
            choice.choices = [(flight.ref, flight.name or flight.ref) for flight in flights]
            if drawn:
                choice.disabled = True
                choice.help_text = _("The division cannot change after the draw.")
        else:
            del self.fields["flight"]
        if len(entrant.players) < 2:
            del self.fields["name"]
        pools = pools_of(entrant.flight.pools)
        if pools:
            self.fields["pools"] = forms.MultipleChoiceField(
                label=_("Side pools"),
                choices=[(pool.key, f"{pool.key}, {money(pool.fee, self.currency)}") for pool in pools],
                required=False,
                disabled=bool(closed),
                help_text=closed,
                widget=forms.CheckboxSelectMultiple,
            )
        if drawn:
            for name in ("seed", "rating"):
                self.fields[name].disabled = True
                self.fields[name].help_text = _("The draw has used it.")
        if entrant.state == EntrantState.WITHDRAWN:
            for name in self.fields.keys() - {*FEES, "email"}:
                self.fields[name].disabled = True
        self._set_fees(dues)
        if not eligibility_of(entrant.flight.eligibility).open or len(flights) > 1:
            self.fields["override"] = forms.BooleanField(
                label=_("Override the entry restrictions"), required=False
            )
        order = ["name", "flight", "override", *FEES, "pools", "seed", "rating", "from_club"]
        self.order_fields([*order, "email"])

    def _set_fees(self, dues: Dues) -> None:
        """Leave out the fees of a free flight, and close those that are refunded."""
        flight = self.entrant.flight
        if not (dues.due or flight.entry_fee or flight.registration_fee or flight.pools):
            for name in FEES:
                del self.fields[name]
        elif self.entrant.refunded_at is not None:
            for name in FEES:
                self.fields[name].disabled = True
            self.fields["cash"].help_text = _("The fees are refunded. Undo the refund to change them.")
        else:
            for name in WAYS:
                self.fields[name].widget.attrs |= {"inputmode": "decimal", "autocomplete": "off"}
            due = {"due": money(self._price(list(self.entrant.pools)), self.currency)}
            self.fields["cash"].help_text = _("The fees are %(due)s.") % due

    def _initial(self) -> dict[str, Any]:
        entrant = self.entrant
        return {
            "name": entrant.name,
            "flight": entrant.flight.ref,
            "seed": entrant.seed,
            "rating": entrant.rating,
            "from_club": entrant.from_club,
            "email": entrant.email,
            "cash": typed_money(self.dues.cash, self.currency) if self.dues.cash else "",
            "transfer": typed_money(self.dues.transferred, self.currency) if self.dues.transferred else "",
            "free": entrant.payment == FeePayment.FREE,
            "pools": list(entrant.pools),
        }

    def clean_cash(self) -> int:
        return self._amount("cash")

    def clean_transfer(self) -> int:
        return self._amount("transfer")

    def _amount(self, name: str) -> int:
        """What was paid in a way, in minor units."""
        text = str(self.cleaned_data[name]).strip()
        amount = typed_amount(text or "0", minor_digits(self.currency))
        if amount is None:
            raise ValidationError(
                _("“%(text)s” is not an amount. Enter a number such as %(example)s."),
                code="amount",
                params={"text": text, "example": typed_money(2000, self.currency)},
            )
        return amount

    def clean(self) -> dict[str, Any]:
        data = super().clean() or self.cleaned_data
        if data.get("free") and (data.get("cash") or data.get("transfer")):
            raise ValidationError(
                _("A free entry pays no fees. Delete the amounts, or untick “Free entry”."), code="free"
            )
        return data

    def clean_flight(self) -> Flight:
        return self.flights[self.cleaned_data["flight"]]

    def values(self) -> EntryValues:
        """The values of the fields that the form has."""
        left_out = {"override", *FEES}
        data = {name: self.cleaned_data[name] for name in self.fields if name not in left_out}
        if "free" in self.fields and not self.fields["free"].disabled:
            data |= self._fees()
        return cast("EntryValues", data)

    def _fees(self) -> dict[str, Any]:
        """How the fees were paid; the way of the larger part, unless it is that of the entry, comes first."""
        cash, transfer = self.cleaned_data["cash"], self.cleaned_data["transfer"]
        if self.cleaned_data["free"]:
            return {"payment": FeePayment.FREE}
        if not cash and not transfer:
            return {"payment": FeePayment.OPEN}
        parts = {FeePayment.CASH: cash, FeePayment.TRANSFER: transfer}
        before = FeePayment(self.entrant.payment)
        way = before if parts.get(before) else max(PAID_BY, key=lambda each: parts[each])
        return {"payment": way, "paid": cash + transfer, "other_way": cash + transfer - parts[way]}

    def _price(self, pools: Sequence[str]) -> int:
        flight = self.entrant.flight
        return price(Fees(flight.registration_fee, flight.entry_fee), pools_of(flight.pools), pools)


def entry_seen(entrant: EntrantRow) -> str:
    """The values of an entry, for a hidden field."""
    return json.dumps(present_values(entrant))


def read_entry_seen(text: str) -> dict[str, Any] | None:
    """Read :func:`entry_seen`; None if nothing was sent."""
    if not text:
        return None
    try:
        found = json.loads(text)
    # RecursionError: brackets within brackets.
    except (ValueError, RecursionError):
        found = None
    return found if isinstance(found, dict) else {"state": ""}
