"""Matches: sides, seats, results, confirmations and notices."""

from datetime import timedelta

from django.conf import settings
from django.db import models
from django.db.models import Prefetch
from django.urls import reverse
from django.utils.timezone import now
from django.utils.translation import gettext_lazy as _

from clubs.models import Club, Note, Player
from clubs.models.ref import RefModel
from clubs.models.work import Work
from scoring.models.sheet import Claim, Sheet
from scoring.rules.endings import Ending


class MatchStatus(models.TextChoices):
    PLAYING = "playing", _("in progress")
    UNFINISHED = "unfinished", _("unfinished")
    FINISHED = "finished", _("finished")
    VOID = "void", _("void")


class Colour(models.TextChoices):
    WHITE = "white", _("White")
    BLACK = "black", _("Black")


class MatchQuerySet(models.QuerySet["Match"]):
    def in_club(self, club: Club) -> "MatchQuerySet":
        return self.filter(club=club)

    def of_player(self, player: Player) -> "MatchQuerySet":
        return self.filter(sides__seats__player=player).distinct()

    def finished(self) -> "MatchQuerySet":
        return self.filter(status=MatchStatus.FINISHED)

    def final(self) -> "MatchQuerySet":
        """Finished matches with a final result; only these rate."""
        return self.finished().filter(result__final_at__isnull=False)

    def with_players(self) -> "MatchQuerySet":
        """Result, sides, seats and names loaded along (two more queries, however many matches)."""
        seats = Seat.objects.select_related("player__person")
        return self.select_related("club", "result").prefetch_related(Prefetch("sides__seats", seats))

    def newest_first(self) -> "MatchQuerySet":
        return self.order_by("-played_at", "-ref")


_Matches = models.Manager.from_queryset(MatchQuerySet)


class MatchManager(_Matches["Match"]):
    """Matches between two sides, without chouette board records."""

    def get_queryset(self) -> MatchQuerySet:
        found: MatchQuerySet = super().get_queryset()  # type: ignore[assignment]
        return found.filter(in_chouette=False)


class Match(RefModel):
    """One match over the board. ``length`` is the points to win; 0 is a money session.

    ``digest`` names the match by its players and plays (SHA-256, hex), so that the same match from another
    file is found again; it is empty for a match that is still being played. A ``friendly`` one moves no
    rating. ``in_chouette`` marks the board's record of a chouette's game: nobody sits at it, for it is the
    table's and as private (``with_boards`` finds it, ``objects`` does not). ``version`` grows with every
    change that a page shows.
    """

    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="matches")
    sheet = models.OneToOneField(Sheet, on_delete=models.PROTECT, related_name="match")
    length = models.PositiveSmallIntegerField(_("match length"))
    played_at = models.DateTimeField(_("played"), default=now)
    status = models.CharField(max_length=10, choices=MatchStatus.choices, default=MatchStatus.PLAYING)
    digest = models.CharField(max_length=64, blank=True)
    friendly = models.BooleanField(default=False)
    in_chouette = models.BooleanField(default=False, editable=False)
    version = models.PositiveBigIntegerField(default=1, editable=False)
    created_at = models.DateTimeField(default=now, editable=False)

    objects = MatchManager()
    with_boards = MatchQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["club", "digest"], condition=~models.Q(digest=""), name="match_digest_once_per_club"
            ),
            models.CheckConstraint(
                condition=models.Q(status__in=MatchStatus.values), name="match_status_known"
            ),
        ]
        indexes = [
            models.Index(fields=["club", "-played_at", "-ref"], name="match_newest_in_club"),
            # That of the constraint is not used by a plan that a connection keeps: it knows no digest.
            models.Index(fields=["club", "digest"], name="match_by_digest"),
            models.Index(
                fields=["-played_at", "-ref"],
                condition=models.Q(in_chouette=False),
                name="match_newest",
            ),
        ]

    def get_absolute_url(self) -> str:
        return reverse("scoring:match", args=[self.ref])

    def side(self, colour: str) -> "SideRow":
        """The side of a colour. Load with ``with_players()``: this must not query."""
        return next(side for side in self.sides.all() if side.colour == colour)

    @property
    def white(self) -> "SideRow":
        return self.side(Colour.WHITE)

    @property
    def black(self) -> "SideRow":
        return self.side(Colour.BLACK)


