"""API of a match's video."""

from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import Http404
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.access import Public, SignedIn
from clubs.http.base import Access, ApiRequest, ApiView
from clubs.http.serializers import Strict
from clubs.models import Scope
from scoring.log.api import known_match
from scoring.log.queries.writers import may_add_to
from scoring.models import Match, MatchVideo
from scoring.models.video import ADDRESS_LENGTH
from scoring.notation.videos import LONGEST_VIDEO, link_at
from scoring.sheets.queries.videos import times_of, video_of
from scoring.sheets.services.videos import note_time, remove_video, set_video


class TimeOut(serializers.Serializer[Any]):
    """When an entry of the scoresheet is seen in the video; later entries go by it until the next time."""

    event_seq = serializers.IntegerField()
    seconds = serializers.IntegerField()
    address = serializers.URLField(help_text="Opens the video at this time.")


class VideoOut(serializers.ModelSerializer[MatchVideo]):
    """The link to a match's video and the times of its plays."""

    times = serializers.SerializerMethodField()

    class Meta:
        model = MatchVideo
        fields = ["address", "times"]

    @extend_schema_field(TimeOut(many=True))
    def get_times(self, video: MatchVideo) -> list[dict[str, Any]]:
        return [
            {"event_seq": seq, "seconds": seconds, "address": link_at(video.address, seconds)}
            for seq, seconds in times_of(video).items()
        ]


class NewVideo(Strict):
    """The https address of a video."""

    address = serializers.CharField(max_length=4 * ADDRESS_LENGTH)


class NewTime(Strict):
    """When an entry of the scoresheet is seen in the video; `seconds` null forgets it."""

    event_seq = serializers.IntegerField(min_value=1, max_value=2**31 - 1)
    seconds = serializers.IntegerField(min_value=0, max_value=LONGEST_VIDEO, allow_null=True)


class OneMatchVideo(ApiView):
    access = {
        "GET": Access(Public),
        "PUT": Access(SignedIn, Scope.RECORD),
        "PATCH": Access(SignedIn, Scope.RECORD),
        "DELETE": Access(SignedIn, Scope.RECORD),
    }

    @extend_schema(responses=VideoOut, summary="Get the link to a match's video")
    def get(self, request: Request, match: str) -> Response:
        found, _role = known_match(request.user, match)
        return self._of(found)

    @extend_schema(request=NewVideo, responses=VideoOut, summary="Link a match to its video")
    def put(self, request: ApiRequest, match: str) -> Response:
        """For players of the match and directors. The times stay if it is the same video."""
        found = self._editable(match)
        return self.one(VideoOut, set_video(match=found, user=request.user, **self.valid(NewVideo)))

    @extend_schema(
        request=NewTime, responses=VideoOut, summary="Note the time of an entry in a match's video"
    )
    def patch(self, request: ApiRequest, match: str) -> Response:  # noqa: ARG002 - read by the base
        """For players of the match and directors."""
        found = self._editable(match)
        body = self.valid(NewTime)
        if body["event_seq"] > found.sheet.head_seq:
            message = _("The scoresheet has %(events)s entries.") % {"events": found.sheet.head_seq}
            raise serializers.ValidationError({"event_seq": [message]})
        note_time(match=found, seq=body["event_seq"], seconds=body["seconds"])
        return self._of(found)

    @extend_schema(responses={204: None}, summary="Remove the link to a match's video")
    def delete(self, request: ApiRequest, match: str) -> Response:  # noqa: ARG002 - read by the base
        remove_video(match=self._editable(match))
        return Response(status=204)

    def _editable(self, ref: str) -> Match:
        """The match for who may change its video. Raises Http404 or PermissionDenied."""
        found, role = known_match(self.request.user, ref)
        if not may_add_to(self.request.user, found, role):
            raise PermissionDenied(_("Only the players of this match and directors can link its video."))
        return found

    def _of(self, match: Match) -> Response:
        video = video_of(match)
        if video is None:
            raise Http404(_("The match %(ref)s has no video.") % {"ref": match.ref})
        return self.one(VideoOut, video)
