"""The errors of a match as XGIDs, for other programs."""

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from clubs.access import decides
from scoring.analysis.queries.privacy import require_analysis
from scoring.matches.queries.match_page import MatchPage
from scoring.matches.queries.stops import BigError, Stop
from scoring.matches.views.wanted import seat_of, wanted_of
from scoring.notation.xgid import xgid_at
from scoring.rules.errors import ScoringError
from scoring.rules.sides import Side
from scoring.sheets.views.visible_match import visible_match
from scoring.theory.decisions import DecisionKind


@decides("viewers of the match's club who can see its analysis")
@require_safe
def error_list(request: HttpRequest, match: str) -> HttpResponse:
    """The errors of a match, one a line, largest first: XGID, loss, player, played, best.

    Separated by tabs, filtered as on the match page. A position that has no XGID is left out. 403 where the
    players keep the analysis.
    """
    found, _role = visible_match(request, match)
    require_analysis(request.user, found.pk)
    viewer = seat_of(request, found)
    wanted = wanted_of(request, viewer)
    page = MatchPage(found, judged=True, viewer=viewer, wanted=wanted, shown=request.GET.get("analysis", ""))
    lines = [line for line in page.errors if wanted.includes(line.judgement, line.stop)]
    heads = "\t".join([_("XGID"), _("Loss"), _("Player"), _("Played"), _("Best")])
    rows = [row for line in lines if (row := _row(line, page.names))]
    response = HttpResponse("\n".join([heads, *rows, ""]), content_type="text/plain; charset=utf-8")
    response.headers["Content-Disposition"] = f'attachment; filename="midpoint-{found.ref}-errors.txt"'
    response.headers["Cache-Control"] = "private, no-cache"
    return response


def _row(line: BigError, names: dict[Side, str]) -> str:
    decision = line.judgement.decision
    xgid = _xgid(line.stop, decision.kind)
    if not xgid:
        return ""
    best = decision.best.action if decision.best else ""
    return "\t".join([xgid, f"{line.judgement.error:.3f}", names[decision.side], decision.played, best])


def _xgid(stop: Stop, kind: DecisionKind) -> str:
    """The position that was decided on; before the roll for a cube action."""
    try:
        xgid = xgid_at(stop.step.before, stop.step.score)
    except ScoringError:
        return ""
    if kind is DecisionKind.CHECKER or stop.step.roll is None:
        return f"XGID={xgid}"
    fields = xgid.split(":")
    fields[4] = "00"
    return f"XGID={':'.join(fields)}"
