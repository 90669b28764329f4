"""API addresses of clubs; ``deploy.urls`` joins those of all apps."""

from django.urls import URLPattern, path, re_path

from clubs.accounts.api.me import Me, MyClub, MyClubs, MyData
from clubs.accounts.api.tokens import Token, Tokens
from clubs.api.docs import Docs, SchemaFile
from clubs.api.root import Nowhere, ProblemKind, Problems, Root
from clubs.clubs.api.clubs import Clubs, OneClub
from clubs.clubs.api.invitations import Invitations, OneInvitation
from clubs.clubs.api.member_list import MemberList
from clubs.clubs.api.members import EraseMember, Member, Members, MemberTitle
from clubs.people.api import Players
from clubs.site.api import Site

urlpatterns: list[URLPattern] = [
    path("", Root.as_view(), name="root"),
    path("schema/", SchemaFile.as_view(), name="schema"),
    path("docs/", Docs.as_view(), name="docs"),
    path("problems/", Problems.as_view(), name="problems"),
    path("problems/<slug:code>/", ProblemKind.as_view(), name="problem"),
    path("clubs/", Clubs.as_view(), name="clubs"),
    path("clubs/<slug:club>/", OneClub.as_view(), name="club"),
    path("clubs/<slug:club>/members/", Members.as_view(), name="members"),
    path("clubs/<slug:club>/members/list/", MemberList.as_view(), name="member_list"),
    path("clubs/<slug:club>/members/<ref:player>/", Member.as_view(), name="member"),
    path("clubs/<slug:club>/members/<ref:player>/title/", MemberTitle.as_view(), name="member_title"),
    path("clubs/<slug:club>/members/<ref:player>/erase/", EraseMember.as_view(), name="erase_member"),
    path("clubs/<slug:club>/invitations/", Invitations.as_view(), name="invitations"),
    path("clubs/<slug:club>/invitations/<ref:invitation>/", OneInvitation.as_view(), name="invitation"),
    path("players/", Players.as_view(), name="players"),
    path("site/", Site.as_view(), name="site"),
    path("me/", Me.as_view(), name="me"),
    path("me/data/", MyData.as_view(), name="my_data"),
    path("me/clubs/", MyClubs.as_view(), name="my_clubs"),
    path("me/clubs/<slug:club>/", MyClub.as_view(), name="my_club"),
    path("tokens/", Tokens.as_view(), name="tokens"),
    path("tokens/<ref:token>/", Token.as_view(), name="token"),
]

# Last of all apps' addresses. An address can contain a newline, which "." does not match.
nowhere: list[URLPattern] = [re_path(r"^(?P<address>[\s\S]*)\Z", Nowhere.as_view(), name="nowhere")]
