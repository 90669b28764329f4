"""Making a token on the page, once seen, and revoking it."""

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse
from rest_framework.test import APIClient

from clubs.accounts.services.tokens import TOKENS_AT_MOST, make_token
from clubs.models import ApiToken, Scope
from tests.factories import UserFactory

pytestmark = pytest.mark.django_db


@pytest.fixture
def user():
    return UserFactory.create()


@pytest.fixture
def browser_of(user) -> Client:
    client = Client()
    client.force_login(user)
    return client


def test_a_token_is_shown_once_and_works(browser_of):
    address = reverse("clubs:tokens")
    form = {"label": "our website", "scopes": ["read", "direct"], "days": "30"}
    answer = browser_of.post(address, form, follow=True)
    assert "no-store" in answer.headers["Cache-Control"]
    [secret] = re.findall(r'<pre id="secret">(\S+)</pre>', answer.content.decode())
    again = browser_of.get(address).content.decode()
    assert secret not in again
    assert "our website" in again
    token = ApiToken.objects.get()
    assert token.scopes == ["read", "direct"]
    assert token.expires_at is not None
    assert abs(token.expires_at - token.created_at - timedelta(days=30)) < timedelta(minutes=1)
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {secret}")
    assert client.get("/api/v1/tokens/").status_code == 200


def test_a_token_may_be_good_until_it_is_revoked(browser_of):
    browser_of.post(reverse("clubs:tokens"), {"label": "a", "scopes": ["own"], "days": ""})
    assert ApiToken.objects.get().expires_at is None


@pytest.mark.parametrize(
    "form", [{"label": "", "scopes": ["read"]}, {"label": "a"}, {"label": "a", "scopes": ["rule"]}]
)
def test_a_form_with_a_mistake_makes_no_token(browser_of, form):
    answer = browser_of.post(reverse("clubs:tokens"), {"days": "30", **form})
    assert 'id="secret"' not in answer.content.decode()
    assert not ApiToken.objects.exists()


def test_too_many_tokens_are_refused_with_the_way_out(browser_of, user):
    for _ in range(TOKENS_AT_MOST):
        make_token(user=user, label="a", scopes=[], expires_at=None)
    answer = browser_of.post(reverse("clubs:tokens"), {"label": "b", "scopes": ["read"], "days": "30"})
    assert "Revoke one you no longer need" in answer.content.decode()


def test_one_revokes_ones_own_tokens_only(browser_of, user):
    mine, _text = make_token(user=user, label="a", scopes=[Scope.READ], expires_at=None)
    theirs, _text = make_token(user=UserFactory.create(), label="b", scopes=[], expires_at=None)
    for token in (mine, theirs, mine):
        address = reverse("clubs:revoke_token", args=[token.ref])
        assert browser_of.post(address, follow=True).status_code == 200
    assert list(ApiToken.objects.all()) == [theirs]


def test_the_page_costs_the_same_for_one_token_and_for_three(browser_of, user, django_assert_num_queries):
    address = reverse("clubs:tokens")
    make_token(user=user, label="a", scopes=[], expires_at=None)
    with django_assert_num_queries(3):
        browser_of.get(address)
    make_token(user=user, label="b", scopes=[], expires_at=None)
    make_token(user=user, label="c", scopes=[], expires_at=None)
    with django_assert_num_queries(3):
        browser_of.get(address)
