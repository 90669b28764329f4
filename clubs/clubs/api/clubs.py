"""API of clubs: list, create, change."""

from typing import Any

from django.db.models import OuterRef, PositiveSmallIntegerField, Q, QuerySet, Subquery, Value
from django.urls import reverse
from django_filters import CharFilter, ChoiceFilter, FilterSet
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.access import Public, SignedIn, Viewer, club_permission
from clubs.clubs.services.clubs import RANKED_FROM, create_club, edit_club
from clubs.currency import CURRENCIES
from clubs.http.base import Access, ApiRequest, ApiView, ClubApiRequest
from clubs.http.etags import require_match, version_tag
from clubs.http.serializers import RoleField, Strict
from clubs.models import AnalysesShown, Club, Membership, Openness, Role, Scope, User, Visibility
from clubs.models.club import MOST_UNRANKED, validate_time_zone

SETTINGS = (
    *("name", "tz", "currency", "visibility", "points_only"),
    *("lists_open_to", "analyses_shown", "ranked_from", "search_engines"),
)


class ClubOut(serializers.ModelSerializer[Club]):
    """A club. ``role`` is your role, null if you have none."""

    role = RoleField(source="viewer_role", allow_null=True, read_only=True)
    url = serializers.SerializerMethodField(help_text="URL of the club in this API.")
    page = serializers.SerializerMethodField(help_text="URL of the club's page.")

    class Meta:
        model = Club
        fields = [
            *("ref", "slug", "name", "tz", "currency", "visibility", "points_only", "created_at"),
            *("lists_open_to", "analyses_shown", "ranked_from", "search_engines"),
            *("role", "url", "page"),
        ]

    @extend_schema_field({"type": "string", "format": "uri"})
    def get_url(self, club: Club) -> str:
        address: str = self.context["request"].build_absolute_uri(reverse("api:club", args=[club.slug]))
        return address

    @extend_schema_field({"type": "string", "format": "uri"})
    def get_page(self, club: Club) -> str:
        address: str = self.context["request"].build_absolute_uri(club.get_absolute_url())
        return address


class ClubSettings(Strict):
    """The settings of a club."""

    name = serializers.CharField(max_length=100)
    tz = serializers.CharField(
        max_length=64,
        default="UTC",
        validators=[validate_time_zone],
        help_text="An IANA time zone name such as `Europe/Madrid`.",
    )
    currency = serializers.ChoiceField([(code, code) for code in CURRENCIES], default="EUR")
    visibility = serializers.ChoiceField(Visibility.choices, default=Visibility.PUBLIC)
    points_only = serializers.BooleanField(
        default=False, help_text="Whether chouettes are played for points, without stakes."
    )
    lists_open_to = serializers.ChoiceField(
        Openness.choices,
        default=Openness.MEMBERS,
        help_text="Who can see the member list and unconfirmed matches.",
    )
    analyses_shown = serializers.ChoiceField(
        AnalysesShown.choices,
        default=AnalysesShown.EVERYONE,
        help_text="Who can see analyses, for players who have not chosen.",
    )
    ranked_from = serializers.IntegerField(
        min_value=0,
        max_value=MOST_UNRANKED,
        default=RANKED_FROM,
        help_text="Rated matches needed for a rank; players with fewer are provisional.",
    )

    search_engines = serializers.BooleanField(
        default=True, help_text="Whether search engines can list the public pages of the club."
    )


class ClubFilter(FilterSet):  # type: ignore[misc]
    name = CharFilter(lookup_expr="icontains", label="Part of the name, ignoring case.")
    visibility = ChoiceFilter(choices=Visibility.choices)
    mine = ChoiceFilter(
        choices=[("true", "true"), ("false", "false")],
        method="of_viewer",
        label="`true`: only clubs where you have a role; `false`: only others.",
    )

    class Meta:
        model = Club
        fields = ["name", "visibility", "mine"]

    def of_viewer(self, clubs: QuerySet[Club], _name: str, value: str) -> QuerySet[Club]:
        viewer = self.request.user
        mine = Club.objects.of_user(viewer) if isinstance(viewer, User) else Club.objects.none()
        chosen = Q(pk__in=mine.values("pk"))
        return clubs.filter(chosen if value == "true" else ~chosen)


class Clubs(ApiView):
    access = {"GET": Access(Public), "POST": Access(SignedIn, Scope.OWN)}
    ordering = ("name", "pk")
    filterset_class = ClubFilter

    @extend_schema(responses=ClubOut(many=True), summary="List the clubs you can see")
    def get(self, request: Request) -> Response:
        return self.listed(clubs_known_to(request.user), ClubOut)

    @extend_schema(request=ClubSettings, responses={201: ClubOut}, summary="Create a club")
    def post(self, request: ApiRequest) -> Response:
        """You become its owner. Its address is made from its name and does not change."""
        club = create_club(user=request.user, **self.valid(ClubSettings))
        return self.created(ClubOut, seen_as(Role.OWNER, club), "api:club", club=club.slug)


class OneClub(ApiView):
    access = {
        "GET": Access(club_permission()),
        "PATCH": Access(club_permission(Role.OWNER), Scope.OWN),
    }
    matched = ("PATCH",)

    @extend_schema(responses=ClubOut, summary="Get a club")
    def get(self, request: ClubApiRequest, club: str) -> Response:  # noqa: ARG002 - loaded by the permission
        tag = version_tag(request.club.version, request.role or 0)
        return self.tagged(tag, lambda: self.one(ClubOut, seen_as(request.role, request.club)))

    @extend_schema(
        request=ClubSettings,
        responses=ClubOut,
        summary="Change a club's settings",
    )
    def patch(self, request: ClubApiRequest, club: str) -> Response:  # noqa: ARG002
        """Settings that are not sent stay the same. The club's address never changes."""
        locked = Club.objects.select_for_update(of=("self",)).get(pk=request.club.pk)
        require_match(request, version_tag(locked.version, request.role or 0))
        present = {name: getattr(locked, name) for name in SETTINGS}
        changed = edit_club(club=locked, **present | self.valid(ClubSettings, partial=True))
        response = self.one(ClubOut, seen_as(request.role, changed))
        response.headers["ETag"] = version_tag(changed.version, request.role or 0)
        return response


def clubs_known_to(viewer: Viewer) -> QuerySet[Any]:
    """Clubs that a viewer can see, each with ``viewer_role``.

    Public clubs and the viewer's own; all clubs for a site administrator.
    """
    if not isinstance(viewer, User):
        nothing = Value(None, output_field=PositiveSmallIntegerField(null=True))
        return Club.objects.public().annotate(viewer_role=nothing)
    if viewer.is_superuser:
        return Club.objects.annotate(viewer_role=Value(Role.OWNER.value))
    own = Membership.objects.filter(club=OuterRef("pk"), player__user=viewer).values("role")
    known = Q(visibility=Visibility.PUBLIC) | Q(viewer_role__isnull=False)
    return Club.objects.annotate(viewer_role=Subquery(own)).filter(known)


def seen_as(role: Role | None, club: Club) -> Club:
    """Set the viewer's role on a club, as ``clubs_known_to`` does."""
    club.viewer_role = role  # type: ignore[attr-defined]
    return club
