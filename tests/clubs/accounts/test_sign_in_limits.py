"""Signing up tells nothing by its time, and nobody locks somebody else out."""

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth.hashers import PBKDF2PasswordHasher
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from clubs.models import Player, User
from tests.clubs.accounts.test_sign_in import code_in, signed_in
from tests.factories import UserFactory

pytestmark = pytest.mark.django_db
PASSWORD = "a long enough one"


class CountingHasher(PBKDF2PasswordHasher):
    """The standard hasher, which says how often it has worked."""

    worked = 0

    def encode(self, password, salt, iterations=None):
        type(self).worked += 1
        return super().encode(password, salt, iterations=1)


def confirmed(**fields) -> User:
    user = UserFactory.create(**fields)
    EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
    return user


@pytest.mark.parametrize("password", ["", PASSWORD])
def test_signing_up_with_a_known_address_works_as_much_as_with_an_unknown_one(client, settings, password):
    settings.EMAIL_URL = "smtp://mail.example"
    settings.PASSWORD_HASHERS = [f"{__name__}.CountingHasher"]
    confirmed(email="known@example.org")
    hashed, asked, answers = {}, {}, {}
    for who in ("unknown", "known"):
        form = {"name": "Ana", "email": f"{who}@example.org", "password1": password}
        before = CountingHasher.worked
        with CaptureQueriesContext(
            connection,
        ) as queries:
            answer = client.post(reverse("account_signup"), form)
        hashed[who] = CountingHasher.worked - before
        asked[who] = [query["sql"].split()[0] for query in queries if "INSERT" in query["sql"]]
        answers[who] = (answer.status_code, answer.headers["Location"])
        client.cookies.clear()
    assert answers["known"] == answers["unknown"]
    assert hashed["known"] == hashed["unknown"] == (1 if password else 0)
    assert len(asked["known"]) == len(asked["unknown"])
    assert Player.objects.count() == 1
    assert User.objects.count() == 2


def test_wrong_passwords_from_one_address_do_not_lock_the_owner_out_elsewhere(client, mailoutbox):
    user = confirmed(email="ana@example.org", password=PASSWORD)
    wrong = {"login": user.email, "password": "wrong"}
    for _each in range(12):
        attacked = client.post(reverse("account_login"), wrong, REMOTE_ADDR="192.0.2.1")
    assert "Too many wrong attempts" in attacked.content.decode()
    right = {"login": user.email, "password": PASSWORD}
    client.post(reverse("account_login"), right, REMOTE_ADDR="192.0.2.1")
    assert not signed_in(client)
    client.post(reverse("account_login"), right, REMOTE_ADDR="198.51.100.7")
    assert signed_in(client)


def test_who_has_a_whole_network_of_addresses_tries_no_more_passwords(client, mailoutbox):
    user = confirmed(email="ana@example.org", password=PASSWORD)
    for each in range(7):  # allauth's own limit of an address is ten
        wrong = {"login": user.email, "password": "wrong"}
        attacked = client.post(reverse("account_login"), wrong, REMOTE_ADDR=f"2001:db8::{each:x}")
    assert "Too many wrong attempts" in attacked.content.decode()
    right = {"login": user.email, "password": PASSWORD}
    client.post(reverse("account_login"), right, REMOTE_ADDR="2001:db8:0:1::1")
    assert signed_in(client)


def test_the_mail_code_works_while_somebody_elsewhere_asks_for_codes(client, mailoutbox):
    user = confirmed(email="ana@example.org")
    for _each in range(6):
        client.cookies.clear()
        client.post(reverse("account_request_login_code"), {"email": user.email}, REMOTE_ADDR="192.0.2.1")
    assert len(mailoutbox) == 3
    client.cookies.clear()
    own = {"REMOTE_ADDR": "198.51.100.7"}
    client.post(reverse("account_request_login_code"), {"email": user.email}, **own)
    assert len(mailoutbox) == 4
    client.post(reverse("account_confirm_login_code"), {"code": code_in(mailoutbox[-1])}, **own)
    assert signed_in(client)
