"""The forms of clubs and people; they read and check, services do."""

from typing import TYPE_CHECKING, Any, cast
from zoneinfo import available_timezones

from allauth.account.adapter import get_adapter
from allauth.account.forms import RequestLoginCodeForm, SignupForm
from allauth.account.models import EmailAddress
from allauth.core import context, ratelimit
from django import forms
from django.conf import settings
from django.contrib.auth.password_validation import password_validators_help_text_html, validate_password
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _

from clubs.currency import CURRENCIES
from clubs.http.addresses import counted_as
from clubs.models import Club, Role, Scope, Title, User
from clubs.models.person import NAME_LENGTH
from clubs.models.token import LABEL_LENGTH
from clubs.people.fields import PersonField, search_address
from clubs.people.search import members
from clubs.people.services.naming import NameRefusedError, checked_name, register_player
from clubs.refs import new_ref


class NameField(forms.CharField):
    """A name of a person, without what nobody sees in it."""

    def clean(self, value: Any) -> str:
        try:
            return checked_name(str(super().clean(value)))
        except NameRefusedError as refused:
            raise ValidationError(str(refused), code="blank_name") from refused


def person_name() -> forms.CharField:
    return NameField(
        label=_("Your name"),
        max_length=NAME_LENGTH,
        help_text=_("As it shall stand on scoresheets and in results."),
        widget=forms.TextInput({"autocomplete": "name"}),
    )


def time_zone() -> forms.ChoiceField:
    return forms.ChoiceField(
        label=_("Time zone"),
        choices=lambda: [(zone, zone.replace("_", " ")) for zone in sorted(available_timezones())],
        initial=settings.TIME_ZONE,
    )


def currency() -> forms.ChoiceField:
    return forms.ChoiceField(
        label=_("Currency"), choices=[(code, code) for code in CURRENCIES], initial="EUR"
    )


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


if TYPE_CHECKING:
    ClubModelForm = forms.ModelForm[Club]
else:
    ClubModelForm = forms.ModelForm  # Django's own class takes no type arguments at run time


class ClubForm(ClubModelForm):
    """A club's settings."""

    tz = time_zone()
    currency = currency()

    class Meta:
        model = Club
        fields = [
            *("name", "tz", "currency", "visibility", "lists_open_to", "ranked_from", "points_only"),
        ]
        widgets = {"visibility": forms.RadioSelect, "lists_open_to": forms.RadioSelect}

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        # Whoever sends neither leaves them as they are.
        for name in ("lists_open_to", "ranked_from"):
            self.fields[name].required = False

    def clean_lists_open_to(self) -> str:
        return self.cleaned_data["lists_open_to"] or self.instance.lists_open_to

    def clean_ranked_from(self) -> int:
        given: int | None = self.cleaned_data["ranked_from"]
        return self.instance.ranked_from if given is None else given


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


class PlayerForm(forms.Form):
    """Somebody without a login who comes to the club."""

    name = NameField(label=_("Name"), max_length=NAME_LENGTH)
    role = forms.TypedChoiceField(
        label=_("Role"),
        coerce=lambda value: Role(int(value)),
        choices=[(role.value, role.label) for role in (Role.GUEST, Role.MEMBER)],
    )


class InvitationForm(forms.Form):
    """Whom an owner invites, and to which role."""

    email = forms.EmailField(label=_("E-mail address"), widget=forms.EmailInput({"autocomplete": "off"}))
    role = forms.TypedChoiceField(
        label=_("Role"), coerce=lambda value: Role(int(value)), choices=Role.choices, initial=Role.MEMBER
    )
    guest = PersonField(
        label=_("Made out to"),
        required=False,
        help_text=_("A guest of the club whose matches become theirs when they accept. Blank = nobody"),
    )

    def __init__(self, *args: Any, club: Club, **options: Any) -> None:
        super().__init__(*args, **options)
        guest = cast("PersonField", self.fields["guest"])
        guest.look_among(
            club, members(club).filter(user=None), search=search_address(club, without_login=True)
        )


class RoleForm(forms.Form):
    """Another role for one of the club's people."""

    role = forms.TypedChoiceField(
        label=_("Role"), coerce=lambda value: Role(int(value)), choices=Role.choices
    )


class TitleForm(forms.Form):
    """The title that somebody has."""

    title = forms.TypedChoiceField(
        label=_("Title"),
        coerce=lambda value: Title(int(value)),
        empty_value=None,
        choices=[("", _("none")), *Title.choices],
        required=False,
    )


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
