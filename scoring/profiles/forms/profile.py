"""Form of a club's rules profile."""

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
    ReportPolicy.WINNER_REPORTS: _("The winner reports; the loser can dispute it for a while."),
    ReportPolicy.BOTH: _("Both sides confirm."),
    ReportPolicy.DESK: _("A director confirms at the desk."),
}


def _tick(label: Any) -> forms.BooleanField:
    return forms.BooleanField(label=label, required=False)


def _choice(label: Any, words: Any) -> forms.ChoiceField:
    """Radio buttons with a sentence each."""
    choices = [(key.value, text) for key, text in words.items()]
    return forms.ChoiceField(label=label, choices=choices, widget=forms.RadioSelect)


class ProfileForm(forms.Form):
    """A field per option of a profile; the services validate them together."""

    title = forms.CharField(label=_("Title"), max_length=LONGEST_TEXT)
    name = forms.SlugField(
        label=_("Short name"),
        max_length=LONGEST_NAME,
        required=False,
        help_text=_("Used in the API. Blank = made from the title"),
    )
    seen = forms.IntegerField(widget=forms.HiddenInput, required=False)
    source = forms.CharField(
        label=_("Source"),
        max_length=LONGEST_SOURCE,
        required=False,
        widget=forms.Textarea({"rows": 2}),
    )
    cube = _tick(_("Doubling cube"))
    max_cube = forms.TypedChoiceField(
        label=_("Cube limit"),
        choices=[("", _("no limit")), *((str(2**n), str(2**n)) for n in range(1, HIGHEST_CUBE + 1))],
        coerce=int,
        empty_value=None,
        required=False,
    )
    crawford = _tick(_("Matches: Crawford rule"))
    holland = _tick(
        _("Matches: Holland rule (after the Crawford game, no double until each side has rolled twice)")
    )
    forbid_dead_cube = _tick(_("Matches: no dead cubes (doubles that cannot help the doubler)"))
    jacoby = _tick(_("Money: Jacoby rule"))
    beavers = _tick(_("Money: beavers"))
    raccoons = _tick(_("Money: raccoons"))
    automatic_doubles = forms.IntegerField(
        label=_("Money: automatic doubles per game"), min_value=0, max_value=MOST_DOUBLES
    )
    moves_policy = _choice(_("Illegal plays"), PLAYS)
    premature_roll = _choice(_("Premature roll"), ROLLS)
    premature_cube = _choice(_("Premature double"), CUBES)
    die_on_checker = _choice(_("Die on a checker"), DICE)
    penalty_majority = _tick(_("Penalty points above half the match length win the match"))
    report = _choice(_("Result confirmation"), REPORTS)
    objection_minutes = forms.IntegerField(
        label=_("Minutes to dispute a result"), min_value=1, max_value=LONGEST_WINDOW
    )
    clock = _tick(_("Clock"))
    reserve = forms.IntegerField(
        label=_("Reserve seconds per point"), min_value=0, max_value=LONGEST_RESERVE, initial=USUAL_RESERVE
    )
    delay = forms.IntegerField(
        label=_("Delay seconds per turn"), min_value=0, max_value=LONGEST_DELAY, initial=USUAL_DELAY
    )

    def __init__(self, data: QueryDict | None, *, profile: Profile, version: int | None) -> None:
        """Copy ``profile`` or, with the ``version`` shown, edit it."""
        super().__init__(data, initial=_initial(profile, version))
        self.kept = profile.name
        if version is not None:
            del self.fields["name"]

    def clean_name(self) -> str:
        return name_from(self.cleaned_data, longest=self.fields["name"].max_length)  # type: ignore[attr-defined]

    @property
    def parts(self) -> list[tuple[Any, list[forms.BoundField]]]:
        """The fields in titled groups."""
        groups = (
            (_("Name"), ("title", "name", "source")),
            (_("Cube"), ("cube", "max_cube", *FLAGS[1:7], "automatic_doubles")),
            (_("Irregularities"), ("moves_policy", *CHOICES[:3], "penalty_majority")),
            (_("Result"), ("report", "objection_minutes")),
            (_("Clock"), ("clock", "reserve", "delay")),
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
    if version is None:  # a copy needs a new name
        initial["name"] = initial["title"] = ""
    return initial
