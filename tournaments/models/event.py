"""Models of events, flights, entrants and fees."""

from operator import attrgetter
from typing import Any
from zoneinfo import ZoneInfo

from django.core.validators import MaxLengthValidator, URLValidator
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils.timezone import now
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from clubs.models import Club, Player
from clubs.models.ref import RefModel
from scoring.models.log import LogOwner
from scoring.rules.profiles import STANDARD_PROFILE, Profile, profile_from_plain, profile_to_plain
from tournaments.core.timetable.breaks import Break, breaks_of

LONGEST_PLACE = 60
LONGEST_VENUE, LONGEST_ADDRESS, LONGEST_CONTACT = 100, 200, 200
LONGEST_DESCRIPTION = 8000
LONGEST_STREAM = 500
WEB = ("http", "https")


def standard_profile() -> dict[str, Any]:
    """The default rules of an event, as plain data."""
    return profile_to_plain(STANDARD_PROFILE)


class EventStatus(models.TextChoices):
    """``ANNOUNCED`` takes registrations, ``RUNNING`` begins with the first draw."""

    ANNOUNCED = "announced", _("announced")
    RUNNING = "running", _("in progress")
    FINISHED = "finished", _("finished")
    CANCELLED = "cancelled", _("cancelled")


class EventQuerySet(models.QuerySet["Event"]):
    def in_club(self, club: Club) -> "EventQuerySet":
        return self.filter(club=club)

    def newest_first(self) -> "EventQuerySet":
        return self.order_by("-starts_at", "-ref")


class Event(RefModel, LogOwner):
    """A tournament of a club, or one evening of it. ``version`` grows with every change that a page shows.

    ``zone`` is the venue's time zone (IANA), empty for the club's. ``breaks`` are plain data of
    ``tournaments.core.timetable.breaks`` in their order, ``breaks_seq`` the last entry of the desk's log
    about them: what an open page knew of them. ``profile`` is the rules profile in the plain form of
    ``scoring.rules.profiles``, kept as it was when the event was announced; matches that are not ``rated``
    are friendly ones. Members enter by themselves from ``entries_from`` to ``entries_until`` (empty: from the
    announcement, to the start). A ``hidden`` event is known to the club's directors alone, one for
    ``members_only`` to the club's people.

    ``venue`` is a name and ``address`` what a map finds, ``description`` is Markdown, ``stream`` a web
    address. ``poster`` is the digest of its picture (``EventPoster``), empty without one.

    ``door`` is the secret of the QR code at the venue with which players check in, empty until it is shown.
    While the event lives on another machine it has been there since ``moved_at``, and ``moved_to`` names that
    machine: nothing of it is changed here.
    """

    LOG = "desk_log"

    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="events")
    name = models.CharField(_("name"), max_length=120)
    starts_at = models.DateTimeField(_("starts"))
    zone = models.CharField(_("time zone"), max_length=64, blank=True)
    breaks = models.JSONField(default=list)
    breaks_seq = models.PositiveIntegerField(default=0, editable=False)
    profile = models.JSONField(default=standard_profile)
    rated = models.BooleanField(_("rated"), default=True)
    venue = models.CharField(_("venue"), max_length=LONGEST_VENUE, blank=True, default="")
    address = models.CharField(_("address"), max_length=LONGEST_ADDRESS, blank=True, default="")
    description = models.TextField(
        _("description"),
        blank=True,
        default="",
        validators=[MaxLengthValidator(LONGEST_DESCRIPTION)],
    )
    contact = models.CharField(_("contact"), max_length=LONGEST_CONTACT, blank=True, default="")
    stream = models.URLField(
        _("stream"),
        max_length=LONGEST_STREAM,
        blank=True,
        default="",
        validators=[URLValidator(schemes=WEB)],
    )
    poster = models.CharField(max_length=32, blank=True, default="", editable=False)
    entries_from = models.DateTimeField(_("entries open"), null=True, blank=True)
    entries_until = models.DateTimeField(_("entries close"), null=True, blank=True)
    hidden = models.BooleanField(_("hidden"), default=False)
    members_only = models.BooleanField(_("for members only"), default=False)
    door = models.CharField(max_length=10, blank=True, editable=False)
    status = models.CharField(max_length=10, choices=EventStatus.choices, default=EventStatus.ANNOUNCED)
    version = models.PositiveBigIntegerField(default=1, editable=False)
    created_at = models.DateTimeField(default=now, editable=False)
    moved_at = models.DateTimeField(null=True, blank=True, editable=False)
    moved_to = models.CharField(max_length=LONGEST_PLACE, blank=True, default="", editable=False)

    objects = EventQuerySet.as_manager()

    class Meta(LogOwner.Meta):
        constraints = [
            *LogOwner.Meta.constraints,
            models.CheckConstraint(condition=~Q(name=""), name="event_has_a_name"),
            models.CheckConstraint(condition=Q(status__in=EventStatus.values), name="event_status_known"),
            models.CheckConstraint(
                condition=Q(entries_from=None)
                | Q(entries_until=None)
                | Q(entries_until__gt=models.F("entries_from")),
                name="event_entries_close_after_they_open",
            ),
            models.CheckConstraint(
                condition=Q(moved_at=None, moved_to="") | (Q(moved_at__isnull=False) & ~Q(moved_to="")),
                name="event_moved_to_a_place",
            ),
        ]
        indexes = [models.Index(fields=["club", "-starts_at", "-ref"], name="event_newest_in_club")]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("tournaments:event", args=[self.ref])

    @property
    def is_away(self) -> bool:
        """Whether it lives on another machine and is read-only here."""
        return self.moved_at is not None

    @property
    def is_over(self) -> bool:
        """Whether it is finished or cancelled."""
        return self.status in {EventStatus.FINISHED, EventStatus.CANCELLED}

    @property
    def tz(self) -> ZoneInfo:
        """The venue's time zone. Load the club along: this must not query."""
        return ZoneInfo(self.zone) if self.zone else self.club.zone

    @property
    def pauses(self) -> tuple[Break, ...]:
        """The event's breaks in their order."""
        return breaks_of(self.breaks)

    @property
    def rules(self) -> Profile:
        """The rules profile that the event's matches are played by."""
        return profile_from_plain(self.profile)


