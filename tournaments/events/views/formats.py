"""The format chooser."""

from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from clubs.access import public
from clubs.http.parts import page_or_part
from clubs.models import Role, User
from scoring.log.queries.visible import clubs_of
from tournaments.events.forms.chooser import ChooserForm
from tournaments.events.queries.chooser import compared

BROUGHT = ("name", "starts_at")
"""What the wizard sends to the chooser and gets back."""


@public
@require_safe
def formats(request: HttpRequest) -> HttpResponse:
    """Compare simulated events of one size in each format."""
    usual = {"entrants": "16", "length": "5", "clocks": "on"}
    form = ChooserForm(usual | ({"clocks": ""} | request.GET.dict() if "entrants" in request.GET else {}))
    brought = [(name, request.GET[name]) for name in BROUGHT if request.GET.get(name)]
    context: dict[str, object] = {"form": form, "brought": brought}
    if form.is_valid():
        data = form.cleaned_data
        lines = compared(data["entrants"], form.conditions, form.feeding)
        context |= {
            "lines": [line for line in lines if line.sensible],
            "refused": [line for line in lines if not line.sensible],
            "entrants": data["entrants"],
            "length": data["length"],
            "carried": _carried(request, form),
        }
    if isinstance(request.user, User):
        context["clubs"] = clubs_of(request.user, least=Role.DIRECTOR).order_by("name", "pk")[:3]
    return page_or_part(request, "tournaments/events/formats.html", context, part="compared")


def _carried(request: HttpRequest, form: ChooserForm) -> str:
    """What the wizard begins with: the typed field, and what it had sent here itself."""
    typed = {name: value for name, value in form.cleaned_data.items() if value is not None}
    typed["clocks"] = "on" if typed["clocks"] else ""
    return urlencode(typed | {name: request.GET[name] for name in BROUGHT if request.GET.get(name)})
