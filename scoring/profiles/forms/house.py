"""Form of house rules for chouettes."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from scoring.profiles.forms.names import name_from
from scoring.rules.chouette.options import (
    FEWEST_WITH_PARTNER,
    OPENING_DICE,
    Automatic,
    BoxKeeps,
    ChouetteOptions,
    Consultation,
    Extras,
    NewBox,
    ThreePlayers,
)
from scoring.rules.codec import to_plain

HIGHEST_CUBE = 10  # as a power of two
MOST_PLAYERS = 12

BOX_KEEPS = {
    BoxKeeps.BEAT_CAPTAIN: _("if it beats the captain"),
    BoxKeeps.NET_NOT_NEGATIVE: _("unless it loses points overall"),
    BoxKeeps.LAST_ACTIVE_CUBE: _("if it wins the last cube in play"),
}
NEW_BOX = {
    NewBox.ACTING_CAPTAIN: _("the first crew member who won"),
    NewBox.CAPTAIN: _("the captain"),
}
THREE_PLAYERS = {
    ThreePlayers.FREE: _("may take one and pass the other"),
    ThreePlayers.BOTH_OR_NONE: _("takes both or passes both"),
    ThreePlayers.BOTH: _("takes both"),
}
AUTOMATIC = {
    Automatic.NEVER: _("no automatic doubles"),
    Automatic.BOX_WISHES: _("double every cube if the box agrees"),
    Automatic.FIRST_ALWAYS: _("double every cube the first time, later if the box agrees"),
}
EXTRAS = {
    Extras.NONE: _("no extras"),
    Extras.OPTIONAL: _("allowed; the taker may refuse"),
    Extras.COMPULSORY: _("allowed; the taker must accept"),
}
CONSULTATION = {
    Consultation.NEVER: _("never"),
    Consultation.FROM_START: _("from the start"),
    Consultation.CUBE_TURNED: _("once a cube has been turned"),
    Consultation.CUBE_IN_GAME: _("only players whose cube has been turned and taken"),
}


def _tick(label: Any) -> forms.BooleanField:
    return forms.BooleanField(label=label, required=False)


def _choice(label: Any, words: Mapping[Any, Any]) -> forms.ChoiceField:
    """Radio buttons with a sentence each."""
    choices = [(key.value, text) for key, text in words.items()]
    return forms.ChoiceField(label=label, choices=choices, widget=forms.RadioSelect)


def _number(label: Any, numbers: range) -> forms.TypedChoiceField:
    """A number of players, or never."""
    return forms.TypedChoiceField(
        label=label,
        choices=[("", _("never")), *((str(number), str(number)) for number in numbers)],
        coerce=int,
        empty_value=None,
        required=False,
    )


class HouseForm(forms.Form):
    """A field per option of :class:`ChouetteOptions`, which validates them together."""

    title = forms.CharField(label=_("Title"), max_length=80)
    name = forms.SlugField(
        label=_("Short name"),
        max_length=40,
        required=False,
        help_text=_("Used in the API. Blank = made from the title"),
    )
    seen = forms.IntegerField(widget=forms.HiddenInput, required=False)
    multi_cube = _tick(_("A cube for each crew member"))
    max_cube = forms.TypedChoiceField(
        label=_("Cube limit"),
        choices=[("", _("no limit")), *((str(2**n), str(2**n)) for n in range(1, HIGHEST_CUBE + 1))],
        coerce=int,
        empty_value=None,
        required=False,
    )
    jacoby = _tick(_("Jacoby rule, for each cube separately"))
    beavers = _tick(_("Beavers"))
    raccoons = _tick(_("Raccoons"))
    automatic = _choice(_("Equal opening dice"), AUTOMATIC)
    lone_taker_beavers = _tick(_("A lone taker of the box’s double must beaver"))
    takes_half = _tick(
        _("When the whole crew doubles together, the box takes at least half of the cubes or passes them all")
    )
    takes_captain = _tick(_("A box that takes any cube must take the captain’s"))
    three_players = _choice(_("With three players, if both double together, the box"), THREE_PLAYERS)
    extras = _choice(_("Extras"), EXTRAS)
    settlements = _tick(_("Cubes may be settled or taken over at an agreed price"))
    opening_dice = forms.TypedChoiceField(
        label=_("Dice rolled for places"), choices=[(n, str(n)) for n in OPENING_DICE], coerce=int
    )
    box_keeps = _choice(_("The box stays in"), BOX_KEEPS)
    new_box = _choice(_("If the box leaves after beating the captain, the next box is"), NEW_BOX)
    double_stand_up = _tick(_("Then the captain goes to the bottom, too (double stand-up)"))
    partner_from = _number(_("Players for an optional partner"), range(FEWEST_WITH_PARTNER, MOST_PLAYERS + 1))
    partner_must = _number(
        _("Players for a compulsory partner"), range(FEWEST_WITH_PARTNER, MOST_PLAYERS + 1)
    )
    newcomers_last = _tick(_("A player who joins during a game sits behind its loser"))
    consultation = _choice(_("Consultation"), CONSULTATION)
    proxies = _tick(_("A proxy may decide for a player who is away"))

    def __init__(
        self,
        data: QueryDict | None,
        *,
        options: ChouetteOptions,
        title: str = "",
        name: str | None = None,
        version: int | None = None,
    ) -> None:
        """Copy ``options`` to a new name or, with ``name``, edit those house rules."""
        initial = {**to_plain(options, full=True), "title": title, "seen": version}
        super().__init__(data, initial=initial)
        self.kept = name
        if name is not None:
            del self.fields["name"]

    def clean_name(self) -> str:
        return name_from(self.cleaned_data, longest=self.fields["name"].max_length)  # type: ignore[attr-defined]

    @property
    def parts(self) -> list[tuple[Any, list[forms.BoundField]]]:
        """The fields in titled groups."""
        groups = (
            (_("Name"), ("title", "name")),
            (_("Cubes"), ("multi_cube", "max_cube", "jacoby", "beavers", "raccoons", "automatic")),
            (_("Taking"), ("lone_taker_beavers", "takes_half", "takes_captain", "three_players")),
            (_("Between players"), ("extras", "settlements", "proxies", "consultation")),
            (
                _("Places"),
                ("opening_dice", "box_keeps", "new_box", "double_stand_up", "newcomers_last"),
            ),
            (_("Box’s partner"), ("partner_from", "partner_must")),
        )
        return [(title, [self[name] for name in names if name in self.fields]) for title, names in groups]

    def values(self) -> dict[str, Any]:
        """The plain form of the options."""
        return {
            name: value for name, value in self.cleaned_data.items() if name not in {"title", "name", "seen"}
        }
