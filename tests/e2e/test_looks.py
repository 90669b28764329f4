"""Every page of the house fits a phone and a desk and can be used by everybody, signed in or not."""

import pytest
from allauth.account.models import EmailAddress
from playwright.sync_api import Page

from clubs.models import Role, User
from clubs.services.clubs import add_player
from tests.accessibility import serious_violations
from tests.e2e.test_clubs import sign_in
from tests.factories import ClubFactory, member

VISITORS = ["/", "/account/login/", "/account/signup/", "/account/login/code/", "/matches/", "/nowhere/"]
OWNERS = [
    "/",
    "/me/",
    "/clubs/",
    "/clubs/new/",
    "/clubs/lindenhof/",
    "/clubs/lindenhof/people/",
    "/clubs/lindenhof/edit/",
    "/clubs/lindenhof/upload/",
    "/clubs/lindenhof/ratings/",
    "/ratings/",
    "/outbox/",
    "/account/email/",
    "/account/2fa/",
]
# One of each kind: the others are made of the same parts, which the style page holds.
LOOKED_THROUGH = {"/", "/account/login/", "/me/", "/clubs/lindenhof/", "/clubs/lindenhof/edit/", "/ratings/"}


def troubles(page: Page, paths: list[str]) -> list[str]:
    """What is wrong with the pages: too wide for a phone or a desk, or refused by axe."""
    found = []
    for path in paths:
        for width in (1440, 360):
            page.set_viewport_size({"width": width, "height": 800})
            page.goto(path)
            shown = page.evaluate("document.documentElement.scrollWidth")
            if shown > width:
                found.append(f"{path}: {shown} px wide in a window of {width} px")
        if path in LOOKED_THROUGH:
            found += [f"{path}: {violation}" for violation in serious_violations(page)]
    return found


@pytest.mark.page_errors  # the page that is not there
def test_pages_for_visitors(page: Page) -> None:
    assert troubles(page, VISITORS) == []


def test_pages_for_an_owner(page: Page) -> None:
    club = ClubFactory.create(name="Backgammon Club Lindenhof", slug="lindenhof")
    owner = member(club, Role.OWNER, name="Anna Berg")
    User.objects.filter(pk=owner.pk).update(is_superuser=True)
    EmailAddress.objects.create(user=owner, email=owner.email, verified=True, primary=True)
    for name in ("Maximilian Freiherr von und zu Hohenstein", "Donaudampfschifffahrtsgesellschaftskapitän"):
        add_player(club=club, name=name, role=Role.GUEST)
    sign_in(page, owner.email)
    assert troubles(page, OWNERS) == []
