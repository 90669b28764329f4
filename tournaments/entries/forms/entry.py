"""The form with everything a director can change of an entry."""

import json
from typing import Any, cast

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from clubs.currency import minor_digits
from clubs.formats.money import money, typed_money
from clubs.people.name_fields import email_address
from tournaments.core.prizes.dues import Dues
from tournaments.entries.services.entry_changes import EntryValues, present_values
from tournaments.events.eligibility import eligibility_of, pools_of
from tournaments.models import EntrantRow, EntrantState, FeePayment, Flight
from tournaments.money.amounts import typed_amount

HIGHEST_RATING = 10_000
HIGHEST_SEED = 9_999


class EntryForm(forms.Form):
    """Team name, division, seed, rating, club, email, fees and side pools of an entry.

    ``closed`` says why side pools cannot change, ``drawn`` whether the draw has used seed and rating.
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
    payment = forms.ChoiceField(label=gettext_lazy("Fees"), choices=FeePayment.choices)
    paid = forms.CharField(label=gettext_lazy("Amount paid"), max_length=20, required=False)

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
            for name in self.fields.keys() - {"payment", "paid", "email"}:
                self.fields[name].disabled = True
        if not (dues.due or entrant.flight.entry_fee or entrant.flight.registration_fee or pools):
            del self.fields["payment"], self.fields["paid"]
        else:
            self.fields["paid"].help_text = _("Of %(due)s. Blank = all of it.") % {
                "due": money(dues.due, self.currency)
            }
        if not eligibility_of(entrant.flight.eligibility).open or len(flights) > 1:
            self.fields["override"] = forms.BooleanField(
                label=_("Override the entry restrictions"), required=False
            )
        order = ["name", "flight", "override", "payment", "paid", "pools", "seed", "rating", "from_club"]
        self.order_fields([*order, "email"])

    def _initial(self) -> dict[str, Any]:
        entrant = self.entrant
        return {
            "name": entrant.name,
            "flight": entrant.flight.ref,
            "seed": entrant.seed,
            "rating": entrant.rating,
            "from_club": entrant.from_club,
            "email": entrant.email,
            "payment": entrant.payment,
            "paid": typed_money(self.dues.paid, self.currency) if self.dues.paid else "",
            "pools": list(entrant.pools),
        }

    def clean_paid(self) -> int | None:
        """The amount paid so far, in minor units; None for all."""
        text = str(self.cleaned_data["paid"]).strip()
        if not text:
            return None
        amount = typed_amount(text, minor_digits(self.currency))
        if amount is None:
            raise ValidationError(
                _("“%(text)s” is not an amount. Enter a number such as %(example)s."),
                code="amount",
                params={"text": text, "example": typed_money(2000, self.currency)},
            )
        return amount

    def clean_flight(self) -> Flight:
        return self.flights[self.cleaned_data["flight"]]

    def values(self) -> EntryValues:
        """The values of the fields that the form has."""
        data = {name: self.cleaned_data[name] for name in self.fields if name != "override"}
        if "payment" in data:
            data["payment"] = FeePayment(data["payment"])
            if data["paid"] is None and data["payment"] == self.entrant.payment and self.entrant.outstanding:
                data["paid"] = self._all_fees(data)
        return cast("EntryValues", data)

    def _all_fees(self, data: dict[str, Any]) -> int:
        """The fees with the chosen side pools, for an amount left blank."""
        flight = data.get("flight", self.entrant.flight)
        chosen = data.get("pools", self.entrant.pools)
        pools = sum(pool.fee for pool in pools_of(flight.pools) if pool.key in chosen)
        return int(flight.registration_fee + flight.entry_fee + pools)


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
