"""A stage of a flight: its draw, its log, and the pairings and matches that follow from them.

The log is the truth: ``tournaments.stages.services.stages.load`` folds it into the pure value
(``tournaments.core.stages.stage.Stage``); the pairings' rows are a projection of it with their matches.
"""

from datetime import datetime, time, timedelta
from functools import cached_property
from typing import Any
from zoneinfo import ZoneInfo

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.timezone import now
from django.utils.translation import gettext_lazy as _

from clubs.models.ref import RefModel
from scoring.codec import from_plain
from scoring.models import Match
from scoring.models.log import LogEntry, LogOwner
from tournaments.core.brackets.formats import Elimination
from tournaments.core.formats.table import FORMATS
from tournaments.core.play.feeding import Rule
from tournaments.core.rounds.format import RoundsFormat
from tournaments.core.rounds.round_robin import A_WEEK
from tournaments.core.stages.format import Season
from tournaments.core.stages.lengths import length_of_round
from tournaments.core.stages.stage import seed_hash
from tournaments.models.event import EntrantRow, Flight
from tournaments.models.feeds import rule_of
from tournaments.models.stage_details import ALONG, DECLINED, EARLIER, FED, RULES, along
from tournaments.words.formats import format_title

FOLLOWED = (
    *("ref", "format", "options", "algorithm", "seed", "status", "boards", "drawn_at", "drawn_behind"),
    *("tie_breaks", "seats", "head_seq", "head_hash"),
    *(f"flight__event__{name}" for name in ("ref", "version", "zone", "hidden", "members_only")),
    *(f"flight__event__club__{name}" for name in ("visibility", "tz")),
    *("flight", "flight__event", "flight__event__club"),
)
"""What the drawing of a stage needs of it, and who may see it: for ``only``, with flight, event and club."""
LONGEST_SOURCE = 120
"""A stage's name with that of a table in it, or the name of a side pool."""
DRAW_TAKEN_BACK = "drawtakenback"
"""The kind of the log's entry behind which another draw begins; it belongs to no draw itself."""


class StageStatus(models.TextChoices):
    """The status of a stage.

    The seed of a ``PLANNED`` stage exists and its hash is shown; the draw reveals it. A stage that gets fewer
    than two entrants from others (a playoff nobody needs) is ``SKIPPED``.
    """

    PLANNED = "planned", _("planned")
    RUNNING = "running", _("in progress")
    FINISHED = "finished", _("finished")
    SKIPPED = "skipped", _("not needed")


class StageQuerySet(models.QuerySet["StageRow"]):
    def with_feeds(self) -> "StageQuerySet":
        """With its ``rules``, ``fed``, ``declined`` and ``superseded`` (no extra query)."""
        return self.annotate(**along(self.model))


