"""A player's mistakes as cards, sessions of them, and a club's position of the week."""

from datetime import date, timedelta

from django.db import models
from django.utils.timezone import now
from django.utils.translation import gettext_lazy as _

from clubs.models import Club, Player
from clubs.models.ref import RefModel
from clubs.models.work import Work, WorkStatus
from scoring.models.match import Colour, Match, MatchStatus
from scoring.theory.cards import CardKind
from scoring.theory.decisions import DecisionKind
from scoring.theory.spacing import CardProgress


class CardState(models.TextChoices):
    WAITING = "waiting", _("Open")
    LEARNED = "learned", _("Learned")
    PARKED = "parked", _("Parked")
    RETIRED = "retired", _("Retired")


class CardEnd(models.TextChoices):
    """Why a card retired."""

    FINE = "fine", _("A newer analysis finds no mistake.")
    UNCLEAR = "unclear", _("A newer analysis finds several good answers.")
    CORRECTED = "corrected", _("The match was corrected.")


class CardQuerySet(models.QuerySet["Card"]):
    def of_player(self, player: Player) -> "CardQuerySet":
        return self.filter(player=player)

    def mistakes(self) -> "CardQuerySet":
        return self.filter(kind=CardKind.ERROR)

    def due(self, day: date) -> "CardQuerySet":
        """The cards that come back by this day, of matches that stand."""
        return self.filter(due__lte=day).exclude(match__status=MatchStatus.VOID)

    def largest_first(self) -> "CardQuerySet":
        return self.order_by("-error", "pk")


class Card(RefModel):
    """One decision of a player in one of their matches, to be decided again.

    The decision is named by match, event and kind, never by the row of an analysis: the verdict is that of
    the analysis that stands when the card is answered. ``xgid`` is the position as it was faced, White at the
    bottom; ``error`` what was lost there by that analysis. ``due`` is the day from which the card is asked,
    empty where it does not come back. ``end`` says why a card retired.
    """

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="cards")
    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="cards")
    event_seq = models.PositiveIntegerField()
    decision = models.CharField(max_length=8, choices=[(each.value, each.value) for each in DecisionKind])
    colour = models.CharField(max_length=5, choices=Colour.choices)
    kind = models.CharField(max_length=5, choices=[(each.value, each.value) for each in CardKind])
    xgid = models.CharField(max_length=120)
    error = models.FloatField()
    state = models.CharField(max_length=8, choices=CardState.choices, default=CardState.WAITING)
    end = models.CharField(max_length=9, choices=CardEnd.choices, blank=True)
    due = models.DateField(null=True, blank=True)
    in_a_row = models.PositiveSmallIntegerField(default=0)
    wrong = models.PositiveSmallIntegerField(default=0)
    created_at = models.DateTimeField(default=now, editable=False)

    objects = CardQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["player", "match", "event_seq", "decision"], name="card_once_a_decision"
            ),
            models.CheckConstraint(condition=models.Q(state__in=CardState.values), name="card_state_known"),
            models.CheckConstraint(
                condition=models.Q(due=None) | ~models.Q(state__in=[CardState.PARKED, CardState.RETIRED]),
                name="card_set_aside_is_not_due",
            ),
            models.CheckConstraint(
                condition=models.Q(state=CardState.RETIRED) ^ models.Q(end=""), name="card_end_of_the_retired"
            ),
        ]
        indexes = [
            models.Index(
                fields=["player", "kind", "due", "-error", "id"],
                condition=models.Q(due__isnull=False),
                name="card_due",
            ),
            models.Index(fields=["player", "state", "-error", "id"], name="card_largest"),
        ]

    @property
    def progress(self) -> CardProgress:
        return CardProgress(self.in_a_row, self.wrong)


class CardSession(RefModel):
    """Cards that a player answers in one go: ``asked`` so far, ``card`` the one that is asked now."""

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="card_sessions")
    card = models.ForeignKey(Card, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    asked = models.PositiveSmallIntegerField(default=0)
    started_at = models.DateTimeField(default=now)
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["player"], condition=models.Q(finished_at=None), name="card_session_one_open"
            ),
        ]
        indexes = [models.Index(fields=["player", "-started_at"], name="card_session_newest")]


class CardAnswer(RefModel):
    """An answer to a card, or its skipping (``right`` is empty), with the verdict as it was given.

    ``loss`` is against ``best``, at least so much unless ``is_exact``; ``played`` and ``played_loss`` are of
    the match.
    """

    session = models.ForeignKey(CardSession, on_delete=models.CASCADE, related_name="answers")
    card = models.ForeignKey(Card, on_delete=models.CASCADE, related_name="answers")
    number = models.PositiveSmallIntegerField()
    given = models.CharField(max_length=80, blank=True)
    right = models.BooleanField(null=True, blank=True)
    loss = models.FloatField(null=True, blank=True)
    is_exact = models.BooleanField(default=True)
    best = models.CharField(max_length=80, blank=True)
    played = models.CharField(max_length=80, blank=True)
    played_loss = models.FloatField(null=True, blank=True)
    due = models.DateField(null=True, blank=True)
    at = models.DateTimeField(default=now)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["session", "card"], name="card_answer_once"),
            models.UniqueConstraint(fields=["session", "number"], name="card_answer_number_once"),
        ]


class CardFill(Work):
    """Makes the cards of a player's matches that were analysed before."""

    TASK = "scoring.fill_cards"
    NAME = _("Cards from earlier matches")
    LEASE = timedelta(seconds=120)

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="card_fills")
    done_matches = models.PositiveIntegerField(default=0)
    all_matches = models.PositiveIntegerField(default=0)

    class Meta(Work.Meta):
        constraints = [
            *Work.Meta.constraints,
            models.UniqueConstraint(
                fields=["player"],
                condition=models.Q(status__in=[WorkStatus.QUEUED, WorkStatus.RUNNING]),
                name="card_fill_once_a_player",
            ),
        ]


class CardSharing(models.Model):
    """What a member lets a club do with their mistakes in its matches."""

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="card_sharing")
    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="+")
    coach = models.BooleanField(default=False)
    quiz = models.BooleanField(default=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["player", "club"], name="card_sharing_once_a_club"),
        ]

    def __str__(self) -> str:
        return f"{self.player_id} in {self.club_id}"


class WeekPosition(RefModel):
    """A club's position of the week that begins on Monday ``week``: a member's card, shown without a name."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="week_positions")
    week = models.DateField()
    card = models.ForeignKey(Card, on_delete=models.CASCADE, related_name="week_positions")
    chosen_at = models.DateTimeField(default=now)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["club", "week"], name="week_position_once"),
        ]


class WeekAnswer(models.Model):
    """A member's answer to a position of the week, once each."""

    position = models.ForeignKey(WeekPosition, on_delete=models.CASCADE, related_name="answers")
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="+")
    given = models.CharField(max_length=80)
    right = models.BooleanField()
    loss = models.FloatField()
    is_exact = models.BooleanField(default=True)
    at = models.DateTimeField(default=now)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["position", "player"], name="week_answer_once"),
        ]

    def __str__(self) -> str:
        return f"{self.given} at {self.position_id}"
