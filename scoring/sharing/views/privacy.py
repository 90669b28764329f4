"""The pages on which players choose who can see their analyses."""

from typing import Self

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from clubs.access import SignedInRequest, decides, signed_in
from clubs.http.methods import shows_a_form
from clubs.http.sent_once import each_time
from clubs.models import AnalysesShown, User
from scoring.sharing.queries.privacy import choice_of
from scoring.sharing.services.privacy import PrivacyRefused, choose_match_privacy, choose_privacy
from scoring.sheets.views.visible_match import visible_match

DEFAULT = "default"
"""The value that leaves the choice to the club, or for one match to the player's general choice."""


class PrivacyForm(forms.Form):
    """Who can see the analyses of a player's matches."""

    shown = forms.ChoiceField(
        label=gettext_lazy("Who can see analyses of my matches"),
        choices=[(DEFAULT, gettext_lazy("Each club’s default")), *AnalysesShown.choices],
        widget=forms.RadioSelect,
        help_text=gettext_lazy("If one player chooses “The two players only”, it holds for both."),
    )

    @classmethod
    def showing(cls, chosen: AnalysesShown | None) -> Self:
        """The form before anything is sent."""
        return cls(initial={"shown": chosen or DEFAULT})

    @property
    def choice(self) -> AnalysesShown | None:
        given = self.cleaned_data["shown"]
        return None if given == DEFAULT else AnalysesShown(given)


class MatchPrivacyForm(PrivacyForm):
    """Who can see the analyses of one match."""

    shown = forms.ChoiceField(
        label=gettext_lazy("Who can see this analysis"),
        choices=[(DEFAULT, gettext_lazy("My general setting")), *AnalysesShown.choices],
    )


@signed_in
@never_cache
@shows_a_form
def privacy(request: SignedInRequest) -> HttpResponse:
    """Choose who can see the analyses of one's own matches."""
    form = PrivacyForm(request.POST) if request.POST else PrivacyForm.showing(choice_of(request.user))
    if form.is_valid():
        choose_privacy(user=request.user, shown=form.choice)
        messages.success(request, _("Privacy saved."))
        return redirect("scoring:privacy")
    return render(request, "scoring/sharing/privacy.html", {"form": form})


@decides("players of the match")
@require_POST
@each_time
def match_privacy(request: HttpRequest, match: str) -> HttpResponse:
    """Choose who can see the analyses of one match."""
    found, _role = visible_match(request, match)
    form = MatchPrivacyForm(request.POST)
    user = request.user
    if not isinstance(user, User):
        messages.error(request, _("Sign in to choose who sees this analysis."))
    elif not form.is_valid():
        messages.error(request, str(form.errors["shown"][0]))
    else:
        try:
            choose_match_privacy(user=user, match=found, shown=form.choice)
        except PrivacyRefused as refused:
            messages.error(request, str(refused))
        else:
            messages.success(request, _("Privacy saved."))
    return redirect(found)
