"""The form for a pasted list of entries, and what its columns can be."""

from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from clubs.http.numbers import whole_number
from clubs.lists.columns import Field
from tournaments.models import FeePayment, Flight

LONGEST_LIST = 200_000
LABELS: dict[Field, Any] = {
    "": gettext_lazy("Leave out"),
    "name": gettext_lazy("Name"),
    "first": gettext_lazy("First name"),
    "last": gettext_lazy("Surname"),
    "rating": gettext_lazy("Rating"),
    "seed": gettext_lazy("Seed"),
    "club": gettext_lazy("Club"),
    "email": gettext_lazy("Email address"),
    "fee": gettext_lazy("Fee paid"),
    "pools": gettext_lazy("Side pools"),
    "division": gettext_lazy("Division"),
}


class EntryListForm(forms.Form):
    """A list of entries as text, with what its columns are once it has been read."""

    entries = forms.CharField(
        label=gettext_lazy("Entries"),
        max_length=LONGEST_LIST,
        widget=forms.Textarea({"rows": 8, "spellcheck": "false"}),
    )
    method = forms.ChoiceField(
        label=gettext_lazy("Fees that came in were paid by"),
        choices=[(each.value, each.label) for each in (FeePayment.CASH, FeePayment.TRANSFER)],
        initial=FeePayment.CASH.value,
        required=False,
    )

    def __init__(self, flight: Flight, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["entries"].help_text = _how_to_write(flight.team_size)

    @property
    def sent(self) -> QueryDict:
        """What was sent, in the browser's form encoding."""
        return self.data if isinstance(self.data, QueryDict) else QueryDict()

    def columns(self) -> list[str] | None:
        """The chosen columns; None before the list was read."""
        return self.sent.getlist("column") or None

    def headed(self) -> bool | None:
        """Whether the first row has headings; None before the list was read."""
        return None if "mapped" not in self.sent else "headed" in self.sent

    def paid_by(self) -> FeePayment:
        return FeePayment(self.cleaned_data["method"] or FeePayment.CASH)

    def leave_out(self) -> frozenset[int]:
        """Numbers of the rows to leave out."""
        found = map(whole_number, self.sent.getlist("leave_out"))
        return frozenset(number for number in found if number is not None)

    def admit(self) -> frozenset[str]:
        """Keys of the rows for which to override the entry restrictions."""
        return frozenset(self.sent.getlist("admit"))


def _how_to_write(team_size: int | None) -> str:
    """Help text with an example."""
    if team_size is None or team_size == 1:
        said = _("Paste rows from a spreadsheet, with or without headings, or type one player per line.")
    elif team_size == 2:
        said = _("Paste rows from a spreadsheet, or type one pair per line: Ana Gil; Ben Roy; cash.")
    else:
        said = _("Paste rows from a spreadsheet, or type one team per line, with its %(size)s players.") % {
            "size": team_size
        }
    return said
