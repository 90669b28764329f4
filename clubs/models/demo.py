"""Progress of ``manage.py demo``."""

from django.contrib.postgres.fields import ArrayField
from django.db import models

from clubs.models.club import Club


class DemoProgress(models.Model):
    """The plan of a demo club, and how many of its steps are done.

    A step and its count are one transaction: after a killed process the next one repeats none. ``players``
    are the primary keys of the cast, in order.
    """

    club = models.OneToOneField(Club, on_delete=models.CASCADE, related_name="demo_progress")
    seed = models.BigIntegerField()
    day = models.DateField()
    members = models.PositiveIntegerField()
    matches = models.PositiveIntegerField()
    analysed = models.PositiveIntegerField()
    players = ArrayField(models.BigIntegerField(), default=list)
    done = models.PositiveIntegerField(default=0)
    total = models.PositiveIntegerField()

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(done__lte=models.F("total"), total__gt=0), name="demo_progress_has_an_end"
            )
        ]

    def __str__(self) -> str:
        return f"{self.club_id}: {self.done} of {self.total}"

    @property
    def complete(self) -> bool:
        return self.done == self.total

    @property
    def percent(self) -> int:
        """0 to 100; 100 only when complete."""
        return 100 * self.done // self.total
