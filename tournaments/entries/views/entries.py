"""Entries: enter, partners, payments, check-in, late entries and substitutes."""

from typing import Any

import segno
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.safestring import mark_safe
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from clubs.access import SignedInRequest, decides
from clubs.http.addresses import for_phones
from clubs.http.methods import shows_a_form
from clubs.models import Role
from clubs.refusals import with_remedy
from clubs.templatetags.shell import named_errors
from tournaments.desk.services.departures import leave as leave_stage
from tournaments.entries.forms.players import (
    EnterForm,
    PartnersForm,
    PlayersForm,
    SubstituteForm,
)
from tournaments.entries.queries.people import flights_with_pairs
from tournaments.entries.services import check_ins, entries
from tournaments.entries.services.check_ins import check_in_players, open_door
from tournaments.entries.services.entries import answer_partner, withdraw
from tournaments.entries.services.fees import record_payment
from tournaments.entries.services.late_entries import come_back, enter_late, replace
from tournaments.entries.views.requests import flight_named, is_member, player_of
from tournaments.events.access import (
    DIRECTORS,
    directed_event,
    known_entrant,
    known_event,
    known_stage,
    require_director,
)
from tournaments.events.views.answers import (
    REFUSALS,
    Name,
    done,
    refused_on,
    unknown_action,
)
from tournaments.events.views.moved_events import needs_event_here
from tournaments.models import Event, FeePayment

REFUNDED = {"yes": True, "no": False}


@decides("members of the event's club")
@require_POST
def enter(request: SignedInRequest, event: str) -> HttpResponse:
    """Enter yourself, with partners who must accept."""
    found, _role = known_event(request.user, event)
    player = player_of(request)
    if player is None or not is_member(player, found):
        raise PermissionDenied(
            _("Only members of %(club)s can enter its events. Ask the director.") % {"club": found.club.name}
        )
    flight = flight_named(request, found)
    form = PartnersForm(flight, player, request.POST)
    if not form.is_valid():
        return _mistyped(request, found, form)
    return done(
        request,
        found,
        lambda: entries.enter(
            flight=flight,
            players=[player, *form.players()],
            user=request.user,
            name=form.name(),
            pools=form.pools(),
            own=True,
        ),
        typed=form,
    )


@decides(DIRECTORS)
@require_POST
def enter_players(request: SignedInRequest, event: str) -> HttpResponse:
    """Enter a player, pair or team at the desk."""
    found, role = known_event(request.user, event)
    require_director(role)
    flight = flight_named(request, found)
    form = EnterForm(flight, request.POST)
    if not form.is_valid():
        return _mistyped(request, found, form)
    data = form.cleaned_data
    return done(
        request,
        found,
        lambda: entries.enter(
            flight=flight,
            players=form.players(),
            user=request.user,
            name=form.name(),
            payment=form.payment(),
            override=data.get("override", False),
            pools=form.pools(),
        ),
        typed=form,
    )


@decides("the players who are named as partners")
@require_POST
def answer(request: SignedInRequest, entrant: str) -> HttpResponse:
    """Accept or decline a partner request."""
    found, _role = known_entrant(request.user, entrant)
    player = player_of(request)
    if player is None or player not in found.players:
        raise PermissionDenied(_("You have no partner request for this entry."))
    accepts = request.POST.get("answer") == "yes"
    return done(
        request,
        found.flight.event,
        lambda: answer_partner(entrant=found, player=player, accepts=accepts),
    )


@decides("the entrant's players and directors of the club")
@require_POST
def leave(request: SignedInRequest, entrant: str) -> HttpResponse:
    """Withdraw an entry before the draw, or as a director from the rest of the draw."""
    found, role = known_entrant(request.user, entrant)
    directs = role is not None and role >= Role.DIRECTOR
    if player_of(request) not in found.players:
        require_director(role)
    if directs and found.was_drawn:
        return done(request, found.flight.event, lambda: leave_stage(entrant=found, user=request.user))
    return done(request, found.flight.event, lambda: withdraw(entrant=found, user=request.user))


@decides(DIRECTORS)
@require_POST
def check_in(request: SignedInRequest, entrant: str) -> HttpResponse:
    """Check an entrant in or out."""
    found, role = known_entrant(request.user, entrant)
    require_director(role)
    present = request.POST.get("present") != "no"
    event = found.flight.event
    seen = request.POST.get("seen") or None
    return done(
        request,
        event,
        lambda: check_ins.check_in(entrant=found, present=present, user=request.user, seen=seen),
    )


@decides(DIRECTORS)
@require_POST
def everyone_here(request: SignedInRequest, event: str) -> HttpResponse:
    """Check in every entrant before the draw."""
    found = directed_event(request.user, event)
    return done(request, found, lambda: check_ins.check_in_all(event=found, user=request.user))


