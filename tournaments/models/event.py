"""An event and its flights: what is announced, who entered, what was taken."""

from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils.timezone import now
from django.utils.translation import gettext_lazy as _

from clubs.models import Club, Player
from clubs.models.ref import RefModel


class EventStatus(models.TextChoices):
    """``ANNOUNCED`` takes registrations, ``RUNNING`` begins with the first draw."""

    ANNOUNCED = "announced", _("announced")
    RUNNING = "running", _("running")
    FINISHED = "finished", _("finished")
    CANCELLED = "cancelled", _("cancelled")


class EventQuerySet(models.QuerySet["Event"]):
    def in_club(self, club: Club) -> "EventQuerySet":
        return self.filter(club=club)

    def newest_first(self) -> "EventQuerySet":
        return self.order_by("-starts_at", "-ref")


class Event(RefModel):
    """A tournament of a club, or one evening of it. ``version`` grows with every change that a page shows."""

    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="events")
    name = models.CharField(_("name"), max_length=120)
    starts_at = models.DateTimeField(_("starts"))
    status = models.CharField(max_length=10, choices=EventStatus.choices, default=EventStatus.ANNOUNCED)
    version = models.PositiveBigIntegerField(default=1, editable=False)
    created_at = models.DateTimeField(default=now, editable=False)

    objects = EventQuerySet.as_manager()

    class Meta:
        constraints = [
            models.CheckConstraint(condition=~Q(name=""), name="event_has_a_name"),
            models.CheckConstraint(condition=Q(status__in=EventStatus.values), name="event_status_known"),
        ]
        indexes = [models.Index(fields=["club", "-starts_at", "-ref"], name="event_newest_in_club")]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("tournaments:event", args=[self.ref])


class Flight(RefModel):
    """One competition of an event (open, novice...): its field, its fees, its prizes, its stages.

    Money is in minor units of the club's currency. ``returned`` is the share of the entry fee that goes into
    the pool, in percent; ``percentages`` are the prizes by place, falling and making 100, empty for the usual
    table for the number of entrants.
    """

    event = models.ForeignKey(Event, on_delete=models.PROTECT, related_name="flights")
    name = models.CharField(_("name"), max_length=60, blank=True)
    position = models.PositiveSmallIntegerField(default=0)
    capacity = models.PositiveIntegerField(_("places"), null=True, blank=True)
    registration_fee = models.PositiveIntegerField(_("registration fee"), default=0)
    entry_fee = models.PositiveIntegerField(_("entry fee"), default=0)
    returned = models.PositiveSmallIntegerField(_("returned"), default=100)
    added = models.PositiveIntegerField(_("added money"), default=0)
    percentages = models.JSONField(default=list)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["event", "position"], name="flight_position_once"),
            models.CheckConstraint(condition=Q(returned__lte=100), name="flight_returns_at_most_all"),
            models.CheckConstraint(
                condition=Q(capacity=None) | Q(capacity__gte=2), name="flight_has_two_places"
            ),
        ]


class EntrantState(models.TextChoices):
    """``REGISTERED`` has a place, ``WAITING`` is on the waiting list, ``PRESENT`` has checked in."""

    REGISTERED = "registered", _("registered")
    WAITING = "waiting", _("on the waiting list")
    PRESENT = "present", _("checked in")
    WITHDRAWN = "withdrawn", _("withdrawn")


class Payment(models.TextChoices):
    """How the fees came in: recorded, never taken here."""

    OPEN = "open", _("not paid")
    CASH = "cash", _("cash")
    TRANSFER = "transfer", _("transfer")
    FREE = "free", _("free")


class EntrantQuerySet(models.QuerySet["Entrant"]):
    def entered(self) -> "EntrantQuerySet":
        """Those with a place."""
        return self.filter(state__in=[EntrantState.REGISTERED, EntrantState.PRESENT])

    def waiting(self) -> "EntrantQuerySet":
        return self.filter(state=EntrantState.WAITING).order_by("registered_at", "pk")

    def with_players(self) -> "EntrantQuerySet":
        """Names loaded along (one more query, however many entrants)."""
        return self.prefetch_related("members__player__person")


class Entrant(RefModel):
    """Who plays as one in a flight: a player, a doubles pair or a team. ``name`` is a team's own name."""

    flight = models.ForeignKey(Flight, on_delete=models.PROTECT, related_name="entrants")
    name = models.CharField(_("team name"), max_length=60, blank=True)
    state = models.CharField(max_length=10, choices=EntrantState.choices, default=EntrantState.REGISTERED)
    payment = models.CharField(max_length=10, choices=Payment.choices, default=Payment.OPEN)
    rating = models.FloatField(_("rating"), null=True, blank=True)
    registered_at = models.DateTimeField(default=now)

    objects = EntrantQuerySet.as_manager()

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(state__in=EntrantState.values), name="entrant_state_known"),
            models.CheckConstraint(condition=Q(payment__in=Payment.values), name="entrant_payment_known"),
        ]

    @property
    def players(self) -> list[Player]:
        """Who plays, in order. Load with ``with_players()``: this must not query."""
        return [member.player for member in sorted(self.members.all(), key=lambda each: each.position)]

    @property
    def title(self) -> str:
        """The team's name, or the names of its players."""
        return self.name or " / ".join(player.name for player in self.players)


class EntrantMember(models.Model):
    """One player behind an entrant. ``flight`` repeats the entrant's, so that nobody is in a flight twice.

    ``active`` ends when the entrant leaves: the player may enter again.
    """

    entrant = models.ForeignKey(Entrant, on_delete=models.PROTECT, related_name="members")
    flight = models.ForeignKey(Flight, on_delete=models.PROTECT, related_name="members")
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="entries")
    position = models.PositiveSmallIntegerField(default=0)
    active = models.BooleanField(default=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["entrant", "position"], name="entrant_member_position_once"),
            models.UniqueConstraint(
                fields=["flight", "player"], condition=Q(active=True), name="player_once_a_flight"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player_id} in {self.entrant_id}"
