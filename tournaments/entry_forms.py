"""What is typed to enter a flight, by a member, at the desk or as a list; forms read, services decide."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from clubs.models import Player
from tournaments.eligibility import eligibility_of, pools_of
from tournaments.models import Flight, Payment

People = Sequence[Player]
LONGEST_LIST = 200_000


class PlayersForm(forms.Form):
    """Who plays together: as many players as the flight wants, and the side pools they are in."""

    def __init__(self, flight: Flight, people: People, *args: Any, before: int = 0, **options: Any) -> None:
        options["auto_id"] = f"{flight.ref}-%s"  # several flights stand on one page
        super().__init__(*args, **options)
        self.flight = flight
        self._people = {player.ref: player for player in people}
        choices = [("", "–"), *((player.ref, player.name) for player in people)]
        places = flight.team_size or (1 if before else 2)
        for number in range(before + 1, places + 1):
            self.fields[f"player_{number}"] = forms.ChoiceField(
                label=_label(number, places),
                choices=choices,
                required=flight.team_size is not None or number == 1,
            )
        if pools := pools_of(flight.pools):
            self.fields["pools"] = forms.MultipleChoiceField(
                label=_("Side pools"),
                choices=[(pool.key, pool.key) for pool in pools],
                required=False,
                widget=forms.CheckboxSelectMultiple,
            )

    def players(self) -> list[Player]:
        """Whom the form names, in order."""
        names = [value for name, value in self.cleaned_data.items() if name.startswith("player_") and value]
        return [self._people[ref] for ref in names]

    def typed(self) -> str:
        """The names that were chosen, also where they make no entry."""
        chosen = (self._people.get(str(bound.value())) for bound in self if bound.name.startswith("player_"))
        return " / ".join(player.name for player in chosen if player is not None)

    def pools(self) -> list[str]:
        """The keys of the side pools."""
        return list(self.cleaned_data.get("pools", []))


class PartnersForm(PlayersForm):
    """A member names the partners, who then say yes."""

    def __init__(self, flight: Flight, people: People, *args: Any, **options: Any) -> None:
        super().__init__(flight, people, *args, before=1, **options)


class EnterForm(PlayersForm):
    """The desk enters somebody of the club, a pair or a team."""

    def __init__(self, flight: Flight, people: People, *args: Any, **options: Any) -> None:
        super().__init__(flight, people, *args, **options)
        self.fields["payment"] = forms.ChoiceField(
            label=_("Fees"), choices=Payment.choices, initial=Payment.OPEN, required=False
        )
        if (flight.team_size or 1) > 2:
            self.fields["name"] = forms.CharField(label=_("Team name"), max_length=60, required=False)
        if not eligibility_of(flight.eligibility).open:
            self.fields["override"] = forms.BooleanField(
                label=_("Admit whom the rule of this flight keeps out"), required=False
            )

    def payment(self) -> Payment:
        return Payment(self.cleaned_data["payment"] or Payment.OPEN)


class SubstituteForm(EnterForm):
    """Who takes over the place of an entrant: the director who says so has admitted them."""

    def __init__(self, flight: Flight, people: People, *args: Any, **options: Any) -> None:
        super().__init__(flight, people, *args, **options)
        self.fields.pop("override", None)


class EntryListForm(forms.Form):
    """A list of entries as text (CSV)."""

    entries = forms.CharField(
        label=_("Entries"),
        max_length=LONGEST_LIST,
        widget=forms.Textarea({"rows": 10, "spellcheck": "false"}),
        help_text=_("One line an entry: name; partner; fees (cash, transfer, free). A comma does as well."),
    )


def _label(number: int, places: int) -> Any:
    if places <= 2:
        return _("Player") if number == 1 else _("Partner")
    return _("Player %(number)s") % {"number": number}
