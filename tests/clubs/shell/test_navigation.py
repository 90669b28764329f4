"""The navigation shows what exists, where it is, and to whom it belongs."""

import pytest
from django.http import HttpRequest
from django.template import Context, Template
from django.test import RequestFactory

from clubs.shell import navigation
from clubs.shell.glossary import TERMS
from clubs.shell.navigation import Link, NavLink, NavPlace, entries, links, register

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


@pytest.mark.parametrize("path", ["/chouettes/x/", "/clubs/x/chouettes/statistics/", "/clubs/x/houses/"])
def test_every_page_of_chouettes_lights_matches(path: str) -> None:
    assert [link.icon for link in links(path, signed_in=True) if link.current] == ["matches"]


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
