"""The user's account page."""

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.contrib import messages
from django.contrib.auth import logout
from django.http import HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from clubs.access import SignedInRequest, signed_in
from clubs.accounts.forms.own import ErasureForm, NameForm
from clubs.accounts.queries import personal_data
from clubs.clubs.services.clubs import ClubRefused
from clubs.clubs.services.erasures import ErasureRefused, erase_user
from clubs.http.methods import shows_a_form
from clubs.models import Membership, Player
from clubs.people.services.names import NameRefused, rename_person


@signed_in
@never_cache
@shows_a_form
def me(request: SignedInRequest) -> HttpResponse:
    """Show the account: name, addresses, sign-in methods, clubs."""
    player = Player.objects.with_person().filter(user=request.user).first()
    form = NameForm(request.POST or None, initial={"name": player.name if player else ""})
    if form.is_valid():
        try:
            rename_person(user=request.user, name=form.cleaned_data["name"])
        except NameRefused as refused:
            form.add_error("name", str(refused))
        else:
            messages.success(request, _("Name saved."))
            return redirect("clubs:me")
    memberships = Membership.objects.filter(player__user=request.user).select_related("club")
    context = {
        "form": form,
        "player": player,
        "addresses": EmailAddress.objects.filter(user=request.user).order_by("-primary", "pk"),
        "passkeys": Authenticator.objects.filter(user=request.user, type=Authenticator.Type.WEBAUTHN).count(),
        "memberships": memberships.order_by("club__name", "pk"),
    }
    return render(request, "clubs/accounts/me.html", context)


@signed_in
@never_cache
@shows_a_form
def erase_me(request: SignedInRequest) -> HttpResponse:
    """Show what is deleted and kept; a POST with the address deletes the account."""
    form = ErasureForm(request.POST or None, email=request.user.email)
    if form.is_valid():
        try:
            erase_user(user=request.user)
        except (ErasureRefused, ClubRefused) as refused:
            form.add_error(None, str(refused))
        else:
            logout(request)
            messages.success(request, _("Your account is deleted. Thank you for playing."))
            return redirect("clubs:clubs")
    return render(request, "clubs/accounts/erase_me.html", {"form": form})


@signed_in
@never_cache
@require_safe
def my_data(request: SignedInRequest) -> HttpResponse:
    """Download all data kept about the user as a JSON file."""
    response = JsonResponse(
        personal_data(request.user), json_dumps_params={"indent": 2, "ensure_ascii": False}
    )
    response.headers["Content-Disposition"] = 'attachment; filename="midpoint-my-data.json"'
    return response
