"""The texts of an event in the API."""

from typing import Any

from rest_framework import serializers

from clubs.http.serializers import Strict
from tournaments.core.timetable.breaks import one_line
from tournaments.events.forms.about import web_address
from tournaments.models.event import (
    LONGEST_ADDRESS,
    LONGEST_CONTACT,
    LONGEST_DESCRIPTION,
    LONGEST_STREAM,
    LONGEST_VENUE,
)


class LineField(serializers.CharField):
    """A text of one line, which can be empty."""

    def __init__(self, **options: Any) -> None:
        super().__init__(required=False, allow_blank=True, **options)

    def to_internal_value(self, data: Any) -> str:
        return one_line(super().to_internal_value(data))


class AboutIn(Strict):
    """Texts that are left out do not change; a new event has none."""

    venue = LineField(max_length=LONGEST_VENUE)
    address = LineField(max_length=LONGEST_ADDRESS, help_text="What a map finds.")
    description = serializers.CharField(
        max_length=LONGEST_DESCRIPTION, required=False, allow_blank=True, help_text="In Markdown."
    )
    contact = LineField(max_length=LONGEST_CONTACT)
    stream = serializers.CharField(
        max_length=LONGEST_STREAM,
        required=False,
        allow_blank=True,
        validators=[web_address],
        help_text="Web address of the broadcast.",
    )
