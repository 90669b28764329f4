"""Pages of helpers: a member's own, and a club's for directors."""

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_variables
from django.views.decorators.http import require_POST, require_safe

from clubs.access import ClubRequest, SignedInRequest, club_role, signed_in
from clubs.http.methods import shows_a_form
from clubs.models import Club, Role
from scoring.helping.forms import NewHelperForm, PauseForm
from scoring.helping.queries.helpers import club_helpers, clubs_to_help, own_helpers
from scoring.helping.refusals import HelperRefused
from scoring.helping.services.helpers import allow_helper, ask_for_helper, end_helper, pause_helper
from scoring.models import Helper

SHOWN_ONCE = "new helper"
ON_A_PAGE = 50


@signed_in
@never_cache
@shows_a_form
@sensitive_variables("secret", "text")
def my_helpers(request: SignedInRequest) -> HttpResponse:
    """List the user's helpers and create new ones; a new token is shown once, after the form."""
    clubs = clubs_to_help(request.user)
    form = NewHelperForm(request.POST if request.method == "POST" else None, clubs=clubs)
    secret = request.session.pop(SHOWN_ONCE, "") if request.method == "GET" else ""
    if form.is_valid():
        try:
            _helper, text = ask_for_helper(
                user=request.user, club=form.chosen, name=form.cleaned_data["name"]
            )
        except HelperRefused as refused:
            form.add_error(None, str(refused))
        else:
            request.session[SHOWN_ONCE] = text
            return redirect("scoring:my_helpers")
    helpers = own_helpers(request.user).order_by("-asked_at", "pk")
    context = {"form": form, "clubs": clubs, "secret": secret, "helpers": helpers}
    return render(request, "scoring/helping/my_helpers.html", context)


@signed_in
@require_POST
def end_my_helper(request: SignedInRequest, helper: str) -> HttpResponse:
    """End one of the user's helpers."""
    try:
        end_helper(user=request.user, ref=helper)
    except Helper.DoesNotExist:
        messages.info(request, _("This helper has ended already."))
    else:
        messages.success(request, _("Helper ended. Its token no longer works."))
    return redirect("scoring:my_helpers")


@club_role(Role.DIRECTOR)
@require_safe
def helpers_of_club(request: ClubRequest, club: Club) -> HttpResponse:
    """List the club's helpers, newest first."""
    rows = club_helpers(club).order_by("-asked_at", "pk")
    page = Paginator(rows, ON_A_PAGE).get_page(request.GET.get("page"))
    return render(request, "scoring/helping/club_helpers.html", {"club": club, "page": page})


@club_role(Role.DIRECTOR)
@require_POST
def allow_club_helper(request: ClubRequest, club: Club, helper: str) -> HttpResponse:
    """Let a helper get matches."""
    try:
        allowed = allow_helper(club=club, ref=helper, by=request.user)
    except Helper.DoesNotExist:
        messages.info(request, _("This helper has ended."))
    else:
        messages.success(request, _("%(name)s now gets matches.") % {"name": allowed.name})
    return redirect("scoring:club_helpers", club.slug)


@club_role(Role.DIRECTOR)
@require_POST
def pause_club_helper(request: ClubRequest, club: Club, helper: str) -> HttpResponse:
    """Give a helper no more matches."""
    form = PauseForm(request.POST)
    if not form.is_valid():
        messages.error(request, str(form.errors["reason"][0]))
        return redirect("scoring:club_helpers", club.slug)
    try:
        paused = pause_helper(club=club, ref=helper, by=request.user, reason=form.cleaned_data["reason"])
    except Helper.DoesNotExist:
        messages.info(request, _("This helper has ended."))
    else:
        messages.success(request, _("%(name)s gets no more matches.") % {"name": paused.name})
    return redirect("scoring:club_helpers", club.slug)
