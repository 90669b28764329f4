"""The user's API tokens."""

from datetime import timedelta

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.timezone import now
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_variables
from django.views.decorators.http import require_POST

from clubs.access import SignedInRequest, signed_in
from clubs.accounts.forms.own import TokenForm
from clubs.accounts.services.tokens import TooManyTokensRefused, make_token, revoke_token
from clubs.http.methods import shows_a_form
from clubs.models import ApiToken

SHOWN_ONCE = "new token"


@signed_in
@never_cache
@shows_a_form
@sensitive_variables("secret", "text")
def tokens(request: SignedInRequest) -> HttpResponse:
    """List the tokens and create new ones.

    The text of a new token is shown once, on the page after the form.
    """
    form = TokenForm(request.POST or None)
    secret = request.session.pop(SHOWN_ONCE, "") if request.method == "GET" else ""
    if form.is_valid():
        days = form.cleaned_data["days"]
        try:
            _made, text = make_token(
                user=request.user,
                label=form.cleaned_data["label"],
                scopes=form.cleaned_data["scopes"],
                expires_at=now() + timedelta(days=days) if days else None,
            )
        except TooManyTokensRefused as refused:
            form.add_error(None, str(refused))
        else:
            request.session[SHOWN_ONCE] = text
            return redirect("clubs:tokens")
    context = {
        "form": form,
        "secret": secret,
        "tokens": ApiToken.objects.of_user(request.user).order_by("-created_at", "pk"),
    }
    return render(request, "clubs/accounts/tokens.html", context)


@signed_in
@require_POST
def revoke(request: SignedInRequest, token: str) -> HttpResponse:
    try:
        revoke_token(user=request.user, ref=token)
    except ApiToken.DoesNotExist:
        messages.info(request, _("This token was already revoked."))
    else:
        messages.success(request, _("Token revoked. Programs that use it no longer have access."))
    return redirect("clubs:tokens")