class Flight(RefModel):
    """One competition of an event (open, novice...): its field, its fees, its prizes, its stages.

    Money is in minor units of the club's currency. ``returned`` is the share of the entry fee that goes into
    the pool, in percent; ``percentages`` are the prizes by place, falling and making 100, empty for the usual
    table for the number of entrants. ``shares`` split the pool, in percent that make 100, over the tables
    that are paid: ``main``, the ``consolation`` and ``last chance`` of its draw, and further stages by name;
    empty for all to the main table.

    The best of a flight that is a ``satellite_for`` another one win entries to it, as far as the pool lasts.

    ``team_size`` is how many play as one: 1 singles, 2 doubles, more a team, empty for one or two as they
    come. ``eligibility`` and ``pools`` are plain data of ``tournaments.events.eligibility``. A flight that
    ``starts_when_full`` is drawn with the entry that takes its last place.
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
    shares = models.JSONField(default=dict)
    team_size = models.PositiveSmallIntegerField(_("players per team"), null=True, blank=True)
    eligibility = models.JSONField(default=dict)
    pools = models.JSONField(default=list)
    starts_when_full = models.BooleanField(_("starts when full"), default=False)
    satellite_for = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.PROTECT, related_name="satellites"
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["event", "position"], name="flight_position_once"),
            models.CheckConstraint(condition=Q(returned__lte=100), name="flight_returns_at_most_all"),
            models.CheckConstraint(
                condition=Q(capacity=None) | Q(capacity__gte=2), name="flight_has_two_places"
            ),
            models.CheckConstraint(
                condition=Q(starts_when_full=False) | Q(capacity__isnull=False),
                name="flight_that_fills_has_places",
            ),
            models.CheckConstraint(
                condition=Q(team_size=None) | Q(team_size__range=(1, 20)), name="flight_team_size_known"
            ),
        ]

    @property
    def format_names(self) -> list[str]:
        """The formats of its stages in order, without repeats, in the reader's language."""
        return list(dict.fromkeys(stage.format_name for stage in self.stages.all()))


class EntrantState(models.TextChoices):
    """The state of an entry.

    ``INVITED`` waits for a partner's confirmation, ``REGISTERED`` has a place, ``WAITING`` is on the waiting
    list, ``PRESENT`` has checked in.
    """

    INVITED = "invited", _("waiting for a partner")
    REGISTERED = "registered", _("registered")
    WAITING = "waiting", _("on the waiting list")
    PRESENT = "present", _("checked in")
    WITHDRAWN = "withdrawn", _("withdrawn")


class FeePayment(models.TextChoices):
    """How the fees were paid: recorded only, never collected here."""

    OPEN = "open", _("not paid")
    CASH = "cash", _("cash")
    TRANSFER = "transfer", _("transfer")
    FREE = "free", _("free")


PAID_BY = (FeePayment.CASH, FeePayment.TRANSFER)
"""Payments that brought money."""


class EntrantQuerySet(models.QuerySet["EntrantRow"]):
    def entered(self) -> "EntrantQuerySet":
        """Those with a place."""
        return self.filter(state__in=[EntrantState.REGISTERED, EntrantState.PRESENT])

    def waiting(self) -> "EntrantQuerySet":
        return self.filter(state=EntrantState.WAITING).order_by("registered_at", "pk")

    def with_draw(self) -> "EntrantQuerySet":
        """Whether each ``was_drawn``."""
        numbered = EntrantRow.objects.filter(pk=models.OuterRef("pk"), numbers__isnull=False)
        return self.annotate(in_draw=models.Exists(numbered))

    def with_players(self) -> "EntrantQuerySet":
        """Names loaded along (one more query, however many entrants)."""
        members = EntrantMember.objects.select_related("player__person")
        return self.prefetch_related(models.Prefetch("members", members))


