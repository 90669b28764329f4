"""The engine that a club's matches are analysed by."""

from django.db import models

from clubs.models import Club


class ClubEngine(models.Model):
    """A club's choice of engine and preset; a club without a row follows the installation."""

    club = models.OneToOneField(Club, on_delete=models.CASCADE, related_name="analysis_engine")
    engine = models.CharField(max_length=24)
    preset = models.CharField(max_length=24)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=~models.Q(engine="") & ~models.Q(preset=""), name="club_engine_is_named"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.club_id}: {self.engine} {self.preset}"
