"""allauth's forms with the site's labels (``ACCOUNT_FORMS``)."""

from typing import Any, ClassVar

from allauth.account.adapter import get_adapter
from allauth.account.forms import (
    AddEmailForm,
    ChangePasswordForm,
    ConfirmEmailVerificationCodeForm,
    ConfirmLoginCodeForm,
    ConfirmPasswordResetCodeForm,
    LoginForm,
    ReauthenticateForm,
    RequestLoginCodeForm,
    ResetPasswordForm,
    ResetPasswordKeyForm,
    SetPasswordForm,
    SignupForm,
)
from allauth.account.models import EmailAddress
from allauth.core import context, ratelimit
from allauth.mfa.webauthn.forms import AddWebAuthnForm
from django import forms
from django.conf import settings
from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _

from clubs.http.addresses import counted_as
from clubs.models import User
from clubs.people.name_fields import person_name
from clubs.people.services.names import register_player
from clubs.refs import new_ref

PASSWORD_RULE = _("At least 8 characters, and not a common password.")
"""The password validators of the settings, in one line."""


class SiteLabels:
    """Gives each field the site's label, without a placeholder."""

    fields: dict[str, forms.Field]
    labels: ClassVar[dict[str, Any]] = {
        "login": _("Email address"),
        "email": _("Email address"),
        "password": _("Password"),
        "oldpassword": _("Current password"),
        "password1": _("New password"),
        "password2": _("Confirm new password"),
        "remember": _("Stay signed in"),
        "code": _("Code"),
    }
    helps: ClassVar[dict[str, Any]] = {"password1": PASSWORD_RULE}

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        for name in self.labels.keys() & self.fields.keys():
            field = self.fields[name]
            field.label = self.labels[name]
            field.help_text = self.helps.get(name, "")  # no link between a label and its field
            field.widget.attrs.pop("placeholder", None)


class SignInForm(SiteLabels, LoginForm):  # type: ignore[misc]
    """Email address and password."""


class ConfirmAccessForm(SiteLabels, ReauthenticateForm):  # type: ignore[misc]
    """The password again, before a sensitive action."""


class SignInCodeForm(SiteLabels, ConfirmLoginCodeForm):  # type: ignore[misc]
    """The code that replaces a password."""


class ResetCodeForm(SiteLabels, ConfirmPasswordResetCodeForm):  # type: ignore[misc]
    """The code for resetting a password."""


class AddressCodeForm(SiteLabels, ConfirmEmailVerificationCodeForm):  # type: ignore[misc]
    """The code that confirms an email address."""


class AddressForm(SiteLabels, AddEmailForm):  # type: ignore[misc]
    """Another email address."""


class NewPasswordForm(SiteLabels, ChangePasswordForm):  # type: ignore[misc]
    """A new password to replace the current one."""


class FirstPasswordForm(SiteLabels, SetPasswordForm):  # type: ignore[misc]
    """A password for a user who has none."""


class ForgottenPasswordForm(SiteLabels, ResetPasswordForm):  # type: ignore[misc]
    """The email address of a forgotten password."""


class ReplacedPasswordForm(SiteLabels, ResetPasswordKeyForm):  # type: ignore[misc]
    """The new password after a reset code."""


class SignUpForm(SiteLabels, SignupForm):  # type: ignore[misc]
    """A new account with a name: the user is a player from the start.

    Without a mail server a password is required, since no code could be sent in its place.
    """

    account_already_exists: bool  # set by allauth: the address is known, which must stay secret
    name = person_name()
    labels: ClassVar[dict[str, Any]] = SiteLabels.labels | {"password1": _("Password")}
    field_order = ["name", "email", "password1"]

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        password = self.fields["password1"]
        password.required = not settings.EMAIL_URL
        if not password.required:
            password.help_text = _(
                "Leave blank to sign in with an emailed code, or choose at least 8 characters."
            )

    def signup(self, request: HttpRequest, user: User) -> None:  # noqa: ARG002 - allauth's signature
        register_player(name=self.cleaned_data["name"], user=user)

    def try_save(self, request: HttpRequest) -> tuple[User | None, HttpResponse | None]:
        """Save as allauth does, in the same time for known and unknown addresses.

        For a known address allauth only writes to its owner.
        """
        if self.account_already_exists:
            self._sign_up_and_roll_back()
        saved: tuple[User | None, HttpResponse | None]
        try:
            saved = super().try_save(request)
        except IntegrityError:
            if not User.objects.filter(email=self.cleaned_data["email"].lower()).exists():
                raise
            self.account_already_exists = True  # by a concurrent request
            saved = super().try_save(request)
        return saved

    def _sign_up_and_roll_back(self) -> None:
        """Do the work for a new address and roll it back."""
        with transaction.atomic():
            email = f"{new_ref()}@nobody.invalid"  # a name that never exists: RFC 2606
            user = User.objects.create_user(email, self.cleaned_data.get("password1") or None)
            register_player(name=self.cleaned_data["name"], user=user)
            EmailAddress.objects.create(user=user, email=email, primary=True)
            transaction.set_rollback(True)

    def save(self, request: HttpRequest) -> User:
        with transaction.atomic():
            user: User = super().save(request)
            return user


class LoginCodeForm(SiteLabels, RequestLoginCodeForm):  # type: ignore[misc]
    """Requests a sign-in code, limited per address and account together."""

    def clean_email(self) -> str:
        email: str = super().clean_email()
        here = f"{counted_as(get_adapter().get_client_ip(context.request))} {email.lower()}"
        if email and not ratelimit.consume(context.request, action="request_login_code_here", key=here):
            raise get_adapter().validation_error("too_many_login_attempts")
        return email


class PasskeyForm(AddWebAuthnForm):  # type: ignore[misc]
    """A new passkey: its name, and whether it replaces the password."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["name"].label = _("Name")
        alone = self.fields["passwordless"]
        alone.label, alone.initial = _("Sign in without a password"), True
        alone.help_text = _("Some older security keys do not support this.")
