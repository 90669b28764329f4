"""API for the poster of an event."""

from drf_spectacular.utils import extend_schema
from rest_framework.parsers import MultiPartParser
from rest_framework.response import Response

from clubs.access import SignedIn
from clubs.files import NamedFile
from clubs.http.base import Access, ApiRequest, ApiView
from clubs.http.serializers import Strict
from clubs.models import Scope
from tournaments.events.access import directed_event
from tournaments.events.api.events import EventOut
from tournaments.events.services.posters import remove_poster, set_poster


class PosterIn(Strict):
    """A JPEG, PNG or WebP picture of up to 16 MB."""

    poster = NamedFile(max_length=200)


class Poster(ApiView):
    access = {"POST": Access(SignedIn, Scope.DIRECT), "DELETE": Access(SignedIn, Scope.DIRECT)}
    parser_classes = [MultiPartParser]

    @extend_schema(
        request={"multipart/form-data": PosterIn}, responses=EventOut, summary="Set an event's poster"
    )
    def post(self, request: ApiRequest, event: str) -> Response:
        """The picture is reduced and kept as a JPEG, without its metadata; it replaces an earlier one."""
        found = directed_event(request.user, event)
        file = self.valid(PosterIn)["poster"]
        changed = set_poster(event=found, name=file.name, content=file.read(), user=request.user)
        return self.one(EventOut, changed)

    @extend_schema(responses={204: None}, summary="Remove an event's poster")
    def delete(self, request: ApiRequest, event: str) -> Response:
        remove_poster(event=directed_event(request.user, event), user=request.user)
        return Response(status=204)
