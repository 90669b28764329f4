"""The form for a new match: players, length, rules and time of play."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any, cast

from django import forms
from django.core.exceptions import ValidationError
from django.utils.timezone import override
from django.utils.translation import gettext_lazy as _

from clubs.models import Club, Player
from clubs.people.fields import PersonOrGuestField, look_among_members
from scoring.profiles.queries.profile_words import profile_title
from scoring.rules.profiles import Profile

LONGEST = 99
USUAL = 5
LENGTHS = (1, 3, 5, 7, 9, 11)
MATCH, MONEY = "match", "money"
SIDES = ("white", "black")
PARTNERS = ("white_partner", "black_partner")
EXTRAS = (*PARTNERS, "white_start", "black_start", "played_at")
FULL, GAMES, RESULT = "full", "games", "result"


def _seat(label: Any, *, required: bool = False) -> PersonOrGuestField:
    missing = {"required": _("Enter a member, a guest or a new name.")}
    return PersonOrGuestField(label=label, required=required, error_messages=missing)


def _start(label: Any) -> forms.IntegerField:
    return forms.IntegerField(label=label, min_value=0, max_value=LONGEST, required=False)


class NewMatchForm(forms.Form):
    """Two sides of one or two players or guest names, a length or money, a profile.

    A length that is played often is one choice; another is typed. A time of play is read in the club's
    zone; without one the match is played now.
    """

    white = _seat(_("Light checkers"), required=True)
    black = _seat(_("Dark checkers"), required=True)
    kind = forms.ChoiceField(
        label=_("Points to win"),
        choices=[
            *((str(length), str(length)) for length in LENGTHS),
            (MATCH, _("Other")),
            (MONEY, _("Money")),
        ],
        initial=str(USUAL),
        widget=forms.RadioSelect,
    )
    length = forms.IntegerField(label=_("Other length"), min_value=1, max_value=LONGEST, required=False)
    depth = forms.ChoiceField(
        label=_("What to record"),
        choices=[(FULL, _("Every roll")), (GAMES, _("Games")), (RESULT, _("Result"))],
        initial=FULL,
        required=False,
        widget=forms.RadioSelect,
    )
    profile = forms.ChoiceField(label=_("Rules"))
    white_partner = _seat(_("Partner, light checkers"))
    black_partner = _seat(_("Partner, dark checkers"))
    white_start = _start(_("Head start, light"))
    black_start = _start(_("Head start, dark"))
    played_at = forms.DateTimeField(
        label=_("Played"),
        required=False,
        widget=forms.DateTimeInput({"type": "datetime-local"}, format="%Y-%m-%dT%H:%M"),
        help_text=_("In the club’s time zone. Blank = now"),
    )

    def __init__(
        self, *args: Any, club: Club, player: Player | None, profiles: Iterable[Profile], **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.club = club
        look_among_members(self, (*SIDES, *PARTNERS), club)
        self.fields["length"].depends_on_others = True  # type: ignore[attr-defined]  # not marked as optional
        self.fields["white"].initial = player
        self.profiles = {profile.name: profile for profile in profiles}
        cast("forms.ChoiceField", self.fields["profile"]).choices = [
            (name, profile_title(profile)) for name, profile in self.profiles.items()
        ]

    def full_clean(self) -> None:
        with override(self.club.zone):
            super().full_clean()

    def clean(self) -> dict[str, Any]:
        data: dict[str, Any] = super().clean() or self.cleaned_data
        self._check_people(data)
        if data.get("kind") == MATCH and not data.get("length"):
            self.add_error("length", _("Enter the match length."))
        if data.get("kind") == MONEY:
            for name in ("white_start", "black_start"):
                if data.get(name):
                    self.add_error(name, _("A money session starts at 0–0."))
        return data

    def _check_people(self, data: dict[str, Any]) -> None:
        chosen = [data[name] for name in (*SIDES, *PARTNERS) if isinstance(data.get(name), Player)]
        twice = next((player for at, player in enumerate(chosen) if player in chosen[:at]), None)
        if twice is not None:
            raise ValidationError(
                _("%(name)s can have only one seat in a match."),
                params={"name": twice.name},
            )

    @property
    def shows_extras(self) -> bool:
        """Whether the optional fields have values or errors."""
        return any(self[name].value() or self[name].errors for name in EXTRAS)

    @property
    def points(self) -> int:
        """The match length; 0 is a money session."""
        kind = self.cleaned_data["kind"]
        return 0 if kind == MONEY else int(self.cleaned_data["length"] if kind == MATCH else kind)

    @property
    def handicap(self) -> tuple[int, int]:
        """White's and Black's points at the start."""
        return self.cleaned_data["white_start"] or 0, self.cleaned_data["black_start"] or 0

    @property
    def played(self) -> datetime | None:
        """When the match was played; None for now."""
        return cast("datetime | None", self.cleaned_data["played_at"])

    @property
    def chosen(self) -> Profile:
        """The chosen rules profile."""
        return self.profiles[self.cleaned_data["profile"]]

    def seated(self, side: str) -> list[Player | str]:
        """The players or guest names of a side, in order."""
        found = (self.cleaned_data[name] for name in (side, f"{side}_partner"))
        return [each for each in found if each]

    def name_of(self, side: str) -> str:
        """The names of a side, as its match will show them."""
        return " / ".join(each if isinstance(each, str) else each.name for each in self.seated(side))
