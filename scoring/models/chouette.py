"""Chouettes: tables, players, games and ledgers.

What happened is the log of the sheet; everything here follows from it and is rewritten with it.
"""

from django.conf import settings
from django.db import models
from django.utils.timezone import now
from django.utils.translation import gettext_lazy as _

from clubs.models import Club, Player
from clubs.models.ref import RefModel
from scoring.models.match import Match
from scoring.models.sheet import Claim, Sheet, SheetEvent

CODE_LENGTH = 10


class ChouetteStatus(models.TextChoices):
    OPEN = "open", _("open")
    CLOSED = "closed", _("closed")


class ChouetteQuerySet(models.QuerySet["Chouette"]):
    def in_club(self, club: Club) -> "ChouetteQuerySet":
        return self.filter(club=club)

    def with_sheet(self) -> "ChouetteQuerySet":
        """The club and the sheet loaded along."""
        return self.select_related("club", "sheet")

    def sat_at_by(self, user_id: int) -> "ChouetteQuerySet":
        """The tables at which the user sits or sat, and those they opened."""
        own = ChouettePlayer.objects.filter(player__user=user_id, seated=True)
        return self.filter(models.Q(pk__in=own.values("chouette")) | models.Q(opened_by=user_id))


class Chouette(RefModel):
    """A table. ``code`` lets people sit down as long as the night lasts; none once it is over.

    ``stake`` is the table's own, minor units a point, for who names no other. ``points_only`` is the club's
    choice when the table was opened: every stake is zero then. ``version`` grows with every change.
    """

    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="chouettes")
    sheet = models.OneToOneField(Sheet, on_delete=models.PROTECT, related_name="chouette")
    title = models.CharField(_("title"), max_length=80)
    currency = models.CharField(_("currency"), max_length=3)
    stake = models.PositiveIntegerField(_("stake"), default=0)
    code = models.CharField(max_length=CODE_LENGTH, blank=True, editable=False)
    points_only = models.BooleanField(_("points only"), default=False)
    status = models.CharField(max_length=6, choices=ChouetteStatus.choices, default=ChouetteStatus.OPEN)
    version = models.PositiveBigIntegerField(default=1, editable=False)
    opened_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    created_at = models.DateTimeField(default=now, editable=False)
    closed_at = models.DateTimeField(null=True, blank=True)

    objects = ChouetteQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["code"], condition=~models.Q(code=""), name="chouette_code_once"),
            models.CheckConstraint(condition=~models.Q(title=""), name="chouette_has_a_title"),
            models.CheckConstraint(
                condition=models.Q(currency__regex="^[A-Z]{3}$"), name="chouette_currency_is_iso_4217"
            ),
            models.CheckConstraint(
                condition=models.Q(points_only=False) | models.Q(stake=0), name="chouette_points_cost_nothing"
            ),
            models.CheckConstraint(
                condition=models.Q(status=ChouetteStatus.OPEN, closed_at=None) & ~models.Q(code="")
                | models.Q(status=ChouetteStatus.CLOSED, code="", closed_at__isnull=False),
                name="chouette_code_ends_with_the_night",
            ),
        ]


class ChouettePlayer(RefModel):
    """A player at a table; the log names them by the opaque ``ref``.

    ``seated`` is whether the log, as it stands, knows the player: a mistaken joining that was taken back
    leaves the row. ``claim`` is by what the phone of somebody without a login writes.
    """

    chouette = models.ForeignKey(Chouette, on_delete=models.PROTECT, related_name="players")
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="chouettes")
    claim = models.OneToOneField(
        Claim, null=True, blank=True, on_delete=models.PROTECT, related_name="chouette_player"
    )
    seated = models.BooleanField(default=False)
    joined_at = models.DateTimeField(default=now, editable=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["chouette", "player"], name="chouette_player_sits_once"),
        ]


class ChouetteGame(models.Model):
    """A game of the night, from the event that began it (``begun_seq``) to the one that ended it.

    ``number`` counts the games that stand, from 1; a game whose beginning was taken back has none, and
    remains only if it was recorded on a board: ``match`` is that record, the box as White against the crew.
    """

    chouette = models.ForeignKey(Chouette, on_delete=models.PROTECT, related_name="games")
    number = models.PositiveIntegerField(null=True)
    begun_seq = models.PositiveIntegerField()
    end_seq = models.PositiveIntegerField(null=True)
    finished_at = models.DateTimeField(null=True)
    match = models.OneToOneField(
        Match, null=True, blank=True, on_delete=models.PROTECT, related_name="chouette_game"
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["chouette", "begun_seq"], name="chouette_game_begins_once"),
            # At the end of the transaction: a correction of an early game renumbers those after it.
            models.UniqueConstraint(
                fields=["chouette", "number"],
                name="chouette_game_number_once",
                deferrable=models.Deferrable.DEFERRED,
            ),
            models.CheckConstraint(
                condition=models.Q(end_seq=None, finished_at=None)
                | models.Q(
                    end_seq__gt=models.F("begun_seq"), finished_at__isnull=False, number__isnull=False
                ),
                name="chouette_game_ends_after_it_begins",
            ),
        ]

    def __str__(self) -> str:
        return f"game {self.number}"


class Ledger(models.Model):
    """What a game brought one player: points, and money in minor units.

    The database itself refuses a game whose rows do not sum to zero, in points and in money.
    """

    game = models.ForeignKey(ChouetteGame, on_delete=models.PROTECT, related_name="ledger")
    player = models.ForeignKey(ChouettePlayer, on_delete=models.PROTECT, related_name="ledger")
    points = models.BigIntegerField()
    minor = models.BigIntegerField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["game", "player"], name="ledger_player_once_a_game"),
        ]

    def __str__(self) -> str:
        return f"{self.points:+} points, {self.minor:+}"


class ChouetteMoment(models.Model):
    """Where the board's record stood when an event of its game was written at the table."""

    event = models.OneToOneField(SheetEvent, on_delete=models.PROTECT, related_name="moment")
    board_seq = models.PositiveIntegerField()

    def __str__(self) -> str:
        return f"at {self.board_seq} of the board"


class HouseRulesQuerySet(models.QuerySet["HouseRules"]):
    def in_club(self, club: Club) -> "HouseRulesQuerySet":
        return self.filter(club=club)


class HouseRules(RefModel):
    """The rules of a house that a club keeps beside those built in.

    ``values`` is the plain form of ``ChouetteOptions``. A table keeps the rules as they were when it took
    them. Retired rules are offered for no new table. ``version`` grows with every change.
    """

    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="houses")
    name = models.SlugField(_("name"), max_length=40)
    title = models.CharField(_("title"), max_length=80)
    values = models.JSONField()
    version = models.PositiveBigIntegerField(default=1, editable=False)
    retired_at = models.DateTimeField(null=True, blank=True)

    objects = HouseRulesQuerySet.as_manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["club", "name"], name="house_name_once_a_club")]
