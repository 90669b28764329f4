"""The allauth adapter of this site (``ACCOUNT_ADAPTER``)."""

from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from clubs.http.addresses import counted_as


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]
    """Counts wrong passwords per address and account together.

    Nobody can be locked out of an account by attempts from another address.
    """

    error_messages = DefaultAccountAdapter.error_messages | {
        "account_inactive": _("This account is closed. Ask the site’s administrator to open it again."),
        "cannot_remove_primary_email": _("This is your primary address. Make another one primary first."),
        "duplicate_email": _("You have already added this address."),
        "email_password_mismatch": _("The email address or the password is wrong."),
        "email_taken": _("This address already has an account. Sign in, or use another address."),
        "enter_current_password": _("Enter your current password."),
        "incorrect_code": _("This code is wrong. Check it and try again."),
        "incorrect_password": _("This password is wrong. Try again."),
        "invalid_or_expired_key": _("This link is no longer valid. Request a new code."),
        "invalid_login": _("This sign-in is no longer valid. Start again."),
        "invalid_password_reset": _("This code is no longer valid. Request a new code."),
        "max_email_addresses": _("You can have at most %d email addresses."),
        "too_many_login_attempts": _("Too many wrong attempts. Try again later."),
        "unknown_email": _("This address has no account."),
        "unverified_primary_email": _("Confirm this address before you make it primary."),
        "rate_limited": _("Too many attempts. Try again later."),
    }

    def _get_login_attempts_cache_key(self, request: HttpRequest, **credentials: Any) -> str:
        account: str = super()._get_login_attempts_cache_key(request, **credentials)
        return f"{counted_as(self.get_client_ip(request))} {account}"
