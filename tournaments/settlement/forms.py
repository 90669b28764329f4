"""Form that closes the cash box."""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from clubs.currency import minor_digits
from tournaments.money.amounts import typed_amount

LONGEST_AMOUNT = 20


class CashCountForm(forms.Form):
    """The change at the start and the cash counted, in the club's currency."""

    starting = forms.CharField(
        label=gettext_lazy("Change at the start"),
        max_length=LONGEST_AMOUNT,
        required=False,
        help_text=gettext_lazy("Cash that the club put into the box. Blank = none"),
    )
    counted = forms.CharField(label=gettext_lazy("Cash counted"), max_length=LONGEST_AMOUNT)
    anyway = forms.BooleanField(label=gettext_lazy("Close with open accounts"), required=False)

    def __init__(self, currency: str, *args: Any, unsettled: bool = False, **options: Any) -> None:
        super().__init__(*args, **options)
        self._digits = minor_digits(currency)
        for name in ("starting", "counted"):
            self.fields[name].widget.attrs |= {"inputmode": "decimal", "autocomplete": "off"}
        if not unsettled:
            self.fields.pop("anyway")

    def clean_starting(self) -> int:
        return self._amount(self.cleaned_data["starting"] or "0")

    def clean_counted(self) -> int:
        return self._amount(self.cleaned_data["counted"])

    def _amount(self, typed: str) -> int:
        amount = typed_amount(typed, self._digits)
        if amount is None:
            raise ValidationError(_("“%(typed)s” is not an amount.") % {"typed": typed}, code="amount")
        return amount
