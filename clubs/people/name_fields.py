"""Name and e-mail address of a person in a form."""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from clubs.models.person import NAME_LENGTH
from clubs.people.services.names import NameRefused, checked_name


class NameField(forms.CharField):
    """A name of a person, without what nobody sees in it."""

    def clean(self, value: Any) -> str:
        try:
            return checked_name(str(super().clean(value)))
        except NameRefused as refused:
            raise ValidationError(str(refused), code="blank_name") from refused


NO_ADDRESS = _("Enter a valid e-mail address.")


def email_address(label: Any = "", *, autocomplete: str = "email") -> forms.EmailField:
    """An e-mail address, refused in the spelling of the site."""
    return forms.EmailField(
        label=label or _("E-mail address"),
        error_messages={"invalid": NO_ADDRESS},
        widget=forms.EmailInput({"autocomplete": autocomplete}),
    )


def person_name() -> forms.CharField:
    return NameField(
        label=_("Your name"),
        max_length=NAME_LENGTH,
        help_text=_("Shown on scoresheets and in results."),
        widget=forms.TextInput({"autocomplete": "name"}),
    )
