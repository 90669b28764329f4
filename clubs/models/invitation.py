"""An invitation to a role in a club: by email, or as a claim code for a guest."""

from typing import Self

from django.db import models
from django.utils.timezone import now

from clubs.models.club import Club
from clubs.models.membership import Role
from clubs.models.player import Player
from clubs.models.ref import RefModel
from clubs.models.user import User


class InvitationQuerySet(models.QuerySet["Invitation"]):
    def open(self) -> Self:
        """Invitations that can still be accepted."""
        return self.filter(expires_at__gt=now())


class Invitation(RefModel):
    """Open until accepted, withdrawn or expired; then the row is deleted.

    With a ``guest`` the user who accepts it becomes that guest, with all matches. Without an ``email`` it is
    a claim code, handed over by a director.
    """

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="invitations")
    email = models.EmailField(blank=True)
    guest = models.ForeignKey(Player, null=True, blank=True, on_delete=models.CASCADE, related_name="+")
    role = models.PositiveSmallIntegerField(choices=Role.choices, default=Role.MEMBER)
    invited_by = models.ForeignKey(User, on_delete=models.CASCADE, related_name="+")
    token_digest = models.CharField(max_length=64, unique=True)
    created_at = models.DateTimeField(default=now)
    expires_at = models.DateTimeField()

    objects = InvitationQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["club", "email"],
                condition=~models.Q(email=""),
                name="invitation_once_per_address",
            ),
            models.UniqueConstraint(fields=["club", "guest"], name="invitation_once_per_guest"),
            models.CheckConstraint(
                condition=~models.Q(email="") | models.Q(guest__isnull=False),
                name="invitation_names_somebody",
            ),
            models.CheckConstraint(condition=models.Q(role__in=Role.values), name="invitation_role_known"),
        ]
