"""Following players: on the account, or in the browser without one."""

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from clubs.access import SignedInRequest, decides, signed_in
from clubs.http.destinations import sent_back_to
from clubs.models import Player, User
from scoring.log.queries.visible import player_seen_by
from tournaments.events.access import WHO_MAY_SEE, known_stage
from tournaments.following.queries import MOST_ASKED, followed_in
from tournaments.following.services import follow as keep_following
from tournaments.following.services import unfollow


@signed_in
@require_POST
def follow(request: SignedInRequest, player: str) -> HttpResponse:
    """Follow a player, or stop with ``stop``; redirects to the page it was sent from."""
    found = _known(request, player)
    if "stop" in request.POST:
        unfollow(user=request.user, player=found)
    else:
        keep_following(user=request.user, player=found)
    return redirect(sent_back_to(request, otherwise=reverse("tournaments:events")))


@decides(WHO_MAY_SEE)
@require_safe
def followed(request: HttpRequest, stage: str) -> HttpResponse:
    """Numbers in a draw of the viewer (``own``), their followed players and ``?player=``."""
    found, _role = known_stage(request.user, stage)
    user = request.user if isinstance(request.user, User) else None
    named = request.GET.getlist("player")[:MOST_ASKED]
    entrants, own = followed_in(found, user, named)
    return JsonResponse({"entrants": entrants, "own": own}, headers={"Cache-Control": "no-store"})


def _known(request: SignedInRequest, ref: str) -> Player:
    """The player, or the one a guest was merged into. Raises Http404 without access."""
    found = player_seen_by(request.user, ref)
    if found is None or found.erased_at is not None:
        raise Http404(_("There is no player %(ref)s.") % {"ref": ref})
    return found.merged_into or found