class StageRow(RefModel, LogOwner):
    """A draw and its log.

    ``algorithm`` is the version of the format that drew.

    ``lengths`` are match lengths by round, the last one repeated, empty for ``length`` in all. ``starts`` are
    the earliest starts by round (``{"1": "2026-12-02T18:00:00+00:00"}``). A stage that others feed has rows
    of whom they sent and of who said no; its field holds once a director has ``confirmed_at`` it. Teams meet
    on so many ``boards``.

    ``tie_breaks`` order its table, empty for the usual ones; ``lot_seeds`` are the secret seeds, by hash, of
    lots that were announced and not drawn yet.

    Where ``rounds_wait``, those after the first are published by a director.

    Draws that were taken back before play are rows as well (``EarlierDraw``). The log goes on; the entries of
    the draw that holds stand behind the first ``drawn_behind``, and so many ``entrants`` were drawn into it.
    """

    LOG = "log"

    flight = models.ForeignKey(Flight, on_delete=models.PROTECT, related_name="stages")
    name = models.CharField(_("name"), max_length=60)
    position = models.PositiveSmallIntegerField(default=0)
    format = models.CharField(_("format"), max_length=24)
    options = models.JSONField(default=dict)
    length = models.PositiveSmallIntegerField(_("match length"), default=7)
    lengths = models.JSONField(default=list)
    starts = models.JSONField(default=dict)
    confirmed_at = models.DateTimeField(null=True, blank=True)
    tie_breaks = models.JSONField(default=list)
    lot_seeds = models.JSONField(default=dict, editable=False)
    boards = models.PositiveSmallIntegerField(_("boards per team match"), default=1)
    duplicate_dice = models.BooleanField(_("duplicate dice"), default=False)
    dice_seed = models.CharField(max_length=64, blank=True, default="", editable=False)
    seed = models.CharField(max_length=64)
    seed_hash = models.CharField(max_length=64)
    algorithm = models.PositiveSmallIntegerField(default=1)
    entrants = models.PositiveIntegerField(default=0)
    seats = models.PositiveIntegerField(default=0)
    status = models.CharField(max_length=10, choices=StageStatus.choices, default=StageStatus.PLANNED)
    rounds_wait = models.BooleanField(_("rounds published manually"), default=False)
    drawn_behind = models.PositiveIntegerField(default=0, editable=False)
    drawn_at = models.DateTimeField(null=True, blank=True)
    created_at = models.DateTimeField(default=now, editable=False)

    objects = StageQuerySet.as_manager()

    class Meta(LogOwner.Meta):
        db_table = "tournaments_stage"
        constraints = [
            *LogOwner.Meta.constraints,
            models.UniqueConstraint(fields=["flight", "position"], name="stage_position_once"),
            models.UniqueConstraint(fields=["id", "flight"], name="stage_of_its_flight"),
            models.CheckConstraint(condition=Q(status__in=StageStatus.values), name="stage_status_known"),
            models.CheckConstraint(condition=Q(length__gte=1), name="stage_has_a_length"),
            models.CheckConstraint(condition=Q(boards__gte=1), name="stage_has_a_board"),
        ]

    def get_absolute_url(self) -> str:
        """Where the draw is seen: on the page of its event."""
        return f"{self.flight.event.get_absolute_url()}?tab=draw&stage={self.ref}"

    @property
    def format_name(self) -> str:
        """The format in the reader's language."""
        return str(format_title(self.format, self.options))

    @property
    def is_bracket(self) -> bool:
        """Whether losers are out, or play on in another part of the same graph."""
        return isinstance(FORMATS.get(self.format), Elimination)

    @property
    def in_rounds(self) -> bool:
        """Whether all entrants are paired round by round, on the results so far."""
        return isinstance(FORMATS.get(self.format), RoundsFormat)

    @property
    def is_arranged(self) -> bool:
        """Whether players arrange when they meet: in leagues, ladders and team matches."""
        return self.is_league or self.format == "ladder" or self.boards > 1

    @property
    def is_league(self) -> bool:
        """Whether each round has a last day, and players arrange when they meet."""
        return self.format == "round_robin" and bool(self.options.get("start"))

    @property
    def is_season(self) -> bool:
        """Whether its rounds are played on days of their own, so that the day has no end to expect."""
        return self.season is not None

    @property
    def season(self) -> Season | None:
        """The kind of season that it is for; None for a stage that ends on the day."""
        chosen = FORMATS[self.format]
        return chosen.season(from_plain(chosen.options, self.options, "options"))

    @property
    def rounds_first(self) -> bool:
        """Whether pairings are shown before the standings: while rounds are in progress."""
        return self.status == StageStatus.RUNNING and not self.is_bracket and self.format != "ladder"

    @property
    def is_over(self) -> bool:
        return self.status == StageStatus.FINISHED

    @property
    def dice_hash(self) -> str:
        """The hash of the duplicate-dice seed, known from the start; empty without them."""
        return seed_hash(self.dice_seed) if self.duplicate_dice else ""

    @cached_property
    def rules(self) -> tuple[Rule, ...]:
        """Its feeding rules in order; ``into`` is the ref of a later stage of the flight."""
        return tuple(rule_of(each["kind"], each["amount"], each["into"]) for each in self._along(RULES))

    @property
    def fed(self) -> dict[str, list[str]]:
        """Refs sent here by finished stages, best first, in the order of those stages."""
        found: dict[str, list[str]] = {}
        for each in self._along(FED):
            found.setdefault(each["source"], []).extend(each["entrants"])
        return found

    @property
    def declined(self) -> list[str]:
        """Refs of those who declined a place here."""
        return list(self._along(DECLINED))

    @property
    def superseded(self) -> list[dict[str, Any]]:
        """Undone draws in order: seeds, hashes, times, entrants ``beside`` the field."""
        return list(self._along(EARLIER))

    @property
    def beside_the_field(self) -> tuple[dict[str, str], list[str]]:
        """Extra entrants of the last undone draw of a fed stage, by ref.

        Those who had taken over a place, by the entrant drawn there, and late entrants. They are in the next
        draw, too.
        """
        beside = self.superseded[-1]["beside"] if self.superseded else []
        instead = {each["drawn"]: each["entrant"] for each in beside if each["drawn"] is not None}
        return instead, [each["entrant"] for each in beside if each["drawn"] is None]

    def _along(self, name: str) -> list[Any]:
        """Related rows of the stage: loaded ``with_feeds()``, else now (one query)."""
        if name not in self.__dict__:
            self.__dict__.update(StageRow.objects.with_feeds().values(*ALONG).get(pk=self.pk))
        found: list[Any] = self.__dict__[name]
        return found

    def refresh_from_db(self, *args: Any, **options: Any) -> None:
        """Also reloads the related rows."""
        super().refresh_from_db(*args, **options)
        for name in ALONG:
            self.__dict__.pop(name, None)

    def length_of(self, round_number: int) -> int:
        """Points to win in a round (from 1) for which the draw itself names no length."""
        return length_of_round(round_number, length=self.length, lengths=self.lengths)


