"""The wizard's form: everything about an event that is set before anybody enters."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, datetime
from decimal import Decimal
from typing import Any, ClassVar
from zoneinfo import ZoneInfo

from django import forms
from django.core.exceptions import ValidationError
from django.core.validators import DecimalValidator
from django.utils.translation import gettext_lazy as _

from clubs.currency import minor_digits
from clubs.models import Club, Title
from clubs.models.club import validate_time_zone
from scoring.profiles.queries.profiles import profiles_of
from scoring.rules.profiles import STANDARD_PROFILE
from tournaments.core.formats.presets import PRESETS
from tournaments.core.prizes.money import PrizeRefused
from tournaments.core.prizes.pools import Fees, SidePool
from tournaments.core.timetable.breaks import MOST_BREAKS
from tournaments.events.break_lines import LONGEST_LINE, typed_breaks
from tournaments.events.eligibility import Eligibility
from tournaments.events.event_templates import TEMPLATES, flight_from, template
from tournaments.events.format_details import OPTIONS, detail_faults, usual_details, with_details
from tournaments.events.plans import EventPlan, FlightPlan, StagePlan, prize_tables, share_faults
from tournaments.words.formats import FORMAT_NAMES

LONGEST = 25
LONGEST_POOL = 40
DEAREST = 100_000_000
"""The highest fee, in minor units."""
MOST_ROUNDS = 30
MOST_LIVES = 10
MOST_DAYS = 366
MOST_BOARDS = 20
FIRST_YEAR, LAST_YEAR = 1900, 2200
SEEDINGS = {"rating": _("by rating"), "lot": _("by lot"), "hand": _("in the order of entry")}
"""How entrants are seeded, as the formats' options call it."""
NOBODY = _("Nobody may enter then: the bounds leave none.")
TITLES = [(title.name, title.label) for title in Title]
MOST_EXPECTED = 256
"""The largest field that a wizard plays on paper while somebody waits for the page."""

WHEN = (_("When, and by which rules"), ("starts_at", "zone", "breaks", "profile", "clocks", "rated"))
REGISTRATION = (_("Registration"), ("entries_from", "entries_until", "members_only", "hidden"))
SECTIONS = (
    (_("What"), ("name", "format_key", "length", "lengths")),
    (
        _("Who"),
        (
            "capacity",
            "starts_when_full",
            "team_size",
            "rating_below",
            "rating_from",
            "title_from",
            "title_below",
        ),
    ),
    (
        _("Money"),
        ("entry_fee", "registration_fee", "returned", "added", "percentages", "shares", "pools"),
    ),
)


class MomentField(forms.DateTimeField):
    """A date and time on the venue's clock, as it is typed."""

    def __init__(self, **options: Any) -> None:
        widget = forms.DateTimeInput({"type": "datetime-local"}, format="%Y-%m-%dT%H:%M")
        super().__init__(widget=widget, **options)

    def clean(self, value: Any) -> Any:
        found = super().clean(value)
        if found is not None and not FIRST_YEAR <= found.year <= LAST_YEAR:
            raise ValidationError(
                _("Events are played between %(first)s and %(last)s."),
                code="year",
                params={"first": FIRST_YEAR, "last": LAST_YEAR},
            )
        return found


class BreaksField(forms.CharField):
    """Breaks as they are typed, one a line (``tournaments.events.break_lines``)."""

    def __init__(self) -> None:
        super().__init__(
            label=_("Breaks"),
            max_length=MOST_BREAKS * LONGEST_LINE,
            required=False,
            widget=forms.Textarea({"rows": 4}),
            help_text=_(
                "One a line, on the venue's clock: 2026-12-05 12:30-13:30 Lunch. Without a day it is that of "
                "the line before. Through the night: 2026-12-05 21:00 - 2026-12-06 10:00 Night."
            ),
        )

    def widget_attrs(self, widget: forms.Widget) -> dict[str, Any]:
        """Without the longest length: a browser cuts what is pasted there, and does not say so."""
        return {name: value for name, value in super().widget_attrs(widget).items() if name != "maxlength"}


