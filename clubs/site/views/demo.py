"""Progress of the demo club: a note that refreshes until it is complete."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from clubs.access import public
from clubs.models import DemoProgress


@public
@never_cache
@require_safe
def demo_progress(request: HttpRequest) -> HttpResponse:
    """Show the progress while the demo club is being created, else nothing."""
    filling = [each for each in DemoProgress.objects.order_by("pk") if not each.complete]
    return render(request, "clubs/site/demo_progress.html", {"filling": filling[0] if filling else None})
