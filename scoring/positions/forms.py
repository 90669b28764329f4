"""What is typed about a position that a user saves."""

from django import forms
from django.utils.translation import gettext_lazy as _


class SaveForm(forms.Form):
    """A name and a note for a position."""

    name = forms.CharField(label=_("Name"), max_length=80)
    note = forms.CharField(
        label=_("Note"),
        max_length=2000,
        required=False,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text=_("Only you see it. Tags such as #opening can be searched for."),
    )
