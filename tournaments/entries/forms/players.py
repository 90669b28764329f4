"""Forms for entries, by a member or at the desk."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from clubs.models import Player, Role
from clubs.people.fields import PersonField, PersonOrGuestField, look_among_members
from tournaments.events.eligibility import eligibility_of, pools_of
from tournaments.models import FeePayment, Flight


class PlayersForm(forms.Form):
    """Players of an entry, with team name and side pools.

    ``me`` is the player who enters with partners, first and fixed. With ``guests`` a new name is a new
    guest's. ``pairs`` offers a partner where singles and pairs can both enter.
    """

    def __init__(
        self,
        flight: Flight,
        *args: Any,
        me: Player | None = None,
        least: Role = Role.GUEST,
        guests: bool = False,
        pairs: bool = True,
        **options: Any,
    ) -> None:
        options["auto_id"] = f"{flight.ref}-%s"  # several flights stand on one page
        super().__init__(*args, **options)
        self.flight = flight
        before = 0 if me is None else 1
        places = flight.team_size or (1 if me or not pairs else 2)
        if places > 2:
            self.fields["name"] = forms.CharField(
                label=_("Team name"),
                max_length=60,
                required=False,
                help_text=_("Blank = the names of the players"),
            )
        if me is not None and places > 1:
            self.fields["me"] = forms.CharField(label=_label(1, places), initial=me.name, disabled=True)
        self._places = tuple(f"player_{number}" for number in range(before + 1, places + 1))
        for number, name in enumerate(self._places, before + 1):
            required = flight.team_size is not None or number == 1
            kind = PersonOrGuestField if guests else PersonField
            self.fields[name] = kind(label=_label(number, places), required=required)
        look_among_members(self, self._places, flight.event.club, least=least)
        if pools := pools_of(flight.pools):
            self.fields["pools"] = forms.MultipleChoiceField(
                label=_("Side pools"),
                choices=[(pool.key, pool.key) for pool in pools],
                required=False,
                widget=forms.CheckboxSelectMultiple,
            )

    def players(self) -> list[Player | str]:
        """The chosen players, in order; names are of new guests."""
        return [self.cleaned_data[name] for name in self._places if self.cleaned_data.get(name)]

    def typed(self) -> str:
        """The chosen or typed names, valid or not."""
        chosen = [self.cleaned_data.get(name) or self[name].value().text for name in self._places]
        return " / ".join(each.name if isinstance(each, Player) else each for each in chosen if each)

    def said(self) -> str:
        """The team name, else the players' names."""
        return self.name() or self.typed()

    def name(self) -> str:
        """The team name, or ""."""
        return str(self.cleaned_data.get("name", ""))

    def pools(self) -> list[str]:
        """Keys of the chosen side pools."""
        return list(self.cleaned_data.get("pools", []))


class PartnersForm(PlayersForm):
    """A member's entry with partners, who must accept."""

    def __init__(self, flight: Flight, me: Player, *args: Any, **options: Any) -> None:
        super().__init__(flight, *args, me=me, least=Role.MEMBER, **options)


class EnterForm(PlayersForm):
    """Entry of a player, pair or team at the desk, new guests among them."""

    def __init__(self, flight: Flight, *args: Any, **options: Any) -> None:
        super().__init__(flight, *args, guests=True, **options)
        self.fields["payment"] = forms.ChoiceField(
            label=_("Fees"), choices=FeePayment.choices, initial=FeePayment.OPEN, required=False
        )
        if not eligibility_of(flight.eligibility).open:
            self.fields["override"] = forms.BooleanField(
                label=_("Override the entry restrictions"), required=False
            )

    def payment(self) -> FeePayment:
        return FeePayment(self.cleaned_data["payment"] or FeePayment.OPEN)


class SubstituteForm(EnterForm):
    """The substitute for an entrant; entry restrictions do not apply."""

    def __init__(self, flight: Flight, *args: Any, **options: Any) -> None:
        super().__init__(flight, *args, **options)
        self.fields.pop("override", None)


def _label(number: int, places: int) -> Any:
    if places <= 2:
        return _("Player") if number == 1 else _("Partner")
    return _("Player %(number)s") % {"number": number}
