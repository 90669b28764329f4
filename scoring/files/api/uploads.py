"""API of match file uploads."""

from django.http import Http404
from django.urls import reverse
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.exceptions import ErrorDetail, ValidationError
from rest_framework.parsers import MultiPartParser
from rest_framework.response import Response

from clubs.access import SignedIn, club_permission
from clubs.http.base import Access, ApiRequest, ApiView, ClubApiRequest
from clubs.http.problem_kinds import CONFLICT
from clubs.http.problems import refuse
from clubs.http.serializers import Strict
from clubs.models import Role, Scope
from clubs.tasks import wake
from clubs.work.services import requeue
from scoring.files.forms import MOST_FILES, UploadForm
from scoring.files.queries.uploads import Batch, batch_of
from scoring.files.services.imports import receive_files
from scoring.models import Upload


class UploadOut(serializers.ModelSerializer[Upload]):
    """One file. ``done`` files without a match have the reason in ``report.error``."""

    match = serializers.SerializerMethodField(help_text="The match's address in this API.")
    report = serializers.DictField(allow_null=True, help_text="As `import_match --json` prints it.")

    class Meta:
        model = Upload
        fields = ["ref", "filename", "status", "error", "match", "report", "queued_at", "finished_at"]

    @extend_schema_field({"type": ["string", "null"], "format": "uri"})
    def get_match(self, upload: Upload) -> str | None:
        if upload.match is None:
            return None
        path = reverse("api:match", args=[upload.match.ref])
        address: str = self.context["request"].build_absolute_uri(path)
        return address


class BatchOut(serializers.Serializer[Batch]):
    """Files uploaded together."""

    ref = serializers.CharField()
    club = serializers.CharField(source="club.slug")
    is_complete = serializers.BooleanField(help_text="Whether every file is processed.")
    uploads = UploadOut(many=True)


class MatchFiles(Strict):
    """Match files: .mat, .txt, .xg, .sgf, .bgf or OGXM, up to 2 MB each."""

    # The form refuses empty files, by name.
    match_files = serializers.ListField(
        child=serializers.FileField(allow_empty_file=True), min_length=1, max_length=MOST_FILES
    )


class ClubUploads(ApiView):
    access = {"POST": Access(club_permission(Role.MEMBER), Scope.RECORD)}
    parser_classes = [MultiPartParser]

    @extend_schema(
        request={"multipart/form-data": MatchFiles},
        responses={202: BatchOut},
        summary="Upload match files",
    )
    def post(self, request: ClubApiRequest, club: str) -> Response:  # noqa: ARG002 - loaded by the permission
        """Files are read in the background; poll the batch at its `Location`."""
        self.valid(MatchFiles)
        form = UploadForm(request.POST, request.FILES)
        if not form.is_valid():
            raise ValidationError(
                {
                    name: [
                        ErrorDetail(message, problem.code or "invalid")
                        for problem in errors
                        for message in problem.messages
                    ]
                    for name, errors in form.errors.as_data().items()
                }
            )
        files = [(file.name or "", file.read()) for file in form.cleaned_data["match_files"]]
        uploads = receive_files(club=request.club, user=request.user, files=files)
        for upload in uploads:
            wake(upload)
        response = self.one(BatchOut, Batch(uploads[0].batch, request.club, uploads), status=202)
        path = reverse("api:uploads", args=[uploads[0].batch])
        response.headers["Location"] = request.build_absolute_uri(path)
        return response


class Uploads(ApiView):
    access = {"GET": Access(SignedIn)}

    @extend_schema(responses=BatchOut, summary="Get an upload batch")
    def get(self, request: ApiRequest, batch: str) -> Response:
        """For the uploader and the club's directors."""
        return self.one(BatchOut, _known_batch(batch, request))


class RetryUpload(ApiView):
    access = {"POST": Access(SignedIn, Scope.RECORD)}

    @extend_schema(request=None, responses={202: UploadOut}, summary="Retry a failed import")
    def post(self, request: ApiRequest, upload: str) -> Response:
        row = Upload.objects.select_related("match").filter(ref=upload).first()
        if row is None or batch_of(row.batch, request.user) is None:
            raise _no_upload(upload)
        if not requeue(row):
            raise refuse(CONFLICT, _("Only failed imports can be retried."))
        wake(row)
        row.refresh_from_db()
        return self.one(UploadOut, row, status=202)


def _known_batch(ref: str, request: ApiRequest) -> Batch:
    found = batch_of(ref, request.user)
    if found is None:
        raise _no_upload(ref)
    return found


def _no_upload(ref: str) -> Http404:
    return Http404(_("There is no upload %(ref)s.") % {"ref": ref})
