"""Health checks: the process is alive, and it can do its work."""

from celery import current_app
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from kombu.exceptions import KombuError

from clubs.access import public

UNAVAILABLE = 503


@public
@never_cache
@require_safe
def healthz(_request: HttpRequest) -> JsonResponse:
    """200 as long as this process answers."""
    return JsonResponse({"status": "ok"})


@public
@never_cache
@require_safe
def readyz(_request: HttpRequest) -> JsonResponse:
    """200 when database, migrations and broker are ready, else 503; each is named."""
    answers = {"database": _database(), "migrations": _migrations(), "broker": _broker()}
    ready = all(answer == "ok" for answer in answers.values())
    return JsonResponse(
        {"status": "ok" if ready else "unavailable"} | answers, status=200 if ready else UNAVAILABLE
    )


def _database() -> str:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError:
        return "does not answer"
    return "ok"


def _migrations() -> str:
    try:
        executor = MigrationExecutor(connection)
        missing = executor.migration_plan(executor.loader.graph.leaf_nodes())
    except DatabaseError:
        return "unknown"
    return f"{len(missing)} not applied" if missing else "ok"


def _broker() -> str:
    try:
        with current_app.connection_for_write(connect_timeout=2) as broker:
            broker.ensure_connection(max_retries=1, interval_start=0, timeout=2)
    except (OSError, KombuError):
        return "does not answer"
    return "ok"
