"""The page that phones at the venue join by: on the director's screen or on the wall."""

from django import forms
from django.http import HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy as _

from clubs.access import SignedInRequest, decides
from clubs.http.addresses import for_phones, others_reach
from clubs.http.methods import shows_a_form
from tournaments.display.views.wall import qr_svg
from tournaments.events.access import directed_event
from tournaments.events.views.moved_events import needs_event_here

ESCAPED = str.maketrans({sign: f"\\{sign}" for sign in '\\;,:"'})


class WifiForm(forms.Form):
    """The venue's own network; it is shown as a code and kept nowhere."""

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
        """What phones read from a wifi code: the format that ZXing made, which cameras of phones know."""
        name = self.cleaned_data["network"].translate(ESCAPED)
        if password := self.cleaned_data["password"]:
            return f"WIFI:T:WPA;S:{name};P:{password.translate(ESCAPED)};;"
        return f"WIFI:T:nopass;S:{name};;"


@needs_event_here
@decides("directors of the event's club")
@shows_a_form
def join(request: SignedInRequest, event: str) -> HttpResponse:
    """The codes that bring phones into the venue's network and to the event's page."""
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
