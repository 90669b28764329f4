"""Personal API tokens."""

from typing import Self

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils.timezone import now
from django.utils.translation import gettext_lazy as _

from clubs.models.ref import RefModel
from clubs.models.user import User

LABEL_LENGTH = 100


class Scope(models.TextChoices):
    """What a token can be used for; it narrows its user's rights, never adds to them."""

    READ = "read", _("Read: see what you can see")
    RECORD = "record", _("Play: join and leave clubs, upload and record matches")
    DIRECT = "direct", _("Direct: add players, run events, enter results")
    OWN = "own", _("Administer: create clubs, change settings, roles and invitations")


class ApiTokenQuerySet(models.QuerySet["ApiToken"]):
    def valid(self) -> Self:
        """Tokens that have not expired and whose user can sign in."""
        unexpired = models.Q(expires_at=None) | models.Q(expires_at__gt=now())
        return self.filter(unexpired, user__is_active=True)

    def of_user(self, user: User) -> Self:
        return self.filter(user=user)


class ApiToken(RefModel):
    """A token, as its SHA-256; its user recognizes it by its ``prefix``.

    Revoking a token deletes the row: nothing else refers to it.
    """

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="api_tokens")
    label = models.CharField(_("name"), max_length=LABEL_LENGTH)
    prefix = models.CharField(max_length=12)
    digest = models.CharField(max_length=64, unique=True)
    scopes = ArrayField(models.CharField(max_length=10, choices=Scope.choices), verbose_name=_("scopes"))
    created_at = models.DateTimeField(default=now)
    last_used_at = models.DateTimeField(null=True, blank=True)
    expires_at = models.DateTimeField(null=True, blank=True)

    objects = ApiTokenQuerySet.as_manager()

    class Meta:
        constraints = [
            models.CheckConstraint(condition=~models.Q(label=""), name="api_token_has_a_label"),
            models.CheckConstraint(
                condition=models.Q(scopes__contained_by=Scope.values, scopes__len__gt=0),
                name="api_token_scopes_known",
            ),
        ]

    def allows(self, scope: Scope) -> bool:
        """Whether the token has ``scope``; every scope includes reading."""
        return scope == Scope.READ or scope in self.scopes
