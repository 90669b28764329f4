"""The page on which a pasted list of players is added to a club."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import ngettext

from clubs.access import ClubRequest, club_role
from clubs.clubs.forms import COLUMNS, MemberListForm
from clubs.clubs.services.clubs import ClubRefused
from clubs.clubs.services.member_lists import AddedMembers, ReadMembers, add_members, read_members
from clubs.http.methods import shows_a_form
from clubs.models import Club, Role


@club_role(Role.DIRECTOR)
@shows_a_form
def member_list(request: ClubRequest, club: Club) -> HttpResponse:
    """Show what a list would do, and add it once each row can be added or is left out."""
    form = MemberListForm(request.POST or None)
    if request.method != "POST" or not form.is_valid():
        return _page(request, club, form)
    chosen: dict[str, Any] = {
        "text": form.cleaned_data["members"],
        "columns": form.columns(),
        "headed": form.headed(),
    }
    if "commit" in request.POST:
        role = form.cleaned_data["role"]
        try:
            added = add_members(club=club, role=role, leave_out=form.leave_out(), **chosen)
        except ClubRefused as refused:
            form.add_error(None, str(refused))
        else:
            messages.success(request, _said(added))
            return redirect("clubs:people", club.slug)
    return _page(request, club, form, read_members(club=club, **chosen))


def _page(
    request: HttpRequest, club: Club, form: MemberListForm, read: ReadMembers | None = None
) -> HttpResponse:
    context: dict[str, Any] = {"club": club, "form": form}
    status = 409 if form.non_field_errors() else 200
    if read is not None:
        left_out = form.leave_out()
        lines = [line for line in read.lines if line.number not in left_out]
        context |= {
            "read": read,
            "problems": [line for line in read.lines if line.fault],
            "ready": [line for line in lines if not line.fault],
            "open": sum(bool(line.fault) for line in lines),
            "to_add": sum(line.state == "new" for line in lines),
            "before": sum(line.known for line in lines),
            "left_out": left_out,
            "columns": _columns(read),
        }
    return render(request, "clubs/clubs/member_list.html", context, status=status)


def _columns(read: ReadMembers) -> list[dict[str, Any]]:
    headings = [*read.headings, *[""] * len(read.fields)]
    return [
        {
            "number": number,
            "heading": heading,
            "samples": samples,
            "choices": [(value, label, value == field) for value, label in COLUMNS.items()],
        }
        for number, (field, heading, samples) in enumerate(
            zip(read.fields, headings, read.samples, strict=False), 1
        )
    ]


def _said(added: AddedMembers) -> str:
    said = ngettext("%(count)s player added.", "%(count)s players added.", added.added) % {
        "count": added.added
    }
    if added.before:
        before = ngettext(
            "%(count)s was in the club already.", "%(count)s were in the club already.", added.before
        )
        said = f"{said} {before % {'count': added.before}}"
    return said