class EntrantRow(RefModel):
    """Who plays as one in a flight: a player, a doubles pair or a team. ``name`` is a team's own name.

    ``pools`` are the keys of the side pools that the entrant is in. Refunded fees have their time
    in ``refunded_at`` and the way of the refund in ``refunded_how``, empty for that of the fees; ``payment``
    still says how they had come in. ``outstanding`` is the part of fees
    in ``payment`` that is not paid yet, ``other_way`` the part that was paid in the other of ``PAID_BY``, in
    minor units. ``seed`` is the director's (from 1), before ratings;
    ``from_club`` the club that the entrant plays for; ``email`` is for directors alone.
    """

    flight = models.ForeignKey(Flight, on_delete=models.PROTECT, related_name="entrants")
    name = models.CharField(_("team name"), max_length=60, blank=True)
    state = models.CharField(max_length=10, choices=EntrantState.choices, default=EntrantState.REGISTERED)
    payment = models.CharField(max_length=10, choices=FeePayment.choices, default=FeePayment.OPEN)
    rating = models.FloatField(_("rating"), null=True, blank=True)
    pools = models.JSONField(default=list)
    refunded_at = models.DateTimeField(null=True, blank=True)
    refunded_how = models.CharField(max_length=10, choices=FeePayment.choices, blank=True, default="")
    outstanding = models.PositiveIntegerField(default=0)
    other_way = models.PositiveIntegerField(default=0)
    seed = models.PositiveSmallIntegerField(_("seed"), null=True, blank=True)
    from_club = models.CharField(_("club"), max_length=60, blank=True, default="")
    email = models.EmailField(_("email address"), blank=True, default="")
    registered_at = models.DateTimeField(default=now)

    objects = EntrantQuerySet.as_manager()

    class Meta:
        db_table = "tournaments_entrant"
        constraints = [
            models.UniqueConstraint(fields=["id", "flight"], name="entrant_of_its_flight"),
            models.CheckConstraint(condition=Q(state__in=EntrantState.values), name="entrant_state_known"),
            models.CheckConstraint(condition=Q(payment__in=FeePayment.values), name="entrant_payment_known"),
            models.CheckConstraint(
                condition=Q(outstanding=0) | Q(payment__in=PAID_BY), name="entrant_outstanding_of_a_payment"
            ),
            models.CheckConstraint(
                condition=Q(other_way=0) | Q(payment__in=PAID_BY), name="entrant_other_way_of_a_payment"
            ),
            models.CheckConstraint(condition=Q(seed=None) | Q(seed__gte=1), name="entrant_seed_from_one"),
        ]

    @property
    def was_drawn(self) -> bool:
        """Whether it has a number in a draw. Load with ``with_draw()``: this must not query."""
        loaded: Any = self
        return bool(loaded.in_draw)

    @property
    def players(self) -> list[Player]:
        """Who plays, in order. Load with ``with_players()``: this must not query."""
        # A related manager costs more than all the rest, and a page of an event asks for hundreds.
        loaded = self.__dict__.get("_prefetched_objects_cache", {}).get("members")
        members = self.members.all() if loaded is None else loaded
        return [member.player for member in sorted(members, key=_position)]

    @property
    def way_paid(self) -> str:
        """How the fees were paid, in the reader's language."""
        return gettext("cash and transfer") if self.other_way else str(self.get_payment_display())

    @property
    def title(self) -> str:
        """The team's name, or the names of its players."""
        return self.name or " / ".join(player.name for player in self.players)


_position = attrgetter("position")


class EntrantMember(models.Model):
    """One player behind an entrant. ``flight`` repeats the entrant's, so that no player is in a flight twice.

    ``active`` ends when the entrant leaves: the player may enter again. Somebody whom a partner named has not
    ``accepted`` before saying so.
    """

    entrant = models.ForeignKey(EntrantRow, on_delete=models.PROTECT, related_name="members")
    flight = models.ForeignKey(Flight, on_delete=models.PROTECT, related_name="members")
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="entries")
    position = models.PositiveSmallIntegerField(default=0)
    active = models.BooleanField(default=True)
    accepted = models.BooleanField(default=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["entrant", "position"], name="entrant_member_position_once"),
            models.UniqueConstraint(
                fields=["flight", "player"], condition=Q(active=True), name="player_once_a_flight"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player_id} in {self.entrant_id}"


class ListColumns(models.Model):
    """What the columns of a club's list of entries are, as a director chose.

    ``heading`` is the digest of the list's headings, or its number of columns if it has none. ``columns`` has
    the ``fields`` of ``clubs.lists.columns``, and whether the list is ``headed``.
    """

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="+")
    heading = models.CharField(max_length=32)
    columns = models.JSONField(default=dict)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["club", "heading"], name="list_columns_once_a_heading"),
        ]

    def __str__(self) -> str:
        return f"{self.heading} of {self.club_id}"
