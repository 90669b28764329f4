"""Who wrote what came in with an event's file and has no login here."""

from django.db import models

from clubs.models import Player
from tournaments.models.event import Event


class WrittenElsewhere(models.Model):
    """Who wrote a row of an event and has no login here: who has one stands in the row itself.

    ``table`` and ``field`` are the names of the row's model and of its column for a login, ``row`` is its
    key. ``ref`` is the author's in the file; ``player`` has it too, unless that ref is another club's here or
    the player was merged since.
    """

    event = models.ForeignKey(Event, on_delete=models.PROTECT, related_name="written_elsewhere")
    table = models.CharField(max_length=24)
    row = models.BigIntegerField()
    field = models.CharField(max_length=16)
    ref = models.CharField(max_length=10)
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="+")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["table", "row", "field"], name="one_author_elsewhere"),
        ]

    def __str__(self) -> str:
        return f"{self.table} {self.row} by {self.ref}"
