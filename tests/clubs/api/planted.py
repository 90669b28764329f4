"""Addresses that show the base at work apart from any real one: clubs are counted, made and made to fail."""

from django.urls import include, path
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response

from clubs.access import Public, SignedIn, club_permission
from clubs.http.base import Access, ApiView
from clubs.http.etags import require_match, version_tag
from clubs.http.problem_kinds import ProblemType
from clubs.http.problems import about, register_problem
from clubs.http.serializers import RoleField, Strict
from clubs.models import Club, Role, Scope
from deploy.urls import api


class ClubOut(serializers.ModelSerializer):
    class Meta:
        model = Club
        fields = ["ref", "name", "version"]


class NewClub(Strict):
    name = serializers.CharField(max_length=10)
    slug = serializers.SlugField()
    role = RoleField(required=False)
    boards = serializers.ListField(child=serializers.IntegerField(min_value=1), required=False)


class BlockedPointError(Exception):
    """What an upper app registers: an exception of a pure package."""

    code = "blocked"
    template = "{move} is blocked: {count} checkers on the {point} point"

    def __init__(self) -> None:
        self.parameters = {"move": "24/18", "count": 4, "point": 18}
        super().__init__(self.template.format(**self.parameters))


class DrawClosedError(Exception):
    """Another one, under a kind of its own."""


register_problem(BlockedPointError)
register_problem(DrawClosedError, ProblemType("draw_closed", 409, "The draw is closed"))


@extend_schema(exclude=True)
class PlantedClubs(ApiView):
    access = {"GET": Access(Public), "POST": Access(SignedIn, Scope.OWN)}
    ordering = ("-name", "pk")
    calls = 0

    def get(self, request):
        return self.listed(Club.objects.all(), ClubOut)

    def post(self, request):
        type(self).calls += 1
        body = self.valid(NewClub)
        body.pop("role", None), body.pop("boards", None)
        club = Club.objects.create(**body)
        if club.name == "explode":
            raise RuntimeError("a secret of the code")
        if club.name == "closed":
            raise DrawClosedError("Round 2 is drawn.")
        if club.name == "blocked":
            with about("plays.3", "24/18"):
                raise BlockedPointError
        return self.created(ClubOut, club, "api:planted_club", club=club.slug)


@extend_schema(exclude=True)
class PlantedClub(ApiView):
    access = {
        "GET": Access(club_permission()),
        "PATCH": Access(club_permission(Role.OWNER), Scope.OWN),
    }
    matched = ("PATCH",)

    def get(self, request, club):
        return self.tagged(version_tag(request.club.version), lambda: self.one(ClubOut, request.club))

    def patch(self, request, club):
        club = Club.objects.select_for_update().get(pk=request.club.pk)
        require_match(request, version_tag(club.version))
        club.version += 1
        club.save()
        return Response(status=204)


urlpatterns = [
    path(
        "api/v1/",
        include(
            (
                [
                    path("planted/", PlantedClubs.as_view(), name="planted"),
                    path("planted/<slug:club>/", PlantedClub.as_view(), name="planted_club"),
                    *api,
                ],
                "api",
            )
        ),
    ),
]