class StageEvent(LogEntry):
    """One entry of a stage's log.

    Its kind is an entry of ``tournaments.core.stages.stage``, or an undone draw.
    """

    stage = models.ForeignKey(StageRow, on_delete=models.PROTECT, related_name="log")

    class Meta(LogEntry.Meta):
        constraints = [
            *LogEntry.Meta.constraints,
            models.UniqueConstraint(fields=["stage", "seq"], name="stage_event_seq_once"),
        ]


class PairingState(models.TextChoices):
    OPEN = "open", _("not finished")
    DECIDED = "decided", _("finished")
    BYE = "bye", _("bye")
    REPLACED = "replaced", _("replaced")


class PairingQuerySet(models.QuerySet["PairingRow"]):
    def current(self) -> "PairingQuerySet":
        """Those that hold; a correction may have replaced others."""
        return self.exclude(state=PairingState.REPLACED)


class PairingRow(RefModel):
    """Two entrants, or one with a bye (``b`` empty). White, the left column, is ``a``.

    ``number`` is the draw's own: in a bracket the match's.

    ``table`` and ``called_at`` are the call, ``started_at`` a director's word that play has begun (else the
    first roll on the sheet says so). A ``featured`` one goes to a featured table. ``desk_seq`` is the last
    entry of the desk's log about this pairing: what an open page knew of it.

    In a league or ladder ``deadline`` is the last day on the venue's calendar. A side has ``proposed_at`` as
    the time to meet; with the other's yes it is ``agreed_at``. Both were reminded once, at ``reminded_at``.
    """

    stage = models.ForeignKey(StageRow, on_delete=models.PROTECT, related_name="pairings")
    number = models.PositiveIntegerField()
    round = models.PositiveIntegerField()
    a = models.ForeignKey(EntrantRow, on_delete=models.PROTECT, related_name="+")
    b = models.ForeignKey(EntrantRow, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    state = models.CharField(max_length=10, choices=PairingState.choices, default=PairingState.OPEN)
    winner = models.ForeignKey(EntrantRow, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    ended = models.CharField(max_length=16, blank=True)
    reasons = models.JSONField(default=list)
    length = models.PositiveSmallIntegerField()
    table = models.PositiveSmallIntegerField(_("table"), null=True, blank=True)
    called_at = models.DateTimeField(null=True, blank=True)
    started_at = models.DateTimeField(null=True, blank=True)
    featured = models.BooleanField(default=False)
    desk_seq = models.PositiveIntegerField(default=0)
    deadline = models.DateField(null=True, blank=True)
    proposed_at = models.DateTimeField(null=True, blank=True)
    proposed_by = models.ForeignKey(
        EntrantRow, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )
    agreed_at = models.DateTimeField(null=True, blank=True)
    reminded_at = models.DateTimeField(null=True, blank=True)

    objects = PairingQuerySet.as_manager()

    class Meta:
        db_table = "tournaments_pairing"
        constraints = [
            models.UniqueConstraint(
                fields=["stage", "number"],
                condition=~Q(state=PairingState.REPLACED),
                name="pairing_number_once",
            ),
            models.CheckConstraint(condition=Q(state__in=PairingState.values), name="pairing_state_known"),
            models.CheckConstraint(
                condition=Q(b=None) | ~Q(a=models.F("b")), name="pairing_of_two_different_entrants"
            ),
        ]
        indexes = [
            models.Index(fields=["stage", "round", "number"], name="pairing_in_order"),
            models.Index(
                fields=["deadline"],
                condition=Q(state=PairingState.OPEN, deadline__isnull=False),
                name="pairing_due",
            ),
        ]

    def opens_at(self, tz: ZoneInfo) -> datetime | None:
        """When its round of a league begins, at the venue; else None. Load the stage: this must not query."""
        if self.deadline is None or not self.stage.is_league:
            return None
        days = self.stage.options.get("days_per_round", A_WEEK)
        return datetime.combine(self.deadline - timedelta(days=days - 1), time(), tz)


class Board(models.Model):
    """One match of a pairing: one in singles and doubles, several when teams meet."""

    pairing = models.ForeignKey(PairingRow, on_delete=models.PROTECT, related_name="boards")
    number = models.PositiveSmallIntegerField(default=1)
    match = models.OneToOneField(Match, on_delete=models.PROTECT, related_name="board")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["pairing", "number"], name="board_number_once")]

    def __str__(self) -> str:
        return f"board {self.number} of {self.pairing_id}"


class PaidHow(models.TextChoices):
    """How a prize was paid: recorded only, never sent here."""

    CASH = "cash", _("cash")
    TRANSFER = "transfer", _("transfer")
    KIND = "kind", _("in kind")


class Prize(RefModel):
    """A prize in minor units: computed, approved, then recorded as paid.

    ``source`` is the table or side pool that pays, by its whole name: no two of a flight have the same.
    ``agreed`` marks an amount that the players made by a deal among themselves. ``paid_by`` is who noted that
    it was handed over.
    """

    flight = models.ForeignKey(Flight, on_delete=models.PROTECT, related_name="prizes")
    entrant = models.ForeignKey(EntrantRow, on_delete=models.PROTECT, related_name="prizes")
    source = models.CharField(max_length=LONGEST_SOURCE)
    amount = models.PositiveBigIntegerField()
    agreed = models.BooleanField(default=False)
    approved_at = models.DateTimeField(default=now)
    paid_at = models.DateTimeField(null=True, blank=True)
    paid_how = models.CharField(max_length=10, choices=PaidHow.choices, blank=True)
    paid_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["flight", "entrant", "source"], name="prize_once_a_source"),
        ]

    def __str__(self) -> str:
        return f"{self.amount} to {self.entrant_id}"