class SideRow(models.Model):
    """One of the two sides. White is the left column of a match record."""

    match = models.ForeignKey(Match, on_delete=models.PROTECT, related_name="sides")
    colour = models.CharField(max_length=5, choices=Colour.choices)
    # Who sits at a chouette's table is not stored here: set where such a side is shown.
    told = ""

    class Meta:
        db_table = "scoring_side"
        constraints = [
            models.UniqueConstraint(fields=["match", "colour"], name="side_colour_once"),
            models.CheckConstraint(condition=models.Q(colour__in=Colour.values), name="side_colour_known"),
        ]

    def __str__(self) -> str:
        return f"{self.colour} of {self.match_id}"

    @property
    def players(self) -> list[Player]:
        """The players of this side, in order. Load with ``Match.objects.with_players()``."""
        return [seat.player for seat in sorted(self.seats.all(), key=lambda seat: seat.order)]

    @property
    def name(self) -> str:
        """The names at this side, joined for doubles."""
        return self.told or " / ".join(player.name for player in self.players)


class Seat(models.Model):
    """One player at a side; a doubles side has two. ``name`` is not kept here: names are personal.

    While its match is finished, a seat has the match's length and club, whether the match is ``open`` to all
    who see the club (final, or of an event), and whether the side won (empty without a winner). Triggers of
    the database write these columns (migration 0019), so that a player's record is counted in an index.
    """

    match = models.ForeignKey(Match, on_delete=models.PROTECT, related_name="seats")
    side = models.ForeignKey(SideRow, on_delete=models.PROTECT, related_name="seats")
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="seats")
    order = models.PositiveSmallIntegerField(default=0)
    finished_length = models.PositiveSmallIntegerField(null=True, blank=True, editable=False)
    # Checked by the match.
    finished_club = models.ForeignKey(
        Club,
        models.PROTECT,
        null=True,
        blank=True,
        editable=False,
        related_name="+",
        db_index=False,
        db_constraint=False,
    )
    finished_open = models.BooleanField(null=True, blank=True, editable=False)
    finished_won = models.BooleanField(null=True, blank=True, editable=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["side", "order"], name="seat_order_once"),
            models.UniqueConstraint(fields=["match", "player"], name="seat_player_once_a_match"),
        ]
        indexes = [
            models.Index(
                fields=["player", "finished_length", "finished_club", "finished_open", "finished_won"],
                include=["match"],
                condition=models.Q(finished_length__isnull=False),
                name="seat_record_of_player",
            )
        ]

    def __str__(self) -> str:
        return f"{self.player_id} at {self.side_id}"


ENDINGS = {
    Ending.PLAYED: _("played out"),
    Ending.TIME: _("on time"),
    Ending.RETIRED: _("retired"),
    Ending.NO_SHOW: _("no-show"),
    Ending.DOUBLE_NO_SHOW: _("double no-show"),
    Ending.WITHDRAWN: _("withdrawn"),
    Ending.DISQUALIFIED: _("disqualified"),
    Ending.PENALTY: _("by penalty"),
    Ending.VOID: _("void"),
}
"""What is said of a result that came about so."""


class FinalBy(models.TextChoices):
    """How a result became final."""

    CONFIRMED = "confirmed", _("confirmed by the players")
    DIRECTOR = "director", _("confirmed by a director")
    WINDOW = "window", _("not disputed in time")


