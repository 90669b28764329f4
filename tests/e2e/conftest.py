"""Two people of a club, each with a phone, and their match to five points."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from clubs.models import Club, User
from scoring.models import Match
from scoring.sheets.services.openings import open_match
from tests.e2e.scorers import Scorer
from tests.factories import ClubFactory, member


@pytest.fixture
def club(transactional_db: None) -> Club:
    found: Club = ClubFactory.create(name="Bar Point", slug="bar-point")
    return found


@pytest.fixture
def ana(club: Club) -> User:
    return member(club, name="Ana Etxeberria")


@pytest.fixture
def bjorn(club: Club) -> User:
    return member(club, name="Björn")


@pytest.fixture
def match(club: Club, ana: User, bjorn: User) -> Match:
    return open_match(club=club, white=[ana.player], black=[bjorn.player], length=5, user=ana)


@pytest.fixture
def short(club: Club, ana: User, bjorn: User) -> Match:
    return open_match(club=club, white=[ana.player], black=[bjorn.player], length=3, user=ana)


@pytest.fixture
def white(browser: Browser, server: str, ana: User) -> Iterator[Scorer]:
    scorer = Scorer(browser, server, ana)
    yield scorer
    scorer.close()


@pytest.fixture
def black(browser: Browser, server: str, bjorn: User) -> Iterator[Scorer]:
    scorer = Scorer(browser, server, bjorn, color_scheme="dark")
    yield scorer
    scorer.close()
