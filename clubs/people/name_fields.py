"""Form fields for a player's name and email address."""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from clubs.models.person import NAME_LENGTH
from clubs.people.services.names import NameRefused, checked_name


class NameField(forms.CharField):
    """A player's name, without invisible characters."""

    def clean(self, value: Any) -> str:
        try:
            return checked_name(str(super().clean(value)))
        except NameRefused as refused:
            raise ValidationError(str(refused), code="blank_name") from refused


def email_address(label: Any = "", *, autocomplete: str = "email") -> forms.EmailField:
    """A field for an email address."""
    return forms.EmailField(
        label=label or _("Email address"),
        widget=forms.EmailInput({"autocomplete": autocomplete}),
    )


def person_name() -> forms.CharField:
    """A field for the player's own name."""
    return NameField(
        label=_("Your name"),
        max_length=NAME_LENGTH,
        help_text=_("Shown on scoresheets and in results."),
        widget=forms.TextInput({"autocomplete": "name"}),
    )
