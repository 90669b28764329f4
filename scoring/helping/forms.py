"""Forms of helpers."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from clubs.models import Club
from scoring.models.helper import NAME_LENGTH


class NewHelperForm(forms.Form):
    """A new helper: its club and name."""

    name = forms.CharField(
        label=_("Computer name"), max_length=NAME_LENGTH, help_text=_("For example “Ana’s desktop”")
    )
    club = forms.ChoiceField(label=_("Club"), help_text=_("It analyses matches of this club only."))

    def __init__(self, *args: Any, clubs: list[Club], **options: Any) -> None:
        super().__init__(*args, **options)
        self._clubs = {club.ref: club for club in clubs}
        self.fields["club"].choices = [(club.ref, club.name) for club in clubs]  # type: ignore[attr-defined]

    @property
    def chosen(self) -> Club:
        """The club."""
        return self._clubs[self.cleaned_data["club"]]


class PauseForm(forms.Form):
    """Why a director pauses a helper; its owner reads it."""

    reason = forms.CharField(label=_("Reason"), max_length=200, required=False)
