"""Players, with or without an account."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext

from clubs.models.ref import RefModel


class PlayerQuerySet(models.QuerySet["Player"]):
    def with_person(self) -> "PlayerQuerySet":
        """Load names too; use it wherever ``Player.name`` is shown."""
        return self.select_related("person")

    def current(self) -> "PlayerQuerySet":
        """Players neither merged into another nor erased."""
        return self.filter(merged_into=None, erased_at=None)


class Player(RefModel):
    """The opaque identity in results, ratings and logs; it outlives personal data."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="player"
    )
    merged_into = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.PROTECT, related_name="merged_from"
    )
    erased_at = models.DateTimeField(null=True, blank=True)

    objects = PlayerQuerySet.as_manager()

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(merged_into=None) | ~models.Q(merged_into=models.F("id")),
                name="player_not_merged_into_itself",
            ),
            models.CheckConstraint(
                condition=models.Q(user=None) | models.Q(merged_into=None, erased_at=None),
                name="player_with_login_is_current",
            ),
        ]

    @property
    def name(self) -> str:
        """The player's name, or a placeholder once erased.

        Load with ``with_person()``: this must not query.
        """
        person = getattr(self, "person", None)
        return person.name if person else gettext("Erased player")
