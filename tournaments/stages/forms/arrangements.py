"""Forms to arrange matches: times, line-ups, round starts, the next season."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from clubs.formats import dates
from clubs.models import Player
from tournaments.core.timetable.breaks import Break
from tournaments.events.break_lines import shown_breaks, typed_breaks
from tournaments.events.forms.event import BreaksField, MomentField
from tournaments.events.forms.rows import NO_START, StartRows
from tournaments.events.services.events import starts_of
from tournaments.models import EntrantRow, Event, StageRow

MOST_MOVES = 20


class DateForm(forms.Form):
    """A proposed time."""

    at = MomentField(label=_("When"), help_text=_("Local time at the venue."))

    def __init__(self, event: Event, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._event = event

    def moment(self) -> datetime:
        """The typed moment."""
        typed: datetime = self.cleaned_data["at"]
        return typed.replace(tzinfo=self._event.tz)

    def typed(self) -> str:
        """The typed text, formatted if it is a time."""
        found: datetime | None = getattr(self, "cleaned_data", {}).get("at")
        return dates.moment(found) if found else str(self["at"].value() or "")


class LineUpForm(forms.Form):
    """One player per board, from board 1."""

    def __init__(
        self, entrant: EntrantRow, boards: int, *args: Any, seated: Sequence[str] = (), **options: Any
    ) -> None:
        """``seated`` are the refs of the current players, from board 1."""
        options["auto_id"] = f"{entrant.ref}-%s"
        options["initial"] = {f"board_{number}": ref for number, ref in enumerate(seated, 1)}
        super().__init__(*args, **options)
        self.entrant = entrant
        self._team = {player.ref: player for player in entrant.players}
        for number in range(1, boards + 1):
            self.fields[f"board_{number}"] = forms.ChoiceField(
                label=_("Board %(number)s") % {"number": number},
                choices=[(ref, player.name) for ref, player in self._team.items()],
            )

    def players(self) -> list[Player]:
        """The players, from board 1."""
        return [self._team[ref] for ref in self.cleaned_data.values()]

    def typed(self) -> str:
        """The chosen names from board 1, even if they make no valid line-up."""
        chosen = (self._team.get(str(bound.value())) for bound in self)
        return ", ".join(player.name for player in chosen if player is not None)


class SeasonForm(DateForm):
    """Start of the next season, and number of promoted and relegated players."""

    moves = forms.IntegerField(
        label=_("Promoted and relegated per division"), min_value=0, max_value=MOST_MOVES, initial=2
    )


class BreaksForm(forms.Form):
    """The breaks of an event, and the version that the page showed."""

    breaks = BreaksField()
    seen = forms.IntegerField(required=False, min_value=0, max_value=2**31 - 1, widget=forms.HiddenInput)

    def __init__(self, event: Event, *args: Any, **options: Any) -> None:
        options.setdefault("initial", {"breaks": shown_breaks(event.pauses, zone=event.tz)})
        super().__init__(*args, **options)
        self._event = event

    def clean_breaks(self) -> tuple[Break, ...]:
        event = self._event
        return typed_breaks(
            self.cleaned_data["breaks"], zone=event.tz, event_at=event.starts_at, known=event.pauses
        )


class StartsForm(forms.Form):
    """The earliest start of each round; ``seen`` are those that the page showed."""

    seen = forms.CharField(required=False, widget=forms.HiddenInput, max_length=3000)
    starts = forms.CharField(
        label=_("Earliest starts"),
        max_length=2000,
        required=False,
        widget=StartRows,
        help_text=_("Local time at the venue. Blank = as soon as possible."),
    )

    def __init__(self, stage: StageRow, *args: Any, **options: Any) -> None:
        zone = stage.flight.event.tz
        known = starts_of(stage)
        shown = [at.astimezone(zone).strftime("%Y-%m-%d %H:%M") for at in known]
        seen = " ".join(at.isoformat() for at in known)
        options.setdefault("initial", {"starts": "\n".join(shown), "seen": seen})
        super().__init__(*args, **options)
        self._zone = zone

    def clean_starts(self) -> list[datetime]:
        lines = [line.strip() for line in self.cleaned_data["starts"].splitlines() if line.strip()]
        if NO_START in lines:
            raise ValidationError(
                _("Enter a start for round %(round)s: a later round has one."),
                code="gap",
                params={"round": lines.index(NO_START) + 1},
            )
        found = [self._read(line) for line in lines]
        if found != sorted(found):
            raise ValidationError(_("A round cannot start before the previous one."), code="order")
        return found

    def _read(self, line: str) -> datetime:
        try:
            return datetime.strptime(line, "%Y-%m-%d %H:%M").replace(tzinfo=self._zone)
        except ValueError as error:
            raise ValidationError(
                _("“%(line)s” is not a time. Enter it like 2026-12-02 19:30."),
                code="time",
                params={"line": line},
            ) from error

    def clean_seen(self) -> list[datetime] | None:
        if "seen" not in self.data:
            return None
        try:
            return [datetime.fromisoformat(at) for at in self.cleaned_data["seen"].split()]
        except ValueError as error:
            raise ValidationError(_("This form is out of date. Reload the page and try again.")) from error

    def moments(self) -> list[datetime]:
        """The starts, from round 1."""
        found: list[datetime] = self.cleaned_data["starts"]
        return found
