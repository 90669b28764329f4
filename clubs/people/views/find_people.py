"""Whom a typed name may mean: what a field that looks for people shows below it."""

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
    """The club's people in whose name ``q`` is, twenty at most; ``least=member`` leaves its guests out,
    ``login=no`` finds those alone who have none. With ``guests=new`` a name that nobody has is a guest's.
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
