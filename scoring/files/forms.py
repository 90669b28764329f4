"""Form to upload match files."""

from django import forms
from django.core.exceptions import ValidationError
from django.core.files.uploadedfile import UploadedFile
from django.template.defaultfilters import filesizeformat
from django.utils.translation import gettext_lazy as _

from clubs.files import SeveralFilesField

MOST_FILES = 50
LARGEST_FILE = 2 * 1024 * 1024


class MatchFilesField(SeveralFilesField):
    """A list of uploaded match files, each with a bound on its size."""

    most = MOST_FILES

    def checked(self, file: "UploadedFile[bytes]") -> "UploadedFile[bytes]":
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
    match_files = MatchFilesField(
        error_messages={"required": _("Choose at least one file.")},
        label=_("Match files"),
        help_text=_(".mat, .txt, .xg, .sgf, .bgf or OGXM, up to 2 MB each, several at once."),
    )
