"""Forms to sign up, to sign in and to look after a login of one's own; they read and check, services do."""

from typing import Any

from allauth.account.adapter import get_adapter
from allauth.account.forms import RequestLoginCodeForm, SignupForm
from allauth.account.models import EmailAddress
from allauth.core import context, ratelimit
from django import forms
from django.contrib.auth.password_validation import password_validators_help_text_html, validate_password
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _

from clubs.clubs.forms import currency, time_zone
from clubs.http.addresses import counted_as
from clubs.models import Scope, User
from clubs.models.token import LABEL_LENGTH
from clubs.people.name_fields import person_name
from clubs.people.services.names import register_player
from clubs.refs import new_ref


class SignUpForm(SignupForm):  # type: ignore[misc]
    """allauth's form with a name: who signs up is a player from then on (``ACCOUNT_FORMS``)."""

    account_already_exists: bool  # allauth's: the address is known, and nothing may tell
    name = person_name()
    field_order = ["name", "email", "password1"]

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.fields["password1"].help_text = _("Leave it empty to sign in with a code that is sent to you.")

    def signup(self, request: HttpRequest, user: User) -> None:  # noqa: ARG002 - allauth's signature
        register_player(name=self.cleaned_data["name"], user=user)

    def try_save(self, request: HttpRequest) -> tuple[User | None, HttpResponse | None]:
        """allauth's, which only writes to the owner of a known address; the answer takes as long for both."""
        if self.account_already_exists:
            self._work_for_nobody()
        saved: tuple[User | None, HttpResponse | None]
        try:
            saved = super().try_save(request)
        except IntegrityError:
            if not User.objects.filter(email=self.cleaned_data["email"].lower()).exists():
                raise
            self.account_already_exists = True  # by another request of the same moment
            saved = super().try_save(request)
        return saved

    def _work_for_nobody(self) -> None:
        """Do what a new address asks for, and keep none of it."""
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


class LoginCodeForm(RequestLoginCodeForm):  # type: ignore[misc]
    """allauth's form, limited by address and account together (``ACCOUNT_FORMS``)."""

    def clean_email(self) -> str:
        email: str = super().clean_email()
        here = f"{counted_as(get_adapter().get_client_ip(context.request))} {email.lower()}"
        if email and not ratelimit.consume(context.request, action="request_login_code_here", key=here):
            raise get_adapter().validation_error("too_many_login_attempts")
        return email


class FirstStartForm(forms.Form):
    """The first site administrator and the first club."""

    name = person_name()
    email = forms.EmailField(label=_("E-mail address"), widget=forms.EmailInput({"autocomplete": "email"}))
    password = forms.CharField(
        label=_("Password"),
        strip=False,
        help_text=password_validators_help_text_html,
        widget=forms.PasswordInput({"autocomplete": "new-password"}),
    )
    club_name = forms.CharField(label=_("Name of your club"), max_length=100)
    tz = time_zone()
    currency = currency()

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or {}
        password = cleaned.get("password")
        if password:
            try:
                validate_password(password, User(email=cleaned.get("email", "")))
            except ValidationError as error:
                self.add_error("password", error)
        return cleaned


class NameForm(forms.Form):
    """The name that everybody sees."""

    name = person_name()


class TokenForm(forms.Form):
    """A new token: what it is for, what it may be used for, and until when."""

    label = forms.CharField(
        label=_("What it is for"),
        max_length=LABEL_LENGTH,
        help_text=_("So that you know it again, e.g. “results on our website”."),
    )
    scopes = forms.MultipleChoiceField(
        label=_("It may be used to"),
        choices=Scope.choices,
        initial=[Scope.READ],
        widget=forms.CheckboxSelectMultiple,
        help_text=_("Never to more than you may do yourself."),
    )
    days = forms.TypedChoiceField(
        label=_("Good for"),
        coerce=int,
        empty_value=None,
        choices=[(30, _("30 days")), (90, _("90 days")), (365, _("one year")), ("", _("until I revoke it"))],
        initial=90,
        required=False,
    )

    def clean_scopes(self) -> list[Scope]:
        return [Scope(scope) for scope in self.cleaned_data["scopes"]]


class ErasureForm(forms.Form):
    """Consent to something that cannot be undone: one's own address, typed again."""

    email = forms.EmailField(
        label=_("Your e-mail address, to confirm"), widget=forms.EmailInput({"autocomplete": "off"})
    )

    def __init__(self, *args: Any, email: str, **options: Any) -> None:
        super().__init__(*args, **options)
        self._expected = email

    def clean_email(self) -> str:
        given = str(self.cleaned_data["email"]).lower()
        if given != self._expected:
            raise ValidationError(_("%(given)s is not your address here."), params={"given": given})
        return given
