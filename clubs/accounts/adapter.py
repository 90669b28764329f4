"""The allauth adapter of this site (``ACCOUNT_ADAPTER``)."""

from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from django.http import HttpRequest

from clubs.http.addresses import counted_as


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]
    """Counts wrong passwords per address and account together.

    Nobody can be locked out of an account by attempts from another address.
    """

    def _get_login_attempts_cache_key(self, request: HttpRequest, **credentials: Any) -> str:
        account: str = super()._get_login_attempts_cache_key(request, **credentials)
        return f"{counted_as(self.get_client_ip(request))} {account}"
