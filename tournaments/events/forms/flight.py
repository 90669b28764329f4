"""The form of a flight: format, field and money."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any, ClassVar

from django import forms
from django.core.exceptions import ValidationError
from django.core.validators import DecimalValidator
from django.utils.translation import gettext_lazy as _

from clubs.currency import minor_digits
from clubs.models import Club
from tournaments.core.formats.presets import PRESETS
from tournaments.core.prizes.pools import SidePool
from tournaments.core.standings.choices import LOT, SETS
from tournaments.core.standings.tables import DEFAULT_TIE_BREAKS
from tournaments.events.announcements import (
    DEAREST,
    LONGEST,
    LONGEST_POOL,
    MOST_BOARDS,
    MOST_DAYS,
    MOST_FEEDING,
    MOST_LIVES,
    MOST_ROUNDS,
    NO_ONE_LEFT,
    SEEDINGS,
    TITLES,
    flight_in,
    percentage_fault,
    rule_in,
)
from tournaments.events.event_templates import TEMPLATES, template
from tournaments.events.format_details import OPTIONS, detail_faults, has_table, usual_details
from tournaments.events.plans import FlightPlan, StagePlan, prize_tables, share_faults
from tournaments.events.side_pools import pool_from_line, pools_fault
from tournaments.words.formats import FORMAT_NAMES
from tournaments.words.ties import set_title

NAMED = ("name", "format_key", "length", "lengths")
WHO_MORE = (
    "starts_when_full",
    "team_size",
    "rating_below",
    "rating_from",
    "title_from",
    "title_below",
)
MONEY_PART = (
    _("Money"),
    ("entry_fee", "returned", "pools"),
    ("registration_fee", "added", "percentages", "shares"),
)
SECTIONS = ((_("Event"), NAMED, ()), (_("Entrants"), ("capacity",), WHO_MORE), MONEY_PART)
"""Title, visible fields and folded fields of each section."""


TABLE_DETAILS = ("tie_breaks", "lot_last")
"""Only for formats that are ranked by a table."""
DETAILS = (*OPTIONS, *TABLE_DETAILS, "boards", "duplicate_dice")
"""Format details: a fold below the part in which the format is chosen."""


@dataclass(frozen=True, slots=True)
class FormPart:
    """A section of a form; ``more`` is folded unless something in it is set."""

    title: Any
    fields: list[Any]
    more: list[Any]
    opened: bool


def part_of(form: forms.Form, title: Any, names: Sequence[str], more: Sequence[str]) -> FormPart:
    """A section of a form, opened where a folded field is set or invalid."""
    folded = [form[name] for name in more]
    return FormPart(title, [form[name] for name in names], folded, any(map(is_set, folded)))


def is_set(field: forms.BoundField) -> bool:
    """Whether a field is invalid or has another value than it begins with."""
    return bool(field.errors) or field.field.has_changed(field.field.initial, field.value())


def page_order(parts: Sequence[Any]) -> list[str]:
    """Field names of these sections in page order."""
    return [
        name
        for _title, names, more in parts
        for name in (*names, *more, *(DETAILS if "format_key" in names else ()))
    ]


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
        help_text=_("E.g. 5, 7, 9: the last length applies to all later rounds."),
    )
    seeding = forms.ChoiceField(label=_("Seeding"), required=False)
    rounds = forms.IntegerField(label=_("Rounds"), min_value=1, max_value=MOST_ROUNDS, required=False)
    accelerated_rounds = forms.IntegerField(
        label=_("Accelerated rounds"),
        min_value=1,
        max_value=MOST_ROUNDS,
        required=False,
        help_text=_("So many first rounds pair the upper half with one point more. Blank = none"),
    )
    rounds_apart = forms.IntegerField(
        label=_("Rounds without a rematch"),
        min_value=0,
        max_value=MOST_ROUNDS,
        required=False,
        help_text=_("Players who have met are not paired again for this many rounds, where possible."),
    )
    lives = forms.IntegerField(label=_("Lives"), min_value=1, max_value=MOST_LIVES, required=False)
    days = forms.IntegerField(label=_("Days per round"), min_value=1, max_value=MOST_DAYS, required=False)
    reach = forms.IntegerField(
        label=_("Challenge range (rungs)"), min_value=1, max_value=MOST_ROUNDS, required=False
    )
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
    tie_breaks = forms.ChoiceField(
        label=_("Tie-breaks"),
        required=False,
        help_text=_("In this order. Directors settle what is left by a playoff or a lot."),
    )
    lot_last = forms.BooleanField(
        label=_("Lot as the last tie-break"),
        required=False,
        help_text=_("Drawn from the seed of the draw, at once."),
    )
    boards = forms.IntegerField(
        label=_("Boards per team match"),
        min_value=1,
        max_value=MOST_BOARDS,
        required=False,
        help_text=_("For teams: how many boards play at once."),
    )
    duplicate_dice = forms.BooleanField(
        label=_("Duplicate dice: all boards play the same rolls"), required=False
    )
    capacity = forms.IntegerField(
        label=_("Places"),
        min_value=2,
        max_value=100_000,
        required=False,
        help_text=_("Further entries join the waiting list."),
    )
    starts_when_full = forms.BooleanField(label=_("Starts when full"), required=False)
    team_size = forms.IntegerField(
        label=_("Players per team"),
        min_value=1,
        max_value=20,
        required=False,
        help_text=_("1 for singles, 2 for doubles, more for teams. Blank = singles or pairs."),
    )
    rating_below = forms.FloatField(label=_("Rating below"), required=False, min_value=0, max_value=10_000)
    rating_from = forms.FloatField(label=_("Minimum rating"), required=False, min_value=0, max_value=10_000)
    title_from = forms.ChoiceField(label=_("Minimum title"), required=False, choices=[("", "–"), *TITLES])
    title_below = forms.ChoiceField(
        label=_("Title below"),
        required=False,
        choices=[("", "–"), *TITLES],
        help_text=_("Titles come from the member list. No title counts as the lowest."),
    )
    entry_fee = forms.DecimalField(label=_("Entry fee"), min_value=0, max_value=100_000, required=False)
    registration_fee = forms.DecimalField(
        label=_("Registration fee (kept)"), min_value=0, max_value=100_000, required=False
    )
    returned = forms.IntegerField(
        label=_("% of entry fees paid out as prizes"), min_value=0, max_value=100, initial=100
    )
    added = forms.DecimalField(label=_("Added money"), min_value=0, max_value=1_000_000, required=False)
    percentages = forms.CharField(
        label=_("Prizes (%)"),
        max_length=120,
        required=False,
        help_text=_("E.g. 40, 25, 25, 10. Blank = the usual split."),
    )
    shares = forms.CharField(
        label=_("Prize pool split (%)"),
        max_length=400,
        required=False,
        help_text=_(
            "E.g. main 70, consolation 20, last chance 10, or a stage name. Blank = all to the main prizes."
        ),
    )
    pools = forms.CharField(
        label=_("Side pools"),
        max_length=1000,
        required=False,
        widget=forms.Textarea({"rows": 3}),
        help_text=_(
            "One per line: name; fee; % paid out; and if it has rules: needs NAME; under 1600; top 8."
        ),
    )

    def __init__(self, club: Club, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.order_fields(page_order(self.shown))
        self._club = club
        self._digits = minor_digits(club.currency)
        formats: Any = self.fields["format_key"]
        formats.choices = [
            (_("Templates"), [(key, each.name) for key, each in TEMPLATES.items()]),
            (_("Formats"), [(key, FORMAT_NAMES[key]) for key in PRESETS]),
        ]
        self._usual = self._usual_details()
        seeding: Any = self.fields["seeding"]
        usual = self._usual.get("seeding", "")
        choices: dict[str, Any] = dict(SEEDINGS)
        if self["seeding"].value() != usual:
            choices = {"": choices.pop(usual, "–"), **choices}
        seeding.choices = list(choices.items())
        ties: Any = self.fields["tie_breaks"]
        ties.choices = [("", _("The format’s default")), *((key, set_title(key)) for key in SETS)]
        for name in (*(each for each in OPTIONS if each != "seeding"), "boards"):
            self.fields[name].widget.attrs["placeholder"] = self._usual.get(name) or ""
        for name in ("entry_fee", "registration_fee", "added"):
            self.fields[name].validators.append(DecimalValidator(None, self._digits))
            self.fields[name].widget.attrs["step"] = str(Decimal(1).scaleb(-self._digits))

    @property
    def sections(self) -> list[FormPart]:
        """The fields in parts, for the page."""
        return [part_of(self, *part) for part in self.shown]

    @property
    def details(self) -> list[Any]:
        """The detail fields of the chosen format, and any that were typed."""
        return [
            self[name]
            for name in DETAILS
            if self[name].value()
            or (self._ranked if name in TABLE_DETAILS else name not in OPTIONS or name in self._usual)
        ]

    @property
    def unused_details(self) -> list[Any]:
        """The other detail fields: nothing typed for another format is lost."""
        shown = {field.name for field in self.details}
        return [self[name] for name in DETAILS if name not in shown]

    @property
    def _ranked(self) -> bool:
        key = self["format_key"].value()
        return key in {*TEMPLATES, *PRESETS} and has_table(key)

    @property
    def details_typed(self) -> bool:
        """Whether any detail is set."""
        return any(field.value() or field.errors for field in self.details)

    def _usual_details(self) -> dict[str, Any]:
        key = self["format_key"].value()
        return usual_details(key) if key in {*TEMPLATES, *PRESETS} else {}

    def clean_lengths(self) -> tuple[int, ...]:
        return _numbers(self.cleaned_data["lengths"], least=1, most=LONGEST)

    def clean_percentages(self) -> tuple[int, ...]:
        shares = _numbers(self.cleaned_data["percentages"], least=1, most=100)
        if fault := percentage_fault(shares):
            raise ValidationError(fault[1], code=fault[0])
        return shares

    def clean_shares(self) -> tuple[tuple[str, int], ...]:
        return typed_shares(self.cleaned_data["shares"])

    def clean_pools(self) -> tuple[SidePool, ...]:
        lines = [line for line in self.cleaned_data["pools"].splitlines() if line.strip()]
        pools = tuple(self._pool(line) for line in lines)
        if fault := pools_fault(pools):
            raise ValidationError(fault[1], code=fault[0])
        return pools

    def _pool(self, line: str) -> SidePool:
        pool = pool_from_line(line, digits=self._digits, dearest=DEAREST, longest=LONGEST_POOL)
        if pool is None:
            raise ValidationError(
                _("“%(line)s” is not a side pool. Enter name; fee; %% paid out."),
                code="pool",
                params={"line": line},
            )
        return pool

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        if data.get("starts_when_full") and not data.get("capacity"):
            self.add_error("capacity", _("Enter the number of places."))
        if data.get("shares") and data.get("format_key"):
            stages = template(data["format_key"]).flight(data.get("length") or 1).stages
            data["shares"] = shares_of(data["shares"], stages)
            for _code, message in share_faults(data["shares"], stages):
                self.add_error("shares", message)
                break
        if data.get("format_key"):
            data["tie_breaks"] = self._tie_breaks(data)
            for name, fault in detail_faults(data["format_key"], data):
                self.add_error(name, fault)
        if wrong := rule_in(data).excludes_everyone:
            self.add_error(wrong, NO_ONE_LEFT)
        return data

    def _tie_breaks(self, data: dict[str, Any]) -> tuple[str, ...]:
        """The chosen set of tie-breaks, with the lot behind it; empty for the format's default."""
        chosen = SETS[data["tie_breaks"]].tie_breaks if data.get("tie_breaks") else ()
        if not data.get("lot_last"):
            return chosen
        first = template(data["format_key"]).flight(1).stages[0]
        return (*(chosen or first.tie_breaks or DEFAULT_TIE_BREAKS), LOT)

    def flight(self, day: date) -> FlightPlan:
        """The typed flight as a plan; a league's deadlines count from ``day``."""
        data = self.cleaned_data
        money = {name: self._minor(data[name]) for name in ("registration_fee", "entry_fee", "added")}
        return flight_in({**data, "format": data["format_key"], **money}, day)

    def _minor(self, amount: Decimal | None) -> int:
        return int(amount.scaleb(self._digits)) if amount else 0


