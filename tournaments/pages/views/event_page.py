"""The event page, also as the answer to refused changes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.timezone import now
from django.utils.translation import gettext as _

from clubs.access import sees_lists
from clubs.http.parts import page_or_part
from clubs.models import Club, Membership, Player, Role, User
from scoring.drawing.figures import rating
from scoring.sharing.queries.embedding import snippet_of
from tournaments.core.stages.stage import Stage
from tournaments.core.timetable.breaks import current
from tournaments.display.queries.podiums import Podium, deciding_stages, podiums_of, prize_places
from tournaments.display.queries.summaries import summary_of
from tournaments.entries.forms.players import PartnersForm, PlayersForm
from tournaments.entries.services.entries import entries_open
from tournaments.entries.views.requests import is_member, player_of
from tournaments.events.access import is_director, known_event, may_direct
from tournaments.events.places import poster_link
from tournaments.events.queries.entrant_rows import numbers_of
from tournaments.events.queries.event_page import (
    FlightBlock,
    flight_blocks,
    numbers_in,
    own_entrants,
    with_prizes,
)
from tournaments.events.queries.visible import role_may_know
from tournaments.events.tabs import (
    DRAW,
    INFO,
    MATCHES,
    PLAYERS,
    PRIZES,
    STANDINGS,
    TABS,
    address_of,
    tab_behind,
)
from tournaments.events.views.answers import TypedReason, answers
from tournaments.events.views.conflicts import shown_at
from tournaments.models import EntrantRow, Event, EventStatus, Prize, StageRow, StageStatus
from tournaments.money.queries import PlannedPrizes, planned_prizes
from tournaments.pages.queries.entrant_standings import standings
from tournaments.pages.queries.field_lines import field_lines
from tournaments.pages.queries.match_list import match_list
from tournaments.pages.queries.mine import own_matches
from tournaments.pages.queries.open_ties import event_ties, stages_with_ties
from tournaments.pages.queries.timetable import timetable_of
from tournaments.pages.views.event_etag import CURRENT, KnownEvent, asked_stage
from tournaments.stages.queries.draw_pieces import cut, is_cut
from tournaments.stages.queries.ladders import to_climb
from tournaments.stages.queries.round_absences import to_report
from tournaments.stages.queries.stage_picture import Picture, seeds_of
from tournaments.stages.queries.stage_rows import names_among
from tournaments.stages.services.stages import load_all
from tournaments.stages.views.drawings import CLUBS, asks_for_clubs, drawing_of, drawn_picture
from tournaments.stages.views.pieces import shown_of

FEWEST = 2
"""Entrants of a draw."""
FRAME_HEIGHT = 800
"""Of a draw on another site, in CSS pixels."""
OVERVIEW, LIST = "overview", "list"
"""How a draw is looked at beside its sheet."""

Typed: TypeAlias = TypedReason | PlayersForm | None


@answers("event")
def event_as_it_is(
    request: HttpRequest,
    event: str,
    *,
    refused: str = "",
    typed: Typed = None,
    known: KnownEvent | None = None,
) -> HttpResponse:
    """The event page. With ``refused`` it is a 409 that keeps what was ``typed``.

    With why something was ``refused`` it is the answer to that (409), which keeps what was ``typed``. What
    the caller has loaded of the event is ``known``.
    """
    found, role = (known.event, known.role) if known else known_event(request.user, event)
    directs = may_direct(role, found)
    blocks = flight_blocks(found, request.user, known=known.stages if known else None)
    stages = [line.stage for block in blocks for line in block.stages]
    drawn = [stage for stage in stages if stage.drawn_at is not None]
    tabs = _tabs(found, blocks, drawn, runs=is_director(role))
    tab = _chosen(request, found, tabs, typed if refused else None)
    if tab == PRIZES or (tab == DRAW and found.status == EventStatus.FINISHED):
        blocks = with_prizes(blocks)
    is_open = entries_open(found, [block.flight for block in blocks])
    own = own_entrants(blocks, request.user)
    me = _who_enters(request, found, role, own) if is_open else None
    redrawable = [stage for stage in drawn if _redrawable(stage, found)]
    shown = [
        _shown(block, found, typed, directs=directs, me=me) | {"listed": len(block.stages) > 1 or block.drawn}
        for block in blocks
    ]
    entrants = {each.pk: each for block in blocks for each in block.everyone}
    played_in = {stage for each in own.values() for stage in numbers_of(each)}
    matches = own_matches(found, stages, own, entrants)
    at, on = now(), found.status in {EventStatus.ANNOUNCED, EventStatus.RUNNING}
    context: dict[str, Any] = {
        "event": found,
        "refused": refused,
        "typed": typed,
        "unsent": _unsent(typed, redrawable, shown),
        "redrawable": redrawable,
        "club": found.club,
        "directs": directs,
        "is_director": is_director(role),
        "belongs": role is not None,
        "my_matches": matches.next,
        "blocks": shown,
        "entered": sum(len(block.entered) for block in blocks),
        "to_arrange": matches.to_arrange,
        "climbs": to_climb(found, drawn, played_in, directs=directs),
        "to_report": to_report(found, drawn, played_in),
        "breaks": [pause for pause in found.pauses if pause.ends_at > at] if on else [],
        "break_on": current(found.pauses, at),
        "over_weeks": directs and found.status == EventStatus.FINISHED and len(blocks) > 1,
        "planned": not drawn,
        "titled": found.status == EventStatus.RUNNING,
        "several": len(blocks) > 1,
        "drawn": drawn,
        "drawable": _drawable(found, shown) if directs else [],
        "stages": stages,
        "tabs": tabs,
        "tab": tab,
        "here": address_of(found, tab if tab != tabs[0].key else ""),
        "signed_in": request.user.is_authenticated,
        "entries_open": is_open,
        "entries_begun": found.entries_from is None or found.entries_from <= at,
        "facts": tab == PLAYERS and all(each.key != INFO for each in tabs),
    }
    if tab == INFO or context["facts"]:
        context["directors"] = _directors(role, found.club)
        context["timetable"] = timetable_of(found, blocks)
        context["embeds"] = _embeds(request, found, drawn)
    stage = asked_stage(request, drawn, [block.mine for block in blocks if block.mine])
    values = load_all(_read_for(tab, found, blocks, stage))
    if tab == PLAYERS:
        for each in shown:
            each.update(_field(each["block"], values, runs=is_director(role), directs=directs))
    if tab == PRIZES:
        for each in shown:
            each["planned"], each["pools"] = _planned_prizes(each["block"]), _by_pool(each["block"], values)
    if stage is not None and tab in {DRAW, MATCHES, STANDINGS}:
        if len(drawn) > 1 or request.GET.get("stage") == CURRENT:
            named = CURRENT if request.GET.get("stage") == CURRENT else stage.ref
            context |= {"here": address_of(found, tab, named), "current": named == CURRENT}
        context |= _of_draw(request, tab, stage, blocks)
        clubs = asks_for_clubs(request)
        context["draw_here"] = _draw_here(request, context["here"], clubs=clubs)
        if context.get("has_clubs"):
            context["other_clubs"] = _draw_here(request, context["here"], clubs=not clubs)
    if tab == DRAW:
        context["ties"] = event_ties(blocks, values)
    if tab == DRAW and found.status == EventStatus.FINISHED:
        context["podiums"] = podiums_of(blocks, values)
    context |= _preview(request, found, blocks, context.get("podiums", ()))
    status = 409 if refused else 200
    at_home = shown_at(request, found.get_absolute_url())
    asked = request.headers.get("HX-Target", "")
    part = asked if asked in {"event-now", "stage"} and tab == DRAW else "event"
    return page_or_part(at_home, "tournaments/pages/event.html", context, part=part, status=status)


def _preview(
    request: HttpRequest, event: Event, blocks: Sequence[FlightBlock], podiums: Sequence[Podium]
) -> dict[str, Any]:
    """What a link to the page is previewed with: of one division that is over, its winner."""
    first = [podium.lines[0] for podium in podiums[:1] if len(blocks) == 1]
    winners = [line.entrant.title for line in first if line.first == line.last == 1]
    picture = poster_link(event) or reverse("tournaments:event_png", args=[event.ref])
    return {
        "summary": summary_of(event, blocks, winners),
        "page_link": request.build_absolute_uri(event.get_absolute_url()),
        "picture_link": request.build_absolute_uri(picture),
    }


def _embeds(request: HttpRequest, event: Event, drawn: Sequence[StageRow]) -> list[tuple[StageRow, str]]:
    """The draws that another site can show, each with the HTML that does it."""
    if not role_may_know(None, event):
        return []
    found = []
    for stage in drawn:
        address = request.build_absolute_uri(reverse("tournaments:draw_embed", args=[stage.ref]))
        title = f"{event.name}, {stage.name}"
        found.append((stage, snippet_of(address, title, width="100%", height=FRAME_HEIGHT)))
    return found


def _directors(role: Role | None, club: Club) -> list[str]:
    """Names of the club's directors, if the viewer can see members (one query)."""
    if not sees_lists(role, club):
        return []
    found = Membership.objects.in_club(club).filter(role__gte=Role.DIRECTOR).with_player()
    return [each.player.name for each in found.order_by("player__person__sort_key", "pk")]


