"""What a director types to decide a match."""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from scoring.rules.endings import Ending
from scoring.sheets.services.overruling import Decision
from tournaments.events.forms.chooser import LONGEST
from tournaments.models import Pairing


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
