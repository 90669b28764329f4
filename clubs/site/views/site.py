"""The status page of the site, for its administrators."""

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from clubs.access import site_admin
from clubs.models import work_models
from clubs.site.queries import OVERDUE, backup_state
from clubs.work.queries import FAILED_LATELY, work_states
from clubs.work.services import requeue_failed


@site_admin
@never_cache
@require_safe
def site(request: HttpRequest) -> HttpResponse:
    """Show the last backup, background work and its problems, and the outbox link."""
    states = work_states()
    context = {
        "backups": backup_state(),
        "hours": int(OVERDUE.total_seconds() // 3600),
        "troubles": [state for state in states if state.is_in_trouble],
        "queues": [state for state in states if state.is_busy],
        "days": FAILED_LATELY.days,
    }
    return render(request, "clubs/site/site.html", context)


@site_admin
@require_POST
def try_again(request: HttpRequest, task: str) -> HttpResponse:
    """Requeue all recently failed work of one kind."""
    model = next((model for model in work_models() if task == model.TASK), None)
    if model is None:
        raise Http404
    if number := requeue_failed(model):
        said = ngettext(
            "%(number)d task will be retried within a minute.",
            "%(number)d tasks will be retried within a minute.",
            number,
        )
        messages.success(request, said % {"number": number})
    else:
        messages.info(request, _("No task of this type has failed. There is nothing to retry."))
    return redirect("clubs:site")
