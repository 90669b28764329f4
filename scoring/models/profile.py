"""A club's own rules profiles."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from clubs.models import Club
from clubs.models.ref import RefModel


class ClubProfileQuerySet(models.QuerySet["ClubProfile"]):
    def in_club(self, club: Club) -> "ClubProfileQuerySet":
        return self.filter(club=club)

    def current(self) -> "ClubProfileQuerySet":
        """Those that new matches may be played by."""
        return self.filter(retired_at=None)


class ClubProfile(RefModel):
    """A rules profile that a club keeps beside those built in.

    ``values`` is the plain form of ``scoring.rules.profiles``. A match keeps the profile as it was when it
    began: a change here never reaches it. A retired profile is offered for no new match. ``version`` grows
    with every change.
    """

    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="profiles")
    name = models.SlugField(_("name"), max_length=40)
    values = models.JSONField()
    version = models.PositiveBigIntegerField(default=1, editable=False)
    retired_at = models.DateTimeField(null=True, blank=True)

    objects = ClubProfileQuerySet.as_manager()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["club", "name"], name="profile_name_once_a_club")]