class FlightForm(forms.Form):
    """A flight. Money is typed in the club's currency and kept in minor units."""

    shown: ClassVar[tuple[Any, ...]] = SECTIONS

    name = forms.CharField(label=_("Name"), max_length=60)
    format_key = forms.ChoiceField(label=_("Format"))
    length = forms.IntegerField(label=_("Match length"), min_value=1, max_value=LONGEST, initial=5)
    lengths = forms.CharField(
        label=_("Match lengths by round"),
        max_length=120,
        required=False,
        help_text=_("For example 5, 7, 9: the last one holds for all later rounds."),
    )
    seeding = forms.ChoiceField(label=_("Seeded"), required=False)
    rounds = forms.IntegerField(label=_("Rounds"), min_value=1, max_value=MOST_ROUNDS, required=False)
    lives = forms.IntegerField(label=_("Lives"), min_value=1, max_value=MOST_LIVES, required=False)
    days = forms.IntegerField(label=_("Days a round"), min_value=1, max_value=MOST_DAYS, required=False)
    reach = forms.IntegerField(
        label=_("Rungs that a challenge reaches"), min_value=1, max_value=MOST_ROUNDS, required=False
    )
    boards = forms.IntegerField(
        label=_("Boards of a tie"),
        min_value=1,
        max_value=MOST_BOARDS,
        required=False,
        help_text=_("For teams: as many as play at once."),
    )
    duplicate_dice = forms.BooleanField(
        label=_("All boards of a tie play the same rolls (duplicate dice)"), required=False
    )
    capacity = forms.IntegerField(
        label=_("Places"),
        min_value=2,
        max_value=100_000,
        required=False,
        help_text=_("Whoever comes later waits."),
    )
    starts_when_full = forms.BooleanField(label=_("Starts when it is full"), required=False)
    team_size = forms.IntegerField(
        label=_("Players an entrant"),
        min_value=1,
        max_value=20,
        required=False,
        help_text=_(
            "1 singles, 2 doubles, more for teams. Leave it empty for singles and pairs as they come."
        ),
    )
    rating_below = forms.FloatField(
        label=_("Only ratings under"), required=False, min_value=0, max_value=10_000
    )
    rating_from = forms.FloatField(
        label=_("Only ratings from"), required=False, min_value=0, max_value=10_000
    )
    title_from = forms.ChoiceField(label=_("Only titles from"), required=False, choices=[("", "–"), *TITLES])
    title_below = forms.ChoiceField(
        label=_("Only below the title"),
        required=False,
        choices=[("", "–"), *TITLES],
        help_text=_("As the club’s people list says. Whoever has none is below all."),
    )
    entry_fee = forms.DecimalField(label=_("Entry fee"), min_value=0, max_value=100_000, required=False)
    registration_fee = forms.DecimalField(
        label=_("Registration fee (kept)"), min_value=0, max_value=100_000, required=False
    )
    returned = forms.IntegerField(
        label=_("Returned of the entry fee, in percent"), min_value=0, max_value=100, initial=100
    )
    added = forms.DecimalField(label=_("Added money"), min_value=0, max_value=1_000_000, required=False)
    percentages = forms.CharField(
        label=_("Prizes in percent"),
        max_length=120,
        required=False,
        help_text=_("For example 40, 25, 25, 10. Leave it empty for the usual table for the field."),
    )
    shares = forms.CharField(
        label=_("Shares of the pool in percent"),
        max_length=400,
        required=False,
        help_text=_(
            "For example main 70, consolation 20, last chance 10; a further stage by its name. "
            "Leave it empty for all to the main table."
        ),
    )
    pools = forms.CharField(
        label=_("Side pools"),
        max_length=1000,
        required=False,
        widget=forms.Textarea({"rows": 3}),
        help_text=_("One a line: name; fee; returned percent."),
    )

    def __init__(self, club: Club, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._club = club
        self._digits = minor_digits(club.currency)
        formats: Any = self.fields["format_key"]
        formats.choices = [
            (_("Templates"), [(key, each.name) for key, each in TEMPLATES.items()]),
            (_("Formats"), [(key, FORMAT_NAMES[key]) for key in PRESETS]),
        ]
        self._usual = self._usual_details()
        seeding: Any = self.fields["seeding"]
        seeding.choices = [("", SEEDINGS.get(self._usual.get("seeding", ""), "–")), *SEEDINGS.items()]
        for name in ("rounds", "lives", "days", "reach", "boards"):
            self.fields[name].widget.attrs["placeholder"] = self._usual.get(name) or ""
        for name in ("entry_fee", "registration_fee", "added"):
            self.fields[name].validators.append(DecimalValidator(None, self._digits))
            self.fields[name].widget.attrs["step"] = str(Decimal(1).scaleb(-self._digits))

    @property
    def sections(self) -> list[tuple[Any, list[Any]]]:
        """The fields in groups, for the page."""
        return [(title, [self[name] for name in names]) for title, names in self.shown]

    @property
    def details(self) -> list[Any]:
        """The fields of the format in detail: those that the chosen format knows, and whatever was typed."""
        names = (*OPTIONS, "boards", "duplicate_dice")
        return [self[name] for name in names if name not in OPTIONS or name in self._usual or self[name].data]

    @property
    def details_typed(self) -> bool:
        """Whether something was set of them."""
        return any(field.data or field.errors for field in self.details)

    def _usual_details(self) -> dict[str, Any]:
        key = self["format_key"].value()
        return usual_details(key) if key in {*TEMPLATES, *PRESETS} else {}

    def clean_lengths(self) -> tuple[int, ...]:
        return _numbers(self.cleaned_data["lengths"], least=1, most=LONGEST)

    def clean_percentages(self) -> tuple[int, ...]:
        shares = _numbers(self.cleaned_data["percentages"], least=1, most=100)
        if shares and sum(shares) != 100:
            raise ValidationError(
                _("The prizes make %(sum)s percent, not 100."), code="sum", params={"sum": sum(shares)}
            )
        if list(shares) != sorted(shares, reverse=True):
            raise ValidationError(_("A better place does not get less."), code="order")
        return shares

    def clean_shares(self) -> tuple[tuple[str, int], ...]:
        return typed_shares(self.cleaned_data["shares"])

    def clean_pools(self) -> tuple[SidePool, ...]:
        lines = [line for line in self.cleaned_data["pools"].splitlines() if line.strip()]
        pools = tuple(self._pool(line) for line in lines)
        if len({pool.key for pool in pools}) < len(pools):
            raise ValidationError(_("Two side pools have the same name."), code="pool_twice")
        return pools

    def _pool(self, line: str) -> SidePool:
        cells = [cell.strip() for cell in line.split(";")]
        try:
            fee = Decimal(cells[1]).scaleb(self._digits)
            # Asked before it is made whole: a short line may name a number of a million digits.
            if cells[0] and 0 <= fee <= DEAREST and fee == int(fee):
                returned = int(cells[2]) if len(cells) > 2 else 100
                return SidePool(cells[0][:LONGEST_POOL], int(fee), returned)
            cause: Exception | None = None
        except (IndexError, ValueError, ArithmeticError, PrizeRefused) as error:
            cause = error
        raise ValidationError(
            _("“%(line)s” is no side pool: name; fee; returned percent."), code="pool", params={"line": line}
        ) from cause

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        if data.get("starts_when_full") and not data.get("capacity"):
            self.add_error("capacity", _("Say how many places it has: it starts when they are taken."))
        if data.get("shares") and data.get("format_key"):
            stages = template(data["format_key"]).flight(data.get("length") or 1).stages
            data["shares"] = shares_of(data["shares"], stages)
            for _code, message in share_faults(data["shares"], stages):
                self.add_error("shares", message)
                break
        if data.get("format_key"):
            for name, fault in detail_faults(data["format_key"], data):
                self.add_error(name, fault)
        rule = Eligibility(
            data.get("rating_from"),
            data.get("rating_below"),
            title_from=data.get("title_from") or "",
            title_below=data.get("title_below") or "",
        )
        if rule.leaves_nobody:
            self.add_error(rule.leaves_nobody, NOBODY)
        return data

    def flight(self, day: date) -> FlightPlan:
        """What was typed, as a plan; a league's deadlines begin on this day."""
        data = self.cleaned_data
        flight = flight_from(data["format_key"], data["length"], day)
        if data["lengths"]:
            first = replace(flight.stages[0], lengths=data["lengths"])
            flight = replace(flight, stages=(first, *flight.stages[1:]))
        return replace(
            with_details(flight, data),
            name=data["name"],
            fees=Fees(
                self._minor(data["registration_fee"]), self._minor(data["entry_fee"]), data["returned"]
            ),
            added=self._minor(data["added"]),
            capacity=data["capacity"] or flight.capacity,
            percentages=data["percentages"],
            shares=data["shares"],
            team_size=data["team_size"] or flight.team_size,
            eligibility=Eligibility(
                data["rating_from"],
                data["rating_below"],
                title_from=data["title_from"],
                title_below=data["title_below"],
            ),
            pools=data["pools"],
            starts_when_full=data["starts_when_full"] or flight.starts_when_full,
        )

    def _minor(self, amount: Decimal | None) -> int:
        return int(amount.scaleb(self._digits)) if amount else 0


class ExpectedFlightForm(FlightForm):
    """A flight of an event that is not announced yet, with the field that is expected."""

    shown = (
        SECTIONS[0],
        (SECTIONS[1][0], ("entrants", *SECTIONS[1][1])),
        SECTIONS[2],
    )

    entrants = forms.IntegerField(
        label=_("Expected entrants"),
        min_value=2,
        max_value=MOST_EXPECTED,
        required=False,
        help_text=_("For the forecast alone; otherwise the places, or the usual field of the template."),
    )

    def expected(self) -> int:
        """How many the forecast plays with."""
        data = self.cleaned_data
        chosen = template(data["format_key"])
        return data["entrants"] or min(data["capacity"] or chosen.entrants, MOST_EXPECTED)


class EventForm(ExpectedFlightForm):
    """A new event with its first flight; times are on the venue's clock."""

    event_shown = ((_("What"), ("name", "tables")), WHEN, REGISTRATION)
    shown = (
        (_("What is played"), ("flight_name", "format_key", "length", "lengths")),
        *ExpectedFlightForm.shown[1:],
    )

    name = forms.CharField(label=_("Name"), max_length=120)
    flight_name = forms.CharField(
        label=_("Name of the flight"),
        max_length=60,
        required=False,
        help_text=_("Open, novices, doubles: only where the event has several."),
    )
    tables = forms.IntegerField(
        label=_("Tables at the venue"),
        min_value=1,
        max_value=500,
        required=False,
        help_text=_("For the forecast alone; leave it empty for enough."),
    )
    starts_at = MomentField(label=_("Starts"), help_text=_("On the venue's clock."))
    zone = forms.CharField(
        label=_("Time zone"),
        max_length=64,
        required=False,
        validators=[validate_time_zone],
        help_text=_("Where the venue is elsewhere than the club, e.g. Europe/Madrid."),
    )
    breaks = BreaksField()
    profile = forms.ChoiceField(label=_("Rules"), required=False)
    clocks = forms.BooleanField(label=_("Played with clocks"), required=False, initial=True)
    entries_from = MomentField(label=_("Registration opens"), required=False)
    entries_until = MomentField(
        label=_("Registration closes"), required=False, help_text=_("Otherwise with the start.")
    )
    rated = forms.BooleanField(label=_("Matches are rated"), required=False, initial=True)
    hidden = forms.BooleanField(label=_("Only directors see it"), required=False)
    members_only = forms.BooleanField(label=_("Only the club's people see it"), required=False)

    def __init__(self, club: Club, *args: Any, **options: Any) -> None:
        super().__init__(club, *args, **options)
        self._profiles = {profile.name: profile for profile in profiles_of(club)}
        profile: Any = self.fields["profile"]
        profile.choices = [(name, each.title) for name, each in self._profiles.items()]

    def clean(self) -> dict[str, Any]:
        data = super().clean()
        opens, closes = data.get("entries_from"), data.get("entries_until")
        if opens and closes and closes <= opens:
            self.add_error("entries_until", _("Registration cannot close before it opens."))
        if data.get("breaks") and data.get("starts_at") and "zone" in data:
            starts_at = self._at(data["starts_at"])
            try:
                data["breaks"] = typed_breaks(data["breaks"], zone=self._zone(), event_at=starts_at)
            except ValidationError as error:
                self.add_error("breaks", error)
        return data

    @property
    def event_sections(self) -> list[tuple[Any, list[Any]]]:
        """The fields of the event itself in groups; ``sections`` are those of its first flight."""
        return [(title, [self[name] for name in names]) for title, names in self.event_shown]

    def plan(self, others: Sequence[FlightForm] = ()) -> EventPlan:
        """What was typed, as a plan; ``others`` are the further flights, checked."""
        data = self.cleaned_data
        starts_at = self._at(data["starts_at"])
        profile = self._profiles[data["profile"] or STANDARD_PROFILE.name]
        if not data["clocks"]:
            profile = replace(profile, clock=None)
        return EventPlan(
            name=data["name"],
            starts_at=starts_at,
            flights=(
                replace(self.flight(starts_at.date()), name=data["flight_name"]),
                *(other.flight(starts_at.date()) for other in others),
            ),
            zone=data["zone"],
            profile=profile,
            rated=data["rated"],
            hidden=data["hidden"],
            members_only=data["members_only"],
            entries_from=self._at(data["entries_from"]) if data["entries_from"] else None,
            entries_until=self._at(data["entries_until"]) if data["entries_until"] else None,
            breaks=tuple(data["breaks"]),
        )

    def _at(self, typed: datetime) -> datetime:
        """The moment that was typed on the venue's clock."""
        return typed.replace(tzinfo=self._zone())

    def _zone(self) -> ZoneInfo:
        zone = self.cleaned_data.get("zone")
        return ZoneInfo(zone) if zone else self._club.zone


class AskForm(forms.Form):
    """For which field the templates are compared."""

    entrants = forms.IntegerField(
        label=_("Entrants"),
        min_value=2,
        max_value=128,
        required=False,
        help_text=_("Leave it empty for the usual field of each."),
    )
    tables = forms.IntegerField(
        label=_("Tables"),
        min_value=1,
        max_value=64,
        required=False,
        help_text=_("Leave it empty for enough."),
    )


def typed_shares(text: str) -> tuple[tuple[str, int], ...]:
    """Names with their percent, as they are typed: ``main 70, consolation 30``. Raises ValidationError."""
    found = []
    for cell in (cell.strip() for cell in text.split(",")):
        name, _space, percent = cell.rstrip("% ").rpartition(" ")
        if not cell:
            continue
        if not name or not percent.isdecimal() or len(percent) > 3:
            raise ValidationError(
                _("“%(cell)s” is no share: a name and its percent, e.g. consolation 20."),
                code="share",
                params={"cell": cell},
            )
        found.append((name.strip(), int(percent)))
    return tuple(found)


def shares_of(typed: Sequence[tuple[str, int]], stages: Sequence[StagePlan]) -> tuple[tuple[str, int], ...]:
    """The shares with the names of the flight's tables as they are written there, in any case typed."""
    known = {name.casefold(): name for name in prize_tables(stages)}
    return tuple((known.get(name.casefold(), name), percent) for name, percent in typed)


def _numbers(text: str, *, least: int, most: int) -> tuple[int, ...]:
    cells = [cell.strip() for cell in text.replace(";", ",").split(",") if cell.strip()]
    for cell in cells:
        if not cell.isdecimal() or not least <= int(cell) <= most:
            raise ValidationError(
                _("“%(cell)s” is no number from %(least)s to %(most)s."),
                code="number",
                params={"cell": cell, "least": least, "most": most},
            )
    if len(cells) > MOST_ROUNDS:
        raise ValidationError(_("These are more than %(most)s."), code="most", params={"most": MOST_ROUNDS})
    return tuple(map(int, cells))
