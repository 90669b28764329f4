"""Confirm fields, draw and redraw stages, cancel and copy events, add flights."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from clubs.access import SignedInRequest, decides
from clubs.http.methods import shows_a_form
from clubs.refusals import with_remedy
from tournaments.core.stages.errors import DrawError
from tournaments.events.access import DIRECTORS, known_event, known_flight, known_stage, require_director
from tournaments.events.forms.flight import FlightForm
from tournaments.events.services.events import copy_event, join_flight
from tournaments.events.views.answers import REFUSALS, TypedReason, done, refused_on
from tournaments.events.views.moved_events import needs_event_here
from tournaments.log.refusals import DeskRefused
from tournaments.log.seen import length_seen
from tournaments.models import EntrantRow
from tournaments.stages.forms.ties import TieForm
from tournaments.stages.services.cancellations import cancel_event, cancel_flight
from tournaments.stages.services.draws import draw_stage, undo_draw
from tournaments.stages.services.feeds import confirm_field, decline
from tournaments.stages.services.settling import settle_tie
from tournaments.stages.views.copies import warn_about_copy


@decides(DIRECTORS)
@require_POST
def draw_one(request: SignedInRequest, stage: str) -> HttpResponse:
    """Draw a stage, once; groups are drawn together."""
    found, role = known_stage(request.user, stage)
    require_director(role)
    return done(request, found.flight.event, lambda: draw_stage(stage=found, user=request.user))


@decides(DIRECTORS)
@require_POST
def redraw(request: SignedInRequest, stage: str) -> HttpResponse:
    """Undo a draw before play and seal a new seed."""
    found, role = known_stage(request.user, stage)
    require_director(role)
    event, reason = found.flight.event, request.POST.get("reason", "")
    try:
        undo_draw(stage=found, user=request.user, reason=reason, seen=length_seen(request))
    except REFUSALS as refused:
        return refused_on(
            "event", request, event.ref, refused=with_remedy(refused), typed=TypedReason(found, reason)
        )
    messages.success(
        request,
        _("Draw undone. The hash of the new seed is shown below."),
    )
    return redirect(event)


@decides(DIRECTORS)
@require_POST
def field(request: SignedInRequest, stage: str) -> HttpResponse:
    """Confirm the field as it was shown."""
    found, role = known_stage(request.user, stage)
    require_director(role)
    shown = request.POST.getlist("entrant") or None
    return done(
        request,
        found.flight.event,
        lambda: confirm_field(stage=found, user=request.user, refs=shown),
        part=f"stage-{found.ref}",
    )


@decides(DIRECTORS)
@require_POST
def declined(request: SignedInRequest, stage: str) -> HttpResponse:
    """Record that an entrant declines a place, or accepts it after all."""
    found, role = known_stage(request.user, stage)
    require_director(role)
    entrants = EntrantRow.objects.filter(flight=found.flight, ref=request.POST.get("entrant", ""))
    entrant = entrants.with_players().first()
    after_all = request.POST.get("declined") == "no"

    def note() -> None:
        if entrant is None:
            raise DeskRefused(_("Entrant not found."), code="not_in_the_field")
        decline(stage=found, entrant=entrant, user=request.user, declined=not after_all)

    return done(request, found.flight.event, note, part=f"stage-{found.ref}")


@decides(DIRECTORS)
@require_POST
def tie(request: SignedInRequest, stage: str) -> HttpResponse:
    """Settle a tie of a stage, or undo the last decision on it."""
    found, role = known_stage(request.user, stage)
    require_director(role)
    form = TieForm(request.POST)

    def settle() -> None:
        if not form.is_valid():
            field, errors = next(iter(form.errors.items()))
            raise DeskRefused(f"{form.fields[field].label}: {errors[0]}", code="invalid")
        settle_tie(
            stage=found,
            decision=form.cleaned_data["decision"],
            entrants=request.POST.getlist("entrant"),
            key=form.cleaned_data["tie_break"],
            length=form.cleaned_data["length"],
            user=request.user,
            seen=length_seen(request),
        )

    return done(request, found.flight.event, settle, part="ties-title")


@decides(DIRECTORS)
@require_POST
def cancel(request: SignedInRequest, event: str) -> HttpResponse:
    """Cancel the event and void its open matches."""
    found, role = known_event(request.user, event)
    require_director(role)
    return done(request, found, lambda: cancel_event(event=found, user=request.user), _("Event cancelled."))


@decides(DIRECTORS)
@require_POST
def copy(request: SignedInRequest, event: str) -> HttpResponse:
    """Copy the event to one week later."""
    found, role = known_event(request.user, event)
    require_director(role)
    try:
        made = copy_event(event=found, user=request.user)
    except (DeskRefused, DrawError) as refused:
        return refused_on("event", request, found.ref, refused=with_remedy(refused))
    messages.success(request, _("%(event)s is announced.") % {"event": made.name})
    warn_about_copy(request, event=found, made=made)
    return redirect(made)


@needs_event_here
@decides(DIRECTORS)
@shows_a_form
def new_flight(request: SignedInRequest, event: str) -> HttpResponse:
    """Add a flight to the event."""
    found, role = known_event(request.user, event)
    require_director(role)
    asked = {name: request.GET[name] for name in ("format_key", "length", "name") if name in request.GET}
    form = FlightForm(found.club, request.POST or None, initial=asked)
    status = 200
    if request.method == "POST" and form.is_valid():
        try:
            day = found.starts_at.astimezone(found.tz).date()
            join_flight(event=found, plan=form.flight(day), user=request.user)
        except (DeskRefused, DrawError) as refused:
            form.add_error(None, with_remedy(refused))
            status = 409
        else:
            messages.success(request, _("Division added."))
            return redirect(found)
    context = {"event": found, "form": form}
    return render(request, "tournaments/stages/new_flight.html", context, status=status)


@decides(DIRECTORS)
@require_POST
def cancel_whole_flight(request: SignedInRequest, flight: str) -> HttpResponse:
    """Cancel a flight before its draw."""
    found, role = known_flight(request.user, flight)
    require_director(role)
    return done(
        request,
        found.event,
        lambda: cancel_flight(flight=found, user=request.user),
        _("Division cancelled."),
    )
