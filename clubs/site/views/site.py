"""The site as a whole, for whoever runs it."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from clubs.access import site_admin
from clubs.site.queries import OVERDUE, backup_state


@site_admin
@never_cache
@require_safe
def site(request: HttpRequest) -> HttpResponse:
    """How old the last backup is, what came of the last one that failed, and the way to the outbox."""
    context = {"backups": backup_state(), "hours": int(OVERDUE.total_seconds() // 3600)}
    return render(request, "clubs/site/site.html", context)
