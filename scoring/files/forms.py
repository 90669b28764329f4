"""Form to upload match files."""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import UploadedFile
from django.template.defaultfilters import filesizeformat
from django.utils.translation import gettext_lazy as _

from clubs.files import NamedFileField

MOST_FILES = 50
LARGEST_FILE = 2 * 1024 * 1024


class SeveralFilesInput(forms.ClearableFileInput):
    """A file input for several files."""

    allow_multiple_selected = True


class SeveralFilesField(NamedFileField):
    """A list of uploaded files, each validated; errors name the file."""

    widget = SeveralFilesInput

    def clean(self, data: Any, initial: Any = None) -> "list[UploadedFile[bytes]]":
        files = list(data) if isinstance(data, list | tuple) and data else [None]
        if len(files) > MOST_FILES:
            raise ValidationError(
                _("%(count)s files are too many. Choose at most %(most)s."),
                params={"count": len(files), "most": MOST_FILES},
            )
        problems: list[ValidationError] = []
        cleaned = []
        for file in files:
            try:
                cleaned.append(self._checked(super().clean(file, initial)))
            except ValidationError as problem:
                problems.extend(problem.error_list)
        if problems:
            raise ValidationError(problems)
        return cleaned

    def _checked(self, file: "UploadedFile[bytes]") -> "UploadedFile[bytes]":
        if (file.size or 0) > LARGEST_FILE:
            raise ValidationError(
                _("%(name)s is too large: %(size)s. A match file can have up to %(most)s."),
                params={
                    "name": file.name,
                    "size": filesizeformat(file.size or 0),
                    "most": filesizeformat(LARGEST_FILE),
                },
            )
        return file


class UploadForm(forms.Form):
    """Match files of one club."""

    # Not "matches": a field of that name would hide the form element's own method from scripts.
    match_files = SeveralFilesField(
        error_messages={"required": _("Choose at least one file.")},
        label=_("Match files"),
        help_text=_(".mat, .txt, .xg, .sgf, .bgf or OGXM, up to 2 MB each, several at once."),
    )
