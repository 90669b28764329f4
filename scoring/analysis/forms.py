"""Forms of analyses."""

from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from clubs.models import Club
from scoring.analysis.queries.engines import of_installation, offered
from scoring.models import ClubEngine


class ClubEngineForm(forms.Form):
    """The engine and preset of a club's analyses."""

    engine = forms.ChoiceField(label=gettext_lazy("Engine"), widget=forms.RadioSelect, required=False)

    def __init__(self, *args: Any, club: Club, **options: Any) -> None:
        super().__init__(*args, **options)
        usual = of_installation()
        self.fields["engine"].choices = [  # type: ignore[attr-defined]
            ("", _("Default (%(engine)s)") % {"engine": usual.words}),
            *((each.key, each.words) for each in offered()),
        ]
        row = ClubEngine.objects.filter(club=club).first()
        self.initial["engine"] = f"{row.engine}:{row.preset}" if row else ""

    @property
    def chosen(self) -> dict[str, str]:
        """The engine and preset, both empty for the installation's."""
        engine, _colon, preset = self.cleaned_data["engine"].partition(":")
        return {"engine": engine, "preset": preset}
