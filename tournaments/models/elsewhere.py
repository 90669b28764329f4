"""What came in with an event's file: which entries of the logs, read by whom, and authors without a login."""

from django.conf import settings
from django.db import models
from django.utils.timezone import now

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


class CameInFile(models.Model):
    """Entries of one log, from ``first`` to ``last``, that came in with an event's file: who wrote them is
    what the file says, and nobody here saw them do it.

    ``table`` is the name of the log's model, ``parent`` the key of whose log it is: an event, a stage, a
    sheet. ``user`` read the file here.
    """

    event = models.ForeignKey(Event, on_delete=models.CASCADE, related_name="+")
    table = models.CharField(max_length=24)
    parent = models.BigIntegerField()
    first = models.PositiveIntegerField()
    last = models.PositiveIntegerField()
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    at = models.DateTimeField(default=now)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["table", "parent", "first"], name="came_in_file_once"),
            models.CheckConstraint(
                condition=models.Q(first__lte=models.F("last")), name="came_in_file_in_order"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.table} {self.parent}: {self.first} to {self.last}"
