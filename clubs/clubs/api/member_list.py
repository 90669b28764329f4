"""API to add a pasted list of players to a club."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response

from clubs.access import club_permission
from clubs.clubs.forms import LONGEST_LIST
from clubs.clubs.services.member_lists import (
    FIELDS,
    MOST_COLUMNS,
    MOST_LINES,
    MemberLine,
    add_members,
    read_members,
)
from clubs.http.base import Access, ApiView, ClubApiRequest
from clubs.http.serializers import RoleField, Strict
from clubs.models import Role, Scope


class MemberListIn(Strict):
    """Players as text: rows of a spreadsheet or CSV file, with or without headings."""

    members = serializers.CharField(max_length=LONGEST_LIST)
    role = RoleField(among=[Role.GUEST, Role.MEMBER], default=Role.GUEST)
    commit = serializers.BooleanField(default=False, help_text="Add them; otherwise only check the list.")
    columns = serializers.ListField(
        child=serializers.ChoiceField(choices=[(name, name) for name in FIELDS]),
        max_length=MOST_COLUMNS,
        required=False,
        help_text="What each column is, by default recognised; an empty text leaves it out.",
    )
    headed = serializers.BooleanField(required=False, help_text="Whether the first row has headings.")
    leave_out = serializers.ListField(
        child=serializers.IntegerField(min_value=1),
        max_length=MOST_LINES,
        default=list,
        help_text="Numbers of the lines to leave out.",
    )


class MemberLineOut(serializers.Serializer[MemberLine]):
    """A line of the list; `fault` is empty if it can be added."""

    number = serializers.IntegerField()
    name = serializers.CharField(allow_blank=True)
    state = serializers.ChoiceField(
        choices=["problem", "known", "new"], help_text="`known`: in the club already, and stays as it is."
    )
    fault = serializers.CharField(allow_blank=True)


class MemberListOut(serializers.Serializer[Any]):
    """The lines of the list, what its columns are, and the number of new players."""

    lines = MemberLineOut(many=True)
    columns = serializers.ListField(child=serializers.CharField(allow_blank=True))
    headed = serializers.BooleanField()
    added = serializers.IntegerField()


class MemberList(ApiView):
    access = {"POST": Access(club_permission(Role.DIRECTOR), Scope.DIRECT)}

    @extend_schema(
        request=MemberListIn,
        responses=MemberListOut,
        summary="Check or add a list of players without an account",
    )
    def post(self, request: ClubApiRequest, club: str) -> Response:  # noqa: ARG002 - loaded by the permission
        """All lines are added or none; 409 names the first line that cannot be.

        Players who are in the club already stay as they are, so that a list can be sent twice.
        """
        data = self.valid(MemberListIn)
        chosen: dict[str, Any] = {
            "club": request.club,
            "text": data["members"],
            "columns": data.get("columns"),
            "headed": data.get("headed"),
        }
        read = read_members(**chosen)
        count = 0
        if data["commit"]:
            count = add_members(role=data["role"], leave_out=data["leave_out"], **chosen).added
        shown = {"lines": read.lines, "columns": list(read.fields), "headed": read.headed, "added": count}
        return self.one(MemberListOut, shown)
