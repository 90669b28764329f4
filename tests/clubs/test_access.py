"""Who gets in, who is told no, and who is told nothing; and that no address lacks a policy."""

from types import ModuleType

import pytest
from asgiref.sync import async_to_sync
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpResponse
from django.test import RequestFactory
from django.urls import URLResolver, include, path
from django.urls.resolvers import RegexPattern
from rest_framework.response import Response
from rest_framework.test import APIRequestFactory, force_authenticate
from rest_framework.views import APIView

from clubs.access import (
    Policy,
    SignedIn,
    SiteAdmin,
    check_policies,
    club_permission,
    club_role,
    club_visible,
    decides,
    policy_of,
    public,
    signed_in,
    site_admin,
    url_patterns,
)
from clubs.models import Role, Visibility
from tests.factories import ClubFactory, UserFactory, member

VISITOR = AnonymousUser()


@club_visible
def club_page(request, club):
    return HttpResponse(f"{request.role and request.role.name} {club.name}")


@club_role(Role.DIRECTOR)
def desk(request, club):
    return HttpResponse(f"{request.role.name} {request.club.name}")


@signed_in
def me(request):
    return HttpResponse("me")


@site_admin
def outbox(request):
    return HttpResponse("outbox")


def ask(view, user, **kwargs):
    request = RequestFactory().get("/page/?a=1")
    request.user = user
    return view(request, **kwargs)


async def ask_async(view, user, **kwargs):
    return await ask(view, user, **kwargs)


def asked_to_sign_in(response) -> bool:
    return bool(response.status_code == 302 and response["Location"] == "/account/login/?next=/page/%3Fa%3D1")


def test_a_visitor_is_asked_to_sign_in():
    assert asked_to_sign_in(ask(me, VISITOR))
    assert asked_to_sign_in(ask(outbox, VISITOR))


@pytest.mark.django_db
def test_a_site_page_is_for_site_administrators():
    assert ask(outbox, UserFactory.create(is_superuser=True)).content == b"outbox"
    with pytest.raises(PermissionDenied, match="site administrators"):
        ask(outbox, UserFactory.create(is_staff=True))


@pytest.mark.django_db
@pytest.mark.parametrize("by", ["slug", "ref"])
def test_a_public_club_is_open_to_everyone(by):
    club = ClubFactory.create(name="Bar Point")
    name = getattr(club, by)
    assert ask(club_page, VISITOR, club=name).content == b"None Bar Point"
    assert ask(club_page, UserFactory.create(), club=name).content == b"None Bar Point"
    assert ask(club_page, member(club), club=name).content == b"MEMBER Bar Point"


@pytest.mark.django_db
def test_a_hidden_club_and_one_that_does_not_exist_look_the_same():
    hidden = ClubFactory.create(visibility=Visibility.MEMBERS)
    for name in (hidden.slug, hidden.ref, "nowhere"):
        for view in (club_page, desk):
            assert asked_to_sign_in(ask(view, VISITOR, club=name))
            with pytest.raises(Http404, match=rf"There is no club {name}\."):
                ask(view, UserFactory.create(), club=name)
    assert ask(club_page, member(hidden, Role.GUEST), club=hidden.slug).status_code == 200


@pytest.mark.django_db
def test_a_role_admits_itself_and_those_above():
    club = ClubFactory.create()
    for role in Role:
        user = member(club, role)
        if role >= Role.DIRECTOR:
            assert ask(desk, user, club=club.slug).content == f"{role.name} {club.name}".encode()
        else:
            with pytest.raises(PermissionDenied, match="“Director” or above"):
                ask(desk, user, club=club.slug)


@pytest.mark.django_db
def test_a_role_in_one_club_is_none_in_another():
    with pytest.raises(PermissionDenied):
        ask(desk, member(ClubFactory.create(), Role.OWNER), club=ClubFactory.create().slug)


@pytest.mark.django_db
def test_a_site_administrator_may_what_an_owner_may():
    hidden = ClubFactory.create(visibility=Visibility.MEMBERS)
    assert ask(desk, UserFactory.create(is_superuser=True), club=hidden.slug).status_code == 200


