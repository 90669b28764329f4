"""The first start: one token, one administrator, whatever happens at once."""

from datetime import timedelta
from io import StringIO

import pytest
from allauth.account.models import EmailAddress
from django.core.management import call_command
from django.urls import reverse

import clubs.accounts.services.setup
from clubs.accounts.services.setup import SetupClosedRefused, first_start, new_setup_token, setup_is_open
from clubs.models import Club, Membership, Role, SetupToken, User
from tests.factories import UserFactory
from tests.races import at_once

pytestmark = pytest.mark.django_db


def new_token() -> str:
    token = new_setup_token()
    assert token
    return token


def start(token, email="ana@example.org"):
    return first_start(
        token=token,
        email=email,
        name="Ana Etxeberria",
        password="a good long one",
        club_name="Bar Point",
        tz="Europe/Madrid",
        currency="EUR",
    )


def test_the_first_start_makes_administrator_and_club():
    user, club = start(new_token())
    assert (user.is_superuser, user.is_staff, user.player.person.name) == (True, True, "Ana Etxeberria")
    assert user.check_password("a good long one")
    assert EmailAddress.objects.get(user=user).verified
    assert (club.name, Membership.objects.get(club=club).role) == ("Bar Point", Role.OWNER)
    assert not SetupToken.objects.exists()


def test_a_token_works_once_and_only_its_digest_is_kept():
    token = new_token()
    assert token not in str(SetupToken.objects.values().get())
    assert setup_is_open(token)
    start(token)
    assert not setup_is_open(token)
    with pytest.raises(SetupClosedRefused):
        start(token, "berta@example.org")


def test_an_administrator_closes_the_page():
    token = new_token()
    UserFactory.create(is_superuser=True)
    assert new_setup_token() is None
    assert not setup_is_open(token)
    with pytest.raises(SetupClosedRefused):
        start(token)


@pytest.mark.parametrize("token", ["", "guessed", "guessed:1uXyZ:signature"])
def test_a_guessed_token_opens_nothing(token):
    new_setup_token()
    assert not setup_is_open(token)
    with pytest.raises(SetupClosedRefused):
        start(token)


def test_a_token_gets_too_old(monkeypatch):
    token = new_token()
    monkeypatch.setattr(clubs.accounts.services.setup, "TOKEN_VALID", timedelta(seconds=-1))
    assert not setup_is_open(token)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("tokens", [1, 2])
def test_two_tabs_at_once_make_one_administrator(tokens):
    given = [new_token() for _ in range(tokens)] * (2 // tokens)
    outcomes = at_once(
        lambda: start(given[0], "ana@example.org"), lambda: start(given[1], "berta@example.org")
    )
    assert sorted(isinstance(outcome, SetupClosedRefused) for outcome in outcomes) == [False, True]
    assert User.objects.count() == Club.objects.count() == 1


def test_the_command_prints_the_path_until_there_is_an_administrator():
    out = StringIO()
    call_command("setup_url", stdout=out)
    path = out.getvalue().strip()
    token = path.removeprefix("/setup/").rstrip("/")
    assert path == reverse("clubs:setup", args=[token])
    start(token)
    out = StringIO()
    call_command("setup_url", stdout=out)
    assert out.getvalue() == ""
