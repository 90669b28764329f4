"""Report of an event as page, CSV and JSON."""

import csv
from io import StringIO
from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from clubs.access import decides
from tournaments.display.queries.report import (
    error_rates,
    matches_of,
    results_in,
    standings_of,
    statistics,
)
from tournaments.events.access import WHO_MAY_SEE, known_event
from tournaments.stages.queries.stage_picture import Picture

# Spreadsheets run text that starts with one of these as a formula; names are free text.
FORMULA = ("=", "+", "-", "@", "\t", "\r")


@decides(WHO_MAY_SEE)
@require_safe
def report(request: HttpRequest, event: str) -> HttpResponse:
    """Show standings, results, statistics and error rates."""
    found, _role = known_event(request.user, event)
    standings = standings_of(found)
    matches = matches_of(standings, request.user)
    context = {
        "event": found,
        "club": found.club,
        "pictures": standings.pictures,
        "results": list(results_in(standings.pictures)),
        "statistics": statistics(matches),
        "rates": error_rates(matches),
        "prizes": standings.prizes,
    }
    return render(request, "tournaments/display/report.html", context)


@decides(WHO_MAY_SEE)
@require_safe
def report_csv(request: HttpRequest, event: str) -> HttpResponse:
    """All results as CSV, one per line."""
    found, _role = known_event(request.user, event)
    text = StringIO()
    writer = csv.writer(text)
    heads = ("stage", "round", "match", "first", "second", "first_points", "second_points")
    writer.writerow((*heads, "winner", "ended", "confirmed", "match_ref"))
    for line in results_in(standings_of(found).pictures):
        points = ("" if each is None else each for each in (line.first_points, line.second_points))
        writer.writerow(
            (
                *(_plain(each) for each in (line.stage, line.round)),
                line.number,
                *(_plain(each) for each in (line.first, line.second)),
                *points,
                _plain(line.winner),
                _plain(line.words),
                "yes" if line.confirmed else "no",
                line.match,
            )
        )
    return _file(text.getvalue(), "text/csv; charset=utf-8", f"event-{found.ref}.csv")


@decides(WHO_MAY_SEE)
@require_safe
def report_json(request: HttpRequest, event: str) -> HttpResponse:
    """Standings and results as JSON, by ref; names can be erased."""
    found, _role = known_event(request.user, event)
    stages = [_stage_json(picture) for picture in standings_of(found).pictures]
    body = {"event": found.ref, "status": found.status, "stages": stages}
    response = JsonResponse(body, json_dumps_params={"indent": 1})
    response.headers["Content-Disposition"] = f'attachment; filename="event-{found.ref}.json"'
    return response


def _stage_json(picture: Picture) -> dict[str, Any]:
    refs = {number: named.ref for number, named in picture.names.items()}
    return {
        "stage": picture.stage.ref,
        "format": picture.stage.format,
        "status": picture.stage.status,
        "standing": [
            {"entrant": refs[place.entrant], "first": place.first, "last": place.last}
            for place in picture.places
        ],
        "results": [
            {
                "match": number,
                "winner": refs[outcome.winner],
                "loser": refs[outcome.loser],
                "ended": outcome.ended.value,
                "points": list(outcome.points) if outcome.points else None,
                "confirmed": outcome.confirmed,
            }
            for number, outcome in sorted(picture.value.outcomes.items())
        ],
    }


def _plain(text: str) -> str:
    """The text as a cell that spreadsheets do not run."""
    return f"'{text}" if text.startswith(FORMULA) else text


def _file(content: str, kind: str, name: str) -> HttpResponse:
    response = HttpResponse(content, content_type=kind)
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return response
