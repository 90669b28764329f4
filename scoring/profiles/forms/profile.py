"""The form in which a director writes a rules profile of the club's own."""

from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from scoring.profiles.forms.names import name_from
from scoring.profiles.queries.profile_words import CUBES, DICE, PLAYS, ROLLS
from scoring.profiles.services.profiles import LONGEST_NAME
from scoring.rules.profiles import (
    LONGEST_DELAY,
    LONGEST_RESERVE,
    LONGEST_SOURCE,
    LONGEST_TEXT,
    LONGEST_WINDOW,
    Profile,
    ReportPolicy,
    profile_to_plain,
)

MOST_DOUBLES = 10
HIGHEST_CUBE = 10  # as a power of two
USUAL_RESERVE, USUAL_DELAY = 120, 12
FLAGS = (
    "cube",
    "crawford",
    "holland",
    "forbid_dead_cube",
    "jacoby",
    "beavers",
    "raccoons",
    "penalty_majority",
)
CHOICES = ("premature_roll", "premature_cube", "die_on_checker", "moves_policy")
REPORTS = {
    ReportPolicy.WINNER_REPORTS: _("The winner reports; the loser may object for a while."),
    ReportPolicy.BOTH: _("Both sides confirm."),
    ReportPolicy.DESK: _("A director confirms at the desk."),
}


def _tick(label: Any) -> forms.BooleanField:
    return forms.BooleanField(label=label, required=False)


def _choice(label: Any, words: Any) -> forms.ChoiceField:
    """One of a few sentences, each of which is read whole."""
    choices = [(key.value, text) for key, text in words.items()]
    return forms.ChoiceField(label=label, choices=choices, widget=forms.RadioSelect)


class ProfileForm(forms.Form):
    """Every choice of a profile. The services check what belongs together."""

    title = forms.CharField(label=_("Title"), max_length=LONGEST_TEXT)
    name = forms.SlugField(
        label=_("Short name"),
        max_length=LONGEST_NAME,
        required=False,
        help_text=_("For programs. Blank = made from the title"),
    )
    seen = forms.IntegerField(widget=forms.HiddenInput, required=False)
    source = forms.CharField(
        label=_("Where these rules come from"),
        max_length=LONGEST_SOURCE,
        required=False,
        widget=forms.Textarea({"rows": 2}),
    )
    cube = _tick(_("The doubling cube is used"))
    max_cube = forms.TypedChoiceField(
        label=_("The cube goes to"),
        choices=[("", _("no limit")), *((str(2**n), str(2**n)) for n in range(1, HIGHEST_CUBE + 1))],
        coerce=int,
        empty_value=None,
        required=False,
    )
    crawford = _tick(_("Matches: Crawford rule"))
    holland = _tick(
        _("Matches: Holland rule, after the Crawford game no double before each side rolled twice")
    )
    forbid_dead_cube = _tick(_("Matches: refuse a double that cannot help the doubler"))
    jacoby = _tick(_("Money: Jacoby rule"))
    beavers = _tick(_("Money: beavers"))
    raccoons = _tick(_("Money: raccoons"))
    automatic_doubles = forms.IntegerField(
        label=_("Money: automatic doubles a game"), min_value=0, max_value=MOST_DOUBLES
    )
    moves_policy = _choice(_("Illegal plays"), PLAYS)
    premature_roll = _choice(_("Rolled too early"), ROLLS)
    premature_cube = _choice(_("Doubled too early"), CUBES)
    die_on_checker = _choice(_("A die on a checker"), DICE)
    penalty_majority = _tick(_("Penalty points above half the match length win the match"))
    report = _choice(_("Whose word makes a result final"), REPORTS)
    objection_minutes = forms.IntegerField(
        label=_("Minutes in which the loser may object"), min_value=1, max_value=LONGEST_WINDOW
    )
    clock = _tick(_("Played with a clock"))
    reserve = forms.IntegerField(
        label=_("Seconds of reserve a point"), min_value=0, max_value=LONGEST_RESERVE, initial=USUAL_RESERVE
    )
    delay = forms.IntegerField(
        label=_("Seconds of delay a turn"), min_value=0, max_value=LONGEST_DELAY, initial=USUAL_DELAY
    )

    def __init__(self, data: QueryDict | None, *, profile: Profile, version: int | None) -> None:
        """``profile`` is copied, or changed where ``version`` says which state of it is shown."""
        super().__init__(data, initial=_initial(profile, version))
        self.kept = profile.name
        if version is not None:
            del self.fields["name"]

    def clean_name(self) -> str:
        return name_from(self.cleaned_data, longest=self.fields["name"].max_length)  # type: ignore[attr-defined]

    @property
    def parts(self) -> list[tuple[Any, list[forms.BoundField]]]:
        """The fields in groups, each with its name."""
        groups = (
            (_("Name"), ("title", "name", "source")),
            (_("The cube"), ("cube", "max_cube", *FLAGS[1:7], "automatic_doubles")),
            (_("Irregularities"), ("moves_policy", *CHOICES[:3], "penalty_majority")),
            (_("The result"), ("report", "objection_minutes")),
            (_("The clock"), ("clock", "reserve", "delay")),
        )
        return [(title, [self[name] for name in names if name in self.fields]) for title, names in groups]

    def values(self) -> dict[str, Any]:
        """The plain form of the profile (``scoring.rules.profiles``)."""
        data = self.cleaned_data
        options = {name: data[name] for name in (*FLAGS, *CHOICES, "max_cube", "automatic_doubles")}
        clock = {"reserve_seconds_per_point": data["reserve"], "delay_seconds": data["delay"]}
        return {
            "name": data.get("name", self.kept),
            "options": options,
            "clock": clock if data["clock"] else None,
            **{name: data[name] for name in ("title", "source", "report", "objection_minutes")},
        }


def _initial(profile: Profile, version: int | None) -> dict[str, Any]:
    plain = profile_to_plain(profile)
    initial = {**plain, **plain["options"], "clock": profile.clock is not None, "seen": version}
    if profile.clock is not None:
        initial["reserve"] = profile.clock.reserve_seconds_per_point
        initial["delay"] = profile.clock.delay_seconds
    if version is None:  # a copy has a name of its own
        initial["name"] = initial["title"] = ""
    return initial
