"""The setup page of a new site."""

from django.contrib import messages
from django.contrib.auth import login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters

from clubs.access import decides
from clubs.accounts.forms.own import FirstStartForm
from clubs.accounts.services.setup import SetupClosedRefused, first_start, setup_is_open
from clubs.http.methods import shows_a_form


@decides("whoever has the one-time token, while no administrator exists")
@never_cache
@sensitive_post_parameters("password")
@shows_a_form
def setup(request: HttpRequest, token: str) -> HttpResponse:
    """Create the first site administrator and club; 410 once that is done."""
    if not setup_is_open(token):
        return render(request, "clubs/accounts/setup_closed.html", status=410)
    form = FirstStartForm(request.POST or None)
    if form.is_valid():
        try:
            user, club = first_start(token=token, **form.cleaned_data)
        except SetupClosedRefused:
            return render(request, "clubs/accounts/setup_closed.html", status=410)
        login(request, user, backend="allauth.account.auth_backends.AuthenticationBackend")
        messages.success(request, _("Welcome! %(club)s is ready.") % {"club": club.name})
        return redirect(club)
    return render(request, "clubs/accounts/setup.html", {"form": form})
