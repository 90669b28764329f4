"""The video of a match, on another site."""

from django.conf import settings
from django.db import models
from django.utils.timezone import now

from scoring.models.match import Match

ADDRESS_LENGTH = 500


class MatchVideo(models.Model):
    """A link to a video of the match, and when its plays are seen there.

    ``times`` has the seconds by the ``seq`` of an entry of the match's sheet, as text: ``{"12": 754}``.
    Between noted entries the nearest earlier one serves.
    """

    match = models.OneToOneField(Match, on_delete=models.PROTECT, related_name="video")
    address = models.URLField(max_length=ADDRESS_LENGTH)
    times = models.JSONField(default=dict, blank=True)
    set_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    at = models.DateTimeField(default=now)

    def __str__(self) -> str:
        return self.address
