"""API of saved positions: list, save, delete."""

from django.http import Http404
from django.utils.translation import gettext as _
from django_filters import CharFilter, FilterSet
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response

from clubs.access import SignedIn
from clubs.http.base import Access, ApiRequest, ApiView
from clubs.http.problems import about
from clubs.http.serializers import Strict
from clubs.models import Scope
from scoring.models import SavedPosition
from scoring.models.position import SavedPositionQuerySet
from scoring.notation.identifiers import read_identifier
from scoring.notation.xgid import encode_xgid
from scoring.positions.services.saved import delete_saved, save_position


class SavedPositionOut(serializers.ModelSerializer[SavedPosition]):
    """A position that you keep. Only you see it."""

    class Meta:
        model = SavedPosition
        fields = ["ref", "xgid", "name", "note", "saved_at"]


class SavedPositionIn(Strict):
    """A position to save: an XGID, a Position ID with or without a Match ID, or an OGID."""

    position = serializers.CharField(max_length=500)
    name = serializers.CharField(max_length=80)
    note = serializers.CharField(max_length=2000, required=False, default="", allow_blank=True)


class SavedFilter(FilterSet):  # type: ignore[misc]
    """Words that name, note or XGID has."""

    q = CharFilter(method="search", label="Words that name, note or XGID has, all of them.")

    class Meta:
        model = SavedPosition
        fields: list[str] = []

    def search(self, rows: SavedPositionQuerySet, _name: str, text: str) -> SavedPositionQuerySet:
        return rows.found_by(text)


class SavedPositions(ApiView):
    access = {"GET": Access(SignedIn), "POST": Access(SignedIn, Scope.RECORD)}
    ordering = ("-saved_at", "-ref")
    filterset_class = SavedFilter

    @extend_schema(responses=SavedPositionOut(many=True), summary="List your saved positions, newest first")
    def get(self, request: ApiRequest) -> Response:
        return self.listed(SavedPosition.objects.filter(user=request.user), SavedPositionOut)

    @extend_schema(request=SavedPositionIn, responses={200: SavedPositionOut}, summary="Save a position")
    def post(self, request: ApiRequest) -> Response:
        """A position that is saved already gets the new name and note."""
        body = self.valid(SavedPositionIn)
        with about("position", body["position"]):
            xgid = encode_xgid(read_identifier(body["position"]))
        saved = save_position(user=request.user, xgid=xgid, name=body["name"], note=body["note"])
        return self.one(SavedPositionOut, saved)


class OneSavedPosition(ApiView):
    access = {"DELETE": Access(SignedIn, Scope.RECORD)}

    @extend_schema(responses={204: None}, summary="Delete a saved position")
    def delete(self, request: ApiRequest, saved: str) -> Response:
        if not delete_saved(user=request.user, ref=saved):
            raise Http404(_("There is no saved position %(ref)s.") % {"ref": saved})
        return Response(status=204)
