"""The style page: every token, component and state."""

from django import forms
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from clubs.access import public

CORE_TOKENS = ("paper", "ink", "felt", "oxblood", "brass", "stone", "linen")
OTHER_TOKENS = ("card", "edge", "felt-wash", "oxblood-wash", "brass-wash", "brass-fill", "felt-deep")
TYPE_SCALE = (
    ("figure", "2.986"),
    ("hero", "2.488"),
    ("display", "2.074"),
    ("head", "1.728"),
    ("title", "1.44"),
    ("large", "1.2"),
    ("text", "1"),
    ("small", "0.833"),
)


ICONS = (
    "now",
    "events",
    "matches",
    "ratings",
    "me",
    "club",
    "mail",
    "key",
    "upload",
    "undo",
    "first",
    "previous",
    "next",
    "last",
    "settings",
    "leave",
)


class SampleForm(forms.Form):
    """One field of every kind."""

    name = forms.CharField(label=_("Name"), max_length=80, help_text=_("As shown in the draw."))
    email = forms.EmailField(label=_("Email"), required=False)
    length = forms.IntegerField(
        label=_("Match length"), min_value=1, max_value=25, help_text=_("Points, 1 to 25.")
    )
    formula = forms.ChoiceField(
        label=_("Rating formula"), choices=[("fibs", _("FIBS Elo")), ("glicko", _("Glicko-2"))]
    )
    colour = forms.ChoiceField(
        label=_("Your checkers"),
        choices=[("white", _("White")), ("black", _("Black"))],
        widget=forms.RadioSelect,
    )
    note = forms.CharField(label=_("Note"), required=False, widget=forms.Textarea(attrs={"rows": 3}))
    file = forms.FileField(
        label=_("Match file"), required=False, help_text=_(".mat, .txt, .xg, .sgf or .bgf, up to 2 MB.")
    )
    news = forms.BooleanField(label=_("Email me the results"), required=False)

    def clean_length(self) -> int:
        """Accept odd lengths only."""
        length: int = self.cleaned_data["length"]
        if length % 2 == 0:
            raise ValidationError(
                _("%(value)s is even; this club plays odd lengths such as %(next)s."),
                params={"value": length, "next": length + 1},
            )
        return length


@public
@require_safe
def style(request: HttpRequest) -> HttpResponse:
    """Show all components, with a new form and the same form refused."""
    given = {"name": "", "email": "anna(at)example.org", "length": "8", "formula": "fibs", "colour": "white"}
    refused = SampleForm({f"refused-{name}": value for name, value in given.items()}, prefix="refused")
    levels = (
        (messages.DEFAULT_TAGS[messages.SUCCESS], _("Saved."), _("Anna Berg leads 3–1 in a match to 5.")),
        (messages.DEFAULT_TAGS[messages.INFO], _("Analysed."), _("Two decisions of game 3 are new.")),
        (
            messages.DEFAULT_TAGS[messages.WARNING],
            _("Not sent yet."),
            _("Three results are waiting for a connection."),
        ),
        (
            messages.DEFAULT_TAGS[messages.ERROR],
            _("Refused."),
            _("24/18 is blocked: 4 checkers on the 18 point."),
        ),
    )
    return render(
        request,
        "clubs/shell/style.html",
        {
            "core_tokens": CORE_TOKENS,
            "other_tokens": OTHER_TOKENS,
            "type_scale": TYPE_SCALE,
            "form": SampleForm(),
            "refused": refused,
            "levels": levels,
            "icons": ICONS,
        },
    )