def _who_enters(
    request: HttpRequest, event: Event, role: Role | None, own: Mapping[int, EntrantRow]
) -> Player | None:
    """The viewer's player if they can enter online: as a member or above.

    One query, none for a visitor and with an entrant; one more for a site administrator.
    """
    if role is None or role < Role.MEMBER or not isinstance(request.user, User):
        return None
    players = (
        player for each in own.values() for player in each.players if player.user_id == request.user.pk
    )
    player = next(players, None) or player_of(request)
    if player is None or (request.user.is_superuser and not is_member(player, event)):
        return None
    return player


def _read_for(
    tab: str, event: Event, blocks: Sequence[FlightBlock], stage: StageRow | None
) -> list[StageRow]:
    """The draws whose logs a tab shows something of, all of which are read at once.

    That of the ``stage`` which it draws is left out if no other is read: its drawing may be there already.
    """
    found: list[StageRow] = []
    if tab == PLAYERS:
        found = [block.stages[0].stage for block in blocks]
    if tab == PRIZES:
        found = deciding_stages(block for block in blocks if block.prizes)
    if tab == DRAW:
        found = stages_with_ties(blocks)
    if tab == DRAW and event.status == EventStatus.FINISHED:
        found += deciding_stages(blocks)
    if tab == DRAW and stage is not None and found:
        found.append(stage)
    return [stage for stage in dict.fromkeys(found) if stage.drawn_at is not None]


