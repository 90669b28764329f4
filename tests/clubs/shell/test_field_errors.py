"""What a field says when one of its limits is passed."""

from typing import Any

import pytest
from django import forms
from django.core.files.uploadedfile import SimpleUploadedFile

from clubs.templatetags.shell import named_errors


@pytest.mark.parametrize(
    ("field", "typed", "said"),
    [
        (forms.CharField(label="Name", max_length=5), "x" * 6, "Name can have at most 5 characters."),
        (forms.CharField(label="Name", min_length=2), "x", "Name must have at least 2 characters."),
        (forms.IntegerField(label="Rounds", max_value=30), "31", "Rounds must be at most 30."),
        (forms.IntegerField(label="Rounds", min_value=1), "0", "Rounds must be at least 1."),
        (forms.IntegerField(label="Rounds"), "x", "Enter a whole number."),
    ],
)
def test_a_limit_is_said_with_the_name_of_its_field(field: Any, typed: str, said: str) -> None:
    form = type("OneField", (forms.Form,), {"it": field})({"it": typed})
    assert list(named_errors(form["it"])) == [said]


def test_a_file_with_a_long_name_is_to_be_renamed() -> None:
    form_class = type("OneFile", (forms.Form,), {"it": forms.FileField(label="Photo", max_length=8)})
    form = form_class({}, {"it": SimpleUploadedFile("x" * 9, b"x")})
    assert list(named_errors(form["it"])) == ["Rename the file: its name can have at most 8 characters."]
