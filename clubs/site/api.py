"""API of the site's status, for monitoring."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response

from clubs.access import SiteAdmin
from clubs.http.base import Access, ApiRequest, ApiView
from clubs.models import Backup
from clubs.site.queries import backup_state
from clubs.work.queries import work_states


class GoodBackupOut(serializers.ModelSerializer[Backup]):
    """A complete backup, read again after it was written."""

    class Meta:
        model = Backup
        fields = ["path", "size", "rows", "finished_at"]


class FailedBackupOut(serializers.ModelSerializer[Backup]):
    """A failed backup and its error."""

    class Meta:
        model = Backup
        fields = ["error", "finished_at"]


class BackupsOut(serializers.Serializer[Any]):
    """The state of backups."""

    folder = serializers.CharField(allow_blank=True, help_text="Empty if none is configured.")
    good = GoodBackupOut(allow_null=True, help_text="The last successful backup.")
    failed = FailedBackupOut(allow_null=True, help_text="The last failed backup, if it is more recent.")
    running = serializers.BooleanField()
    overdue = serializers.BooleanField(help_text="Whether the last successful backup is too old.")


class WorkOut(serializers.Serializer[Any]):
    """A kind of background work with problems."""

    task = serializers.CharField()
    failed = serializers.IntegerField(help_text="Failed permanently in the last 14 days.")
    retrying = serializers.IntegerField(help_text="Failed at least once; will be retried.")
    error = serializers.CharField(allow_blank=True, help_text="The most recent error.")
    stalled = serializers.IntegerField(help_text="Waiting for a worker for more than five minutes.")
    since = serializers.DateTimeField(allow_null=True, help_text="When the oldest waiting task was due.")


class QueueOut(serializers.Serializer[Any]):
    """A kind of background work with something to do."""

    task = serializers.CharField()
    waiting = serializers.IntegerField(help_text="Due, and not taken by a worker yet.")
    running = serializers.IntegerField()


class SiteOut(serializers.Serializer[Any]):
    """The status of the site."""

    backups = BackupsOut()
    work = WorkOut(many=True, help_text="Background work with problems; empty if there are none.")
    queues = QueueOut(many=True, help_text="Background work that waits or runs; empty if there is none.")


class Site(ApiView):
    access = {"GET": Access(SiteAdmin)}

    @extend_schema(responses=SiteOut, summary="Get the status of backups and background work")
    def get(self, request: ApiRequest) -> Response:  # noqa: ARG002
        states = work_states()
        status = {
            "backups": backup_state(),
            "work": [state for state in states if state.is_in_trouble],
            "queues": [state for state in states if state.is_busy],
        }
        return self.one(SiteOut, status)
