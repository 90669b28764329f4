"""How far the demo club is filled: a note that asks again by itself until everything is there."""

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
    """A few words while the demo club is being filled, and nothing before and after."""
    filling = [each for each in DemoProgress.objects.order_by("pk") if not each.complete]
    return render(request, "clubs/site/demo_progress.html", {"filling": filling[0] if filling else None})
