"""The navigation shows what exists, where it is, and to whom it belongs."""

import pytest
from django.http import HttpRequest
from django.template import Context, Template
from django.test import RequestFactory
from django.urls import get_resolver, reverse

from clubs.shell import navigation
from clubs.shell.glossary import TERMS
from clubs.shell.navigation import Link, NavLink, NavPlace, entries, links, register
from tests.architecture.test_access_matrix import Address, walk

STYLE = NavLink(NavPlace.RATINGS, "Ratings", "clubs:style", also=("/players/",))
ME = NavLink(NavPlace.ME, "Me", "account_email", members_only=True)


@pytest.fixture
def empty(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(navigation, "_entries", {})


@pytest.mark.usefixtures("empty")
def test_the_order_of_the_bar_is_that_of_the_places() -> None:
    for entry in (ME, STYLE):
        register(entry)
    assert entries() == [STYLE, ME]


@pytest.mark.usefixtures("empty")
def test_a_place_belongs_to_the_app_that_comes_last() -> None:
    register(STYLE)
    higher = NavLink(NavPlace.RATINGS, "Ratings", "account_login")
    register(higher)
    assert entries() == [higher]


def test_a_page_below_an_address_is_marked_as_inside_it() -> None:
    assert links("/style/board/", signed_in=False, given=[STYLE]) == [
        Link("ratings", "Ratings", "/style/", "true")
    ]


def test_a_page_of_another_address_can_belong_to_a_place() -> None:
    assert [link.current for link in links("/players/x/", signed_in=False, given=[STYLE])] == ["true"]


def test_a_part_of_anothers_pages_can_belong_to_a_place() -> None:
    clubs = NavLink(NavPlace.ME, "Me", "clubs:me", also=("/clubs/",))
    ratings = NavLink(NavPlace.RATINGS, "Ratings", "clubs:style", also=("/clubs/*/ratings/",))
    shown = links("/clubs/lindenhof/ratings/", signed_in=True, given=[ratings, clubs])
    assert [link.current for link in shown] == ["true", ""]
    shown = links("/clubs/lindenhof/", signed_in=True, given=[ratings, clubs])
    assert [link.current for link in shown] == ["", "true"]


def test_visitors_are_not_shown_the_places_of_members() -> None:
    assert [link.icon for link in links("/style/", signed_in=False, given=[STYLE, ME])] == ["ratings"]
    assert [(link.icon, link.current) for link in links("/style/", signed_in=True, given=[STYLE, ME])] == [
        ("ratings", "page"),
        ("me", ""),
    ]


def test_every_registered_entry_leads_somewhere() -> None:
    assert all(link.url.startswith("/") for link in links("/", signed_in=True))


LIT = {
    "now": (("/",), "now", ""),
    "events": (
        (
            "/events/",
            "/events/x/",
            "/events/x/desk/",
            "/events/x/list/",
            "/formats/",
            "/stages/x/round/",
            "/pairings/x/arrange/",
            "/entrants/x/substitute/",
            "/flights/x/change/",
            "/clubs/x/events/",
            "/clubs/x/events/new/",
        ),
        "events",
        "events",
    ),
    "matches and chouettes": (
        (
            "/matches/",
            "/matches/x/3/",
            "/matches/x/sheet/",
            "/score/x/",
            "/uploads/x/",
            "/chouettes/join/",
            "/chouettes/join/x/",
            "/chouettes/seat/x/",
            "/chouettes/x/",
            "/chouettes/x/history/",
            "/chouettes/x/me/",
            "/clubs/x/matches/",
            "/clubs/x/matches/new/",
            "/clubs/x/upload/",
            "/clubs/x/chouettes/",
            "/clubs/x/chouettes/new/",
            "/clubs/x/chouettes/statistics/",
            "/clubs/x/houses/",
            "/clubs/x/houses/new/",
            "/clubs/x/houses/x/change/",
        ),
        "matches",
        "matches",
    ),
    "ratings and players": (
        (
            "/ratings/",
            "/players/x/",
            "/players/x/statistics/",
            "/players/x/ratings/x/",
            "/clubs/x/ratings/",
        ),
        "ratings",
        "ratings",
    ),
    "a club and its members, names and rules": (
        (
            "/clubs/",
            "/clubs/new/",
            "/clubs/join/x/",
            "/clubs/x/",
            "/clubs/x/people/",
            "/clubs/x/edit/",
            "/clubs/x/members/add/",
            "/clubs/x/members/x/title/",
            "/clubs/x/invitations/",
            "/clubs/x/names/",
            "/clubs/x/names/x/",
            "/clubs/x/guests/",
            "/clubs/x/guests/x/code/",
            "/clubs/x/rules/",
            "/clubs/x/rules/new/",
            "/clubs/x/rules/x/change/",
        ),
        "me",
        "club",
    ),
    "an account": (
        (
            "/account/login/",
            "/account/signup/",
            "/account/password/reset/",
            "/account/email/",
            "/account/2fa/",
        ),
        "me",
        "key",
    ),
    "one's own": (
        (
            "/me/",
            "/me/tokens/",
            "/me/erase/",
            "/calendar/",
            "/calls/",
            "/site/",
            "/outbox/",
            "/api/v1/docs/",
        ),
        "me",
        "",
    ),
}
"""Paths, with what they light for a member and for a visitor; "" where they are none of a visitor's."""


@pytest.mark.parametrize(
    ("path", "lit", "signed_in"),
    [
        pytest.param(path, lit, signed_in, id=f"{path} {'signed in' if signed_in else 'visitor'}")
        for paths, own, visitors in LIT.values()
        for path in paths
        for lit, signed_in in ((own, True), (visitors, False))
    ],
)
def test_a_page_lights_the_one_place_that_it_belongs_to(path: str, lit: str, signed_in: bool) -> None:
    shown = links(path, signed_in=signed_in)
    assert [link.icon for link in shown if link.current] == [lit] * bool(lit)


LIT_BY_NOTHING = {
    "clubs:appearance": "no page: it leads back",
    "clubs:demo": "a part of a page",
    "clubs:help": "beside every place: the foot of each page leads there",
    "clubs:help_page": "beside every place: the foot of each page leads there",
    "clubs:help_reader": "beside every place: the foot of each page leads there",
    "clubs:live": "for scripts",
    "clubs:robots": "for crawlers",
    "clubs:setup": "a page without the navigation",
    "clubs:style": "for those who write pages",
    "scoring:claim": "no page: it leads back",
    "scoring:delete_note": "no page: it leads back",
    "scoring:delete_photo": "no page: it leads back",
    "scoring:edit_note": "no page: it leads back",
    "scoring:end_link": "no page: it leads back",
    "scoring:service_worker": "for scripts",
    "scoring:shared": "for those who have the link alone: it belongs to no place of theirs",
    "scoring:shared_embed": "a frame on another site",
    "scoring:shared_png": "a picture",
    "scoring:shared_step": "for those who have the link alone: it belongs to no place of theirs",
    "tournaments:lot": "no page: it leads back",
    "tournaments:paid": "no page: it leads back",
    "tournaments:prize_entry": "no page: it leads back",
}


def test_every_address_belongs_to_a_place_or_is_named_with_the_reason() -> None:
    dark = {
        found.name
        for found in walk(get_resolver())
        if found.name.partition(":")[0] in ("clubs", "scoring", "tournaments")
        and not any(link.current for link in links(_path(found), signed_in=True))
    }
    assert dark == set(LIT_BY_NOTHING)


def _path(address: Address) -> str:
    """A path to it: ten twos are a ref, a slug and a number."""
    return reverse(address.name, kwargs=dict.fromkeys(address.arguments, "2" * 10))


def render(source: str, request: HttpRequest | None = None) -> str:
    return Template("{% load shell %}" + source).render(Context({"request": request}))


def test_one_word_explained_twice_on_a_page_has_two_addresses() -> None:
    shown = render('{% term "bye" %}{% term "bye" text="byes" %}')
    assert shown.count('popovertarget="term-bye-1"') == shown.count('id="term-bye-2"') == 1
    assert ">byes</button>" in shown
    assert str(TERMS["bye"].meaning) in shown


def test_an_unknown_word_is_a_bug_and_not_left_unexplained() -> None:
    with pytest.raises(KeyError, match="byebye"):
        render('{% term "byebye" %}')


@pytest.mark.parametrize(
    ("cookie", "shown"),
    [("dark", "dark"), ("light", "light"), ("system", "system"), ('"><script>', "system")],
)
def test_appearance_is_one_of_three_whatever_the_cookie_says(cookie: str, shown: str) -> None:
    request = RequestFactory().get("/")
    request.COOKIES["appearance"] = cookie
    assert render("{% appearance %}", request) == shown


def test_appearance_without_a_request_is_the_systems() -> None:
    assert render("{% appearance %}") == "system"
