"""PDFs of an event in A4 or Letter: brackets, standings, cards and slips."""

from collections.abc import Sequence

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from clubs.access import decides
from clubs.http.addresses import for_phones
from tournaments.display.paper import (
    PAPERS,
    Box,
    Grid,
    PrintedRound,
    PrintedSide,
    Slip,
    bracket_pdf,
    cards_pdf,
    grid_pdf,
    sheets_of,
    slips_pdf,
)
from tournaments.events.access import WHO_MAY_SEE, known_event, known_stage
from tournaments.models import Board, EventTable, PairingState
from tournaments.stages.drawing import figure, tie_break_figure
from tournaments.stages.queries.entrant_results import told
from tournaments.stages.queries.stage_picture import Picture, PictureCell, PictureColumn, SideMark, picture_of
from tournaments.stages.services.stages import load
from tournaments.stages.views.drawings import asks_for_clubs
from tournaments.words.reasons import TIE_BREAK_NAMES

KINDS = ("bracket", "small", "tables", "slips")
CARDS = 12  # if the event has no tables


@decides(WHO_MAY_SEE)
@require_safe
def print_stage(request: HttpRequest, stage: str) -> HttpResponse:
    """List the PDFs of a draw, or return the one in ``?what=``; with ``show=clubs`` a bracket has clubs."""
    found, _role = known_stage(request.user, stage)
    event = found.flight.event
    what = request.GET.get("what", "")
    if not what:
        context = {"stage": found, "event": event, "drawn": found.drawn_at is not None}
        context["paper"] = _paper(request)
        if found.drawn_at is not None:
            picture = picture_of(found, load(found))
            context |= {"is_bracket": picture.is_bracket, "in_parts": _in_parts(picture)}
            context["has_clubs"] = picture.is_bracket and picture.has_clubs
        return render(request, "tournaments/display/print.html", context)
    if what not in KINDS or found.drawn_at is None:
        raise Http404(_("This print is not available."))
    picture = picture_of(found, load(found))
    title, paper = f"{event.name}, {found.name}", _paper(request)
    if what == "slips":
        content = slips_pdf(event.name, _slips(request, picture), paper=paper)
    elif what == "tables" or not picture.is_bracket:
        content = grid_pdf(title, grids_of(picture), paper=paper)
    else:
        clubs = what == "bracket" and asks_for_clubs(request)
        sections = [
            (
                "" if section.title == found.name else section.title,
                _columns(picture, section.columns, clubs=clubs),
            )
            for section in picture.sections
        ]
        content = bracket_pdf(title, sections, paper=paper, one_page=what == "small")
    return _pdf(content, f"{what}-{found.ref}.pdf")


@decides(WHO_MAY_SEE)
@require_safe
def print_cards(request: HttpRequest, event: str) -> HttpResponse:
    """Table cards as PDF."""
    found, _role = known_event(request.user, event)
    rows = EventTable.objects.filter(event=found).in_order().values_list("number", "name")
    tables = list(rows) or [(number, "") for number in range(1, CARDS + 1)]
    cards = [
        (
            name or str(number),
            for_phones(request, reverse("tournaments:at_table", args=[found.ref, number])),
        )
        for number, name in tables
    ]
    return _pdf(cards_pdf(found.name, cards, paper=_paper(request)), f"tables-{found.ref}.pdf")


@decides(WHO_MAY_SEE)
@require_safe
def at_table(request: HttpRequest, event: str, table: int) -> HttpResponse:
    """Open the match at a table from the code on its card, else the event."""
    found, _role = known_event(request.user, event)
    here = Board.objects.filter(
        pairing__stage__flight__event=found, pairing__table=table, pairing__state=PairingState.OPEN
    )
    board = here.select_related("match").order_by("-pairing__called_at", "number").first()
    return redirect(found if board is None else board.match)


def _paper(request: HttpRequest) -> str:
    asked = request.GET.get("paper", "a4")
    if asked not in PAPERS:
        raise Http404(_("Choose A4 or Letter paper."))
    return asked


def _in_parts(picture: Picture) -> bool:
    """Whether a section of the bracket needs several pages at full size."""
    if not picture.is_bracket:
        return False
    return any(len(list(sheets_of(_columns(picture, each.columns)))) > 1 for each in picture.sections)