def typed_shares(text: str) -> tuple[tuple[str, int], ...]:
    """Names with their percent, as they are typed: ``main 70, consolation 30``. Raises ValidationError."""
    found = []
    for cell in (cell.strip() for cell in text.split(",")):
        name, _space, percent = cell.rstrip("% ").rpartition(" ")
        if not cell:
            continue
        if not name or not percent.isdecimal() or len(percent) > 3:
            raise ValidationError(
                _("“%(cell)s” is not a share. Enter a name and a percentage, e.g. consolation 20."),
                code="share",
                params={"cell": cell},
            )
        found.append((name.strip(), int(percent)))
    return tuple(found)


def shares_of(typed: Sequence[tuple[str, int]], stages: Sequence[StagePlan]) -> tuple[tuple[str, int], ...]:
    """The shares with table names spelled as in the flight, whatever case was typed."""
    known = {name.casefold(): name for name in prize_tables(stages)}
    return tuple((known.get(name.casefold(), name), percent) for name, percent in typed)


def _numbers(text: str, *, least: int, most: int) -> tuple[int, ...]:
    cells = [cell.strip() for cell in text.replace(";", ",").split(",") if cell.strip()]
    for cell in cells:
        if not cell.isdecimal() or not least <= int(cell) <= most:
            raise ValidationError(
                _("“%(cell)s” is not a number from %(least)s to %(most)s."),
                code="number",
                params={"cell": cell, "least": least, "most": most},
            )
    if len(cells) > MOST_ROUNDS:
        raise ValidationError(_("Enter at most %(most)s numbers."), code="most", params={"most": MOST_ROUNDS})
    return tuple(map(int, cells))
