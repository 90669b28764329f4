"""Photos of paper scoresheets, kept with their match."""

from django.conf import settings
from django.db import models
from django.utils.timezone import now

from clubs.models.ref import RefModel
from scoring.models.match import Match


class MatchPhoto(RefModel):
    """A photo or a scan of a match's paper scoresheet: JPEGs as ``clubs.pictures`` writes them.

    Once it is removed, the pictures are gone; the row stays with the digest and says who removed it and when.
    Erasing a player of the match removes its photos, by nobody.
    """

    match = models.ForeignKey(Match, on_delete=models.PROTECT, related_name="photos")
    sha256 = models.CharField(max_length=64)
    content = models.BinaryField(null=True, blank=True)
    thumbnail = models.BinaryField(null=True, blank=True)
    width = models.PositiveIntegerField()
    height = models.PositiveIntegerField()
    added_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    at = models.DateTimeField(default=now)
    removed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    removed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["match", "sha256"], condition=models.Q(removed_at=None), name="photo_once_a_match"
            ),
            models.CheckConstraint(
                condition=models.Q(removed_at=None, content__isnull=False, thumbnail__isnull=False)
                | models.Q(removed_at__isnull=False, content=None, thumbnail=None),
                name="photo_has_pictures_until_removed",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.ref} of {self.match_id}"
