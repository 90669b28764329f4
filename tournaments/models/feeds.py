"""Feeding rules between stages, the entrants sent, and those who declined.

``flight`` is repeated in each row, so that the database holds it to one flight. No row goes with another one:
what is referred to is protected.
"""

from django.db import models
from django.db.models import Q
from django.utils.timezone import now

from clubs.models.constraints import SameOwner
from tournaments.core.play.feeding import AtMostLosses, Rest, Rule, TiedForFirst, Top
from tournaments.models.event import EntrantRow, Flight


class FeedKind(models.TextChoices):
    """The rules of ``tournaments.core.play.feeding``, by the names that archives have for them."""

    TOP = "top"
    AT_MOST_LOSSES = "atmostlosses"
    TIED_FOR_FIRST = "tiedforfirst"
    REST = "rest"


def rule_of(kind: str, amount: int | None, into: str) -> Rule:
    """The rule of a feed, with what to say of its target."""
    match kind:
        case FeedKind.TOP:
            return Top(amount or 0, into)
        case FeedKind.AT_MOST_LOSSES:
            return AtMostLosses(amount or 0, into)
        case FeedKind.TIED_FOR_FIRST:
            return TiedForFirst(into)
        case FeedKind.REST:
            return Rest(into)
    raise ValueError(f"there is no feeding rule {kind!r}")


def columns_of(rule: Rule) -> dict[str, str | int | None]:
    """Kind and amount of a rule, as a feed has them."""
    match rule:
        case Top(amount) | AtMostLosses(amount):
            return {"kind": type(rule).__name__.lower(), "amount": amount}
    return {"kind": type(rule).__name__.lower(), "amount": None}


class Feed(models.Model):
    """A rule by which a stage feeds another of its flight.

    ``amount`` is how many of the best, or the most losses. Once the stage is over ``sent`` holds, also where
    the rule has taken nobody.
    """

    flight = models.ForeignKey(Flight, on_delete=models.PROTECT, related_name="+")
    stage = models.ForeignKey("tournaments.StageRow", on_delete=models.PROTECT, related_name="feeds")
    number = models.PositiveSmallIntegerField()
    into = models.ForeignKey("tournaments.StageRow", on_delete=models.PROTECT, related_name="fed_by")
    kind = models.CharField(max_length=12, choices=FeedKind.choices)
    amount = models.PositiveSmallIntegerField(null=True, blank=True)
    sent = models.BooleanField(default=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["stage", "number"], name="feed_number_once"),
            models.UniqueConstraint(fields=["id", "flight"], name="feed_of_its_flight"),
            models.CheckConstraint(condition=~Q(stage=models.F("into")), name="feed_into_another_stage"),
            models.CheckConstraint(
                condition=Q(kind=FeedKind.TOP, amount__isnull=False, amount__gte=1)
                | Q(kind=FeedKind.AT_MOST_LOSSES, amount__isnull=False)
                | Q(kind__in=[FeedKind.TIED_FOR_FIRST, FeedKind.REST], amount=None),
                name="feed_kind_has_its_amount",
            ),
            SameOwner(field="stage", owner="flight", name="feed_from_a_stage_of_the_flight"),
            SameOwner(field="into", owner="flight", name="feed_into_a_stage_of_the_flight"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.number} of {self.stage_id}"


class Sent(models.Model):
    """An entrant sent by a rule, at ``place`` among those it took."""

    flight = models.ForeignKey(Flight, on_delete=models.PROTECT, related_name="+")
    feed = models.ForeignKey(Feed, on_delete=models.PROTECT, related_name="entrants")
    place = models.PositiveIntegerField()
    entrant = models.ForeignKey(EntrantRow, on_delete=models.PROTECT, related_name="+")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["feed", "place"], name="sent_place_once"),
            models.UniqueConstraint(fields=["feed", "entrant"], name="sent_once_by_a_feed"),
            SameOwner(field="feed", owner="flight", name="sent_by_a_feed_of_the_flight"),
            SameOwner(field="entrant", owner="flight", name="sent_an_entrant_of_the_flight"),
        ]

    def __str__(self) -> str:
        return f"{self.entrant_id} by {self.feed_id}"


class Declined(models.Model):
    """An entrant who declines a place: rules pass them over."""

    flight = models.ForeignKey(Flight, on_delete=models.PROTECT, related_name="+")
    stage = models.ForeignKey("tournaments.StageRow", on_delete=models.PROTECT, related_name="refusals")
    entrant = models.ForeignKey(EntrantRow, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(default=now)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["stage", "entrant"], name="declined_once_a_stage"),
            SameOwner(field="stage", owner="flight", name="declined_a_stage_of_the_flight"),
            SameOwner(field="entrant", owner="flight", name="declined_by_an_entrant_of_the_flight"),
        ]

    def __str__(self) -> str:
        return f"{self.entrant_id} for {self.stage_id}"
