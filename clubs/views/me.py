"""The person's own page."""

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.contrib import messages
from django.http import HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache

from clubs.access import SignedInRequest, signed_in
from clubs.forms import NameForm
from clubs.models import Membership, Player
from clubs.queries import personal_data
from clubs.services.people import rename_person


@signed_in
@never_cache
def me(request: SignedInRequest) -> HttpResponse:
    """Name, addresses, ways to sign in, clubs, and the way out."""
    player = Player.objects.with_person().filter(user=request.user).first()
    form = NameForm(request.POST or None, initial={"name": player.name if player else ""})
    if form.is_valid():
        rename_person(user=request.user, name=form.cleaned_data["name"])
        messages.success(request, _("Your name is saved."))
        return redirect("clubs:me")
    memberships = Membership.objects.filter(player__user=request.user).select_related("club")
    context = {
        "form": form,
        "player": player,
        "addresses": EmailAddress.objects.filter(user=request.user).order_by("-primary", "pk"),
        "passkeys": Authenticator.objects.filter(user=request.user, type=Authenticator.Type.WEBAUTHN).count(),
        "memberships": memberships.order_by("club__name", "pk"),
    }
    return render(request, "clubs/me.html", context)


@signed_in
@never_cache
def my_data(request: SignedInRequest) -> HttpResponse:
    """All that is kept about the person, as a JSON file."""
    response = JsonResponse(
        personal_data(request.user), json_dumps_params={"indent": 2, "ensure_ascii": False}
    )
    response.headers["Content-Disposition"] = 'attachment; filename="midpoint-my-data.json"'
    return response
