"""Fields and seatings of current and undone draws."""

from django.db import models
from django.db.models import Q

from clubs.models.constraints import SameOwner
from tournaments.models.event import EntrantRow, Flight

SEATED = Q(drawn=None, seat=None) | Q(drawn__isnull=False, seat__isnull=False, seat__gte=1)


class NumberedEntrant(models.Model):
    """An entrant's number in a draw, from 1. ``entrant`` has it now, ``drawn`` had it when the draw was made
    and was given a ``seat`` in its order, from 1; who came late was not drawn and has none.

    ``told`` is what else the draw knew of whom it drew, in the form of the log's entries of who comes late
    (``tournaments.core.stages.entrants.Entrant`` without its ref): evidence, which stays as it was.
    ``flight`` repeats the stage's, so that nobody is drawn from another one.
    """

    flight = models.ForeignKey(Flight, on_delete=models.PROTECT, related_name="+")
    number = models.PositiveIntegerField()
    entrant = models.ForeignKey(EntrantRow, on_delete=models.PROTECT, related_name="+")
    drawn = models.ForeignKey(EntrantRow, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    seat = models.PositiveIntegerField(null=True, blank=True)
    told = models.JSONField(default=dict)

    class Meta:
        abstract = True


class StageEntrant(NumberedEntrant):
    """An entrant's number in a stage; never reassigned once play has begun."""

    entrant = models.ForeignKey(EntrantRow, on_delete=models.PROTECT, related_name="numbers")
    stage = models.ForeignKey("tournaments.StageRow", on_delete=models.PROTECT, related_name="numbers")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["stage", "number"], name="stage_number_once"),
            models.UniqueConstraint(fields=["stage", "entrant"], name="entrant_once_a_stage"),
            models.UniqueConstraint(fields=["stage", "drawn"], name="drawn_once_a_stage"),
            models.UniqueConstraint(fields=["stage", "seat"], name="stage_seat_once"),
            models.CheckConstraint(condition=SEATED, name="stage_entrant_drawn_has_a_seat"),
            SameOwner(field="stage", owner="flight", name="stage_entrant_in_a_stage_of_the_flight"),
            SameOwner(field="entrant", owner="flight", name="stage_entrant_of_the_flight"),
            SameOwner(field="drawn", owner="flight", name="stage_entrant_drawn_of_the_flight"),
        ]

    def __str__(self) -> str:
        return f"{self.number} in {self.stage_id}"


class EarlierDraw(models.Model):
    """A draw undone before play; the first has number 1.

    With its seed, whose hash was shown, and its field anyone can repeat it; with duplicate dice their
    seed and hash are here as well.
    """

    flight = models.ForeignKey(Flight, on_delete=models.PROTECT, related_name="+")
    stage = models.ForeignKey("tournaments.StageRow", on_delete=models.PROTECT, related_name="earlier")
    number = models.PositiveSmallIntegerField()
    seed = models.CharField(max_length=64)
    seed_hash = models.CharField(max_length=64)
    algorithm = models.PositiveSmallIntegerField()
    options = models.JSONField(default=dict)
    seats = models.PositiveIntegerField()
    drawn_at = models.DateTimeField()
    taken_back_at = models.DateTimeField()
    dice_hash = models.CharField(max_length=64, blank=True, default="")
    dice_seed = models.CharField(max_length=64, blank=True, default="")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["stage", "number"], name="earlier_draw_number_once"),
            models.UniqueConstraint(fields=["id", "flight"], name="earlier_draw_of_its_flight"),
            SameOwner(field="stage", owner="flight", name="earlier_draw_of_a_stage_of_the_flight"),
        ]

    def __str__(self) -> str:
        return f"draw {self.number} of {self.stage_id}"


class EarlierEntrant(NumberedEntrant):
    """An entrant with its number in an undone draw."""

    draw = models.ForeignKey(EarlierDraw, on_delete=models.PROTECT, related_name="numbers")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["draw", "number"], name="earlier_number_once"),
            models.UniqueConstraint(fields=["draw", "entrant"], name="entrant_once_an_earlier_draw"),
            models.UniqueConstraint(fields=["draw", "seat"], name="earlier_seat_once"),
            models.UniqueConstraint(fields=["draw", "drawn"], name="drawn_once_an_earlier_draw"),
            models.CheckConstraint(condition=SEATED, name="earlier_entrant_drawn_has_a_seat"),
            SameOwner(field="draw", owner="flight", name="earlier_entrant_in_a_draw_of_the_flight"),
            SameOwner(field="entrant", owner="flight", name="earlier_entrant_of_the_flight"),
            SameOwner(field="drawn", owner="flight", name="earlier_entrant_drawn_of_the_flight"),
        ]

    def __str__(self) -> str:
        return f"{self.number} in {self.draw_id}"
