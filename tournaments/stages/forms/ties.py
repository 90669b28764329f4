"""The form to settle a tie."""

from django import forms
from django.utils.translation import gettext_lazy as _

from scoring.rules.match import LONGEST_MATCH
from tournaments.core.standings.choices import OFFERED
from tournaments.stages.services.settling import DECISIONS


class TieForm(forms.Form):
    """Which tie (``entrant`` for each, from the page), and the decision on it."""

    decision = forms.ChoiceField(label=_("Decision"), choices=[(each, each) for each in DECISIONS])
    tie_break = forms.ChoiceField(
        label=_("Tie-break"), required=False, choices=[(key, key) for key in OFFERED]
    )
    length = forms.IntegerField(label=_("Match length"), required=False, min_value=1, max_value=LONGEST_MATCH)
