"""Form for the prize pool split: a percentage for each table of a flight."""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from tournaments.core.brackets.bracket import CONSOLATION, LAST_CHANCE, MAIN
from tournaments.events.plans import prize_tables
from tournaments.events.services.events import flight_plan
from tournaments.models import Flight

PREFIX = "share"


class SharesForm(forms.Form):
    """A percentage field for each table that can have a share.

    Labels are the tables' names. Fields are named by the stage's ref, or by the kind of table of the deciding
    stage, never by a name that users choose.
    """

    def __init__(self, flight: Flight, *args: Any, **options: Any) -> None:
        """The flight must be loaded with its stages."""
        tables = _tables(flight)
        options.setdefault(
            "initial", {key: flight.shares[name] for key, name in tables.items() if name in flight.shares}
        )
        options |= {"prefix": PREFIX, "auto_id": f"{flight.ref}-%s"}
        super().__init__(*args, **options)
        self.flight = flight
        self._tables = tables
        for key, name in tables.items():
            self.fields[key] = forms.IntegerField(label=name, required=False, min_value=0, max_value=100)

    def clean(self) -> dict[str, Any]:
        if not any(self.add_prefix(key) in self.data for key in self._tables):
            # A form without its fields says nothing; empty fields say "all to the main table".
            raise ValidationError(_("Enter a share for each pool."), code="share")
        return super().clean() or {}

    @property
    def several(self) -> bool:
        """Whether the flight has several tables to share the pool."""
        return len(self._tables) > 1

    def shares(self) -> tuple[tuple[str, int], ...]:
        """Tables with their percentages; blank and 0 are left out."""
        typed = ((name, self.cleaned_data[key]) for key, name in self._tables.items())
        return tuple((name, percent) for name, percent in typed if percent)

    def typed(self) -> list[tuple[str, str]]:
        """Tables with the text typed for them, valid or not."""
        found = ((self._tables[bound.name], str(bound.value() or "").strip()) for bound in self)
        return [(name, text) for name, text in found if text]


def _tables(flight: Flight) -> dict[str, str]:
    """Table names by field name."""
    own = {MAIN: "main", CONSOLATION: "consolation", LAST_CHANCE: "last_chance"}
    refs = {stage.name: stage.ref for stage in flight.stages.all()} | own
    return {refs[name]: name for name in prize_tables(flight_plan(flight).stages)}
