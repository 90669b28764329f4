"""Files of a chouette: the ledger as CSV, the full record as JSON, the summary as PNG."""

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from clubs.access import decides
from clubs.http.pictures import answer_picture
from scoring.chouettes.queries.exports import ledger_csv, night_json
from scoring.chouettes.queries.summary import summary_of
from scoring.chouettes.views.chouette import SEATED, table_for
from scoring.drawing.totals_picture import draw_totals

SITE = "Midpoint"


@decides(SEATED)
@require_safe
def chouette_csv(request: HttpRequest, chouette: str) -> HttpResponse:
    """The ledger, one line per player and game."""
    seen = table_for(request, chouette)
    return _file(ledger_csv(seen).encode(), "text/csv; charset=utf-8", f"chouette-{chouette}.csv")


@decides(SEATED)
@require_safe
def chouette_json(request: HttpRequest, chouette: str) -> HttpResponse:
    """The full record with every event of the log."""
    seen = table_for(request, chouette)
    return _file(night_json(seen), "application/json", f"chouette-{chouette}.json")


@decides(SEATED)
@require_safe
def chouette_png(request: HttpRequest, chouette: str) -> HttpResponse:
    """The summary as a picture: totals and payments."""
    summary = summary_of(table_for(request, chouette))
    foot = f"{SITE} · {request.get_host()}"
    return answer_picture(
        request,
        repr((summary, foot)),
        "image/png",
        lambda: draw_totals(summary.heading, summary.facts, summary.totals, summary.payments, foot),
    )


def _file(content: bytes, media_type: str, name: str) -> HttpResponse:
    response = HttpResponse(content, content_type=media_type)
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    response.headers["Cache-Control"] = "private, no-cache"
    return response