def _field(block: FlightBlock, values: Mapping[int, Stage], *, runs: bool, directs: bool) -> dict[str, Any]:
    """Entrants with their seeds once drawn, else by name (no query)."""
    stage = block.stages[0].stage
    by_number = seeds_of(values[stage.pk]) if stage.pk in values else {}
    numbers = {each.ref: numbers_of(each).get(stage.pk, 0) for each in block.entered}
    seeds = {ref: by_number[number] for ref, number in numbers.items() if number in by_number}
    field = field_lines(block, seeds, runs=runs, directs=directs)
    return {
        "average": rating(block.average_rating) if block.average_rating is not None else "",
        "field": field,
        "seeded": any(each.seed for each in field),
        "rated": any(each.rating for each in field),
    }


def _planned_prizes(block: FlightBlock) -> list[PlannedPrizes]:
    """Planned prizes of the flight, until prizes are approved."""
    if block.prizes:
        return []
    return planned_prizes(block.flight, block.takings.pool, len(block.entered) + len(block.left))


def _by_pool(block: FlightBlock, values: Mapping[int, Stage]) -> dict[str, list[tuple[str, Prize]]]:
    """Approved prizes by pool, highest first, with their places ("" if none)."""
    places = prize_places(block, values) if block.prizes else {}
    found: dict[str, list[tuple[str, Prize]]] = {}
    for prize in block.prizes:
        place = places.get((prize.source, prize.entrant_id), "")
        found.setdefault(prize.source, []).append((place, prize))
    return found


