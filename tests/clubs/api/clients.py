"""Clients of the API for tests."""

from rest_framework.test import APIClient

from clubs.accounts.services.tokens import make_token
from clubs.models import Scope, User


def with_token(user: User, *scopes: Scope) -> APIClient:
    """A client that shows a new token with these scopes, all of them when none is named."""
    _token, text = make_token(user=user, label="test", scopes=scopes or list(Scope), expires_at=None)
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {text}")
    return client
