"""The form that opens a match: who plays whom, how long, by whose rules."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, cast

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from clubs.models import Club, Membership, Player
from clubs.models.person import NAME_LENGTH
from scoring.profiles import Profile
from scoring.queries.profile_words import profile_title

LONGEST = 99
USUAL = 5
MATCH, MONEY = "match", "money"


if TYPE_CHECKING:
    ChoiceOfPeople = forms.ModelChoiceField[Membership]
else:  # Django's own class takes no parameter at run time
    ChoiceOfPeople = forms.ModelChoiceField


class SeatField(ChoiceOfPeople):
    """One of the club's people, by name."""

    def label_from_instance(self, obj: Any) -> str:
        return str(obj.player.name)


class NewMatchForm(forms.Form):
    """Two sides, each one of the club's people or a guest's name; a length or a money session; a profile."""

    white = SeatField(Membership.objects.none(), label=_("Light checkers"), required=False)
    white_guest = forms.CharField(
        label=_("or a guest with light checkers"), max_length=NAME_LENGTH, required=False
    )
    black = SeatField(Membership.objects.none(), label=_("Dark checkers"), required=False)
    black_guest = forms.CharField(
        label=_("or a guest with dark checkers"), max_length=NAME_LENGTH, required=False
    )
    kind = forms.ChoiceField(
        label=_("Played as"),
        choices=[(MATCH, _("a match to points")), (MONEY, _("a money session"))],
        initial=MATCH,
    )
    length = forms.IntegerField(
        label=_("Points to win"), min_value=1, max_value=LONGEST, initial=USUAL, required=False
    )
    profile = forms.ChoiceField(label=_("Rules"))

    def __init__(
        self, *args: Any, club: Club, player: Player | None, profiles: Iterable[Profile], **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        people = Membership.objects.in_club(club).with_player().order_by("player__person__sort_key", "pk")
        for name in ("white", "black"):
            cast("SeatField", self.fields[name]).queryset = people
        self.fields["white"].initial = next((row for row in people if row.player == player), None)
        self.profiles = {profile.name: profile for profile in profiles}
        cast("forms.ChoiceField", self.fields["profile"]).choices = [
            (name, profile_title(profile)) for name, profile in self.profiles.items()
        ]

    def clean(self) -> dict[str, Any]:
        data: dict[str, Any] = super().clean() or self.cleaned_data
        for name in ("white", "black"):
            if bool(data.get(name)) == bool(data.get(f"{name}_guest")):
                self.add_error(name, _("Choose one of the club’s people, or type a guest’s name."))
        if data.get("white") is not None and data.get("white") == data.get("black"):
            raise ValidationError(
                _("%(name)s cannot play against the same person."), params={"name": data["white"].player.name}
            )
        if data.get("kind") == MATCH and not data.get("length"):
            self.add_error("length", _("How many points win the match?"))
        return data

    @property
    def points(self) -> int:
        """The match length; 0 is a money session."""
        return 0 if self.cleaned_data["kind"] == MONEY else int(self.cleaned_data["length"])

    @property
    def chosen(self) -> Profile:
        """The rules profile that was chosen."""
        return self.profiles[self.cleaned_data["profile"]]

    def seated(self, name: str) -> Player | str:
        """Who sits at a side: a player, or the name of a guest."""
        row: Membership | None = self.cleaned_data[name]
        return row.player if row else str(self.cleaned_data[f"{name}_guest"])
