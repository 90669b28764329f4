"""The picture of an event's poster, apart from the event: lists of events leave it alone."""

from django.db import models

from tournaments.models.event import Event


class EventPoster(models.Model):
    """A JPEG as ``clubs.pictures`` writes it."""

    event = models.OneToOneField(Event, on_delete=models.CASCADE, primary_key=True, related_name="picture")
    content = models.BinaryField()

    def __str__(self) -> str:
        return f"poster of event {self.pk}"
