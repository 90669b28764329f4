"""A club's rating list: a projection of the log of final results that can be rebuilt at any time."""

from datetime import datetime

from django.db import models
from django.utils.translation import gettext_lazy as _

from clubs.models import Club, Player
from clubs.models.ref import RefModel
from clubs.models.work import Work
from scoring.models.match import Match


class RatingList(RefModel):
    """A list with its formula (a key of ``formulas``); the club's main list has no name of its own."""

    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="rating_lists")
    name = models.CharField(_("name"), max_length=100, blank=True)
    formula = models.CharField(max_length=40, default="fibs")
    version = models.PositiveBigIntegerField(default=1, editable=False)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["club", "name"], name="rating_list_name_once")]


class RatingQuerySet(models.QuerySet["Rating"]):
    def on_list(self, rating_list: RatingList) -> "RatingQuerySet":
        return self.filter(list=rating_list)

    def best_first(self) -> "RatingQuerySet":
        return self.order_by("-value", "id")


class Rating(models.Model):
    """A player's rating ``value``; ``experience`` in points of match length played."""

    list = models.ForeignKey(RatingList, on_delete=models.PROTECT, related_name="ratings")
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="ratings")
    value = models.FloatField(_("rating"))
    experience = models.PositiveIntegerField(_("experience"))
    matches = models.PositiveIntegerField()
    last_played_at = models.DateTimeField()

    objects = RatingQuerySet.as_manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["list", "player"], name="rating_once_a_list")]
        indexes = [models.Index(fields=["list", "-value", "id"], name="rating_best_first")]

    def __str__(self) -> str:
        return f"{self.value:.2f}"


class RatingChangeQuerySet(models.QuerySet["RatingChange"]):
    def on_list(self, rating_list: RatingList) -> "RatingChangeQuerySet":
        return self.filter(list=rating_list)

    def since(self, key: tuple[datetime, str]) -> "RatingChangeQuerySet":
        """Changes by results at or after a place (played_at, ref) in the log."""
        later = models.Q(played_at__gt=key[0]) | models.Q(match_ref__gte=key[1])
        return self.filter(later, played_at__gte=key[0])  # in this form an index begins at the place

    def before(self, key: tuple[datetime, str]) -> "RatingChangeQuerySet":
        earlier = models.Q(played_at__lt=key[0]) | models.Q(match_ref__lt=key[1])
        return self.filter(earlier, played_at__lte=key[0])


class RatingChange(models.Model):
    """What one match did to one player, with the whole arithmetic.

    ``after = before ± 4 k sqrt(weight) (1 - P(winner))`` where ``probability`` is this player's own chance to
    win before the match; ``number`` counts the player's rated matches on the list, from 1. ``played_at`` and
    ``match_ref`` are the place in the log.
    """

    # A list of a million matches is held against every foreign key and written into every index, so there are
    # no more of them than it takes: the writer holds the list, the opponent is the player of the match's
    # other row, and the constraint and the indexes below begin with match, list and player.
    list = models.ForeignKey(
        RatingList, models.PROTECT, related_name="changes", db_index=False, db_constraint=False
    )
    match = models.ForeignKey(Match, models.PROTECT, related_name="rating_changes", db_index=False)
    player = models.ForeignKey(Player, models.PROTECT, related_name="rating_changes", db_index=False)
    played_at = models.DateTimeField()
    match_ref = models.CharField(max_length=10, db_collation="C")
    opponent = models.ForeignKey(
        Player, models.PROTECT, related_name="+", db_index=False, db_constraint=False
    )
    won = models.BooleanField()
    length = models.PositiveSmallIntegerField()
    weight = models.FloatField()
    probability = models.FloatField()
    k = models.FloatField()
    before = models.FloatField()
    after = models.FloatField()
    opponent_before = models.FloatField()
    experience_before = models.PositiveIntegerField()
    experience_after = models.PositiveIntegerField()
    number = models.PositiveIntegerField()

    objects = RatingChangeQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["match", "player", "list"], name="rating_change_once_a_match")
        ]
        indexes = [
            # One entry a match, in the order of the log: a correction follows it without reading the rows.
            models.Index(
                fields=["list", "played_at", "match_ref"],
                include=["match", "player", "opponent"],
                condition=models.Q(won=True),
                name="rating_change_in_order",
            ),
            models.Index(
                fields=["player", "list", "-played_at", "-match_ref"], name="rating_change_of_player"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.before:.2f} -> {self.after:.2f}"


class RatingUpdate(Work):
    """Queued replay of a list after a result changed; a worker takes all of a list's."""

    TASK = "scoring.update_ratings"
    NAME = _("Ratings")

    list = models.ForeignKey(RatingList, on_delete=models.PROTECT, related_name="updates")
    match = models.ForeignKey(Match, on_delete=models.PROTECT, related_name="rating_updates")

    class Meta(Work.Meta):
        constraints = [*Work.Meta.constraints]
