"""The list below a field that searches for players."""

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from clubs.access import ClubRequest, club_role
from clubs.models import Club, Role
from clubs.people.fields import words_of
from clubs.people.search import find_people as search
from clubs.people.search import members


@club_role(Role.GUEST)
@require_safe
def find_people(request: ClubRequest, club: Club) -> HttpResponse:
    """List up to twenty of the club's players whose name contains ``q``.

    ``least=member`` leaves out guests; ``login=no`` finds only players without an account. With
    ``guests=new`` an unknown name is offered as a new guest.
    """
    least = Role.MEMBER if request.GET.get("least") == "member" else Role.GUEST
    people = members(club, least=least)
    if request.GET.get("login") == "no":
        people = people.filter(user=None)
    found = search(club, people, request.GET.get("q", ""))
    said = words_of(len(found.lines), more=found.more)
    guest = request.GET.get("q", "").strip() if request.GET.get("guests") == "new" else ""
    context = {"found": found, "said": said, "guest": guest}
    return render(request, "clubs/people/_people_found.html", context)
