"""API of the photos of a match's paper scoresheet."""

from django.core.exceptions import PermissionDenied
from django.http import Http404
from django.urls import reverse
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.access import Public, SignedIn, Viewer
from clubs.files import NamedFile
from clubs.http.base import Access, ApiRequest, ApiView
from clubs.http.serializers import Strict
from clubs.models import Role, Scope
from scoring.files.queries.photos import kept_photos, may_remove_photo, seen_photo
from scoring.files.services.photos import add_photos, remove_photo
from scoring.log.api import known_match
from scoring.log.queries.writers import may_add_to
from scoring.models import MatchPhoto


class PhotoOut(serializers.ModelSerializer[MatchPhoto]):
    """A photo of the match's paper scoresheet; `sha256` is the digest of its `picture`."""

    added_at = serializers.DateTimeField(source="at")
    picture = serializers.SerializerMethodField(help_text="Address of the JPEG, at most 2,400 pixels a side.")
    thumbnail = serializers.SerializerMethodField(help_text="Address of a small JPEG.")

    class Meta:
        model = MatchPhoto
        fields = ["ref", "sha256", "width", "height", "added_at", "picture", "thumbnail"]

    @extend_schema_field({"type": "string", "format": "uri"})
    def get_picture(self, photo: MatchPhoto) -> str:
        return self._address("scoring:photo_jpg", photo)

    @extend_schema_field({"type": "string", "format": "uri"})
    def get_thumbnail(self, photo: MatchPhoto) -> str:
        return self._address("scoring:thumbnail_jpg", photo)

    def _address(self, name: str, photo: MatchPhoto) -> str:
        request: Request = self.context["request"]
        return str(request.build_absolute_uri(reverse(name, args=[photo.match.ref, photo.ref])))


class PhotoIn(Strict):
    """A JPEG, PNG, WebP or PDF file of up to 16 MB."""

    photo = NamedFile(max_length=200)


class MatchPhotos(ApiView):
    access = {"GET": Access(Public), "POST": Access(SignedIn, Scope.RECORD)}
    parser_classes = [MultiPartParser]
    ordering = ("at", "pk")

    @extend_schema(responses=PhotoOut(many=True), summary="List the photos of a match's paper scoresheet")
    def get(self, request: Request, match: str) -> Response:
        found, _role = known_match(request.user, match)
        return self.listed(kept_photos().filter(match=found), PhotoOut)

    @extend_schema(
        request={"multipart/form-data": PhotoIn},
        responses={201: PhotoOut},
        summary="Add a photo of the paper scoresheet to a match",
    )
    def post(self, request: ApiRequest, match: str) -> Response:
        """For players of the match and directors. It is reduced and kept as a JPEG, without its metadata.

        A PDF adds a photo for each of its pages; the answer is the first, the list has them all.
        """
        found, role = known_match(request.user, match)
        if not may_add_to(request.user, found, role):
            raise PermissionDenied(_("Only the players of this match and directors can add photos."))
        file = self.valid(PhotoIn)["photo"]
        photo, *_others = add_photos(match=found, user=request.user, name=file.name, content=file.read())
        return self.created(PhotoOut, photo, "api:photo", photo=photo.ref)


class OnePhoto(ApiView):
    access = {"GET": Access(Public), "DELETE": Access(SignedIn, Scope.RECORD)}

    @extend_schema(responses=PhotoOut, summary="Get a photo of a match's paper scoresheet")
    def get(self, request: Request, photo: str) -> Response:
        return self.one(PhotoOut, _known_photo(request.user, photo)[0])

    @extend_schema(responses={204: None}, summary="Remove a photo of a match's paper scoresheet")
    def delete(self, request: ApiRequest, photo: str) -> Response:
        """Your own; directors remove any."""
        found, role = _known_photo(request.user, photo)
        if not may_remove_photo(request.user, found, role):
            raise PermissionDenied(_("Only the person who added this photo and directors can remove it."))
        remove_photo(photo=found, user=request.user)
        return Response(status=204)


def _known_photo(viewer: Viewer, ref: str) -> tuple[MatchPhoto, Role | None]:
    try:
        photo, role = seen_photo(viewer, ref)
    except MatchPhoto.DoesNotExist as error:
        raise Http404(_("There is no photo %(ref)s.") % {"ref": ref}) from error
    if photo.removed_at is not None:
        raise Http404(_("The photo %(ref)s was removed.") % {"ref": ref})
    return photo, role
