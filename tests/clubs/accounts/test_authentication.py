"""Tokens and sessions open the API; a token is narrowed by its scopes and ends when its person says so."""

from datetime import timedelta

import pytest
from django.utils.timezone import now
from rest_framework.test import APIClient

from clubs.accounts.services.tokens import TOKENS_AT_MOST, TooManyTokensRefused, make_token, revoke_token
from clubs.models import ApiToken, Scope
from tests.clubs.api.clients import with_token
from tests.factories import UserFactory

pytestmark = [pytest.mark.django_db, pytest.mark.urls("tests.clubs.api.planted")]
TOKENS = "/api/v1/tokens/"
PLANTED = "/api/v1/planted/"


def bearer(text: str, scheme: str = "Bearer") -> APIClient:
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"{scheme} {text}")
    return client


def test_a_token_is_kept_as_a_digest_alone():
    token, text = make_token(user=UserFactory.create(), label=" my  script ", scopes=[], expires_at=None)
    kept = ApiToken.objects.values().get(pk=token.pk)
    assert text not in map(str, kept.values())
    assert (kept["label"], kept["scopes"]) == ("my script", ["read"])
    assert text.startswith(kept["prefix"])
    assert len(text) >= 43
    assert bearer(text).get(TOKENS).data["items"][0]["ref"] == token.ref


def test_without_a_token_or_session_one_is_asked_to_sign_in():
    response = APIClient().get(TOKENS)
    assert (response.status_code, response.data["code"]) == (401, "not_signed_in")
    assert response.headers["WWW-Authenticate"] == 'Bearer realm="Midpoint"'


@pytest.mark.parametrize(
    ("text", "scheme"), [("mp_wrong", "Bearer"), ("", "Bearer"), ("dXNlcjpw", "Basic"), ("\xff", "Bearer")]
)
def test_a_token_that_is_not_valid_is_refused_even_where_everyone_may_look(text, scheme):
    response = bearer(text, scheme).get(PLANTED)
    assert (response.status_code, response.data["code"]) == (401, "token_not_valid")
    assert 'error="invalid_token"' in response.headers["WWW-Authenticate"]


def test_a_token_ends_by_expiry_by_revoking_and_with_the_login():
    user = UserFactory.create()
    token, text = make_token(user=user, label="a", scopes=[Scope.READ], expires_at=now() + timedelta(days=1))
    client = bearer(text)
    assert client.get(TOKENS).status_code == 200
    ApiToken.objects.update(expires_at=now() - timedelta(seconds=1))
    assert client.get(TOKENS).status_code == 401
    ApiToken.objects.update(expires_at=None)
    user.is_active = False
    user.save()
    assert client.get(TOKENS).status_code == 401
    user.is_active = True
    user.save()
    assert client.get(TOKENS).status_code == 200
    revoke_token(user=user, ref=token.ref)
    assert client.get(TOKENS).status_code == 401


def test_a_token_is_good_for_its_scopes_only():
    user = UserFactory.create()
    body = {"name": "A", "slug": "a-club"}
    for scope in (Scope.READ, Scope.RECORD, Scope.DIRECT):
        response = with_token(user, scope).post(PLANTED, body, format="json")
        assert (response.status_code, response.data["code"]) == (403, "scope_missing")
        assert 'scope="own"' in response.headers["WWW-Authenticate"]
        assert with_token(user, scope).get(PLANTED).status_code == 200
    assert with_token(user, Scope.OWN).post(PLANTED, body, format="json").status_code == 201


def test_the_use_of_a_token_is_noted_to_the_minute(django_assert_num_queries):
    client = with_token(UserFactory.create())
    assert client.get(TOKENS).data["items"][0]["last_used_at"] is not None
    with django_assert_num_queries(2):  # the token with its user, the page
        client.get(TOKENS)
    ApiToken.objects.update(last_used_at=now() - timedelta(minutes=2))
    with django_assert_num_queries(3):
        client.get(TOKENS)


def test_a_session_needs_the_pages_csrf_token_for_changes():
    user = UserFactory.create()
    client = APIClient(enforce_csrf_checks=True)
    client.force_login(user)
    assert client.get(TOKENS).status_code == 200
    refused = client.post(PLANTED, {"name": "A", "slug": "a-club"}, format="json")
    assert (refused.status_code, refused.data["code"]) == (403, "forbidden")
    assert "CSRF" in refused.data["detail"]
    client.cookies["csrftoken"] = "a" * 32
    accepted = client.post(PLANTED, {"name": "A", "slug": "a-club"}, format="json", HTTP_X_CSRFTOKEN="a" * 32)
    assert accepted.status_code == 201


def test_a_token_decides_alone_whatever_the_session_says():
    client = bearer("mp_wrong")
    client.force_login(UserFactory.create())
    assert client.get(TOKENS).status_code == 401


def test_one_sees_and_revokes_ones_own_tokens_only(django_assert_num_queries):
    ana, ben = UserFactory.create(), UserFactory.create()
    client, other = with_token(ana), with_token(ben)
    bens = ApiToken.objects.get(user=ben)
    assert [item["ref"] for item in client.get(TOKENS).data["items"]] == [ApiToken.objects.get(user=ana).ref]
    assert client.get(f"{TOKENS}{bens.ref}/").status_code == 404
    assert client.delete(f"{TOKENS}{bens.ref}/").status_code == 404
    assert other.delete(f"{TOKENS}{bens.ref}/").status_code == 204
    assert other.get(TOKENS).status_code == 401


def test_a_list_of_tokens_costs_the_same_for_one_and_for_three(django_assert_num_queries):
    user = UserFactory.create()
    client = with_token(user)
    client.get(TOKENS)
    for _ in range(2):
        with django_assert_num_queries(2):
            client.get(TOKENS)
        make_token(user=user, label="b", scopes=[], expires_at=None)
        make_token(user=user, label="c", scopes=[], expires_at=None)


def test_a_person_has_a_bounded_number_of_tokens():
    user = UserFactory.create()
    for _ in range(TOKENS_AT_MOST - 1):
        make_token(user=user, label="a", scopes=[], expires_at=None)
    make_token(user=user, label="old", scopes=[], expires_at=now() - timedelta(days=1))
    make_token(user=user, label="in place of the one that expired", scopes=[], expires_at=None)
    with pytest.raises(TooManyTokensRefused, match="You have 50 tokens"):
        make_token(user=user, label="one too many", scopes=[], expires_at=None)
