"""What an event says of itself: where, what, whom to ask, where to watch."""

from typing import Any

from django import forms
from django.core.validators import URLValidator
from django.utils.translation import gettext_lazy as _

from tournaments.models.event import (
    LONGEST_ADDRESS,
    LONGEST_CONTACT,
    LONGEST_DESCRIPTION,
    LONGEST_STREAM,
    LONGEST_VENUE,
    WEB,
)

web_address = URLValidator(
    schemes=WEB, message=_("“%(value)s” is not a web address. Enter one like https://example.org/live.")
)


class MarkdownField(forms.CharField):
    """Text in Markdown, whose lines end as they are kept: browsers send them with CRLF."""

    def __init__(self, **options: Any) -> None:
        super().__init__(widget=forms.Textarea({"rows": 6}), **options)

    def to_python(self, value: Any) -> str:
        return str(super().to_python(value)).replace("\r\n", "\n").replace("\r", "\n")


class AboutForm(forms.Form):
    """The texts of an event."""

    venue = forms.CharField(label=_("Venue"), max_length=LONGEST_VENUE, required=False)
    address = forms.CharField(
        label=_("Address"),
        max_length=LONGEST_ADDRESS,
        required=False,
        help_text=_("The event page links it to a map."),
    )
    description = MarkdownField(
        label=_("Description"),
        max_length=LONGEST_DESCRIPTION,
        required=False,
        help_text=_("Markdown: # heading, **bold**, - list, [text](https://address)."),
    )
    contact = forms.CharField(
        label=_("Contact"),
        max_length=LONGEST_CONTACT,
        required=False,
        help_text=_("Name, email or phone. Everyone who can see the event can see it."),
    )
    stream = forms.CharField(
        label=_("Stream"),
        max_length=LONGEST_STREAM,
        required=False,
        validators=[web_address],
        widget=forms.URLInput,
        help_text=_("Web address of the broadcast."),
    )
