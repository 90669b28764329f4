"""A club, with its own time zone, currency and roles."""

from zoneinfo import ZoneInfo, available_timezones

from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator
from django.db import models
from django.urls import reverse
from django.utils.timezone import now
from django.utils.translation import gettext_lazy as _

from clubs.models.ref import RefModel
from clubs.models.user import User
from clubs.refs import REF_PATTERN

# Addresses under /clubs/ that pages of the site use themselves.
RESERVED_SLUGS = frozenset({"new", "join"})


def validate_time_zone(name: str) -> None:
    """Raise ValidationError unless ``name`` is an IANA time zone."""
    if name not in available_timezones():
        raise ValidationError(_("%(name)s is not a time zone, e.g. Europe/Madrid."), params={"name": name})


class Visibility(models.TextChoices):
    PUBLIC = "public", _("Everyone can see the club and its results")
    MEMBERS = "members", _("Only members can see that the club exists")


class Openness(models.TextChoices):
    MEMBERS = "members", _("Members only")
    EVERYONE = "everyone", _("Everyone who can see the club")


class AnalysesShown(models.TextChoices):
    """Who can see the analyses of a club's matches, unless a player chooses otherwise."""

    EVERYONE = "everyone", _("Everyone who can see the match")
    PLAYERS = "players", _("The two players only")


MOST_UNRANKED = 100
"""Maximum of rated matches that a club can require for a rank."""


class ClubQuerySet(models.QuerySet["Club"]):
    def named(self, name: str) -> "ClubQuerySet":
        """The club of a slug or ref in a URL; the two never overlap."""
        return self.filter(models.Q(slug=name) | models.Q(ref=name))

    def public(self) -> "ClubQuerySet":
        return self.filter(visibility=Visibility.PUBLIC)

    def of_user(self, user: User) -> "ClubQuerySet":
        """Clubs in which the user has a role, including guest."""
        # A subquery and not a join: counts of a club's memberships must not shrink to the user's own.
        own = Club.objects.filter(memberships__player__user=user)
        return self.filter(pk__in=own.values("pk"))


class Club(RefModel):
    """A club. ``version`` rises with every change its live pages show."""

    slug = models.SlugField(_("address"), max_length=60, unique=True)
    name = models.CharField(_("name"), max_length=100)
    tz = models.CharField(_("time zone"), max_length=64, default="UTC", validators=[validate_time_zone])
    currency = models.CharField(_("currency"), max_length=3, default="EUR")
    visibility = models.CharField(
        _("visibility"), max_length=10, choices=Visibility.choices, default=Visibility.PUBLIC
    )
    search_engines = models.BooleanField(
        _("search engines"),
        default=True,
        help_text=_("Search engines can list the public pages of the club."),
    )
    points_only = models.BooleanField(
        _("points only"),
        default=False,
        help_text=_("Chouettes are played for points, without stakes or money."),
    )
    lists_open_to = models.CharField(
        _("member list and unconfirmed matches"),
        max_length=10,
        choices=Openness.choices,
        default=Openness.MEMBERS,
        help_text=_("Events, results and rating lists are always as public as the club."),
    )
    analyses_shown = models.CharField(
        _("analyses of matches"),
        max_length=10,
        choices=AnalysesShown.choices,
        default=AnalysesShown.EVERYONE,
        help_text=_("The default for matches of players who have not chosen."),
    )
    ranked_from = models.PositiveSmallIntegerField(
        _("rated matches needed for a rank"),
        default=5,
        validators=[MaxValueValidator(MOST_UNRANKED)],
        help_text=_("Players with fewer are provisional: rated but not ranked."),
    )
    # Whether the club's page leaves out the first steps of a new club.
    steps_put_away = models.BooleanField(default=False, editable=False)
    # Created by ``manage.py demo``: pages say so, and only demo clubs can be deleted.
    is_demo = models.BooleanField(default=False, editable=False)
    version = models.PositiveBigIntegerField(default=1, editable=False)
    created_at = models.DateTimeField(default=now, editable=False)

    objects = ClubQuerySet.as_manager()

    class Meta:
        constraints = [
            models.CheckConstraint(condition=~models.Q(name=""), name="club_has_a_name"),
            models.CheckConstraint(
                condition=models.Q(currency__regex="^[A-Z]{3}$"), name="club_currency_is_iso_4217"
            ),
            models.CheckConstraint(
                condition=models.Q(visibility__in=Visibility.values), name="club_visibility_known"
            ),
            models.CheckConstraint(
                condition=models.Q(lists_open_to__in=Openness.values), name="club_openness_known"
            ),
            models.CheckConstraint(
                condition=models.Q(analyses_shown__in=AnalysesShown.values), name="club_analyses_shown_known"
            ),
            models.CheckConstraint(
                condition=models.Q(slug__regex="^[a-z0-9-]+$")
                & ~models.Q(slug__regex=f"^{REF_PATTERN}$")
                & ~models.Q(slug__in=sorted(RESERVED_SLUGS)),
                name="club_slug_is_no_ref",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def zone(self) -> ZoneInfo:
        return ZoneInfo(self.tz)

    def get_absolute_url(self) -> str:
        """The member page.

        A site with matches replaces it with the club's front page (its settings).
        """
        return reverse("clubs:people", args=[self.slug])
