"""QR codes for phones at the venue, on the director's screen."""

from django import forms
from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy as _

from clubs.access import SignedInRequest, decides
from clubs.http.addresses import for_phones, others_reach
from clubs.http.methods import shows_a_form
from tournaments.display.views.wall import qr_svg
from tournaments.events.access import DIRECTORS, directed_event
from tournaments.events.views.moved_events import needs_event_here

ESCAPED = str.maketrans({sign: f"\\{sign}" for sign in '\\;,:"'})


class WifiForm(forms.Form):
    """The venue's wifi, shown as a QR code and not stored."""

    network = forms.CharField(label=_("Wifi name"), max_length=32)
    password = forms.CharField(
        label=_("Wifi password"),
        min_length=8,
        max_length=63,
        required=False,
        help_text=_("Blank = open network. The password is not stored."),
        widget=forms.TextInput({"autocomplete": "off", "spellcheck": "false"}),
    )

    def code(self) -> str:
        """Text of a wifi QR code, in the ZXing format that phones read."""
        name = self.cleaned_data["network"].translate(ESCAPED)
        if password := self.cleaned_data["password"]:
            return f"WIFI:T:WPA;S:{name};P:{password.translate(ESCAPED)};;"
        return f"WIFI:T:nopass;S:{name};;"


@needs_event_here
@decides(DIRECTORS)
@shows_a_form
def join(request: SignedInRequest, event: str) -> HttpResponse:
    """Show QR codes for the venue's wifi and the event page."""
    found = directed_event(request.user, event)
    form = WifiForm(request.POST or None)
    address = for_phones(request, found.get_absolute_url())
    context = {
        "event": found,
        "form": form,
        "address": address,
        "code": qr_svg(address),
        "reached": others_reach(request),
        "wifi": None,
    }
    if request.method == "POST" and form.is_valid():
        context |= {"wifi": qr_svg(form.code()), "network": form.cleaned_data["network"]}
    response = render(request, "tournaments/display/join.html", context)
    response.headers["Cache-Control"] = "no-store"
    return response
