"""Pages of invitations: sent and withdrawn by owners, accepted by link."""

from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from clubs.access import ClubRequest, club_role, decides
from clubs.clubs.forms import InvitationForm
from clubs.clubs.services.clubs import (
    ClubRefused,
    accept_invitation,
    token_digest,
    withdraw_invitation,
)
from clubs.clubs.services.clubs import invite as send_invitation
from clubs.http.methods import shows_a_form
from clubs.models import Club, Invitation, Role, User
from clubs.people.services.merges import MergeRefused
from clubs.people.services.names import NameRefused


@club_role(Role.OWNER)
@shows_a_form
def invite(request: ClubRequest, club: Club) -> HttpResponse:
    form = InvitationForm(request.POST or None, prefix="invitation", club=club)
    if form.is_valid():
        try:
            invitation = send_invitation(
                club=club,
                invited_by=request.user,
                link=lambda token: request.build_absolute_uri(reverse("clubs:join", args=[token])),
                **form.cleaned_data,
            )
        except ClubRefused as refused:
            form.add_error("email", str(refused))
        else:
            sent, shown = _("Invitation sent to %(email)s."), redirect("clubs:people", club.slug)
            if not settings.EMAIL_URL and request.user.is_superuser:
                sent = _("This site has no mail server. Pass on the link for %(email)s from its email below.")
                shown = redirect("clubs:outbox")
            elif not settings.EMAIL_URL:
                sent = _(
                    "This site has no mail server. Ask the site’s administrator for the link for %(email)s "
                    "and pass it on."
                )
            messages.success(request, sent % {"email": invitation.email})
            return shown
    return render(request, "clubs/clubs/invite.html", {"form": form, "club": club})


@club_role(Role.OWNER)
@require_POST
def withdraw(request: ClubRequest, club: Club, invitation: str) -> HttpResponse:
    try:
        withdraw_invitation(club=club, ref=invitation)
    except Invitation.DoesNotExist:
        messages.info(request, _("This invitation was already used or withdrawn."))
    else:
        messages.success(request, _("Invitation withdrawn. Its link no longer works."))
    return redirect("clubs:people", club.slug)


@decides("whoever has the invitation's link; to accept it one signs in")
@never_cache
@shows_a_form
def accept(request: HttpRequest, token: str) -> HttpResponse:
    """Show the invitation; a POST of a signed-in user accepts it."""
    found = Invitation.objects.open().filter(token_digest=token_digest(token))
    invitation = found.select_related("club", "guest__person").first()
    if invitation is None:
        return render(request, "clubs/clubs/invitation_closed.html", status=410)
    if request.method == "POST" and isinstance(request.user, User):
        try:
            membership = accept_invitation(token=token, user=request.user)
        except Invitation.DoesNotExist:
            return render(request, "clubs/clubs/invitation_closed.html", status=410)
        except (MergeRefused, NameRefused) as refused:
            messages.error(request, str(refused))
            return redirect("clubs:join", token)
        messages.success(request, _("Welcome to %(club)s!") % {"club": membership.club.name})
        return redirect(membership.club)
    context = {"invitation": invitation, "club": invitation.club, "role": Role(invitation.role)}
    return render(request, "clubs/clubs/join.html", context)
