"""An owner's invitation by e-mail to take a role in a club."""

from typing import Self

from django.db import models
from django.utils.timezone import now

from clubs.models.club import Club
from clubs.models.membership import Role
from clubs.models.ref import RefModel
from clubs.models.user import User


class InvitationQuerySet(models.QuerySet["Invitation"]):
    def open(self) -> Self:
        """Invitations that can still be accepted."""
        return self.filter(expires_at__gt=now())


class Invitation(RefModel):
    """Open until it is accepted, withdrawn or expires; then its row, which holds an address, is deleted."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="invitations")
    email = models.EmailField()
    role = models.PositiveSmallIntegerField(choices=Role.choices, default=Role.MEMBER)
    invited_by = models.ForeignKey(User, on_delete=models.CASCADE, related_name="+")
    token_digest = models.CharField(max_length=64, unique=True)
    created_at = models.DateTimeField(default=now)
    expires_at = models.DateTimeField()

    objects = InvitationQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["club", "email"], name="invitation_once_per_address"),
            models.CheckConstraint(condition=models.Q(role__in=Role.values), name="invitation_role_known"),
        ]
