"""The name of a person in a form: without what nobody sees in it."""

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


def person_name() -> forms.CharField:
    return NameField(
        label=_("Your name"),
        max_length=NAME_LENGTH,
        help_text=_("Shown on scoresheets and in results."),
        widget=forms.TextInput({"autocomplete": "name"}),
    )
