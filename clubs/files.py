"""Uploaded files in forms and in the API: an empty one is refused by its name."""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import UploadedFile
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


class SeveralFilesInput(forms.ClearableFileInput):
    """A file input for several files."""

    allow_multiple_selected = True


class SeveralFilesField(NamedFileField):
    """A list of uploaded files, each validated; errors name the file."""

    widget = SeveralFilesInput
    most = 50
    """Files at once."""

    def clean(self, data: Any, initial: Any = None) -> "list[UploadedFile[bytes]]":
        files = list(data) if isinstance(data, list | tuple) and data else [None]
        if len(files) > self.most:
            raise ValidationError(
                _("%(count)s files are too many. Choose at most %(most)s."),
                params={"count": len(files), "most": self.most},
            )
        problems: list[ValidationError] = []
        cleaned = []
        for file in files:
            try:
                cleaned.append(self.checked(super().clean(file, initial)))
            except ValidationError as problem:
                problems.extend(problem.error_list)
        if problems:
            raise ValidationError(problems)
        return cleaned

    def checked(self, file: "UploadedFile[bytes]") -> "UploadedFile[bytes]":
        """The file, or a ValidationError that names it."""
        return file


class NamedFile(serializers.FileField):
    """A request's file; the framework's own refusal of an empty one names none."""

    def to_internal_value(self, data: Any) -> Any:
        if is_empty(data):
            raise serializers.ValidationError(str(EMPTY) % {"name": data.name}, code="empty")
        return super().to_internal_value(data)
