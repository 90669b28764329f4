"""The form of the format chooser."""

from django import forms
from django.forms import BoundField
from django.utils.translation import gettext_lazy as _

from tournaments.core.timetable.forecast import Conditions
from tournaments.events.announcements import MOST_FEEDING
from tournaments.events.queries.chooser import FeedingRounds

LONGEST = 25
MOST_ENTRANTS = 256
FOLDED = ("consolation_rounds", "last_chance_rounds")


class ChooserForm(forms.Form):
    """The form of the format chooser: the field, and how consolations are fed."""

    entrants = forms.IntegerField(label=_("Entrants"), min_value=2, max_value=MOST_ENTRANTS, initial=16)
    tables = forms.IntegerField(
        label=_("Tables"),
        min_value=1,
        max_value=64,
        required=False,
        help_text=_("Blank = as many as needed"),
    )
    length = forms.IntegerField(label=_("Match length"), min_value=1, max_value=LONGEST, initial=5)
    consolation_rounds = forms.IntegerField(
        label=_("Rounds feeding the consolation"),
        min_value=1,
        max_value=MOST_FEEDING,
        required=False,
        help_text=_("At least so many. Blank = as many as give a field"),
    )
    last_chance_rounds = forms.IntegerField(
        label=_("Rounds feeding the last chance"),
        min_value=1,
        max_value=MOST_FEEDING,
        required=False,
        help_text=_("At least so many. Blank = as many as give a field"),
    )
    clocks = forms.BooleanField(label=_("Played with clocks"), required=False)

    @property
    def first(self) -> list[BoundField]:
        """The visible fields."""
        return [self[name] for name in self.fields if name not in FOLDED]

    @property
    def folded(self) -> list[BoundField]:
        """The fields that few need."""
        return [self[name] for name in FOLDED]

    @property
    def feeding_typed(self) -> bool:
        """Whether a folded field is set or invalid."""
        return any(field.data or field.errors for field in self.folded)

    @property
    def conditions(self) -> Conditions:
        """The typed conditions, once valid."""
        data = self.cleaned_data
        return Conditions(tables=data["tables"], clocks=data["clocks"], length=data["length"])

    @property
    def feeding(self) -> FeedingRounds:
        """The typed numbers of feeding rounds, once valid."""
        return FeedingRounds(self.cleaned_data["consolation_rounds"], self.cleaned_data["last_chance_rounds"])
