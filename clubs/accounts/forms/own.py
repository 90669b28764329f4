"""Forms of the setup page and of a user's own account."""

from typing import Any

from django import forms
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from clubs.accounts.forms.signing_in import PASSWORD_RULE
from clubs.clubs.forms import currency, time_zone
from clubs.models import Scope, User
from clubs.models.token import LABEL_LENGTH
from clubs.people.name_fields import email_address, person_name


class FirstStartForm(forms.Form):
    """The first site administrator and the first club."""

    name = person_name()
    email = email_address()
    password = forms.CharField(
        label=_("Password"),
        strip=False,
        help_text=PASSWORD_RULE,
        widget=forms.PasswordInput({"autocomplete": "new-password"}),
    )
    club_name = forms.CharField(label=_("Club name"), max_length=100)
    tz = time_zone(guess=True)
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
    """The name that others see."""

    name = person_name()


class TokenForm(forms.Form):
    """A new token: its name, scopes and expiry."""

    label = forms.CharField(
        label=_("Token name"),
        max_length=LABEL_LENGTH,
        help_text=_("For example “results on our website”"),
    )
    scopes = forms.MultipleChoiceField(
        label=_("Permissions"),
        choices=Scope.choices,
        initial=[Scope.READ],
        widget=forms.CheckboxSelectMultiple,
        help_text=_("A token never has more permissions than you."),
    )
    days = forms.TypedChoiceField(
        label=_("Expires"),
        coerce=int,
        empty_value=None,
        choices=[
            (30, _("after 30 days")),
            (90, _("after 90 days")),
            (365, _("after a year")),
            ("", _("never")),
        ],
        initial=90,
        required=False,
    )

    def clean_scopes(self) -> list[Scope]:
        return [Scope(scope) for scope in self.cleaned_data["scopes"]]


class ErasureForm(forms.Form):
    """Confirms the deletion of an account by its email address."""

    email = email_address(_("Type your email address to confirm"), autocomplete="off")

    def __init__(self, *args: Any, email: str, **options: Any) -> None:
        super().__init__(*args, **options)
        self._expected = email

    def clean_email(self) -> str:
        given = str(self.cleaned_data["email"]).lower()
        if given != self._expected:
            raise ValidationError(
                _("%(given)s is not the email address of your account."), params={"given": given}
            )
        return given
