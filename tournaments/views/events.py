"""Events: the list, announcing one, and an event with its field."""

from typing import Any

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.timezone import make_aware
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from clubs.access import ClubRequest, SignedInRequest, club_role, club_visible, decides, public
from clubs.models import Club, Membership, Player, Role, User
from clubs.views.methods import shows_a_form
from scoring.queries.visible import clubs_of
from scoring.views.parts import page_or_part
from tournaments.access import known_entrant, known_event, require_director
from tournaments.draws.errors import DrawError
from tournaments.forms import EnterForm, EventForm
from tournaments.models import Event, Flight, StageStatus
from tournaments.prizes.money import PrizeRefused
from tournaments.queries.draw_page import stage_page
from tournaments.queries.events import entry_of, event_lists, field_of, is_drawn, prizes_of, stages_of
from tournaments.services.desk import leave as leave_stage
from tournaments.services.drawing import draw_stage
from tournaments.services.events import DeskRefusedError, announce_event
from tournaments.services.payouts import approve_prizes, takings_of
from tournaments.services.registration import check_in as note_presence
from tournaments.services.registration import register, withdraw
from tournaments.services.stages import StaleError, load

WHO_MAY_SEE = "whoever may see the event's club"
PRESENT, ABSENT = "present", "absent"


@public
@require_safe
def events(request: HttpRequest) -> HttpResponse:
    """What runs, what comes, what was."""
    context: dict[str, Any] = {"lists": event_lists(request.user)}
    if isinstance(request.user, User):
        context["directs"] = clubs_of(request.user, least=Role.DIRECTOR).order_by("name", "pk")[:3]
    return page_or_part(request, "tournaments/events.html", context, part="events")


@club_visible
@require_safe
def club_events(request: ClubRequest, club: Club) -> HttpResponse:
    """The events of one club."""
    directs = [club] if request.role is not None and request.role >= Role.DIRECTOR else []
    context = {"club": club, "lists": event_lists(request.user, club=club), "directs": directs}
    return page_or_part(request, "tournaments/events.html", context, part="events")


@club_role(Role.DIRECTOR)
@shows_a_form
def new_event(request: ClubRequest, club: Club) -> HttpResponse:
    """Announce an event."""
    asked = {name: request.GET[name] for name in ("format_key", "length", "name") if name in request.GET}
    form = EventForm(club, request.POST or None, initial=asked)
    if request.method == "POST" and form.is_valid():
        data = form.cleaned_data
        event = announce_event(
            club=club,
            name=data["name"],
            starts_at=make_aware(data["starts_at"].replace(tzinfo=None), club.zone),
            format_key=data["format_key"],
            length=data["length"],
            terms=form.terms(),
        )
        messages.success(request, _("%(event)s is announced.") % {"event": event.name})
        return redirect(event)
    return render(request, "tournaments/new_event.html", {"club": club, "form": form})


@decides(WHO_MAY_SEE)
@require_safe
def event(request: HttpRequest, event: str) -> HttpResponse:
    """An event: who plays, the draw with its seed, what stands, what is paid."""
    found, role = known_event(request.user, event)
    directs = role is not None and role >= Role.DIRECTOR
    stages = stages_of(found)
    flight = stages[0].flight
    field = field_of(flight)
    mine = entry_of(flight, _player(request))
    context: dict[str, Any] = {
        "event": found,
        "club": found.club,
        "flight": flight,
        "directs": directs,
        "belongs": role is not None,
        "field": field,
        "mine": mine,
        "may_enter": may_enter(request, found.club) and mine is None,
        "planned": all(stage.status == StageStatus.PLANNED for stage in stages),
        "pages": [stage_page(stage, load(stage)) for stage in stages if stage.status != StageStatus.PLANNED],
        "stages": stages,
        "takings": takings_of(flight),
        "prizes": prizes_of(flight),
        "form": EnterForm(found.club) if directs else None,
    }
    return page_or_part(request, "tournaments/event.html", context, part="event")


def may_enter(request: HttpRequest, club: Club) -> bool:
    """Members and those above enter by themselves; others are entered at the desk."""
    player = _player(request)
    return (
        player is not None
        and Membership.objects.in_club(club).filter(player=player, role__gte=Role.MEMBER).exists()
    )


@decides("members of the event's club")
@require_POST
def enter(request: SignedInRequest, event: str) -> HttpResponse:
    """Enter oneself."""
    found, _role = known_event(request.user, event)
    player = _player(request)
    if player is None or not may_enter(request, found.club):
        raise PermissionDenied(
            _("Members of %(club)s enter its events; ask the director.") % {"club": found.club.name}
        )
    return _done(request, found, lambda: register(flight=_flight(found), players=[player]))


@decides("directors of the event's club")
@require_POST
def enter_somebody(request: SignedInRequest, event: str) -> HttpResponse:
    """The desk enters a player or a pair."""
    found, role = known_event(request.user, event)
    require_director(role)
    form = EnterForm(found.club, request.POST)
    if not form.is_valid():
        messages.error(request, " ".join(str(text) for texts in form.errors.values() for text in texts))
        return redirect(found)
    chosen = [form.cleaned_data[name] for name in ("first", "second") if form.cleaned_data[name]]
    players = [membership.player for membership in chosen]
    payment = form.cleaned_data["payment"]
    return _done(request, found, lambda: register(flight=_flight(found), players=players, payment=payment))


@decides("the entrant's players and directors of the club")
@require_POST
def leave(request: SignedInRequest, entrant: str) -> HttpResponse:
    """Take an entry back before the draw; afterwards a director takes the entrant out of what is left."""
    found, role = known_entrant(request.user, entrant)
    directs = role is not None and role >= Role.DIRECTOR
    if _player(request) not in found.players:
        require_director(role)
    if directs and is_drawn(found):
        return _done(request, found.flight.event, lambda: leave_stage(entrant=found, user=request.user))
    return _done(request, found.flight.event, lambda: withdraw(entrant=found))


@decides("directors of the event's club")
@require_POST
def check_in(request: SignedInRequest, entrant: str) -> HttpResponse:
    """Note who is there."""
    found, role = known_entrant(request.user, entrant)
    require_director(role)
    present = request.POST.get("present") != "no"
    return _done(request, found.flight.event, lambda: note_presence(entrant=found, present=present))


@decides("directors of the event's club")
@require_POST
def draw(request: SignedInRequest, event: str) -> HttpResponse:
    """Make the draw, once."""
    found, role = known_event(request.user, event)
    require_director(role)
    return _done(request, found, lambda: draw_stage(stage=stages_of(found)[0], user=request.user))


@decides("directors of the event's club")
@require_POST
def prizes(request: SignedInRequest, event: str) -> HttpResponse:
    """Write the prizes down."""
    found, role = known_event(request.user, event)
    require_director(role)
    return _done(request, found, lambda: approve_prizes(flight=_flight(found)))


def _done(request: HttpRequest, event: Event, action: Any) -> HttpResponse:
    """Do it and go back to the event; a refusal is shown there."""
    try:
        action()
    except (DeskRefusedError, DrawError, PrizeRefused, StaleError) as refused:
        messages.error(request, str(refused))
    return redirect(event)


def _flight(event: Event) -> Flight:
    return event.flights.order_by("position")[0]


def _player(request: HttpRequest) -> Player | None:
    return getattr(request.user, "player", None) if isinstance(request.user, User) else None