def _columns(
    picture: Picture, columns: Sequence[PictureColumn], *, clubs: bool = False
) -> list[PrintedRound]:
    return [
        PrintedRound(each.title, [_box(picture, cell, clubs=clubs) for cell in each.matches])
        for each in columns
        if each.matches
    ]


def _box(picture: Picture, cell: PictureCell, *, clubs: bool) -> Box:
    table = cell.placed.table if cell.placed and cell.state in {"called", "live"} else None
    sides = _side(picture, cell.a, clubs=clubs), _side(picture, cell.b, clubs=clubs)
    return Box(cell.number, *sides, cell.feeds, cell.winner_to, table)


def _side(picture: Picture, mark: SideMark, *, clubs: bool = False) -> PrintedSide:
    if not mark.number:
        return PrintedSide(mark.words)
    seed = picture.seeds.get(mark.number)
    named = picture.names[mark.number]
    return PrintedSide(named.title, mark.points, mark.won, seed, named.club if clubs else "")


def grids_of(picture: Picture) -> list[Grid]:
    """Standings, any crosstable, and the results of every round."""
    grids = [_standing(picture)] if picture.places else []
    if picture.cross:
        grids.append(_cross(picture))
    for section in picture.sections:
        for column in section.columns if picture.is_bracket else section.in_order:
            rows = [_result(picture, cell) for cell in column.cells if cell.state != "gap"]
            heads = (_("Match"), _("Player 1"), _("Player 2"), _("Result"))
            grids.append(Grid(column.title, heads, rows, (1, 5, 5, 2)))
    return grids


def _standing(picture: Picture) -> Grid:
    scored = {row.place.entrant: row for row in picture.table}
    keys = picture.tie_keys
    heads = [_("Place"), _("Entrant")]
    if keys:
        heads += [_("W–L"), _("Score"), *(_(TIE_BREAK_NAMES.get(key, key)) for key in keys)]
    rows = []
    won, lost = picture.records
    shown = {n: place.text for n, place in told(picture).items()}
    for place in picture.places:
        row = [shown.get(place.entrant, "–"), picture.names[place.entrant].title]
        if keys:
            line = scored[place.entrant]
            known = dict(line.values)
            record = f"{won[place.entrant]}–{lost[place.entrant]}"
            row += [record, figure(line.score), *(tie_break_figure(key, known.get(key)) for key in keys)]
        rows.append(row)
    return Grid(_("Standings"), heads, rows, (1.4, 6, *([1.8] * (len(heads) - 2))))


def _cross(picture: Picture) -> Grid:
    order = [place.entrant for place in picture.places] or sorted(picture.names)
    rows = [
        [
            str(index),
            picture.names[n].title,
            *(
                "×" if n == other else " ".join(map(figure, picture.cross.get((n, other), ())))
                for other in order
            ),
        ]
        for index, n in enumerate(order, 1)
    ]
    heads = ["#", _("Entrant"), *(str(index) for index in range(1, len(order) + 1))]
    return Grid(_("Crosstable"), heads, rows, (1, 6, *([1] * len(order))))


def _result(picture: Picture, cell: PictureCell) -> list[str]:
    sides = [_side(picture, mark) for mark in (cell.a, cell.b)]
    points = f"{sides[0].points}–{sides[1].points}" if sides[0].points is not None else ""
    return [str(cell.number), *(side.name for side in sides), f"{points} {cell.words}".strip()]


def _slips(request: HttpRequest, picture: Picture) -> list[Slip]:
    """A slip for each match to play; its code opens the scoresheet."""
    found = []
    for section in picture.sections:
        for column in section.columns if picture.is_bracket else section.in_order:
            for cell in column.cells:
                if cell.state not in {"ready", "called", "live"} or cell.placed is None:
                    continue
                names = [picture.names[mark.number].title for mark in (cell.a, cell.b)]
                address = (
                    reverse("scoring:match", args=[cell.placed.match])
                    if cell.placed.match
                    else reverse("tournaments:pairing", args=[cell.placed.ref])
                )
                length = column.length or picture.stage.length
                found.append(
                    Slip(
                        f"{column.title} #{cell.number}",
                        names[0],
                        names[1],
                        length,
                        cell.placed.table,
                        for_phones(request, address),
                    )
                )
    return found


def _pdf(content: bytes, name: str) -> HttpResponse:
    response = HttpResponse(content, content_type="application/pdf")
    response.headers["Content-Disposition"] = f'inline; filename="{name}"'
    return response
