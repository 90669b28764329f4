"""A player's one role in a club."""

from django.conf import settings
from django.db import models
from django.utils.timezone import now
from django.utils.translation import gettext_lazy as _

from clubs.models.club import Club
from clubs.models.player import Player


class Role(models.IntegerChoices):
    """Roles in a club, ordered: each includes those below. Compare with ``>=``."""

    GUEST = 10, _("Guest")
    MEMBER = 20, _("Member")
    DIRECTOR = 30, _("Director")
    OWNER = 40, _("Owner")


class Title(models.IntegerChoices):
    """Titles for playing strength in BMAB order: M3 is the lowest, S1 the highest.

    A club records titles; nothing here computes them.
    """

    M3 = 10, _("Master M3")
    M2 = 20, _("Master M2")
    M1 = 30, _("Master M1")
    G3 = 40, _("Grandmaster G3")
    G2 = 50, _("Grandmaster G2")
    G1 = 60, _("Grandmaster G1")
    S3 = 70, _("Super Grandmaster S3")
    S2 = 80, _("Super Grandmaster S2")
    S1 = 90, _("Super Grandmaster S1")


class MembershipQuerySet(models.QuerySet["Membership"]):
    def in_club(self, club: Club) -> "MembershipQuerySet":
        return self.filter(club=club)

    def owners(self) -> "MembershipQuerySet":
        return self.filter(role=Role.OWNER)

    def with_player(self) -> "MembershipQuerySet":
        """Load players and their names too."""
        return self.select_related("player__person")


class Membership(models.Model):
    """One role per club and player. Ending it deletes the row; results are kept.

    ``title`` is set by the club's directors, ``title_by`` at ``title_at``.
    """

    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="memberships")
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="memberships")
    role = models.PositiveSmallIntegerField(_("role"), choices=Role.choices, default=Role.MEMBER)
    joined_at = models.DateTimeField(default=now, editable=False)
    title = models.PositiveSmallIntegerField(_("title"), choices=Title.choices, null=True, blank=True)
    title_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    title_at = models.DateTimeField(null=True, blank=True)

    objects = MembershipQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["club", "player"], name="membership_once_per_club"),
            models.CheckConstraint(condition=models.Q(role__in=Role.values), name="membership_role_known"),
            models.CheckConstraint(
                condition=models.Q(title=None) | models.Q(title__in=Title.values),
                name="membership_title_known",
            ),
            models.CheckConstraint(
                condition=models.Q(title=None) | models.Q(title_at__isnull=False),
                name="membership_title_has_a_time",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player_id} in {self.club_id}: {Role(self.role).name.lower()}"
