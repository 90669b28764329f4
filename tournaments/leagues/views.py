"""Leagues, ladders and teams: match times, line-ups, challenges, next season."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from clubs.access import SignedInRequest, decides
from clubs.http.methods import shows_a_form
from clubs.models import Player, Role
from clubs.refusals import with_remedy
from tournaments.core.ladders.ladder import Ladder
from tournaments.core.stages.errors import DrawError
from tournaments.entries.views.requests import player_of
from tournaments.events.access import (
    DIRECTORS,
    known_event,
    known_pairing,
    known_stage,
    may_direct,
    require_director,
)
from tournaments.events.services.events import OvertakenRefused, set_starts
from tournaments.events.views.answers import REFUSALS
from tournaments.events.views.conflicts import shown_at
from tournaments.events.views.moved_events import needs_event_here
from tournaments.leagues.services import agree_date, challenge, next_season, propose_date
from tournaments.log.refusals import DeskRefused
from tournaments.models import Board, EntrantRow, PairingRow, PairingState, StageRow
from tournaments.stages.forms.arrangements import DateForm, LineUpForm, SeasonForm, StartsForm
from tournaments.stages.queries.ladders import Rung, is_climbed, rungs_of
from tournaments.stages.queries.rolls import rolls_of
from tournaments.stages.services.stages import load
from tournaments.stages.services.ties import line_up_of, set_line_up
from tournaments.stages.views.copies import warn_about_copy

WHO_ARRANGES = "the players of the pairing and directors of the club"


@decides("anyone who can see the event")
@require_safe
def arrange(request: HttpRequest, pairing: str) -> HttpResponse:
    """An open match: its deadline, its agreed time and, for teams, the line-ups."""
    return _as_it_is(request, pairing)


def _as_it_is(
    request: HttpRequest, pairing: str, *, refused: str = "", typed: DateForm | LineUpForm | None = None
) -> HttpResponse:
    """The match page; with ``refused``, a 409 that keeps what was ``typed``."""
    found, role = known_pairing(request.user, pairing)
    event = found.stage.flight.event
    sides = _sides(found)
    own = _own(sides, player_of(request))
    directs = may_direct(role, event)
    open_still = found.state == PairingState.OPEN and not event.is_away
    boards = Board.objects.filter(pairing=found).order_by("number")
    context: dict[str, Any] = {
        "event": event,
        "refused": refused,
        "unsent": "" if typed is None or open_still else typed.typed(),
        "pairing": found,
        "sides": sides,
        "own": own,
        "directs": directs,
        "open": open_still,
        "waits": own is not None and found.proposed_by_id not in {None, own.pk} and not found.agreed_at,
        "form": typed if isinstance(typed, DateForm) else DateForm(event) if own else None,
        "boards": boards.prefetch_related("match__sides__seats__player__person"),
        "line_ups": [
            _line_up_form(found, each, typed)
            for each in sides
            if found.stage.boards > 1 and (directs or each == own)
        ],
    }
    shown = shown_at(request, reverse("tournaments:arrange", args=[found.ref]))
    return render(shown, "tournaments/leagues/arrange.html", context, status=409 if refused else 200)


def _line_up_form(
    pairing: PairingRow, entrant: EntrantRow, typed: DateForm | LineUpForm | None
) -> tuple[EntrantRow, LineUpForm, str]:
    """The team, its form (the submitted one if it is theirs) and its line-up."""
    seated = line_up_of(pairing, entrant)
    if isinstance(typed, LineUpForm) and typed.entrant == entrant:
        return entrant, typed, " ".join(seated)
    return entrant, LineUpForm(entrant, pairing.stage.boards, seated=seated), " ".join(seated)


def _done(
    request: HttpRequest,
    pairing: str,
    action: Callable[[], Any],
    said: str,
    typed: DateForm | LineUpForm | None = None,
) -> HttpResponse:
    """Run ``action`` and redirect to the match.

    Answer a refusal with the match page (409).
    """
    try:
        action()
    except REFUSALS as refused:
        return _as_it_is(request, pairing, refused=with_remedy(refused), typed=typed)
    messages.success(request, said)
    return redirect("tournaments:arrange", pairing=pairing)


@decides(WHO_ARRANGES)
@require_POST
def meeting_time(request: SignedInRequest, pairing: str) -> HttpResponse:
    """Propose a match time, or accept the proposed one."""
    found, _role = known_pairing(request.user, pairing)
    own = _own(_sides(found), player_of(request))
    if own is None:
        raise PermissionDenied(_("Only the two sides can agree on a time."))
    event = found.stage.flight.event
    seen = _times_seen(request)
    if request.POST.get("answer") == "yes":
        return _done(
            request,
            found.ref,
            lambda: agree_date(pairing=found, entrant=own, seen=seen),
            _("Time agreed."),
        )
    form = DateForm(event, request.POST)

    def propose() -> None:
        if not form.is_valid():
            raise DeskRefused(_("Enter a date and time."), code="when")
        propose_date(pairing=found, entrant=own, at=form.moment(), seen=seen)

    return _done(request, found.ref, propose, _("Time proposed."), form)


def _times_seen(request: HttpRequest) -> dict[str, datetime | None]:
    """The proposed and agreed times that the page showed, if it sent them."""
    names = [name for name in ("proposed_at", "agreed_at") if name in request.POST]
    try:
        return {name: parse_datetime(request.POST[name]) for name in names}
    except ValueError:
        return {}


@decides(WHO_ARRANGES)
@require_POST
def line_up(request: SignedInRequest, pairing: str) -> HttpResponse:
    """Set a team's line-up."""
    found, role = known_pairing(request.user, pairing)
    sides = _sides(found)
    own = _own(sides, player_of(request))
    named = next((each for each in sides if each.ref == request.POST.get("entrant")), own)
    if named is None or named != own:
        require_director(role)
    form = LineUpForm(named or sides[0], found.stage.boards, request.POST)

    def name() -> None:
        if not form.is_valid():
            raise DeskRefused(_("Choose a player for every board."), code="line_up")
        set_line_up(
            pairing=found,
            entrant=named or sides[0],
            players=form.players(),
            user=request.user,
            seen=request.POST["seen"].split() if "seen" in request.POST else None,
        )

    return _done(request, found.ref, name, _("Line-up set."), form)