@dataclass(frozen=True, slots=True)
class Tab:
    """A tab of the page: name, count and address."""

    key: str
    label: str
    address: str
    count: int | None = None


def _tabs(event: Event, blocks: Sequence[FlightBlock], drawn: Sequence[StageRow], *, runs: bool) -> list[Tab]:
    """The tabs of an event; the first one opens by default.

    Before the draw, facts stand above the players, and the info tab is only for those who run it (``runs``).
    """
    entered = sum(len(block.entered) for block in blocks)
    names = {
        DRAW: _("Bracket") if all(stage.is_bracket for stage in drawn) else _("Standings"),
        MATCHES: _("Matches"),
        STANDINGS: _("Standings"),
        PLAYERS: _("Players"),
        PRIZES: _("Prizes"),
        INFO: _("Info"),
    }
    has = {DRAW: bool(drawn), MATCHES: bool(drawn), PLAYERS: True, INFO: bool(drawn) or runs}
    has[STANDINGS] = any(stage.is_bracket for stage in drawn)
    has[PRIZES] = any(
        block.takings.pool or block.takings.kept or block.has_prizes or block.flight.pools for block in blocks
    )
    if has[DRAW] and not all(stage.is_bracket for stage in drawn):
        names[DRAW] = _("Draw") if has[STANDINGS] else _("Standings")
        if any(stage.rounds_first for stage in drawn):
            names[DRAW], has[STANDINGS] = _("Draw"), True
    keys = [key for key in TABS if has.get(key)]
    return [
        Tab(key, names[key], address_of(event, key if n else ""), entered if key == PLAYERS else None)
        for n, key in enumerate(keys)
    ]


def _chosen(request: HttpRequest, event: Event, tabs: Sequence[Tab], typed: Typed) -> str:
    """The requested tab, or the one with the refused form that was ``typed``.

    Raises Http404 for an unknown tab.
    """
    asked = request.GET.get("tab", "") or tab_behind(request, event)
    if asked and asked not in TABS:
        raise Http404(_("Page not found."))
    if isinstance(typed, TypedReason):
        asked = INFO
    elif typed is not None:
        asked = PLAYERS
    return asked if any(tab.key == asked for tab in tabs) else tabs[0].key


def _of_draw(
    request: HttpRequest, tab: str, stage: StageRow, blocks: Sequence[FlightBlock]
) -> dict[str, Any]:
    """The context of a tab for one draw."""
    own = frozenset(block.mine.ref for block in blocks if block.mine)
    entrants = [each for block in blocks for each in block.everyone]
    names = names_among(entrants).get(stage.pk)
    if tab == MATCHES:
        return {"stage": stage, "matches": match_list(drawn_picture(stage, names=names), own)}
    if tab == STANDINGS and stage.is_bracket:
        return {"stage": stage, "standings": standings(drawn_picture(stage, names=names), own)}
    clubs = tab == DRAW and asks_for_clubs(request)
    view = request.GET.get("view", "") if tab == DRAW else ""
    if view in {OVERVIEW, LIST}:
        picture = drawn_picture(stage, clubs=clubs, names=names)
        context = _another_view(request, view, picture) | {"clubs": clubs}
        if not is_cut(picture):
            return context
    drawing, _digest = drawing_of(stage, share=tab == DRAW, clubs=clubs, names=names)
    numbers = numbers_in(stage, entrants, request.user)
    shown = shown_of(request, stage, drawing, numbers, names) if tab == DRAW else None
    if view in {OVERVIEW, LIST}:
        sections = [section for piece, section in cut(picture) if shown and piece.key == shown.piece.key]
        return context | {"shown": shown, "sections": sections, "view": LIST}
    known = {"clubs": clubs, "has_clubs": drawing.has_clubs}
    return {"stage": stage, "drawing": drawing, "shown": shown} | known


