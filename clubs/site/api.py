"""The site as a whole, for programs that watch over it."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response

from clubs.access import SiteAdmin
from clubs.http.base import Access, ApiRequest, ApiView
from clubs.models import Backup
from clubs.site.queries import backup_state
from clubs.work.queries import work_in_trouble


class GoodBackupOut(serializers.ModelSerializer[Backup]):
    """A backup that is whole: it was read again after it was written."""

    class Meta:
        model = Backup
        fields = ["path", "size", "rows", "finished_at"]


class FailedBackupOut(serializers.ModelSerializer[Backup]):
    """A backup that failed, and why."""

    class Meta:
        model = Backup
        fields = ["error", "finished_at"]


class BackupsOut(serializers.Serializer[Any]):
    """How the installation stands with its backups."""

    folder = serializers.CharField(allow_blank=True, help_text="Empty where none is configured.")
    good = GoodBackupOut(allow_null=True, help_text="The last good one.")
    failed = FailedBackupOut(allow_null=True, help_text="The last one that failed, if later than that.")
    running = serializers.BooleanField()
    overdue = serializers.BooleanField(help_text="A folder is configured, and the last good one is too old.")


class WorkOut(serializers.Serializer[Any]):
    """A kind of background work in trouble."""

    task = serializers.CharField()
    failed = serializers.IntegerField(help_text="Given up in the last 14 days.")
    retrying = serializers.IntegerField(help_text="Failed at least once, and tried again by itself.")
    error = serializers.CharField(allow_blank=True, help_text="The latest error of these.")
    untaken = serializers.IntegerField(help_text="Due for more than five minutes while no worker runs.")
    since = serializers.DateTimeField(allow_null=True, help_text="When the first of the untaken was due.")


class SiteOut(serializers.Serializer[Any]):
    """The site as a whole."""

    backups = BackupsOut()
    work = WorkOut(many=True, help_text="Background work in trouble; empty when all is well.")


class Site(ApiView):
    access = {"GET": Access(SiteAdmin)}

    @extend_schema(responses=SiteOut, summary="Get the status of backups and background work")
    def get(self, request: ApiRequest) -> Response:  # noqa: ARG002
        return self.one(SiteOut, {"backups": backup_state(), "work": work_in_trouble()})
