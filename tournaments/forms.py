"""What directors and players type on the pages of events; forms read and check, services do."""

from decimal import Decimal
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.core.validators import DecimalValidator
from django.utils.translation import gettext_lazy as _

from clubs.currency import minor_digits
from clubs.models import Club, Membership
from scoring.ratings.policy import Ending
from scoring.services.overruling import Decision
from tournaments.draws.presets import PRESETS
from tournaments.formats import FORMAT_NAMES
from tournaments.models import Pairing, Payment
from tournaments.prizes.pools import Fees
from tournaments.services.events import FlightTerms

LONGEST = 25


class ChooserForm(forms.Form):
    """What the format chooser asks."""

    entrants = forms.IntegerField(label=_("Entrants"), min_value=2, max_value=128, initial=16)
    tables = forms.IntegerField(
        label=_("Tables"),
        min_value=1,
        max_value=64,
        required=False,
        help_text=_("Leave it empty for enough."),
    )
    length = forms.IntegerField(label=_("Match length"), min_value=1, max_value=LONGEST, initial=5)
    clocks = forms.BooleanField(label=_("Played with clocks"), required=False)


class EventForm(forms.Form):
    """A new event with one flight. Money is typed in the club's currency and kept in minor units."""

    name = forms.CharField(label=_("Name"), max_length=120)
    starts_at = forms.DateTimeField(
        label=_("Starts"),
        widget=forms.DateTimeInput({"type": "datetime-local"}, format="%Y-%m-%dT%H:%M"),
        help_text=_("In the club's time zone."),
    )
    format_key = forms.ChoiceField(label=_("Format"), choices=[(key, FORMAT_NAMES[key]) for key in PRESETS])
    length = forms.IntegerField(label=_("Match length"), min_value=1, max_value=LONGEST, initial=5)
    capacity = forms.IntegerField(
        label=_("Places"), min_value=2, required=False, help_text=_("Whoever comes later waits.")
    )
    entry_fee = forms.DecimalField(label=_("Entry fee"), min_value=0, max_value=100_000, required=False)
    registration_fee = forms.DecimalField(
        label=_("Registration fee (kept)"), min_value=0, max_value=100_000, required=False
    )
    returned = forms.IntegerField(
        label=_("Returned of the entry fee, in percent"), min_value=0, max_value=100, initial=100
    )
    added = forms.DecimalField(label=_("Added money"), min_value=0, max_value=1_000_000, required=False)

    def __init__(self, club: Club, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._digits = minor_digits(club.currency)
        for name in ("entry_fee", "registration_fee", "added"):
            self.fields[name].validators.append(DecimalValidator(None, self._digits))
            self.fields[name].widget.attrs["step"] = str(Decimal(1).scaleb(-self._digits))

    def terms(self) -> FlightTerms:
        """Fees and places of the flight."""
        data = self.cleaned_data
        return FlightTerms(
            fees=Fees(
                self._minor(data["registration_fee"]), self._minor(data["entry_fee"]), data["returned"]
            ),
            added=self._minor(data["added"]),
            capacity=data["capacity"],
        )

    def _minor(self, amount: Decimal | None) -> int:
        return int(amount.scaleb(self._digits)) if amount else 0


class EnterForm(forms.Form):
    """The desk enters somebody of the club, or a pair."""

    first = forms.ModelChoiceField(Membership.objects.none(), label=_("Player"))
    second = forms.ModelChoiceField(
        Membership.objects.none(), label=_("Partner"), required=False, help_text=_("For doubles.")
    )
    payment = forms.ChoiceField(label=_("Fees"), choices=Payment.choices, initial=Payment.OPEN)

    def __init__(self, club: Club, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        people = Membership.objects.in_club(club).with_player().order_by("player__person__sort_key", "pk")
        for name in ("first", "second"):
            field = self.fields[name]
            field.queryset = people  # type: ignore[attr-defined]
            field.label_from_instance = _name  # type: ignore[attr-defined]


class DecisionForm(forms.Form):
    """A director's result: points when it was played out, else who won and why."""

    ended = forms.ChoiceField(
        label=_("How it ended"),
        choices=[
            (Ending.PLAYED.value, _("played out")),
            (Ending.TIME.value, _("on time")),
            (Ending.RETIRED.value, _("retired")),
            (Ending.NO_SHOW.value, _("no-show")),
            (Ending.DOUBLE_NO_SHOW.value, _("neither came")),
            (Ending.DISQUALIFIED.value, _("disqualified")),
        ],
    )
    a_points = forms.IntegerField(min_value=0, max_value=LONGEST, required=False)
    b_points = forms.IntegerField(min_value=0, max_value=LONGEST, required=False)
    winner = forms.ChoiceField(label=_("Winner"), required=False)
    reason = forms.CharField(label=_("Reason"), max_length=200, required=False)

    def __init__(self, pairing: Pairing, names: tuple[str, str], *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._length = pairing.length
        for field, name in (("a_points", names[0]), ("b_points", names[1])):
            self.fields[field].label = _("Points of %(name)s") % {"name": name}
        winner: Any = self.fields["winner"]
        winner.choices = [("", _("by the points")), ("white", names[0]), ("black", names[1])]

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        ended = data.get("ended")
        if ended == Ending.PLAYED:
            a, b = data.get("a_points"), data.get("b_points")
            if a is None or b is None:
                raise ValidationError(_("Type the points of both sides."), code="points")
            if max(a, b) != self._length or a == b:
                raise ValidationError(
                    _("%(a)s-%(b)s decides no match to %(length)s: the winner has exactly %(length)s."),
                    code="points",
                    params={"a": a, "b": b, "length": self._length},
                )
        elif ended and ended != Ending.DOUBLE_NO_SHOW and not data.get("winner"):
            raise ValidationError(_("Say who won."), code="winner")
        return data

    def decision(self) -> Decision:
        """The checked result as a value."""
        data = self.cleaned_data
        ended = Ending(data["ended"])
        if ended is Ending.PLAYED:
            points = (data["a_points"], data["b_points"])
            return Decision("white" if points[0] > points[1] else "black", points)
        winner = "" if ended is Ending.DOUBLE_NO_SHOW else data["winner"]
        return Decision(winner, None, ended)


def _name(membership: Membership) -> str:
    return membership.player.name
