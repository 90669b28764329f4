"""Match lists, and confirming or disputing results."""

from typing import Any

from django.contrib import messages
from django.core.exceptions import BadRequest
from django.db.models import Exists, OuterRef
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from clubs.access import ClubRequest, SignedInRequest, club_visible, decides, public, role_of
from clubs.http.destinations import sent_back_to
from clubs.http.numbers import whole_number
from clubs.http.parts import page_or_part
from clubs.models import Club, Player, Role, User
from scoring.log.queries.results import side_of
from scoring.log.queries.visible import (
    clubs_of,
    clubs_seen_by,
    matches_seen_by,
    player_seen_by,
    seen_among,
)
from scoring.matches.queries.days import by_day
from scoring.matches.queries.form import forms_of, record_of
from scoring.matches.queries.matches import between, labels_shown, match_stretch
from scoring.matches.queries.narrowed import WhichMatches, choices_of, found_by, kept
from scoring.models import Match
from scoring.models.match import MatchQuerySet
from scoring.sheets.services.results import ConfirmationRefused, confirm_result, object_to_result
from scoring.signals import ResultRefused

MOST_CLUBS = 100


@public
@require_safe
def matches(request: HttpRequest) -> HttpResponse:
    """Visible matches, newest first, filtered by ``club``, ``player``, ``against``."""
    clubs = clubs_seen_by(request.user)
    shown = matches_seen_by(request.user)
    at_club = clubs.named(request.GET["club"]).first() if request.GET.get("club") else None
    if at_club is not None:
        shown = shown.in_club(at_club)
    own = Exists(clubs_of(request.user, least=Role.MEMBER).filter(pk=OuterRef("pk")))
    offered = list(clubs.annotate(records=own).order_by("name", "pk")[:MOST_CLUBS])
    recording = [club for club in offered if vars(club)["records"]]
    context = {
        "at_club": at_club,
        "clubs": offered,
        "uploads_to": recording[0] if len(recording) == 1 else None,
    }
    return _list(request, shown, context)


@club_visible
@require_safe
def club_matches(request: ClubRequest, club: Club) -> HttpResponse:
    """The matches of one club, newest first."""
    shown = seen_among(Match.objects.in_club(club), request.user)
    records = request.role is not None and request.role >= Role.MEMBER
    return _list(request, shown, {"club": club, "uploads_to": club if records else None})


def _list(request: HttpRequest, found: MatchQuerySet, context: dict[str, Any]) -> HttpResponse:
    player, against = (_named(request, name) for name in ("player", "against"))
    found = between(found, player, against)
    context |= {"player": player, "against": against}
    if player and against:
        context["record"] = record_of(player, found)
    context |= narrowed_list(request, found)
    if context["shown"] == WhichMatches.MINE and isinstance(request.user, User) and context["days"]:
        player = request.user.player
    if player:
        context["form"] = forms_of(context["days"], player)
    return page_or_part(request, "scoring/matches/matches.html", context, part="list")


def narrowed_list(request: HttpRequest, found: MatchQuerySet) -> dict[str, Any]:
    """Context of ``scoring/matches/_list.html``: search ``q``, filter ``show``.

    Without a choice the results, and what is in play where there is no result yet.
    """
    search = request.GET.get("q", "").strip()
    if search:
        found = found_by(found, search, request.user)
    asked = request.GET.get("show", "")
    shown = WhichMatches(asked) if asked in set(WhichMatches) else WhichMatches.RESULTS
    after, before = request.GET.get("after", ""), request.GET.get("before", "")
    choices = choices_of(found, request.user, shown, counted=not (after or before))
    numbers = {choice.shown: choice.number for choice in choices}
    if not asked and numbers[WhichMatches.RESULTS] == 0 and numbers.get(WhichMatches.LIVE):
        shown = WhichMatches.LIVE
    stretch = match_stretch(kept(found, shown, request.user), request.user, after=after, before=before)
    return {
        "search": search,
        "shown": shown,
        "choices": choices,
        "stretch": stretch,
        "days": by_day(stretch.rows, request.user),
        "shown_labels": labels_shown(stretch.rows),
    }


def _named(request: HttpRequest, parameter: str) -> Player | None:
    """The player in a query parameter; Http404 if the viewer cannot see them."""
    if not (ref := request.GET.get(parameter)):
        return None
    player = player_seen_by(request.user, ref)
    if player is None:
        raise Http404(_("There is no player %(ref)s.") % {"ref": ref})
    return player.merged_into or player


@decides("the players of the match and the directors of its club; else as visible as the club")
@require_POST
def confirm(request: SignedInRequest, match: str) -> HttpResponse:
    """Confirm the current result as a director or for the user's side."""
    found, revision = _asked_of(request, match)
    role = role_of(request.user, found.club)
    as_director = role is not None and role >= Role.DIRECTOR
    try:
        result = confirm_result(match=found, user=request.user, as_director=as_director, revision=revision)
    except (ConfirmationRefused, ResultRefused) as refused:
        messages.error(request, str(refused))
    else:
        names = {"white": found.white.name, "black": found.black.name}
        if result.final_at:
            messages.success(request, _("The result of %(white)s – %(black)s is final.") % names)
        else:
            messages.success(
                request, _("Confirmed: %(white)s – %(black)s. Waiting for the other side to confirm.") % names
            )
    return redirect(sent_back_to(request, otherwise=found.get_absolute_url()))


@decides("the players of the match; else as visible as the club")
@require_POST
def dispute(request: SignedInRequest, match: str) -> HttpResponse:
    """Dispute the result for the user's side; a director or that side can confirm it."""
    found, revision = _asked_of(request, match)
    side = side_of(found, request.user)
    try:
        object_to_result(match=found, side=side, user=request.user, revision=revision)
    except (ConfirmationRefused, ResultRefused) as refused:
        messages.error(request, str(refused))
    else:
        messages.success(request, _("You disputed the result. A director decides."))
    return redirect(sent_back_to(request, otherwise=found.get_absolute_url()))


def _asked_of(request: SignedInRequest, ref: str) -> tuple[Match, int | None]:
    """The match and the shown result revision. Raises Http404 and BadRequest."""
    found = matches_seen_by(request.user).with_players().filter(ref=ref).first()
    if found is None or not request.user.is_authenticated:
        raise Http404(_("There is no match %(ref)s.") % {"ref": ref})
    seen = request.POST.get("revision", "")
    revision = whole_number(seen)
    if seen and revision is None:
        raise BadRequest(_("“%(text)s” is not a result revision.") % {"text": seen[:40]})
    return found, revision
