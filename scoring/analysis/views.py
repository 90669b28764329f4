"""Page of a club's analysis engine."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from clubs.access import ClubRequest, club_role
from clubs.http.methods import shows_a_form
from clubs.models import Club, Role
from scoring.analysis.forms import ClubEngineForm
from scoring.analysis.services.club_engines import choose_engine


@club_role(Role.OWNER)
@shows_a_form
def club_analysis(request: ClubRequest, club: Club) -> HttpResponse:
    """Choose the engine and preset of the club's analyses."""
    form = ClubEngineForm(request.POST if request.method == "POST" else None, club=club)
    if form.is_valid():
        choose_engine(club=club, **form.chosen)
        messages.success(request, _("Settings saved."))
        return redirect("clubs:edit_club", club.slug)
    return render(request, "scoring/analysis/club_engine.html", {"form": form, "club": club})