@decides(DIRECTORS)
@require_safe
def rolls(request: SignedInRequest, pairing: str) -> HttpResponse:
    """The duplicate dice of a team match, for directors to read out or print."""
    found, role = known_pairing(request.user, pairing)
    require_director(role)
    context = {"event": found.stage.flight.event, "pairing": found, "games": rolls_of(found)}
    return render(request, "tournaments/leagues/rolls.html", context)


@needs_event_here
@decides("the players of the ladder and directors of the club")
@shows_a_form
def challenged(request: SignedInRequest, stage: str) -> HttpResponse:
    """Challenge a higher entrant on a ladder; directors can choose the challenger."""
    if request.method != "POST":
        return _ladder_as_it_is(request, stage)
    climb = _climb(request, stage)
    above = climb.named(request.POST.get("challenged", ""))
    try:
        if climb.challenger is None or above is None:
            raise DeskRefused(_("Choose the challenger and the opponent."), code="nobody")
        row = challenge(
            stage=climb.stage,
            challenger=climb.challenger.entrant,
            challenged=above.entrant,
            user=request.user,
        )
    except REFUSALS as refused:
        return _ladder_as_it_is(request, stage, refused=with_remedy(refused))
    messages.success(request, _("Challenge sent. Agree on a time."))
    return redirect("tournaments:arrange", pairing=row.ref)


@dataclass(frozen=True, slots=True)
class _Climb:
    """A ladder as its challenger sees it.

    The viewer, or the entrant a director chose.
    """

    stage: StageRow
    reach: int
    rungs: Sequence[Rung]
    own: Rung | None
    challenger: Rung | None
    directs: bool

    def named(self, ref: str) -> Rung | None:
        return next((each for each in self.rungs if each.entrant.ref == ref), None)

    def within_reach(self) -> list[Rung]:
        """The rungs that the challenger can challenge, nearest first."""
        by = {each.number: each for each in self.rungs}
        return [by[number] for number in self.challenger.within_reach] if self.challenger else []


