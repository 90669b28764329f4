"""Forms to open a chouette table, join it and take a seat."""

import secrets
from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from clubs.currency import minor_digits
from clubs.models import Club
from clubs.models.person import NAME_LENGTH
from scoring.models import Chouette
from scoring.profiles.queries.house_words import HouseInWords

MOST_DIGITS = 9


def stake_field(label: Any, currency: str) -> forms.DecimalField:
    """A stake per point, in the currency's major unit."""
    return forms.DecimalField(
        label=label,
        min_value=0,
        max_digits=MOST_DIGITS,
        decimal_places=minor_digits(currency),
        localize=True,
        help_text=currency,
    )


def minor_of(amount: Decimal, currency: str) -> int:
    """An amount in minor units.

    >>> minor_of(Decimal("2.5"), "EUR")
    250
    """
    return int(amount.scaleb(minor_digits(currency)))


class NewTableForm(forms.Form):
    """A new table: name, house rules, usual stake, and whether its opener plays."""

    title = forms.CharField(label=_("Table name"), max_length=80)
    house = forms.ChoiceField(label=_("House rules"), widget=forms.RadioSelect)
    stake = forms.DecimalField()
    sits = forms.BooleanField(label=_("I am playing and agree to the rules"), required=False, initial=True)

    def __init__(
        self, data: QueryDict | None, *, club: Club, houses: Sequence[HouseInWords], title: str
    ) -> None:
        super().__init__(data, initial={"title": title, "house": houses[0].name, "stake": 1})
        self.currency = club.currency
        self.fields["house"] = forms.ChoiceField(
            label=_("House rules"),
            choices=[(house.name, house.title) for house in houses],
            widget=forms.RadioSelect,
        )
        self.fields["stake"] = stake_field(_("Usual stake per point"), club.currency)
        if club.points_only:
            del self.fields["stake"]

    @property
    def minor_stake(self) -> int:
        """Minor units per point; 0 in a club that plays for points only."""
        stake = self.cleaned_data.get("stake")
        return 0 if stake is None else minor_of(stake, self.currency)


class JoinTableForm(forms.Form):
    """Join a table: agree to its rules, with a stake and, without an account, a name."""

    name = forms.CharField(label=_("Your name"), max_length=NAME_LENGTH)
    nonce = forms.CharField(max_length=64, required=False, widget=forms.HiddenInput)
    rules = forms.CharField(max_length=64, required=False, widget=forms.HiddenInput)
    stake = forms.DecimalField()
    agrees = forms.BooleanField(
        label=_("I have read the rules and agree to them"),
        error_messages={"required": _("Agree to the rules to join.")},
    )

    def __init__(
        self, data: QueryDict | None, *, table: Chouette, named: bool, money: bool, rules: str
    ) -> None:
        usual = Decimal(table.stake).scaleb(-minor_digits(table.currency))
        super().__init__(data, initial={"stake": usual, "nonce": secrets.token_hex(16), "rules": rules})
        self.shown_rules = rules
        self.currency = table.currency
        self.fields["stake"] = stake_field(_("Your stake per point"), table.currency)
        self.order_fields(["name", "stake", "agrees"])
        if not named:
            del self.fields["name"]
            del self.fields["nonce"]
        if not money:
            del self.fields["stake"]

    def ask_again(self, message: str) -> None:
        """Show the current rules and ask for agreement again."""
        self.add_error(None, message)
        sent = QueryDict(mutable=True)
        sent.update({name: value for name, value in self.data.items() if name != "agrees"})
        sent["rules"] = self.shown_rules
        self.data = sent

    @property
    def minor_stake(self) -> int | None:
        """Minor units per point; None without stakes."""
        stake = self.cleaned_data.get("stake")
        return None if stake is None else minor_of(stake, self.currency)


class TakeSeatForm(forms.Form):
    """Take a seat; the nonce makes it idempotent."""

    nonce = forms.CharField(max_length=64, widget=forms.HiddenInput)

    def __init__(self, data: QueryDict | None) -> None:
        super().__init__(data, initial={"nonce": secrets.token_hex(16)})