def _another_view(request: HttpRequest, view: str, picture: Picture) -> dict[str, Any]:
    """A draw as an overview or list."""
    context: dict[str, Any] = {"stage": picture.stage, "picture": picture, "sections": picture.sections}
    context |= {"view": view, "has_clubs": picture.has_clubs}
    if view == OVERVIEW:
        trimmed = [section.from_open for section in picture.sections]
        context |= {"hides": trimmed != [*picture.sections], "open_rounds": "rounds" in request.GET}
        if context["open_rounds"]:
            context["sections"] = trimmed
    return context


def _draw_here(request: HttpRequest, here: str, *, clubs: bool) -> str:
    """The address of the draw as it is shown, the same piece of a large one, with or without ``clubs``."""
    asked = {
        key: request.GET[key]
        for key in ("view", "rounds", "part", "match", "entrant", "find")
        if key in request.GET
    }
    if clubs:
        asked["show"] = CLUBS
    return f"{here}{'&' if '?' in here else '?'}{urlencode(asked)}" if asked else here


def _drawable(event: Event, shown: Sequence[Mapping[str, Any]]) -> list[StageRow]:
    """Stages that can be drawn now: with enough entries, or a confirmed field."""
    found: list[StageRow] = []
    for each in shown:
        block: FlightBlock = each["block"]
        if each["open"] and len(block.entered) >= FEWEST:
            found.append(block.stages[0].stage)
        elif event.status == EventStatus.RUNNING:
            found += [line.stage for line in block.stages if line.sources and line.drawable]
    return found


def _redrawable(stage: StageRow, event: Event) -> bool:
    """Whether the page offers a redraw; one with a started match is refused later."""
    return stage.status == StageStatus.RUNNING and event.status == EventStatus.RUNNING


def _unsent(typed: Typed, redrawable: Sequence[StageRow], shown: Sequence[Mapping[str, Any]]) -> str:
    """Typed values of a form that the page no longer has."""
    if isinstance(typed, TypedReason):
        return "" if typed.stage in redrawable else typed.reason
    kept = any(each["enter"] is typed for each in shown)
    return "" if typed is None or kept else typed.typed()


def _shown(
    block: FlightBlock, event: Event, typed: Typed, *, directs: bool, me: Player | None
) -> dict[str, Any]:
    """A flight with the form in which the viewer enters it, as it was ``typed``.

    Directors enter teams, their own too, on the table of entries.
    """
    over = event.is_away or block.called_off or event.status in {EventStatus.CANCELLED, EventStatus.FINISHED}
    open_here = block.planned and not over
    by_desk = directs and (block.flight.team_size or 1) > 1
    enters = me if open_here and block.mine is None and not by_desk else None
    return {
        "block": block,
        "open": open_here,
        "may_enter": enters is not None,
        "enter": _typed(PartnersForm, block, typed) or PartnersForm(block.flight, enters) if enters else None,
        "to_change": directs and not over,
        "to_cancel": directs and open_here,
    }


def _typed(kind: type[PlayersForm], block: FlightBlock, typed: Typed) -> PlayersForm | None:
    """The submitted form of this kind for this flight, if any."""
    return typed if isinstance(typed, kind) and typed.flight == block.flight else None
