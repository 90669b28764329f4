"""The list of forbidden pairs of a flight."""

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from clubs.models.constraints import SameOwner
from clubs.models.ref import RefModel
from tournaments.models.event import EntrantRow, Flight


class ForbiddenKind(models.TextChoices):
    """Whom a line of the list keeps apart: the entrants it names, or all who share a club or a title."""

    NAMES = "names", _("These entrants")
    CLUB = "club", _("Same club")
    TITLE = "title", _("Same title")


class ForbiddenPairs(RefModel):
    """A line of a flight's list: each two of its entrants are a forbidden pair.

    ``never``: they must not be paired; otherwise they are kept apart where possible. Only a line of names has
    ``entrants``.
    """

    flight = models.ForeignKey(Flight, on_delete=models.PROTECT, related_name="forbidden")
    kind = models.CharField(max_length=5, choices=ForbiddenKind.choices, default=ForbiddenKind.NAMES)
    never = models.BooleanField(default=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["id", "flight"], name="forbidden_pairs_of_their_flight"),
            models.UniqueConstraint(
                fields=["flight", "kind"],
                condition=~Q(kind=ForbiddenKind.NAMES),
                name="forbidden_rule_once",
            ),
            models.CheckConstraint(condition=Q(kind__in=ForbiddenKind.values), name="forbidden_kind_known"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} in {self.flight_id}"

    @property
    def title(self) -> str:
        """What the line says. Load its entrants with their players: this must not query."""
        if self.kind != ForbiddenKind.NAMES:
            return str(self.get_kind_display())
        return ", ".join(each.entrant.title for each in self.entrants.all())


class ForbiddenEntrant(models.Model):
    """An entrant of a line of names."""

    flight = models.ForeignKey(Flight, on_delete=models.PROTECT, related_name="+")
    pairs = models.ForeignKey(ForbiddenPairs, on_delete=models.CASCADE, related_name="entrants")
    entrant = models.ForeignKey(EntrantRow, on_delete=models.PROTECT, related_name="+")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["pairs", "entrant"], name="forbidden_entrant_once"),
            SameOwner(field="pairs", owner="flight", name="forbidden_entrant_of_a_line_of_the_flight"),
            SameOwner(field="entrant", owner="flight", name="forbidden_entrant_of_the_flight"),
        ]

    def __str__(self) -> str:
        return f"{self.entrant_id} in {self.pairs_id}"
