"""The form of an event's poster."""

from django import forms
from django.utils.translation import gettext_lazy as _


class PosterForm(forms.Form):
    """An uploaded picture; ``tournaments.events.posters`` checks it."""

    poster = forms.FileField(
        label=_("Picture"),
        max_length=200,
        help_text=_("JPEG, PNG or WebP, up to 8 MB."),
        widget=forms.FileInput({"accept": "image/jpeg,image/png,image/webp"}),
    )