@pytest.mark.django_db(transaction=True)
def test_an_async_view_is_guarded_too():
    @club_role(Role.MEMBER)
    async def stream(request, club):
        return HttpResponse(club.name)

    club = ClubFactory.create()
    assert async_to_sync(ask_async)(stream, member(club), club=club.slug).content == club.name.encode()
    assert asked_to_sign_in(async_to_sync(ask_async)(stream, VISITOR, club=club.slug))


class Results(APIView):
    authentication_classes = []
    permission_classes = [club_permission(Role.MEMBER)]

    def get(self, request, club):
        return Response({"club": request.club.name, "role": request.role.name})


def ask_api(view, user, **kwargs):
    request = APIRequestFactory().get("/")
    force_authenticate(request, user)
    return view.as_view()(request, **kwargs)


@pytest.mark.django_db
def test_the_api_follows_the_same_rules():
    club, hidden = ClubFactory.create(), ClubFactory.create(visibility=Visibility.MEMBERS)
    answer = ask_api(Results, member(club), club=club.ref)
    assert (answer.status_code, answer.data) == (200, {"club": club.name, "role": "MEMBER"})
    refused = ask_api(Results, member(club, Role.GUEST), club=club.ref)
    assert refused.status_code == 403
    assert "“Member” or above" in refused.data["detail"]
    assert ask_api(Results, UserFactory.create(), club=hidden.ref).status_code == 404
    assert ask_api(Results, None, club=hidden.ref).status_code in {401, 403}


@pytest.mark.django_db
def test_api_permissions_for_people_and_site_administrators():
    class Mine(APIView):
        permission_classes = [SignedIn]

        def get(self, request):
            return Response()

    class Site(Mine):
        permission_classes = [SiteAdmin]

    assert ask_api(Mine, UserFactory.create()).status_code == 200
    assert ask_api(Mine, None).status_code in {401, 403}
    assert ask_api(Site, UserFactory.create()).status_code == 403
    assert ask_api(Site, UserFactory.create(is_superuser=True)).status_code == 200


def test_a_view_has_one_policy():
    with pytest.raises(TypeError, match="already has a policy: signed in"):
        public(me)


@pytest.mark.parametrize(
    ("view", "policy"),
    [
        (me, Policy("signed in")),
        (desk, Policy("club role", Role.DIRECTOR)),
        (decides("the match's club")(lambda request: HttpResponse()), Policy("decides: the match's club")),
        (Results.as_view(), Policy("club role", Role.MEMBER)),
    ],
)
def test_the_policy_of_an_address_can_be_read(view, policy):
    assert policy_of(path("page/", view)) == policy


def urls(*patterns) -> URLResolver:
    module = ModuleType("planted")
    module.urlpatterns = list(patterns)  # type: ignore[attr-defined]
    return URLResolver(RegexPattern(r"^/"), module)


def test_every_address_of_the_installation_has_a_policy():
    patterns = dict(url_patterns())
    assert "/account/login/" in patterns
    assert check_policies() == []


def test_an_address_without_policy_fails_the_check():
    def bare(request):
        return HttpResponse()

    class BareApi(APIView):
        pass

    planted = urls(
        path("fine/", me),
        path("club/", include([path("bare/", bare)])),
        path("api/", BareApi.as_view()),
    )
    errors = check_policies(planted)
    assert [error.id for error in errors] == ["midpoint.E001"] * 2
    assert "club/bare/ declares no access policy" in errors[0].msg
    assert "api/ declares no access policy" in errors[1].msg


def test_the_policy_check_runs_with_the_security_checks(monkeypatch):
    from django.core.management import CommandError, call_command

    import clubs.access

    monkeypatch.setitem(clubs.access.THIRD_PARTY, "allauth.account", None)
    with pytest.raises(CommandError, match=r"midpoint\.E001"):
        call_command("check", tags=["security"])