class Result(models.Model):
    """The result of a match, replayed from its sheet and never typed.

    Points are capped at the match length; ``raw`` are as scored. ``revision`` counts corrections.
    ``final_at`` is empty until everybody who has to has confirmed: only final results rate. Where the winner
    reports, the loser has until ``objection_until`` to object; after that the result is final by itself.
    """

    match = models.OneToOneField(Match, on_delete=models.PROTECT, related_name="result")
    winner = models.CharField(max_length=5, choices=Colour.choices, blank=True)
    white_points = models.PositiveIntegerField()
    black_points = models.PositiveIntegerField()
    white_raw = models.PositiveIntegerField()
    black_raw = models.PositiveIntegerField()
    ended = models.CharField(
        max_length=16,
        choices=[(ending.value, name) for ending, name in ENDINGS.items()],
        default=Ending.PLAYED.value,
        blank=True,
    )
    revision = models.PositiveIntegerField(default=1)
    final_at = models.DateTimeField(null=True, blank=True)
    final_by = models.CharField(max_length=10, choices=FinalBy.choices, blank=True)
    objection_until = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(winner__in=["", *Colour.values]), name="result_winner_known"
            ),
        ]
        indexes = [
            # The few that somebody has to confirm, among all that are final.
            models.Index(fields=["match"], condition=models.Q(final_at=None), name="result_unconfirmed"),
        ]

    def __str__(self) -> str:
        return f"{self.white_points}-{self.black_points}"


class Confirmation(models.Model):
    """A confirmation of a result revision: for a side, or a director's (side empty)."""

    match = models.ForeignKey(Match, on_delete=models.PROTECT, related_name="confirmations")
    revision = models.PositiveIntegerField()
    side = models.CharField(max_length=5, choices=Colour.choices, blank=True)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    claim = models.ForeignKey(Claim, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(default=now)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["match", "revision", "side"], name="confirmation_once_a_side"),
        ]

    def __str__(self) -> str:
        return f"{self.side or 'director'} of {self.match_id}"


class Objection(models.Model):
    """A dispute of one result revision, open until a director or that side confirms."""

    match = models.ForeignKey(Match, on_delete=models.PROTECT, related_name="objections")
    revision = models.PositiveIntegerField()
    side = models.CharField(max_length=5, choices=Colour.choices)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    claim = models.ForeignKey(Claim, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    note = models.ForeignKey(Note, null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    at = models.DateTimeField(default=now)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["match", "revision", "side"], name="objection_once_a_side"),
            models.CheckConstraint(condition=models.Q(side__in=Colour.values), name="objection_side_known"),
        ]

    def __str__(self) -> str:
        return f"{self.side} of {self.match_id}"


class ObjectionWindow(Work):
    """The end of a result revision's dispute window, as scheduled work."""

    TASK = "scoring.close_objection_window"
    NAME = _("Results becoming final")
    WAKE_AGAIN = timedelta(minutes=1)

    match = models.ForeignKey(Match, on_delete=models.PROTECT, related_name="objection_windows")
    revision = models.PositiveIntegerField()

    class Meta(Work.Meta):
        constraints = [
            *Work.Meta.constraints,
            models.UniqueConstraint(fields=["match", "revision"], name="objection_window_once_a_revision"),
        ]


class Channel(models.TextChoices):
    """How a player is notified of a result."""

    MAIL = "mail"
    PUSH = "push"


class ResultNotice(Work):
    """A notice to one player, by one channel, of a recorded result revision."""

    TASK = "scoring.tell_result"
    NAME = _("Result notifications")

    match = models.ForeignKey(Match, on_delete=models.PROTECT, related_name="notices")
    revision = models.PositiveIntegerField()
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    way = models.CharField(max_length=4, choices=Channel.choices)

    class Meta(Work.Meta):
        constraints = [
            *Work.Meta.constraints,
            models.UniqueConstraint(
                fields=["match", "revision", "user", "way"], name="result_notice_once_a_revision"
            ),
        ]
