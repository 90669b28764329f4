"""Page of two labels of a match side by side."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from clubs.access import decides
from scoring.analysis.queries.privacy import require_analysis
from scoring.matches.queries.label_pairs import label_pair, labels_of_match
from scoring.sheets.views.visible_match import visible_match


@decides("viewers of the match's club")
@require_safe
def labels(request: HttpRequest, match: str) -> HttpResponse:
    """Two analyses of the match, ``one`` and ``two``, by the decisions that differ most; 20 a page.

    403 where the players keep them to themselves.
    """
    found, _role = visible_match(request, match)
    require_analysis(request.user, found.pk)
    known = labels_of_match(found)
    one, two, start = (request.GET.get(name, "") for name in ("one", "two", "start"))
    pair = label_pair(found, known, one, two, start=int(start) if start.isdecimal() else 0)
    context = {"match": found, "club": found.club, "labels": known, "pair": pair}
    return render(request, "scoring/matches/labels.html", context)
