"""The adapter of allauth's passkeys and recovery codes (``MFA_ADAPTER``)."""

from allauth.mfa.adapter import DefaultMFAAdapter
from django.utils.translation import gettext_lazy as _


class MFAAdapter(DefaultMFAAdapter):  # type: ignore[misc]
    """Says refusals in the words of this site."""

    error_messages = DefaultMFAAdapter.error_messages | {
        "add_email_blocked": _("Remove your passkeys before you add an address."),
        "cannot_delete_authenticator": _("This passkey cannot be removed."),
        "cannot_generate_recovery_codes": _("Add a passkey before you create recovery codes."),
        "incorrect_code": _("This code is wrong. Check it and try again."),
        "unverified_email": _("Confirm your email address before you add a passkey."),
    }
