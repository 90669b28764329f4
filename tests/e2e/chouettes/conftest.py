"""A table of three in a club, and the phones of who sits at it."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from clubs.models import Club, User
from scoring.chouettes.services.tables import join_table, open_table
from scoring.models import Chouette
from scoring.profiles.queries.houses import house_named
from scoring.profiles.services.houses import keep_house
from tests.e2e.chouettes.phones import Phone
from tests.factories import member


@pytest.fixture
def eva(club: Club) -> User:
    return member(club, name="Eva")


@pytest.fixture
def jon(club: Club) -> User:
    return member(club, name="Jon")


@pytest.fixture
def host(club: Club) -> User:
    return member(club, name="Ana")


@pytest.fixture
def phones(browser: Browser, server: str, host: User, jon: User, eva: User) -> Iterator[list[Phone]]:
    """Ana, Jon and Eva with a login; the fourth has none."""
    looks = ("light", "dark", "light", "dark")
    found = [
        Phone(browser, server, user, color_scheme=scheme)
        for user, scheme in zip((host, jon, eva, None), looks, strict=True)
    ]
    yield found
    for phone in found:
        phone.close()


@pytest.fixture
def pair(browser: Browser, server: str, host: User, jon: User) -> Iterator[list[Phone]]:
    """Ana and Jon."""
    found = [Phone(browser, server, host), Phone(browser, server, jon, color_scheme="dark")]
    yield found
    for phone in found:
        phone.close()


@pytest.fixture
def table(club: Club, host: User, jon: User, eva: User) -> Chouette:
    """Three who sit, by rules with settlements, for one euro a point."""
    keep_house(club=club, name="bar", title="Bar rules", values={"settlements": True}, new=True)
    found = open_table(club=club, user=host, title="Friday", house=house_named(club, "bar"), stake=100)
    for user in (host, jon, eva):
        join_table(chouette=found, user=user)
    return found