def _climb(request: SignedInRequest, ref: str) -> _Climb:
    """The ladder ``ref`` with its challenger.

    Raises Http404 for another format or a ladder not drawn yet; PermissionDenied for a viewer who is not on
    it, or names another challenger without being a director.
    """
    stage, role = known_stage(request.user, ref)
    if stage.format != Ladder.key or stage.drawn_at is None:
        raise Http404(_("This ladder is not in progress."))
    directs = role is not None and role >= Role.DIRECTOR
    value, player = load(stage), player_of(request)
    rungs = rungs_of(stage, value)
    own = next((each for each in rungs if player in each.entrant.players), None) if player else None
    named = request.POST.get("challenger") or request.GET.get("challenger")
    if own is None or (named and named != own.entrant.ref):
        require_director(role)
    climb = _Climb(stage, value.options.reach, rungs, own, own, directs)
    return replace(climb, challenger=climb.named(named)) if named else climb


def _ladder_as_it_is(request: SignedInRequest, ref: str, *, refused: str = "") -> HttpResponse:
    """The challenge page; with ``refused``, the 409 that answers a refusal."""
    climb = _climb(request, ref)
    context: dict[str, Any] = {
        "event": climb.stage.flight.event,
        "stage": climb.stage,
        "refused": refused,
        "climb": climb,
        "running": is_climbed(climb.stage, climb.stage.flight.event),
    }
    shown = shown_at(request, reverse("tournaments:challenge", args=[climb.stage.ref]))
    return render(shown, "tournaments/leagues/challenge.html", context, status=409 if refused else 200)


@needs_event_here
@decides(DIRECTORS)
@shows_a_form
def season(request: SignedInRequest, event: str) -> HttpResponse:
    """Announce the next season of a league."""
    found, role = known_event(request.user, event)
    require_director(role)
    form = SeasonForm(found, request.POST or None)
    status = 200
    if request.method == "POST" and form.is_valid():
        try:
            made = next_season(
                event=found,
                starts_at=form.moment(),
                moves=form.cleaned_data["moves"],
                user=request.user,
            )
        except (DeskRefused, DrawError) as refused:
            form.add_error(None, with_remedy(refused))
            status = 409
        else:
            warn_about_copy(request, event=found, made=made)
            return redirect(made)
    return render(request, "tournaments/leagues/season.html", {"event": found, "form": form}, status=status)


@needs_event_here
@decides(DIRECTORS)
@shows_a_form
def starts(request: SignedInRequest, stage: str) -> HttpResponse:
    """Set the earliest start of each round, in the event's time zone.

    If the starts have changed meanwhile, the page (409) shows the current ones beside the typed ones.
    """
    found, role = known_stage(request.user, stage)
    require_director(role)
    form = StartsForm(found, request.POST or None)
    status = 200
    stand: list[str] | None = None
    if request.method == "POST" and form.is_valid():
        try:
            seen = form.cleaned_data["seen"]
            set_starts(stage=found, starts=form.moments(), user=request.user, seen=seen)
        except OvertakenRefused as refused:
            found, _role = known_stage(request.user, stage)
            now_shown = StartsForm(found).initial
            stand, status = now_shown["starts"].splitlines(), 409
            form = StartsForm(found, request.POST.dict() | {"seen": now_shown["seen"]})
            form.add_error(None, with_remedy(refused))
        else:
            return redirect(found)
    context = {"stage": found, "event": found.flight.event, "form": form, "stand": stand}
    return render(request, "tournaments/leagues/starts.html", context, status=status)


def _sides(pairing: PairingRow) -> list[EntrantRow]:
    """The two sides in order; one for a bye."""
    found = {
        each.pk: each
        for each in EntrantRow.objects.filter(pk__in=[pairing.a_id, pairing.b_id]).with_players()
    }
    return [found[pk] for pk in (pairing.a_id, pairing.b_id) if pk in found]


def _own(sides: list[EntrantRow], player: Player | None) -> EntrantRow | None:
    return next((each for each in sides if player is not None and player in each.players), None)
