"""The form of the format chooser."""

from django import forms
from django.utils.translation import gettext_lazy as _

LONGEST = 25


class ChooserForm(forms.Form):
    """The form of the format chooser."""

    entrants = forms.IntegerField(label=_("Entrants"), min_value=2, max_value=128, initial=16)
    tables = forms.IntegerField(
        label=_("Tables"),
        min_value=1,
        max_value=64,
        required=False,
        help_text=_("Blank = as many as needed"),
    )
    length = forms.IntegerField(label=_("Match length"), min_value=1, max_value=LONGEST, initial=5)
    clocks = forms.BooleanField(label=_("Played with clocks"), required=False)
