"""Forms of a club and its members; they validate, services do the work."""

from typing import TYPE_CHECKING, Any, cast
from zoneinfo import available_timezones

from django import forms
from django.conf import settings
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from clubs.currency import CURRENCIES
from clubs.http.numbers import whole_number
from clubs.models import Club, Role, Title
from clubs.models.person import NAME_LENGTH
from clubs.people.fields import LONGEST_SHOWN, PersonField, search_address
from clubs.people.name_fields import NameField, email_address
from clubs.people.search import members

# Names in the database that are not places.
NO_PLACES = {"Factory", "localtime", "posixrules"}
SHOWN_ZONES = 5
LONGEST_LIST = 100_000
COLUMNS = {"": _("Leave out"), "name": _("Name"), "first": _("First name"), "last": _("Surname")}
"""What a column of a pasted list can be."""


class TimeZoneWidget(forms.TextInput):
    """A time zone typed by name; a script suggests the browser's zones."""

    template_name = "forms/time_zone.html"


class TimeZoneField(forms.CharField):
    """A time zone by its name or a city; a select of all would fill the page."""

    widget = TimeZoneWidget
    default_error_messages = {
        "unknown": _("“%(text)s” is not a time zone. Type a large city, e.g. Lisbon."),
        "several": _("“%(text)s” matches several time zones: %(zones)s. Type one of them."),
    }

    def clean(self, value: Any) -> str:
        text = str(super().clean(value))
        zones = {zone.lower(): zone for zone in available_timezones() - NO_PLACES}
        typed = "_".join(text.split()).lower()
        if typed in zones:
            return zones[typed]
        found = sorted(zone for key, zone in zones.items() if typed in key.split("/"))
        if len(found) == 1:
            return found[0]
        params = {"text": text[:LONGEST_SHOWN], "zones": ", ".join(found[:SHOWN_ZONES])}
        code = "several" if found else "unknown"
        raise forms.ValidationError(self.error_messages[code], code=code, params=params)


def time_zone(*, guess: bool = False) -> TimeZoneField:
    """A time zone field; with ``guess`` it starts with the browser's zone."""
    return TimeZoneField(
        label=_("Time zone"),
        initial=settings.TIME_ZONE,
        widget=TimeZoneWidget({"data-guess": settings.TIME_ZONE} if guess else None),
        help_text=_("A large city, e.g. Lisbon"),
    )


def currency() -> forms.ChoiceField:
    return forms.ChoiceField(
        label=_("Currency"), choices=[(code, code) for code in CURRENCIES], initial="EUR"
    )


if TYPE_CHECKING:
    ClubModelForm = forms.ModelForm[Club]
else:
    ClubModelForm = forms.ModelForm  # Django's own class takes no type arguments at run time


class NewClubForm(ClubModelForm):
    """A new club; other settings have their defaults."""

    tz = time_zone(guess=True)
    currency = currency()

    class Meta:
        model = Club
        fields = ["name", "tz", "currency", "visibility"]
        widgets = {"visibility": forms.RadioSelect}


class ClubForm(NewClubForm):
    """A club's settings."""

    tz = time_zone()

    class Meta(NewClubForm.Meta):
        fields = ["name", "visibility", "lists_open_to", "analyses_shown"]
        fields += ["ranked_from", "points_only", "search_engines", "tz", "currency"]
        widgets = dict.fromkeys(("visibility", "lists_open_to", "analyses_shown"), forms.RadioSelect)

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        # Those that are not sent stay the same.
        for name in ("lists_open_to", "analyses_shown", "ranked_from"):
            self.fields[name].required = False

    def clean_lists_open_to(self) -> str:
        return self.cleaned_data["lists_open_to"] or self.instance.lists_open_to

    def clean_analyses_shown(self) -> str:
        return self.cleaned_data["analyses_shown"] or self.instance.analyses_shown

    def clean_ranked_from(self) -> int:
        given: int | None = self.cleaned_data["ranked_from"]
        return self.instance.ranked_from if given is None else given


class PlayerForm(forms.Form):
    """A player without an account."""

    name = NameField(label=_("Name"), max_length=NAME_LENGTH)
    role = forms.TypedChoiceField(
        label=_("Role"),
        coerce=lambda value: Role(int(value)),
        choices=[(role.value, role.label) for role in (Role.GUEST, Role.MEMBER)],
    )


class MemberListForm(forms.Form):
    """A list of players as text, with what its columns are once it has been read."""

    members = forms.CharField(
        label=_("Players"),
        max_length=LONGEST_LIST,
        widget=forms.Textarea({"rows": 8, "spellcheck": "false"}),
        help_text=_("Paste rows from a spreadsheet, with or without headings, or type one player per line."),
    )
    role = forms.TypedChoiceField(
        label=_("Role"),
        coerce=lambda value: Role(int(value)),
        choices=[(role.value, role.label) for role in (Role.GUEST, Role.MEMBER)],
    )

    @property
    def sent(self) -> QueryDict:
        """What was sent, in the browser's form encoding."""
        return self.data if isinstance(self.data, QueryDict) else QueryDict()

    def columns(self) -> list[str] | None:
        """The chosen columns; None before the list was read."""
        return self.sent.getlist("column") or None

    def headed(self) -> bool | None:
        """Whether the first row has headings; None before the list was read."""
        return None if "mapped" not in self.sent else "headed" in self.sent

    def leave_out(self) -> frozenset[int]:
        """Numbers of the rows to leave out."""
        found = map(whole_number, self.sent.getlist("leave_out"))
        return frozenset(number for number in found if number is not None)


class InvitationForm(forms.Form):
    """The address to invite, and the role."""

    email = email_address(autocomplete="off")
    role = forms.TypedChoiceField(
        label=_("Role"), coerce=lambda value: Role(int(value)), choices=Role.choices, initial=Role.MEMBER
    )
    guest = PersonField(
        label=_("Guest to claim"),
        required=False,
        help_text=_("When they accept, this guest’s matches become theirs."),
    )

    def __init__(self, *args: Any, club: Club, **options: Any) -> None:
        super().__init__(*args, **options)
        guest = cast("PersonField", self.fields["guest"])
        guest.look_among(
            club, members(club).filter(user=None), search=search_address(club, without_login=True)
        )


class RoleForm(forms.Form):
    """A new role for a member."""

    role = forms.TypedChoiceField(
        label=_("Role"), coerce=lambda value: Role(int(value)), choices=Role.choices
    )


class TitleForm(forms.Form):
    """A player's title."""

    title = forms.TypedChoiceField(
        label=_("Title"),
        coerce=lambda value: Title(int(value)),
        empty_value=None,
        choices=[("", _("none")), *Title.choices],
        required=False,
    )
