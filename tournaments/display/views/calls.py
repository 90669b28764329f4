"""Table-call notifications: turn them on and off."""

from django.http import HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST

from clubs.access import SignedInRequest, signed_in
from clubs.http.methods import shows_a_form
from tournaments.display.services.push_key import public_key
from tournaments.display.services.pushes import drop_browsers, keep_browser
from tournaments.log.refusals import DeskRefused
from tournaments.models import PushAddress

LONGEST = 600


@signed_in
@shows_a_form
def calls(request: SignedInRequest) -> HttpResponse:
    """Show the settings of this browser; POST turns off all browsers."""
    if request.method == "POST":
        drop_browsers(user=request.user)
        return redirect("tournaments:calls")
    context = {
        "secure": request.is_secure() or request.get_host().split(":")[0] in {"localhost", "127.0.0.1"},
        "key": public_key(),
        "browsers": PushAddress.objects.filter(user=request.user).count(),
    }
    return render(request, "tournaments/display/calls.html", context)


@signed_in
@require_POST
def call_here(request: SignedInRequest) -> HttpResponse:
    """Subscribe this browser, or unsubscribe it with ``stop``."""
    sent = {name: request.POST.get(name, "")[:LONGEST] for name in ("endpoint", "p256dh", "auth")}
    if "stop" in request.POST:
        drop_browsers(user=request.user, endpoint=sent["endpoint"] or "-")
        return JsonResponse({"on": False})
    try:
        keep_browser(user=request.user, **sent)
    except DeskRefused as refused:
        return JsonResponse({"code": refused.code, "detail": str(refused)}, status=422)
    return JsonResponse({"on": True})