@decides(DIRECTORS)
@require_POST
def payment(request: SignedInRequest, entrant: str) -> HttpResponse:
    """Record a payment or refund of fees."""
    found, role = known_entrant(request.user, entrant)
    require_director(role)
    asked, refunded = request.POST.get("payment"), request.POST.get("refunded")

    def record() -> None:
        if asked not in {None, *FeePayment.values}:
            raise unknown_action(asked or "")
        if refunded not in {None, *REFUNDED}:
            raise unknown_action(refunded or "")
        record_payment(
            entrant=found,
            user=request.user,
            payment=None if asked is None else FeePayment(asked),
            refunded=None if refunded is None else REFUNDED[refunded],
            seen=_fees_seen(request),
        )

    said = {"yes": _("The fees of %(name)s are refunded."), "no": _("The refund of %(name)s is undone.")}
    return done(request, found.flight.event, record, said.get(refunded or "", "") % {"name": found.title})


def _fees_seen(request: HttpRequest) -> dict[str, Any]:
    """The fees as shown on the page, as far as sent."""
    seen: dict[str, Any] = {}
    if "seen_payment" in request.POST:
        seen["payment"] = request.POST["seen_payment"]
    if "seen_refunded" in request.POST:
        seen["refunded"] = request.POST["seen_refunded"] == "yes"
    return seen


@needs_event_here
@decides(DIRECTORS)
@require_safe
def door(request: SignedInRequest, event: str) -> HttpResponse:
    """Show the check-in code for the venue."""
    found, role = known_event(request.user, event)
    require_director(role)
    secret = open_door(event=found)
    if not secret:
        return render(request, "tournaments/entries/door.html", {"event": found})
    path = reverse("tournaments:here", args=[found.ref, secret])
    address = for_phones(request, path)
    code = segno.make(address, error="m").svg_inline(scale=8, border=2, omitsize=True)
    context = {"event": found, "address": address, "code": mark_safe(code)}  # noqa: S308 - segno's own SVG
    return render(request, "tournaments/entries/door.html", context)


@needs_event_here
@decides("anyone who can see the event and has its check-in code")
@shows_a_form
def here(request: HttpRequest, event: str, door: str) -> HttpResponse:
    """Check yourself in with the code of the venue."""
    found, _role = known_event(request.user, event)
    if not found.door or found.door != door:
        raise Http404(_("This check-in code is not valid."))
    player = player_of(request)
    if request.method != "POST":
        return render(request, "tournaments/entries/here.html", {"event": found, "player": player})
    if player is None:
        raise PermissionDenied(_("Sign in first. Only players in this event can use this code."))
    try:
        check_in_players(event=found, player=player)
    except REFUSALS as refused:
        return refused_on("event", request, found.ref, refused=with_remedy(refused))
    messages.success(request, _("You are checked in."))
    return redirect(found)


@decides(DIRECTORS)
@require_POST
def late(request: SignedInRequest, stage: str) -> HttpResponse:
    """Add a late entry to a draw in progress."""
    found, role = known_stage(request.user, stage)
    require_director(role)
    event = found.flight.event
    form = EnterForm(found.flight, request.POST, pairs=bool(flights_with_pairs([found.flight])))
    if not form.is_valid():
        return _mistyped(request, event, form)
    return done(
        request,
        event,
        lambda: enter_late(
            stage=found,
            players=form.players(),
            user=request.user,
            payment=form.payment(),
            name=form.name(),
            pools=form.pools(),
        ),
        said=_("Late entry: %(name)s.") % {"name": form.said()},
        typed=form,
    )


@decides(DIRECTORS)
@require_POST
def back(request: SignedInRequest, entrant: str) -> HttpResponse:
    """Reinstate a withdrawn entrant."""
    found, role = known_entrant(request.user, entrant)
    require_director(role)
    return done(request, found.flight.event, lambda: come_back(entrant=found, user=request.user))


@needs_event_here
@decides(DIRECTORS)
@shows_a_form
def substitute(request: SignedInRequest, entrant: str) -> HttpResponse:
    """Substitute an entrant who has not finished a match.

    Errors keep the typed values (409).
    """
    found, role = known_entrant(request.user, entrant)
    require_director(role)
    event = found.flight.event
    sent = request.POST if request.method == "POST" else None
    form = SubstituteForm(found.flight, sent)
    if sent is not None and form.is_valid():
        try:
            newcomer = replace(
                entrant=found,
                players=form.players(),
                user=request.user,
                payment=form.payment(),
                name=form.name(),
                pools=form.pools(),
            )
        except REFUSALS as refused:
            form.add_error(None, with_remedy(refused))
        else:
            named, _role = known_entrant(request.user, newcomer.ref)
            said = _("%(newcomer)s is now the substitute for %(entrant)s.")
            messages.success(request, said % {"newcomer": named.title, "entrant": found.title})
            return redirect(event)
    context = {"event": event, "entrant": found, "form": form}
    status = 409 if form.errors else 200
    return render(request, "tournaments/entries/substitute.html", context, status=status)


def _mistyped(request: HttpRequest, event: Event, form: PlayersForm) -> HttpResponse:
    said = dict.fromkeys(text for field in form for text in map(str, named_errors(field)))
    page: Name = "entries" if isinstance(form, EnterForm) else "event"
    return refused_on(page, request, event.ref, refused=" ".join(said), typed=form)
