"""A player's one role in a club."""

from django.db import models
from django.utils.timezone import now
from django.utils.translation import gettext_lazy as _

from clubs.models.club import Club
from clubs.models.player import Player


class Role(models.IntegerChoices):
    """Roles in a club, ordered: each may do all that the ones below may. Compare with ``>=``."""

    GUEST = 10, _("Guest")
    MEMBER = 20, _("Member")
    DIRECTOR = 30, _("Director")
    OWNER = 40, _("Owner")


class MembershipQuerySet(models.QuerySet["Membership"]):
    def in_club(self, club: Club) -> "MembershipQuerySet":
        return self.filter(club=club)

    def owners(self) -> "MembershipQuerySet":
        return self.filter(role=Role.OWNER)

    def with_player(self) -> "MembershipQuerySet":
        """Players and their names loaded along."""
        return self.select_related("player__person")


class Membership(models.Model):
    """One role per club and player. Ending a membership deletes the row: results stay with the player."""

    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="memberships")
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="memberships")
    role = models.PositiveSmallIntegerField(_("role"), choices=Role.choices, default=Role.MEMBER)
    joined_at = models.DateTimeField(default=now, editable=False)

    objects = MembershipQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["club", "player"], name="membership_once_per_club"),
            models.CheckConstraint(condition=models.Q(role__in=Role.values), name="membership_role_known"),
        ]

    def __str__(self) -> str:
        return f"{self.player_id} in {self.club_id}: {Role(self.role).name.lower()}"
