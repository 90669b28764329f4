"""The form of an event's poster."""

from django import forms
from django.utils.translation import gettext_lazy as _

from clubs.files import NamedFileField
from clubs.pictures import ACCEPTED


class PosterForm(forms.Form):
    """An uploaded picture; ``clubs.pictures`` checks it."""

    poster = NamedFileField(
        label=_("Picture"),
        max_length=200,
        help_text=_("JPEG, PNG or WebP, up to 16 MB."),
        widget=forms.FileInput({"accept": ACCEPTED}),
    )
