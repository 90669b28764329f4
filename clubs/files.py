"""An uploaded file in forms and in the API: an empty one is refused by its name."""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _
from rest_framework import serializers

EMPTY = _("%(name)s is empty.")


def is_empty(file: Any) -> bool:
    """Whether this was sent as a file with a name and holds nothing."""
    return bool(getattr(file, "name", "")) and getattr(file, "size", None) == 0


class NamedFileField(forms.FileField):
    """A form's file; Django's own refusal of an empty one names none."""

    def to_python(self, data: Any) -> Any:
        if is_empty(data):
            raise ValidationError(EMPTY, params={"name": data.name}, code="empty")
        return super().to_python(data)


class NamedFile(serializers.FileField):
    """A request's file; the framework's own refusal of an empty one names none."""

    def to_internal_value(self, data: Any) -> Any:
        if is_empty(data):
            raise serializers.ValidationError(str(EMPTY) % {"name": data.name}, code="empty")
        return super().to_internal_value(data)
