"""The format chooser."""

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from clubs.access import public
from clubs.http.parts import page_or_part
from clubs.models import Role, User
from scoring.log.queries.visible import clubs_of
from tournaments.events.forms.chooser import ChooserForm
from tournaments.events.queries.chooser import compared


@public
@require_safe
def formats(request: HttpRequest) -> HttpResponse:
    """Compare simulated events of one size in each format."""
    usual = {"entrants": "16", "length": "5", "clocks": "on"}
    form = ChooserForm(usual | ({"clocks": ""} | request.GET.dict() if "entrants" in request.GET else {}))
    context: dict[str, object] = {"form": form}
    if form.is_valid():
        data = form.cleaned_data
        lines = compared(data["entrants"], form.conditions, form.feeding)
        context |= {
            "lines": [line for line in lines if line.sensible],
            "refused": [line for line in lines if not line.sensible],
            "entrants": data["entrants"],
            "length": data["length"],
        }
    if isinstance(request.user, User):
        context["clubs"] = clubs_of(request.user, least=Role.DIRECTOR).order_by("name", "pk")[:3]
    return page_or_part(request, "tournaments/events/formats.html", context, part="compared")
