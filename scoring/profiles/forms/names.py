"""Short names of rules, as used in the API."""

from typing import Any

from django.core.exceptions import ValidationError
from django.utils.text import slugify
from django.utils.translation import gettext as _


def name_from(cleaned: dict[str, Any], *, longest: int) -> str:
    """The typed name, or one made from the title.

    Raises ValidationError if neither works.

    >>> name_from({"name": "", "title": "Tuesday night!"}, longest=40)
    'tuesday-night'
    """
    title = str(cleaned.get("title", ""))
    name = str(cleaned["name"] or slugify(title)[:longest].strip("-"))
    if not name and title:
        raise ValidationError(
            _("Enter a short name: “%(title)s” has no letters or digits to make one from."),
            params={"title": title},
        )
    return name
