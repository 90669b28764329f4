"""Create a match, or join one by its scoring link."""

from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse

from clubs.access import ClubRequest, club_role, public
from clubs.http.methods import shows_a_form
from clubs.models import Club, Player, Role
from clubs.people.search import members
from scoring.files.services.aliases import player_named
from scoring.log.queries.words import text_of
from scoring.matches.forms.match import GAMES, RESULT, NewMatchForm
from scoring.models import Match
from scoring.profiles.queries.profiles import profiles_of
from scoring.rules.errors import ScoringError
from scoring.rules.sides import Side
from scoring.sheets.services.claims import ClaimRefused, claim_of, open_claim
from scoring.sheets.services.openings import open_match


@club_role(Role.MEMBER)
@shows_a_form
def new_match(request: ClubRequest, club: Club) -> HttpResponse:
    """Create a match from the form and open its scoresheet."""
    data = request.POST if request.method == "POST" else None
    # A site administrator may be nobody's player, or not in the club.
    player = members(club).filter(user=request.user).with_person().first()
    form = NewMatchForm(data, club=club, player=player, profiles=profiles_of(club))
    if form.is_bound and form.is_valid():
        try:
            match = opened(form, club, request)
        except ScoringError as error:
            form.add_error(None, text_of(error, {side: form.name_of(side) for side in Side}))
        else:
            sheet = reverse("scoring:scoresheet", args=[match.ref])
            depth = form.cleaned_data["depth"]
            return redirect(f"{sheet}?depth={depth}" if depth in {GAMES, RESULT} else sheet)
    return render(request, "scoring/matches/new_match.html", {"club": club, "form": form})


@transaction.atomic
def opened(form: NewMatchForm, club: Club, request: ClubRequest) -> Match:
    """Create the match of a valid form; new guest names become players of the club."""

    def players(side: str) -> list[Player]:
        named = form.seated(side)
        return [player_named(club=club, name=each) if isinstance(each, str) else each for each in named]

    return open_match(
        club=club,
        white=players("white"),
        black=players("black"),
        length=form.points,
        profile=form.chosen,
        user=request.user,
        played_at=form.played,
        handicap=form.handicap,
    )


@public
@shows_a_form
def join_sheet(request: HttpRequest, code: str) -> HttpResponse:
    """Open a claim by its code, which lets the holder score its one match."""
    claim = claim_of(code)
    if claim is None:
        return render(request, "scoring/sheets/join_sheet.html", {"match": None}, status=404)
    if request.method == "POST":
        try:
            match = open_claim(code=code, session=request.session)
        except ClaimRefused:  # it has ended since it was looked up
            return render(request, "scoring/sheets/join_sheet.html", {"match": None}, status=404)
        return redirect("scoring:scoresheet", match=match.ref)
    match = Match.objects.with_players().get(pk=claim.sheet.match.pk)
    return render(request, "scoring/sheets/join_sheet.html", {"match": match})
